"""Figures 3 to 12 of the PMPM paper: which settings they are made of, errors, and the bars."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import exp, hypot, isnan
from typing import ClassVar, NamedTuple, Self

import numpy as np
import pyarrow as pa

from discretion.design.mean_designs import reported
from discretion.render.theme import LIGHT
from papers.data import Dataset
from papers.exhibit import GREEN, VIOLET, Chart, Curve, Exhibit, Style, Table, Tables, grid
from papers.pmpm.county import COUNTIES, surveys
from papers.pmpm.means import Setting, Way, expected, simulated
from papers.study import Check, Effort, Findings, Measurement, Step, Study, Vector

FIRST_SEED = 9001  # none of these was used while the methods were made
TAUS = (1.125, 1.25, 1.375, 1.5)
BUDGETS = tuple(float(budget) for budget in range(8, 15))
BARRED = (8.0, 10.0, 12.0, 14.0)
DIMENSIONS, AT = (20, 22, 24, 26, 28, 30), 10.0  # of Figures 9 to 12, and their budget
HALF, NO_MORE = 0.5, 1.0
COLOURS = {
    Way.RECORD: LIGHT.first,
    Way.ATTRIBUTE: GREEN,
    Way.PMPM: LIGHT.second,
    Way.MPM: LIGHT.muted,
    Way.HARMONY: VIOLET,
    Way.DUCHI: LIGHT.ink,
}
DASHES = dict(zip(TAUS, (":", "-.", "--", "-"), strict=True))
NEAR = (Way.RECORD, Way.ATTRIBUTE, Way.PMPM, Way.MPM)
FAR = (Way.RECORD, Way.PMPM, Way.HARMONY, Way.DUCHI)
DESIGNED = (Way.RECORD, Way.EVENLY, Way.PILOT, Way.ATTRIBUTE, Way.PMPM, Way.MPM)
RATIOS = np.linspace(0.05, 1.0, 200)  # k over the budget
LIMIT = 3.0  # of the chart of Figure 3


class Point(NamedTuple):
    """One way, asked about the first numbers of a survey; tau is 0 where it does not matter."""

    survey: str
    numbers: int
    budget: float
    way: Way
    tau: float

    @property
    def label(self) -> str:
        return f"{self.way}, τ = {self.tau:g}" if self.way.personal else str(self.way)


@dataclass(frozen=True)
class Pmpm(Study):
    """Squared errors of the means of many numbers: those to expect, and those of crowds."""

    name: ClassVar[str] = "pmpm"
    printed: ClassVar[tuple[str, ...]] = ("errors",)
    seeds: int = 20  # crowds for each point
    budgets: tuple[float, ...] = BARRED
    taus: tuple[float, ...] = (TAUS[0], TAUS[-1])
    figures: bool = True

    @classmethod
    def of(cls, effort: Effort) -> Self:
        if effort.quick:
            return cls(effort.runs or 3, (8.0, 14.0), TAUS[:1], figures=False)
        return cls(effort.runs or cls.seeds)

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return COUNTIES

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        budgets, taus = (BUDGETS, TAUS) if self.figures else (self.budgets, self.taus)
        asked = surveys(tables)
        whole = [
            Step(_title(setting), partial(self.asked, setting, taus))
            for survey in asked
            for setting in (Setting(survey, budget) for budget in budgets)
        ]
        part = [
            Step(_title(setting), partial(to_expect, setting, taus))
            for survey in asked
            for setting in (Setting(survey.first(count), AT) for count in DIMENSIONS)
            if self.figures
        ]
        return whole + part

    def asked(self, setting: Setting, taus: Sequence[float]) -> Iterator[Measurement]:
        """Measure everything about all numbers of a survey at one budget."""
        survey, budget = setting.survey.name, setting.budget
        yield ("numbers", survey), len(setting.numbers)
        for guess in setting.numbers.values():
            yield ("square",), guess.square
            yield ("spread",), guess.spread
        for way in DESIGNED:
            design = setting.design(way)
            yield ("design", survey, budget, way), f"{design.name}: {reported(design)}"
        yield from to_expect(setting, taus)
        if budget in self.budgets:
            yield from crowds(setting, self.taus, range(FIRST_SEED, FIRST_SEED + self.seeds))

    def checks(self, found: Findings) -> Iterator[Check]:
        least = self.taus[:1]  # at which PMPM's error is smallest
        rules = [
            (Way.RECORD, Way.PMPM, least, HALF),
            (Way.RECORD, Way.MPM, least, HALF),
            (Way.ATTRIBUTE, Way.PMPM, self.taus, NO_MORE),
        ]
        for kind in ("simulated", "expected"):
            for ours, theirs, taus, most in rules:
                for dataset in self.datasets:
                    for tau in taus:
                        for budget in self.budgets:
                            one, other = (
                                _point(found, dataset.name, budget, way, tau)
                                for way in (ours, theirs)
                            )
                            yield _check(found, kind, one, other, most)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        names = [dataset.name for dataset in self.datasets]
        counts = (f"{name}: {found.mean('numbers', name):.0f}" for name in names)
        yield "counts", ", ".join(counts)
        yield "crowds", str(self.seeds)
        yield "seeds", f"{FIRST_SEED} to {FIRST_SEED + self.seeds - 1}"
        heads = ("squared error, 1e-4", "contract", *(f"{b:g}" for b in self.budgets))
        yield (
            "errors",
            Tables(
                Table(heads, list(self._errors(found, name)), f"{name}, by budget")
                for name in names
            ),
        )
        designs = [
            (name, way, *(found.text("design", name, budget, way) for budget in self.budgets))
            for name in names
            for way in DESIGNED
        ]
        yield "designs", Table(("file", "way", *heads[2:]), designs)
        if self.figures:
            yield "figures-3-4", rules(found)
            by_budget = partial(_point, found)
            yield "figures-5-6", self._drawn(found, NEAR, BUDGETS, "budget", by_budget)
            yield "figures-7-8", self._drawn(found, FAR, BUDGETS, "budget", by_budget)
            yield "figures-9-10", self._drawn(found, NEAR, DIMENSIONS, "numbers", _of_first)
            yield "figures-11-12", self._drawn(found, FAR, DIMENSIONS, "numbers", _of_first)
            yield "dimensions", self._dimensions(found)

    def _errors(self, found: Findings, survey: str) -> Iterator[tuple[object, ...]]:
        """Yield a row for each way and tau: its name, contract, and errors by budget in 1e-4."""
        for way in Way:
            for tau in self.taus if way.personal else (0.0,):
                points = [_point(found, survey, budget, way, tau) for budget in self.budgets]
                yield points[0].label, way.contract, *(_error(found, point) for point in points)

    def _dimensions(self, found: Findings) -> Table:
        body = []
        for dataset in self.datasets:
            for way in Way:
                for tau in (TAUS[0], TAUS[-1]) if way.personal else (0.0,):
                    points = [_of_first(dataset.name, count, way, tau) for count in DIMENSIONS]
                    cells = (_scaled(found.mean("expected", point)) for point in points)
                    body.append((dataset.name, points[0].label, way.contract, *cells))
        return Table(("file", "expected squared error, 1e-4", "contract", *DIMENSIONS), body)

    def _drawn(
        self,
        found: Findings,
        ways: Sequence[Way],
        places: Sequence[float],
        below: str,
        at: Callable[[str, float, Way, float], Point],
    ) -> Exhibit:
        """Draw the errors to expect as lines, those of crowds as marks; PMPM has a line per tau."""

        def curves(survey: str) -> Iterator[Curve]:
            for way in ways:
                for tau in TAUS if way is Way.PMPM else TAUS[:1] if way.personal else (0.0,):
                    points = {place: at(survey, place, way, tau) for place in places}
                    line = Style(COLOURS[way], line=DASHES[tau] if way is Way.PMPM else "-")
                    label = points[places[0]].label if way is Way.PMPM else str(way)
                    known = [1e4 * found.mean("expected", p) for p in points.values()]
                    yield Curve(label, places, known, line)
                    seen = {x: 1e4 * found.mean("error", p) for x, p in points.items()}
                    yield Curve(None, places, list(seen.values()), Style(COLOURS[way], "o", ""))

        log = Way.DUCHI in ways
        charts = [
            Chart(d.name, places, below, list(curves(d.name)), log=log) for d in self.datasets
        ]
        return grid([charts], ["squared error, 1e-4"], columns=3, width=3, share=True)


def to_expect(setting: Setting, taus: Sequence[float]) -> Iterator[Measurement]:
    """Work out the error of every way, at every tau if that matters."""
    for point in points(setting, taus):
        yield ("expected", point), expected(setting, point.way, point.tau)


def crowds(setting: Setting, taus: Sequence[float], seeds: Sequence[int]) -> Iterator[Measurement]:
    """Simulate every way whose errors are not left to the formula; PMPM gives the printed ones."""
    for point in points(setting, taus):
        if point.way in (Way.PRINTED, Way.ALIKE, Way.EVENLY):
            continue
        for errors in simulated(setting, point.way, point.tau, seeds):
            for way, error in errors.items():
                yield ("error", point._replace(way=way)), error


def points(setting: Setting, taus: Sequence[float]) -> Iterator[Point]:
    """Yield every way, at every tau if that matters."""
    survey = setting.survey
    for way in Way:
        for tau in taus if way.personal else (0.0,):
            yield Point(survey.name, len(survey.attributes), setting.budget, way, tau)


def average_error(ratio: Vector, square: float, spread: float) -> Vector:
    """Return the squared error by k / budget, times the budget and n / d, of PM.

    For numbers with this mean of squares and this variance (the paper has a third for both).
    """
    s = np.exp(1 / ratio / 2)
    noise = square / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)
    return (noise + spread) / ratio


def most_personal(budget: float, tau: float, k: int) -> tuple[float, float]:
    """Return the least and the largest level of one of k numbers."""
    return budget / (tau * k), (1 + (tau - 1) * k) * budget / (tau * k)


def rules(found: Findings) -> Exhibit:
    """Draw Figure 3, how many to draw, and Figure 4, how far levels can lie apart."""
    own = average_error(RATIOS, found.mean("square"), found.mean("spread"))
    paper = average_error(RATIOS, 1 / 3, 1 / 3)
    drawn = [
        Curve(label, RATIOS.tolist(), values.tolist(), Style(colour))
        for label, values, colour in (
            ("the paper's", paper, LIGHT.second),
            ("of these files", own, LIGHT.first),
        )
    ]
    apart = []
    for tau, dash in DASHES.items():
        ends = [most_personal(budget, tau, int(0.28 * budget)) for budget in BUDGETS]
        gaps = [exp(high) - exp(low) for low, high in ends]
        apart.append(Curve(f"τ = {tau:g}", BUDGETS, gaps, Style(LIGHT.second, line=dash)))
    left = Chart("Figure 3: error", (0, 0.28, 0.5, 0.75, 1), "k / budget", drawn, LIMIT)
    right = Chart("Figure 4: largest $e^ε$ less smallest", BUDGETS, "budget", apart, log=True)
    return grid([[left, right]], [""], columns=6, width=3)


def _point(found: Findings, survey: str, budget: float, way: Way, tau: float) -> Point:
    """Return the point of all numbers of a survey."""
    count = int(found.mean("numbers", survey))
    return Point(survey, count, budget, way, tau if way.personal else 0.0)


def _of_first(survey: str, count: float, way: Way, tau: float) -> Point:
    return Point(survey, int(count), AT, way, tau)


def _check(found: Findings, kind: str, one: Point, other: Point, most: float) -> Check:
    """Check a ratio of squared errors, of simulated crowds or of those to expect."""
    rule = f"Squared errors, {kind}"
    about, at = f"{one.way} over {other.label}, {one.survey}", f"budget {one.budget:g}"
    if kind == "expected":
        ratio = found.mean("expected", one) / found.mean("expected", other)
        return Check(rule, about, at, ratio, high=most)
    ratio = found.mean("error", one) / found.mean("error", other)
    off = hypot(*(found.stderr("error", p) / found.mean("error", p) for p in (one, other)))
    return Check(rule, about, at, ratio, ratio * off, high=most)


def _error(found: Findings, point: Point) -> str:
    """Write the error to expect, and where crowds were simulated, theirs."""
    known, seen = (_scaled(found.mean(kind, point)) for kind in ("expected", "error"))
    if ("error", point) not in found:
        return known
    error = found.stderr("error", point)
    return f"{known} ({seen}{'' if isnan(error) else f' ± {_scaled(error)}'})"


def _scaled(error: float) -> str:
    return f"{1e4 * error:.3g}" if error < 0.1 else f"{1e4 * error:,.0f}"


def _title(setting: Setting) -> str:
    survey = setting.survey
    return f"{survey.name}, {len(survey.attributes)} numbers, budget {setting.budget:g}"
