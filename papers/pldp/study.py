"""Table 2 and Figures 5 to 7 of the PLDP paper: which trials they are made of, and the bars."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from statistics import median
from time import perf_counter
from typing import ClassVar, Self

import pyarrow as pa

from discretion.joints import joint
from discretion.labels import frequencies
from discretion.render.theme import LIGHT
from discretion.table import ReportTable
from papers.data import Dataset, Question
from papers.exhibit import GREEN, VIOLET, Chart, Curve, Exhibit, Style, Table, Tables, grid, number
from papers.pldp.printed import DATASETS, OVER_DISCLOSED, OVER_INDEPENDENT, OVER_PRINTED, TABLE2
from papers.pldp.trial import (
    APART,
    KNOWN,
    LOPUB,
    OURS,
    PLDP,
    WAYS,
    Setting,
    Way,
    available,
    crowd,
    run,
)
from papers.study import Check, Effort, Findings, Measurement, Step, Study

FIRST_SEED = 9001  # none of these was used while the methods were made
S1, S2 = Setting("S#1", 5, (1, 5)), Setting("S#2", 5, 3)
SETTING1, SETTING2 = Setting("Setting#1", 4, (1, 4)), Setting("Setting#2", 4, 2)
SETTING3 = tuple(Setting(f"Setting#3, k = {k}", 4, 2, float(k)) for k in (1, 2, 3, 4))
BARRED = (OURS, KNOWN, APART)  # what bars are about
DRAWN = (OURS, APART, *(Way(method, True) for method in PLDP))
BUDGETS = (0.5, 1.0, 2.0, 3.0, 4.0, 5.0)  # averages, for Figure 7
TIMED = 3  # times of which the median counts
PRINTED = "PLDP, printed"
LABELS = {"blind": "ours, secret", "map": "ours, disclosed"}
STYLES = {
    "blind": Style(LIGHT.first, "o"),
    "map": Style(LIGHT.first, "o", ":"),
    "independent": Style(LIGHT.muted, "s"),
    "lasso": Style(GREEN, "^"),
    "entropy-split": Style(VIOLET, "v"),
    PRINTED: Style(LIGHT.second, "D"),
}
Kind = tuple[tuple[Way, ...], tuple[Setting, ...], int]  # ways, settings, most seeds


@dataclass(frozen=True)
class Pldp(Study):
    """Distances of joints of up to five attributes, under secret and disclosed allocations."""

    name: ClassVar[str] = "pldp"
    printed: ClassVar[tuple[str, ...]] = ("distances",)
    seeds: Mapping[str, int] = field(
        default_factory=lambda: {"Adult": 10, "Abalone": 20, "Bank": 10, "Car": 20}
    )
    others: int = 3  # seeds for what no bar is about
    papers: int = 1  # for the papers' methods: they are slow, and err much the same each time
    drawn: int = 3  # for the figures
    figures: bool = True

    @classmethod
    def of(cls, effort: Effort) -> Self:
        if effort.quick:
            few = dict.fromkeys(("Abalone", "Car"), effort.runs or 2)
            return cls(few, others=1, papers=0, figures=False)
        usual = cls()
        return (
            replace(usual, seeds=dict.fromkeys(usual.seeds, effort.runs)) if effort.runs else usual
        )

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return tuple(dataset for name, dataset in DATASETS.items() if name in self.seeds)

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        trials = [
            Step(
                f"{dataset.name}, {setting.name}",
                partial(
                    run, dataset, tables[dataset.name], setting, FIRST_SEED + i, available(ways)
                ),
            )
            for ways, settings, most in self._kinds()
            for dataset in sorted(self.datasets, key=lambda dataset: -dataset.rows)
            for i in range(min(most, self.seeds[dataset.name]))
            for setting in settings
            if dataset.name == "Adult" or setting not in SETTING3
        ]
        timed = [
            Step(f"times on {d.name}", partial(times, d, tables[d.name]), alone=True)
            for d in self.datasets
            if self.figures
        ]
        return trials + timed

    def _kinds(self) -> list[Kind]:
        """List all trials: first those that bars are about."""
        table, drawn = (S1, S2), (SETTING1, SETTING2, *SETTING3)
        usual = tuple(w for w in WAYS if w not in BARRED and w.method not in (*PLDP, *LOPUB))
        return [
            (BARRED, table, max(self.seeds.values())),
            (usual, table, self.others),
            (DRAWN[:2], drawn, self.drawn * self.figures),
            (DRAWN[2:], drawn, self.papers * self.figures),
            (tuple(way for way in WAYS if way.method in PLDP), table, self.papers),
            *(((way,), table, self.papers) for way in WAYS if way.method in LOPUB),
        ]

    def checks(self, found: Findings) -> Iterator[Check]:
        against: Mapping[str, tuple[Way, float, int]] = {  # the other way, the bar, the least k
            "Ours over the product of the marginals": (APART, OVER_INDEPENDENT, 1),
            "What secrecy costs": (KNOWN, OVER_DISCLOSED, 2),
        }
        for row in self._rows():
            ours = [found.runs(*row, OURS, k) for k in range(1, 6)]
            rule, bars = "Ours over the printed figure", OVER_PRINTED[row[0]]
            for k, (own, its, bar) in enumerate(zip(ours, TABLE2[row], bars, strict=True), 1):
                yield Check.ratio(rule, ", ".join(row), f"k = {k}", own, its, bar)
        for rule, (way, bar, least) in against.items():
            for row in self._rows():
                for k in range(least, 6):
                    own, other = (found.runs(*row, each, k) for each in (OURS, way))
                    yield Check.ratio(rule, ", ".join(row), f"k = {k}", own, other, bar)

    def _rows(self) -> list[tuple[str, str]]:
        """Return the data sets and settings of Table 2, as the paper orders them."""
        return [(dataset.name, s.name) for dataset in self.datasets for s in (S1, S2)]

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        ends = ((name, FIRST_SEED + count - 1) for name, count in self.seeds.items())
        yield "seeds", ", ".join(f"{name} {FIRST_SEED} to {last}" for name, last in ends)
        yield "attributes", "\n".join(map(_described, self.datasets))
        heads = ("AVD", *(f"k = {k}" for k in range(1, 6)), "runs")
        tables = (Table(heads, _distances(found, *row), ", ".join(row)) for row in self._rows())
        yield "distances", Tables(tables)
        ways = (APART, *DRAWN[2:], OURS, KNOWN)
        yield "table-2", self._charts(found, (S1, S2), ways, range(1, 6), TABLE2)
        if self.figures:
            yield "drawn", str(self.drawn)
            yield "papers", str(self.papers)
            yield from self._figure5(found)
            yield from self._figure6(found)
            yield from self._figure7(found)

    def _figure5(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        orders, ways = range(1, 5), DRAWN[::-1]
        third = {k: setting.name for k, setting in zip(orders, SETTING3, strict=True)}
        names = {"Setting#1": dict.fromkeys(orders, "Setting#1")}
        names |= {"Setting#2": dict.fromkeys(orders, "Setting#2"), "Setting#3": third}
        means = {
            (name, way): [found.mean("Adult", own[k], way, k) for k in orders]
            for name, own in names.items()
            for way in WAYS
            if way in DRAWN
        }
        body = [(f"Adult, {name}", way, *map(number, v)) for (name, way), v in means.items()]
        yield "distances-5", Table(("AVD", "method", *(f"k = {k}" for k in orders)), body)
        times = {way: [found.mean("seconds", way, k) for k in orders] for way in DRAWN}
        rows = [(way, *(f"{t:.2g}" for t in own)) for way, own in times.items()]
        yield "seconds-5", Table(("method", *(f"k = {k}" for k in orders)), rows)
        charts = [
            Chart(f"(a) {name}", orders, "k", [_curve(w.method, means[name, w]) for w in ways], 1)
            for name in names
        ]
        seconds = [_curve(way.method, times[way]) for way in ways]
        charts.append(Chart("(b) seconds", orders, "k", seconds, log=True))
        yield "figure-5", grid([charts], ["AVD"], columns=6)

    def _figure6(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        settings, orders = (SETTING1, SETTING2), range(1, 5)
        body = [
            (f"{dataset.name}, {setting.name}", way, *map(number, means))
            for dataset in self.datasets
            for setting in settings
            for way in _ways(found, dataset.name, setting.name)
            for means in ([found.mean(dataset.name, setting.name, way, k) for k in orders],)
        ]
        yield "distances-6", Table(("AVD", "method", *(f"k = {k}" for k in orders)), body)
        yield "figure-6", self._charts(found, settings, DRAWN[::-1], orders, {})

    def _figure7(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        names = [dataset.name for dataset in self.datasets]
        times = {name: [found.mean("seconds", name, b) for b in BUDGETS] for name in names}
        rows = [(name, *(f"{1000 * t:.0f}" for t in own)) for name, own in times.items()]
        yield "seconds-7", Table(("data set", *BUDGETS), rows)
        colours = (LIGHT.first, LIGHT.second, GREEN, VIOLET)
        curves = [
            Curve(name, BUDGETS, times[name], Style(colour, "o"))
            for name, colour in zip(names, colours, strict=False)
        ]
        chart = Chart("seconds for two attributes", BUDGETS, "average budget", curves)
        yield "figure-7", grid([[chart]], [""], columns=6, width=2)

    def _charts(
        self,
        found: Findings,
        settings: Sequence[Setting],
        ways: Sequence[Way],
        orders: Sequence[int],
        printed: Mapping[tuple[str, str], Sequence[float]],
    ) -> Exhibit:
        """Draw distance by k, a column for each data set and a row for each setting."""

        def curves(row: tuple[str, str]) -> Iterator[Curve]:
            if row in printed:
                yield _curve(PRINTED, printed[row])
            for way in ways:
                if (*row, way, 1) in found:
                    yield _curve(way.method, [found.mean(*row, way, k) for k in orders])

        charts = [
            [
                Chart(f"{d.name}, {s.name}", orders, "k", list(curves((d.name, s.name))))
                for d in self.datasets
            ]
            for s in settings
        ]
        return grid(charts, ["AVD"] * len(charts), columns=6, share=True)


def times(dataset: Dataset, records: pa.Table) -> Iterator[Measurement]:
    """Measure the seconds of one estimate: by average budget, and of Adult by k for each method."""
    for average in BUDGETS:
        setting = replace(SETTING1, average=average)
        reports = crowd(dataset, records, setting, FIRST_SEED, secret=True)
        spent = _seconds(reports, dataset.attributes[:2], OURS.method)
        yield ("seconds", dataset.name, average), spent
    for way in available(DRAWN) if dataset.name == "Adult" else ():
        reports = crowd(dataset, records, SETTING1, FIRST_SEED, secret=way.secret)
        for k in range(1, SETTING1.attributes + 1):
            yield ("seconds", way, k), _seconds(reports, dataset.attributes[:k], way.method)


def _seconds(reports: ReportTable, names: Sequence[str], method: str) -> float:
    found = []
    for _ in range(TIMED):
        start = perf_counter()
        if len(names) > 1:
            joint(reports, names, method)
        else:
            frequencies(reports, names[0])
        found.append(perf_counter() - start)
    return median(found)


def _ways(found: Findings, dataset: str, setting: str) -> list[Way]:
    """Return the ways that were tried, in the order in which they are listed."""
    return [way for way in WAYS if (dataset, setting, way, 1) in found]


def _distances(found: Findings, dataset: str, setting: str) -> list[list[str]]:
    """Return a row for the paper and for each way: its name, distances by k, and runs."""
    body = [[PRINTED, *(f"{value:.2f}" for value in TABLE2[dataset, setting]), ""]]
    for way in _ways(found, dataset, setting):
        means = [found.mean(dataset, setting, way, k) for k in range(1, 6)]
        runs = len(found.runs(dataset, setting, way, 1))
        body.append([str(way), *map(number, means), str(runs)])
    return body


def _curve(method: str, values: Iterable[float]) -> Curve:
    own = list(values)
    return Curve(LABELS.get(method, method), range(1, len(own) + 1), own, STYLES[method])


def _described(dataset: Dataset) -> str:
    def asked(question: Question) -> str:
        edges = question.get("bins")
        return f"{question['name']} {edges}" if edges else str(question["name"])

    asked_for = ", ".join(map(asked, dataset.questions))
    return f"- {dataset.name}, {dataset.rows:,} records: {asked_for}"
