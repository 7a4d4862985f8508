"""The LoPub study: Figures 7 to 30, Tables 7 to 9, and all pairs of Adult's attributes."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import ClassVar, Self

import pyarrow as pa
from matplotlib.figure import Figure

from discretion.render.theme import LIGHT
from papers.data import Dataset
from papers.exhibit import (
    GREEN,
    VIOLET,
    Chart,
    Curve,
    Exhibit,
    Style,
    Table,
    Tables,
    grid,
    number,
    percent,
)
from papers.lopub import census, trial
from papers.lopub.census import TOTALS, Line
from papers.lopub.crowd import LOOSE, MODELS, OURS, PAPER, Sample, Way, spent
from papers.lopub.data import CENSUS, SURVEYS, Survey
from papers.lopub.printed import Pruned
from papers.lopub.pruning import Rates
from papers.lopub.trial import ORDERS
from papers.study import Check, Effort, Findings, Step, Study

FIRST_SEED = 30_001  # nothing of ours was tuned with these seeds
FLIPPED = (0.5, 0.7, 0.9)  # f
CLASSIFIED = (FLIPPED[0], FLIPPED[-1])
FOREST, SVM = "random forest", "linear SVM"
NAMES = tuple(survey.name for survey in SURVEYS)
BOTH = (*PAPER, *OURS)
SHARES = Rates._fields
WORST = "Random forest on our rows, over the paper's worst"
CLOSER = "How far from a classifier that saw real records, ours over the nearest of the paper's"
STYLES = {
    Way.LASSO: Style(GREEN, "^"),
    Way.EM: Style(LIGHT.second, "D"),
    Way.HYBRID: Style(VIOLET, "v"),
    Way.LOOSE: Style(LIGHT.second, "D", ":"),
    Way.EVEN: Style(LIGHT.first, "o", ":"),
    Way.PERSONAL: Style(LIGHT.first, "o"),
}
Prefix = tuple[Hashable, ...]  # of keys that end in survey, f and way


@dataclass(frozen=True)
class Lopub(Study):
    """Whole records published by the paper's methods and by ours."""

    name: ClassVar[str] = "lopub"
    printed: ClassVar[tuple[str, ...]] = ("pair-distances",)
    runs: int = 2  # of the paper's figures
    census_runs: int = 3
    part: float = 1.0  # of the records
    rest: int = 4_000  # records for classifiers, half of them to learn from
    flipped: tuple[float, ...] = FLIPPED

    @classmethod
    def of(cls, effort: Effort) -> Self:
        if effort.quick:
            return cls(effort.runs or 1, effort.runs or 1, 0.25, 1_000, CLASSIFIED)
        return cls(effort.runs or cls.runs, effort.runs or cls.census_runs)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return tuple(survey.file for survey in SURVEYS)

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        steps: list[Step] = []
        for survey in SURVEYS:
            records = survey.records(tables[survey.name])
            steps += self._trials(survey, records)
            if survey is CENSUS:
                steps += self._pairs(records)
        return [step._replace(alone=True) for step in steps]  # all of them measure time

    def _trials(self, survey: Survey, records: pa.Table) -> Iterator[Step]:
        """Yield the steps of one survey: the samples are the same for all f."""
        whole = Sample.of(survey, records, len(records), 0, FIRST_SEED)
        yield Step(f"{survey.name}, all records", partial(trial.truth, whole))
        size = round(self.part * survey.printed.records)
        for seed in range(FIRST_SEED, FIRST_SEED + self.runs):
            sample = Sample.of(survey, records, size, self.rest, seed)
            for f in self.flipped:
                run = partial(trial.run, sample, f, seed, classified=f in CLASSIFIED)
                yield Step(f"{survey.name}, f = {f:g}, seed {seed}", run)
        run = partial(trial.shuffled, sample, self.flipped[-1], FIRST_SEED)
        yield Step(f"{survey.name}, shuffled", run)

    def _pairs(self, records: pa.Table) -> Iterator[Step]:
        """Yield the steps of the central comparison."""
        whole = Sample.of(CENSUS, records, len(records), 0, FIRST_SEED)
        yield Step("all pairs, the true marginals", partial(census.unrelated, whole))
        sample = Sample.of(CENSUS, records, round(self.part * len(records)), 0, FIRST_SEED)
        for seed in range(FIRST_SEED, FIRST_SEED + self.census_runs):
            for total in TOTALS:
                for line in Line:
                    title = f"all pairs, budget {total:g}, {line}, seed {seed}"
                    yield Step(title, partial(census.run, sample, line, total, seed))

    def checks(self, found: Findings) -> Iterator[Check]:
        yield from census.checks(found)
        cases = [(survey, f, way) for survey in SURVEYS for f in CLASSIFIED for way in OURS]
        for survey, f, way in cases:
            if survey.repeated:
                rate, worst = found.mean("rate", FOREST, survey.name, f, way), survey.printed.worst
                yield Check(WORST, f"{survey.name}, {way}", f"f = {f:g}", rate, low=worst)
        for kind in (FOREST, SVM):
            for survey, f, way in cases:
                nearest = min(_short(found, kind, survey.name, f, other) for other in PAPER)
                value = _short(found, kind, survey.name, f, way) / nearest
                about = f"{survey.name}, {kind}, {way}"
                yield Check(CLOSER, about, f"f = {f:g}", value, high=1.0)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield "runs", str(self.runs)
        yield "census-runs", str(self.census_runs)
        yield "first", str(FIRST_SEED)
        yield "pair-distances", census.table(found)
        yield "pairs", census.chart(found)
        yield "budgets", self._budgets()
        yield "tables", self._by_order(found, "table", BOTH)
        yield "figures-13-18", self._lines(found, _orders("table"), BOTH, "AVD")
        yield "times", self._by_order(found, "table seconds", BOTH)
        ways = (*PAPER, Way.PERSONAL)
        yield "figures-7-12", self._lines(found, _orders("table seconds"), ways, "seconds")
        yield "dependence", self._rates(found)
        rows = {share: (share,) for share in ("right", "added", "lost")}
        yield "figures-19-21", self._lines(found, rows, BOTH, "share of pairs")
        yield "shuffled", _shuffled(found)
        yield "pruning", Tables(_pruned(found, survey) for survey in SURVEYS)
        yield "models", self._by_order(found, "model", MODELS)
        yield "model", self._lines(found, _orders("model"), MODELS, "AVD")
        yield "classifiers", _classified(found)
        yield "figures-22-27", _rate_charts(found)
        yield "overall", self._overall(found)
        yield "figures-28-30", self._lines(found, {"": ("seconds",)}, MODELS, "seconds")

    def _budgets(self) -> Table:
        each = {f"a record of {s.name} ({len(s.fields)})": len(s.fields) for s in SURVEYS}
        rows = [(f"{f:g}", f"{spent(f):.2f}") for f in self.flipped]
        return Table.of(
            ("f", "an attribute"), rows, each, lambda f, _, d: f"{spent(float(f)) * d:.1f}"
        )

    def _by_order(self, found: Findings, kind: str, ways: Sequence[Way]) -> Table:
        def cell(name: str, way: Way, at: tuple[int, float]) -> str:
            order, f = at
            return number(found.mean(kind, order, name, f, way))

        columns = {f"k = {k}, f = {f:g}": (k, f) for k in ORDERS for f in self.flipped}
        return Table.of(("", ""), product(NAMES, ways), columns, cell)

    def _rates(self, found: Findings) -> Table:
        def cell(name: str, way: Way | str, f: float) -> str:
            if way in BOTH:
                return " / ".join(percent(found.mean(share, name, f, way)) for share in SHARES)
            (right,) = (s.printed.right for s in SURVEYS if s.name == name)
            return percent(right) if f < 0.9 else "–"

        rows = [
            (survey.name, way)
            for survey in SURVEYS
            for way in (f"right, printed ({survey.printed.name}), about", *BOTH)
        ]
        columns = {f"f = {f:g}": f for f in self.flipped}
        return Table.of(("", "right / added / lost"), rows, columns, cell)

    def _overall(self, found: Findings) -> Table:
        last = CLASSIFIED[-1]
        columns = {f"seconds, f = {f:g}": ("seconds", f, ".2f") for f in self.flipped}
        columns[f"edges of the model, f = {last:g}"] = ("edges", last, ".0f")
        return Table.of(
            ("", ""),
            product(NAMES, MODELS),
            columns,
            lambda name, way, at: f"{found.mean(at[0], name, at[1], way):{at[2]}}",
        )

    def _lines(
        self, found: Findings, rows: Mapping[str, Prefix], ways: Sequence[Way], beside: str
    ) -> Figure:
        """Draw a chart for each survey and row, with a line for each way."""
        charts = [
            [
                Chart(
                    f"{name}, {title}" if title else name,
                    self.flipped,
                    "f",
                    [_curve(found, (*prefix, name), way, self.flipped) for way in ways],
                    log=beside == "seconds",
                )
                for name in NAMES
            ]
            for title, prefix in rows.items()
        ]
        return grid(charts, [beside] * len(charts), columns=3)


