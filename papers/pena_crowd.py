"""One crowd of the PENA paper, asked for its incomes in several ways, and what each way answers.

Budgets are drawn from U(0, epsilon], as in the paper, and rounded down to a menu: thousandths up to
0.02, hundredths above. The least is 0.001. *LDP* means epsilon for everybody.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import sqrt

import numpy as np

from discretion.crowd import simulate
from discretion.errors import DependenceWarning
from discretion.numbers import mean, minimum, quantiles
from discretion.numbers.readings import Readings, noise_of
from discretion.plan import Family, Plan
from discretion.schema import Numeric
from discretion.table import ReportTable
from papers.incomes import Incomes, Numbers

NAME = "income"
STEPS = 500  # of the grid; its step is whole dollars
FINE, COARSE, BETWEEN = 1, 10, 20  # thousandths: the steps of the menu, and where they change
LEAST, MOST, APART = 100, 4000, 50  # thousandths: the menu U(0.1, 4), for weights
PARTS = (2, 4)  # the narrower ranges of the menu: a half and a quarter of the whole
TWO_POINTS, WINDOW = "duchi", "window"


class Way(StrEnum):
    """How a mean is asked for, and how it is worked out."""

    PRINTED = "PENA, as printed"
    SAME = "LDP, as printed"
    PLAIN = "PENA, mended"
    EQUAL = "LDP, mended"
    DUCHI = "ours, two points"
    WINDOW = "ours, window"
    LEVEL = "window, unweighted"  # to see what weights are worth there

    @property
    def personal(self) -> bool:
        return self not in (Way.SAME, Way.EQUAL)

    @property
    def mechanism(self) -> str:
        return WINDOW if self in (Way.WINDOW, Way.LEVEL) else TWO_POINTS

    @property
    def method(self) -> str:
        if self in (Way.PRINTED, Way.SAME):
            return "pena"
        return "unweighted" if self in (Way.PLAIN, Way.LEVEL) else "weighted"

    @property
    def ours(self) -> bool:
        return self in (Way.DUCHI, Way.WINDOW)


class Pooled(StrEnum):
    """How a mean is worked out from reports in ranges of their owners' own."""

    PRINTED = "PENA, as printed"
    NAIVE = "pooled, mended"
    LIKELIHOOD = "ours, two points"
    WINDOW = "ours, window"

    @property
    def mechanism(self) -> str:
        return WINDOW if self is Pooled.WINDOW else TWO_POINTS

    @property
    def method(self) -> str:
        return "pena" if self is Pooled.PRINTED else "likelihood"


@dataclass(frozen=True)
class Menu:
    """Levels in thousandths, and how probable each of them is."""

    levels: tuple[int, ...]
    chances: tuple[float, ...]

    @classmethod
    @cache
    def up_to(cls, epsilon: float) -> "Menu":
        """Return the menu for U(0, epsilon]: who draws less than a level has the one below."""
        top = round(1000 * epsilon)
        inner = [*range(FINE, BETWEEN, FINE), *range(BETWEEN, top, COARSE), top]
        widths = np.diff([0, *inner[1:], top])  # what is below the least level has that
        return cls(tuple(inner), tuple((widths / top).tolist()))

    @classmethod
    @cache
    def apart(cls) -> "Menu":
        """Return the menu for U(0.1, 4)."""
        levels = tuple(range(LEAST, MOST + 1, APART))
        return cls(levels, (1 / len(levels),) * len(levels))

    def of(self, way: Way) -> "Menu":
        """Return this menu, or for ways with one level for everybody its largest."""
        return self if way.personal else Menu(self.levels[-1:], (1.0,))

    def draw(self, n: int, rng: np.random.Generator) -> Numbers:
        """Return an epsilon for each of n owners."""
        ends = np.cumsum(self.chances)
        places = np.searchsorted(ends, rng.random(n) * ends[-1], side="right")
        return np.array(self.levels)[np.minimum(places, len(ends) - 1)] / 1000


@dataclass(frozen=True)
class Extreme:
    """What `minimum` answered: a level, its quantile, a bound below it, and the truth."""

    level: float
    value: float
    limit: float
    truth: float

    @property
    def covered(self) -> bool:
        return self.limit <= self.truth


@dataclass(frozen=True)
class Answer:
    """A mean, less the truth and over it; whether its interval holds the mean of the crowd."""

    error: float
    covered: bool


