"""The central comparison: all pairs of Adult's fifteen attributes, at one budget for a record.

LoPub publishes the table of a pair as its expectation maximisation leaves it. How long it runs
matters more than anything else: it fits noise in the end. So it is stopped by the paper's rule,
after few passes, and when nothing more is gained; the best of these counts as LoPub's.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from enum import StrEnum
from time import process_time

import numpy as np
from matplotlib.figure import Figure

from discretion.crowd import simulate
from discretion.estimate.em import ascend
from discretion.joints.build import likelihood_of
from discretion.joints.lopub import em_lopub
from discretion.joints.table_evidence import Evidence
from discretion.render.theme import LIGHT
from discretion.synthesis import publish
from papers.exhibit import Table, frame, sheet
from papers.lopub.crowd import HASHES, Axes, Sample, Way, filters
from papers.study import Cells, Check, Findings, Measurement, distance

TOTALS = (30.0, 12.0)  # of a record
PASSES, GAIN = 300, 0.02  # at most, and nats: what counts as nothing more


class Line(StrEnum):
    """Who publishes the pairs."""

    FOUR = "LoPub, 4 hashes"
    ONE = "LoPub, 1 hash"
    EVEN = "ours, equal split"
    PERSONAL = "ours, personal budgets"

    @property
    def ours(self) -> bool:
        return self in (Line.EVEN, Line.PERSONAL)

    @property
    def stops(self) -> "tuple[Stop | None, ...]":
        """When its tables are taken; there is one answer of ours."""
        return (None,) if self.ours else tuple(Stop)


class Stop(StrEnum):
    """When LoPub's EM is stopped."""

    RULE = "by the paper's rule"
    TEN = "after 10 passes"
    TWENTY = "after 20 passes"
    FORTY = "after 40 passes"
    LATE = "when nothing more is gained"


OVER = {  # ours with personal budgets over LoPub, by the budget of a record
    (30.0, Line.FOUR): 0.32,
    (30.0, Line.ONE): 0.60,
    (12.0, Line.FOUR): 0.50,
    (12.0, Line.ONE): 0.82,
}
PAIRS = "Total variation of all pairs of Adult, ours with personal budgets over LoPub"
COLOURS = {
    Line.FOUR: LIGHT.second_soft,
    Line.ONE: LIGHT.second,
    Line.EVEN: LIGHT.first_soft,
    Line.PERSONAL: LIGHT.first,
}
EARLY = {Stop.TEN: 10, Stop.TWENTY: 20, Stop.FORTY: 40}


def run(sample: Sample, line: Line, total: float, seed: int) -> Iterator[Measurement]:
    """Let everybody report with this budget, and compare what is published about pairs."""
    average, names = total / len(sample.survey.fields), sample.survey.names
    found: dict[Stop | None, dict[Axes, Cells]] = defaultdict(dict)
    if line.ours:
        reports = sample.report(Way.EVEN if line is Line.EVEN else Way.PERSONAL, average, seed)
        start = process_time()
        model = publish(reports).model
        for axes in sample.pairs:
            found[None][axes] = model.marginal([names[axis] for axis in axes])
    else:
        plan = filters(sample.survey, average, HASHES if line is Line.FOUR else 1)
        reports = simulate(plan, sample.records, seed=seed)
        start = process_time()
        for axes in sample.pairs:
            evidence = Evidence.of(reports, [names[axis] for axis in axes])
            for when, table in pair_tables(evidence).items():
                found[when][axes] = table
    yield ("pair seconds", line), process_time() - start
    for stop, tables in found.items():
        yield ("pairs", total, line, stop), mean_distance(sample, tables)


def pair_tables(evidence: Evidence) -> dict[Stop, Cells]:
    """Return the table of attributes as LoPub's EM has it when it is stopped, from uniform on."""
    likelihood, found = likelihood_of(evidence), {Stop.RULE: em_lopub(evidence)}
    f, done = np.full(evidence.cells, 1 / evidence.cells), 0
    for stop, passes in EARLY.items():
        f, done = ascend(likelihood, f, 0.0, passes - done).f, passes
        found[stop] = f.reshape(evidence.shape)
    late = ascend(likelihood, f, 0.0, PASSES - done, GAIN)
    return {**found, Stop.LATE: late.f.reshape(evidence.shape)}


def mean_distance(sample: Sample, tables: Mapping[Axes, Cells]) -> float:
    """Return the mean total variation of tables from the true ones."""
    return float(np.mean([distance(table, sample.pairs[axes]) for axes, table in tables.items()]))


def unrelated(sample: Sample) -> Iterator[Measurement]:
    """Yield the mean distance of the products of the true marginals."""
    products = {
        axes: np.outer(table.sum(axis=1), table.sum(axis=0)) for axes, table in sample.pairs.items()
    }
    yield ("unrelated",), mean_distance(sample, products)


def checks(found: Findings) -> Iterator[Check]:
    """Hold ours against LoPub's EM when nothing more is gained, and when stopped best."""
    for (total, line), bar in OVER.items():
        ours = found.runs("pairs", total, Line.PERSONAL, None)
        best = min(Stop, key=lambda stop: found.mean("pairs", total, line, stop))
        for stop in dict.fromkeys((Stop.LATE, best)):
            theirs = found.runs("pairs", total, line, stop)
            yield Check.ratio(
                PAIRS, f"{line}, stopped {stop}", f"budget {total:g}", ours, theirs, bar
            )


def table(found: Findings) -> Table:
    """Return the mean distances, a row for each way to publish pairs."""
    rows: list[tuple[str, ...]] = []
    for line in Line:
        seconds = f"{found.mean('pair seconds', line):.0f}"
        for stop in line.stops:
            keys = [("pairs", total, line, stop) for total in TOTALS]
            errors = [f" ± {found.stderr(*k):.4f}" if len(found.runs(*k)) > 1 else "" for k in keys]
            cells = (f"{found.mean(*k):.4f}{error}" for k, error in zip(keys, errors, strict=True))
            name = f"{line}, stopped {stop}" if stop else str(line)
            rows.append((name, *cells, seconds))
    apart = f"{found.mean('unrelated'):.4f}"
    rows.append(("the true marginals, multiplied", *[apart] * len(TOTALS), ""))
    budgets = (f"budget {total:g}" for total in TOTALS)
    return Table(("total variation of all pairs", *budgets, "seconds"), rows)


def chart(found: Findings) -> Figure:
    """Draw the same distances as bars."""
    keys = [(line, stop) for line in Line for stop in line.stops]
    figure = sheet(4, 1)
    figure.set_figheight(3.5)
    axes = figure.subplots(1, len(TOTALS), sharey=True, sharex=True)
    longest = max(found.runs("pairs", total, *key).max() for total in TOTALS for key in keys)
    ticks = np.arange(0, longest + 0.1, 0.1).round(1).tolist()
    for ax, total in zip(axes, TOTALS, strict=True):
        runs = [found.runs("pairs", total, *key) for key in keys]
        labels = [f"{line}, {stop}" if stop else line for line, stop in keys]
        ax.barh(labels, [run.mean() for run in runs], color=[COLOURS[line] for line, _ in keys])
        for place, run in enumerate(runs):
            ax.plot(run, [place] * len(run), "|", color=LIGHT.ink, markersize=6)
        ax.axvline(found.mean("unrelated"), color=LIGHT.muted, linestyle=":")
        frame(ax, f"budget {total:g}", ticks, "total variation")
        ax.grid(axis="y", visible=False)
    axes[0].invert_yaxis()
    return figure