def _orders(kind: str) -> dict[str, Prefix]:
    return {f"k = {order}": (kind, order) for order in ORDERS}


def _curve(found: Findings, prefix: Prefix, way: Way, at: Sequence[float]) -> Curve:
    return Curve(way, at, [found.mean(*prefix, f, way) for f in at], STYLES[way])


def _short(found: Findings, kind: str, *at: Hashable) -> float:
    """Return how far a rate is from that of a classifier that saw real records."""
    return abs(found.mean("real", kind, *at) - found.mean("rate", kind, *at))


def _shuffled(found: Findings) -> Table:
    def cell(name: str, way: Way, phi: float | None) -> str:
        (own,) = (survey.phi for survey in SURVEYS if survey.name == name)
        return percent(found.mean("shuffled", name, way, phi or own), ".1f")

    columns = {"phi = 0.1": LOOSE, "the paper's phi": None}
    return Table.of(("", "pairs taken to depend"), product(NAMES, BOTH), columns, cell)


def _pruned(found: Findings, survey: Survey) -> Table:
    """Return one of the tables: printed, of the records, and as EM sees them at f = 0.5."""
    name, printed, first = survey.name, survey.printed, CLASSIFIED[0]

    def cell(phi: float, by: float | str) -> Pruned:
        if by == "printed":
            return printed.pruned[phi]
        keys = (("pruned", name, by, phi, field) for field in Pruned._fields)
        return Pruned(*(int(found.runs(*key)[0]) for key in keys))

    columns = {
        f"printed, Table {printed.table} ({printed.name})": "printed",
        f"all records of {name}": "truth",
        f"EM, f = {first:g}, a sample": first,
    }
    return Table.of(("phi",), [(phi,) for phi in printed.pruned], columns, cell, name)