@cache
def plan_of(mechanism: str, menu: Menu, largest: float, *, ranges: bool = False) -> Plan:
    """Return the plan that asks for an income from 0 to the end of the safe range."""
    step = int(-(-largest // STEPS))
    top = step * STEPS
    attribute = {"name": NAME, "kind": "numeric", "range": [0, top], "step": step}
    attribute["mechanism"] = mechanism
    if ranges:
        attribute["ranges"] = [[0, top // part] for part in PARTS]
    levels = [level / 1000 for level in menu.levels]
    return Plan.of({"name": "pena", "attributes": [attribute], "budget": {"levels": levels}})


def participants(incomes: Incomes, share: float, rng: np.random.Generator) -> Numbers:
    """Return the numbers of those who take part: each does so with this probability."""
    values = incomes.values
    return values if share == 1 else values[rng.random(len(values)) < share]


def told(
    plan: Plan, menu: Menu, values: Numbers, rng: np.random.Generator, ranges: str = "whole"
) -> ReportTable:
    """Return the reports of owners who draw their budgets from the menu."""
    budgets = {NAME: menu.draw(len(values), rng)}
    seed = int(rng.integers(1 << 32))
    return simulate(plan, {NAME: values}, budgets=budgets, ranges=ranges, seed=seed)


class Reports:
    """What one crowd tells in several ways; ways of one mechanism and menu share their reports."""

    def __init__(
        self, incomes: Incomes, menu: Menu, largest: float, share: float, seed: int
    ) -> None:
        self._rng = np.random.default_rng(seed)
        self._menu, self._largest, self._incomes = menu, largest, incomes
        self._values = participants(incomes, share, self._rng)
        self._told: dict[tuple[str, bool], ReportTable] = {}

    def of(self, way: Way) -> ReportTable:
        key = way.mechanism, way.personal
        if key not in self._told:
            menu = self._menu.of(way)
            plan = plan_of(way.mechanism, menu, self._largest)
            self._told[key] = told(plan, menu, self._values, self._rng)
        return self._told[key]

    def answer(self, way: Way) -> Answer:
        return answer(self.of(way), way.method, self._incomes, float(self._values.mean()))

    def extreme(self) -> Extreme:
        """Return the lowest quantile that the window resolves, beside the true one of its level."""
        found, truth = minimum(self.of(Way.WINDOW), NAME), self._incomes.quantile
        return Extreme(found.level, found.value, found.limit(), truth(found.level))

    def printed_minimum(self, way: Way) -> float:
        return minimum(self.of(way), NAME, "pena").value

    def quantiles_covered(self, levels: Sequence[float]) -> list[bool]:
        """Return whether intervals hold the true quantiles, to a step of the grid."""
        step, _ = _grid(plan_of(Way.WINDOW.mechanism, self._menu, self._largest))
        ends = quantiles(self.of(Way.WINDOW), NAME, levels).interval()
        truth = [self._incomes.quantile(level) for level in levels]
        return [low - step < t < high + step for t, (low, high) in zip(truth, ends, strict=True)]


def answer(reports: ReportTable, method: str, incomes: Incomes, owners: float) -> Answer:
    """Estimate the mean; ``owners`` is that of those who report."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)  # one in a thousand by design
        found = mean(reports, NAME, method, "owners")
    low, high = found.interval()
    return Answer(found.value / incomes.mean - 1, low <= owners <= high)


def pooled(
    incomes: Incomes, menu: Menu, largest: float, seed: int, ways: Sequence[Pooled]
) -> dict[Pooled, Answer]:
    """Ask all owners, each in a range of the menu that she takes whatever her income."""
    rng = np.random.default_rng(seed)
    values, truth = incomes.values, incomes.mean
    found: dict[Pooled, Answer] = {}
    for mechanism in dict.fromkeys(way.mechanism for way in ways):
        plan = plan_of(mechanism, menu, largest, ranges=True)
        reports = told(plan, menu, values, rng, "menu")
        for way in ways:
            if way.mechanism != mechanism:
                continue
            if way is Pooled.NAIVE:
                found[way] = Answer(_naive(reports) / truth - 1, covered=False)
            else:
                found[way] = answer(reports, way.method, incomes, truth)
    return found


def _naive(reports: ReportTable) -> float:
    """Return the plain mean of reports, each decoded over its own range."""
    readings = Readings.of(reports, NAME)
    total = sum(float(part.counts @ part.decoded) for part in readings.parts)
    return readings.value(total / readings.n)


def expected(incomes: Incomes, menu: Menu, largest: float, share: float, way: Way) -> float:
    """Return the root mean squared relative error to expect, by the variances of the laws."""
    own = menu.of(way)
    plan = plan_of(way.mechanism, own, largest)
    step, top = _grid(plan)
    n, spread = share * len(incomes.values), incomes.spread
    powers = np.array([1, incomes.mean / step, (incomes.mean**2 + spread) / step**2])
    noise = np.array(
        [
            step**2 * noise_of(plan.questions[NAME].law(v, Family.NUMBERS)) @ powers
            for v in own.levels
        ]
    )
    chances = np.array(own.chances)
    drawn = (1 - share) * spread / n  # of those who take part, about all
    if way.ours:
        variance = 1 / (n * float(chances @ (1 / (noise + spread)))) - spread / n
        return sqrt(variance + drawn) / incomes.mean
    variance = float(chances @ noise) / n
    if way in (Way.PRINTED, Way.SAME):  # twice the mean less the end of the range
        return sqrt((incomes.mean - top) ** 2 + 4 * (variance + drawn)) / incomes.mean
    return sqrt(variance + drawn) / incomes.mean


def bias(incomes: Incomes, largest: float) -> float:
    """Return the relative error of the printed average in the mean over runs."""
    _, top = _grid(plan_of(TWO_POINTS, Menu.apart(), largest))
    return (incomes.mean - top) / incomes.mean


def _grid(plan: Plan) -> tuple[float, float]:
    number = plan.questions[NAME].attribute
    assert isinstance(number, Numeric)
    return float(number.step * number.unit), float(number.high * number.unit)
