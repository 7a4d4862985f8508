"""Figures 2 to 4 of the PENA paper, and ranges of owners' own: settings, runs, and the bars."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import NamedTuple

import numpy as np

from papers.incomes import MADE_ROWS, Incomes, Numbers
from papers.pena_crowd import (
    Answer,
    Extreme,
    Menu,
    Pooled,
    Reports,
    Way,
    bias,
    expected,
    pooled,
)

FIRST_SEED, BLOCK = 9001, 1000  # each setting has a block of seeds; none was used before
EPSILONS = (0.2, 0.4, 0.6, 0.8, 1.0)
FACTORS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
SHARES = (0.2, 0.4, 0.6, 0.8, 1.0)
EPSILON, FACTOR, SHARE = 0.5, 1.0, 0.5  # the paper's defaults
OWN_RANGES = (0.25, 0.5, 1.0, 2.0)  # epsilons of the figure beyond the paper
LINES = tuple(way for way in Way if way is not Way.LEVEL)
PRINTED, OURS = (Way.PRINTED, Way.SAME), (Way.DUCHI, Way.WINDOW)
WEIGHED = ((Way.PLAIN, Way.DUCHI), (Way.LEVEL, Way.WINDOW))
SMALL = 0.1  # the part of a large table that is asked to see what weights are worth
LARGE = 500_000  # rows of a table that has few runs
LEVELS = (0.1, 0.5, 0.9)  # of quantiles
ENOUGH = 20  # runs from which a slope can be told
Watch = Callable[[Sequence[str]], Iterator[str]]


class Point(NamedTuple):
    """One setting: budgets up to epsilon (or U(0.1, 4)), safe range, and who takes part."""

    dataset: str
    epsilon: float = EPSILON
    factor: float = FACTOR
    share: float = SHARE
    apart: bool = False

    @property
    def menu(self) -> Menu:
        return Menu.apart() if self.apart else Menu.up_to(self.epsilon)


@dataclass(frozen=True)
class Scope:
    """How much is done: runs for each setting, and the rows of the made table."""

    runs: int = 100
    large: int = 5  # for a large table, at most
    extremes: int = 30  # of the runs, those that also ask for a minimum and for quantiles
    pooled: int = 20  # for ranges of owners' own, at most
    rows: int = MADE_ROWS

    @classmethod
    def of(cls, runs: int | None, rows: int | None, *, quick: bool) -> "Scope":
        """Return the whole of it, or with ``quick`` little."""
        rows = rows or (100_000 if quick else MADE_ROWS)
        return cls(runs or (5 if quick else cls.runs), rows=rows)

    def times(self, n: int, most: int | None = None) -> int:
        """Return the runs on so many rows."""
        runs = self.runs if most is None else min(self.runs, most)
        return min(runs, self.large) if n >= LARGE else runs


@dataclass(frozen=True)
class Facts:
    """What is true about a column, and the relative bias of the printed average."""

    rows: int
    mean: float
    largest: float
    bias: float

    @classmethod
    def of(cls, incomes: Incomes) -> "Facts":
        off = bias(incomes, incomes.largest)
        return cls(len(incomes.values), incomes.mean, incomes.largest, off)


@dataclass(frozen=True)
class Findings:
    """Errors to expect, and what every run answered."""

    scope: Scope
    facts: Mapping[str, Facts]
    expected: Mapping[tuple[Point, Way], float]  # root mean squared, relative
    answers: Mapping[tuple[Point, Way], tuple[Answer, ...]]
    extremes: Mapping[Point, tuple[Extreme, ...]]
    minima: Mapping[tuple[Point, Way], tuple[float, ...]]  # printed
    covered: Mapping[Point, tuple[tuple[bool, ...], ...]]  # quantiles, as LEVELS
    pooled: Mapping[tuple[str, float, Pooled], tuple[Answer, ...]]

    def errors(self, point: Point, way: Way) -> Numbers:
        return np.array([answer.error for answer in self.answers.get((point, way), ())])

    def minimum_errors(self, point: Point, way: Way) -> Numbers:
        """Return errors over the largest income: printed ones of the minimum, ours as asked."""
        if way is Way.WINDOW:
            off = [each.value - each.truth for each in self.extremes[point]]
        else:
            off = list(self.minima[point, way])  # the true minimum is 0, or next to it
        return np.array(off) / self.facts[point.dataset].largest


def points(dataset: str) -> tuple[list[Point], list[Point], list[Point]]:
    """Return the settings of Figures 2, 3 and 4."""
    return (
        [Point(dataset, epsilon=epsilon) for epsilon in EPSILONS],
        [Point(dataset, factor=factor) for factor in FACTORS],
        [Point(dataset, share=share) for share in SHARES],
    )


def weighing(dataset: str, rows: int) -> Point:
    """Return the setting that shows what weights are worth."""
    return Point(dataset, share=SMALL if rows >= LARGE else 1.0, apart=True)


def measure(scope: Scope, columns: Sequence[Incomes], watch: Watch = iter) -> Findings:
    """Work out and simulate everything in the scope; ``watch`` is given all steps."""
    listed = [
        (incomes, FIRST_SEED + BLOCK * i, step)
        for incomes in columns
        for i, step in enumerate(_steps(incomes))
    ]
    names = [f"{incomes.name}, {_title(step)}" for incomes, _, step in listed]
    found = Findings(scope, {c.name: Facts.of(c) for c in columns}, {}, {}, {}, {}, {}, {})
    for (incomes, seed, step), _ in zip(listed, watch(names), strict=False):
        if isinstance(step, Point):
            found = _with_point(found, incomes, step, seed)
        else:
            found = _with_ranges(found, incomes, step, seed)
    return found


def root_mean_square(values: Numbers) -> float:
    """Return the root of the mean square; nan of nothing."""
    return float(np.sqrt(np.mean(values**2))) if len(values) else nan


def _steps(incomes: Incomes) -> list[Point | float]:
    drawn = [point for figure in points(incomes.name) for point in figure]
    return [*drawn, weighing(incomes.name, len(incomes.values)), *OWN_RANGES]


def _title(step: Point | float) -> str:
    if isinstance(step, Point):
        return f"epsilon {step.epsilon:g}, range {step.factor:g}, {100 * step.share:.0f} %"
    return f"own ranges, epsilon {step:g}"


def _with_point(found: Findings, incomes: Incomes, point: Point, seed: int) -> Findings:
    """Return the findings with all runs of one setting."""
    ways = tuple(Way) if point.apart else LINES
    top, n = point.factor * incomes.largest, len(incomes.values)
    runs = found.scope.runs if point.apart else found.scope.times(n)
    answers: dict[Way, list[Answer]] = {way: [] for way in ways}
    minima: dict[Way, list[float]] = {way: [] for way in PRINTED}
    extremes, covered = [], []
    for run in range(runs):
        reports = Reports(incomes, point.menu, top, point.share, seed + run)
        for way in ways:
            answers[way].append(reports.answer(way))
        if run < found.scope.extremes:
            extremes.append(reports.extreme())
            for way in PRINTED:
                minima[way].append(reports.printed_minimum(way))
            if point.apart:
                covered.append(tuple(reports.quantiles_covered(LEVELS)))
    known = {(point, way): expected(incomes, point.menu, top, point.share, way) for way in ways}
    return replace(
        found,
        expected={**found.expected, **known},
        answers={**found.answers, **{(point, way): tuple(a) for way, a in answers.items()}},
        minima={**found.minima, **{(point, way): tuple(m) for way, m in minima.items()}},
        extremes={**found.extremes, point: tuple(extremes)},
        covered={**found.covered, **({point: tuple(covered)} if point.apart else {})},
    )


def _with_ranges(found: Findings, incomes: Incomes, epsilon: float, seed: int) -> Findings:
    """Return the findings with all runs in which owners choose their ranges."""
    ways, menu = tuple(Pooled), Menu.up_to(epsilon)
    runs = range(found.scope.times(len(incomes.values), found.scope.pooled))
    each = [pooled(incomes, menu, incomes.largest, seed + run, ways) for run in runs]
    new = {(incomes.name, epsilon, way): tuple(one[way] for one in each) for way in ways}
    return replace(found, pooled={**found.pooled, **new})