def _classified(found: Findings) -> Table:
    cases = [(kind, f) for kind in (FOREST, SVM) for f in CLASSIFIED]
    body: list[tuple[object, ...]] = []
    for survey in SURVEYS:
        name, printed = survey.name, survey.printed
        worst = f"{percent(printed.worst)} (guess {percent(printed.guess)})"
        body.append((name, f"printed, the worst ({printed.name})", worst, worst, "–", "–"))
        rows = [("learnt from real records", "real", Way.EM), *((w, "rate", w) for w in MODELS)]
        for title, which, way in rows:
            rates = (found.mean(which, kind, name, f, way) for kind, f in cases)
            body.append((name, title, *(percent(rate, ".1f") for rate in rates)))
    return Table(("", "rate", *(f"{kind}, f = {f:g}" for kind, f in cases)), body)


def _rate_charts(found: Findings) -> Figure:
    """Draw Figures 22 to 27: classifiers that learnt from synthetic rows."""

    def curves(kind: str, survey: Survey) -> Iterator[Curve]:
        real = found.mean("real", kind, survey.name, CLASSIFIED[0], Way.EM)
        yield Curve("real records", (), [real], Style(LIGHT.ink))
        if kind == FOREST and survey.repeated:
            style = Style(LIGHT.muted, line=":")
            yield Curve("the paper's worst", (), [survey.printed.worst], style)
        for way in MODELS:
            yield _curve(found, ("rate", kind, survey.name), way, CLASSIFIED)

    rows = [
        [Chart(f"{s.name}, {kind}", CLASSIFIED, "f", list(curves(kind, s))) for s in SURVEYS]
        for kind in (SVM, FOREST)
    ]
    return grid(rows, ["rate", "rate"], columns=4)
