"""One crowd of the PENA paper, asked for its incomes in several ways, and what each way answers."""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np

from discretion.crowd import simulate
from discretion.numbers import mean, minimum, quantiles
from discretion.numbers.number_evidence import NumberEvidence, noise_of
from discretion.plan import Family, Plan
from discretion.schema import Numeric
from discretion.table import ReportTable
from papers.pena.incomes import Incomes, Numbers
from papers.pena.setting import NAIVE, POOLED, TWO_POINTS, WINDOW, Menu, Way

NAME = "income"
STEPS = 500  # of the grid; its step is whole dollars
PARTS = (2, 4)  # the narrower ranges of the menu: a half and a quarter of the whole


class Extreme(NamedTuple):
    """What `minimum` answered: a level, its quantile, a bound below it, and the truth."""

    level: float
    value: float
    limit: float
    truth: float


class Answer(NamedTuple):
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


def reported(
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
        everyone = incomes.values
        drawn = share < 1  # each takes part with this probability
        self._values = everyone[self._rng.random(len(everyone)) < share] if drawn else everyone
        self._reports: dict[tuple[str, bool], ReportTable] = {}

    def of(self, way: Way) -> ReportTable:
        key = way.mechanism, way.personal
        if key not in self._reports:
            menu = self._menu.of(way)
            plan = plan_of(way.mechanism, menu, self._largest)
            self._reports[key] = reported(plan, menu, self._values, self._rng)
        return self._reports[key]

    def answer(self, way: Way) -> Answer:
        """Estimate the mean; its interval is held against the mean of those who take part."""
        return _answer(self.of(way), way.method, self._incomes, float(self._values.mean()))

    def extreme(self) -> Extreme:
        """Return the lowest quantile that the window resolves, beside the true one of its level."""
        found, truth = minimum(self.of(WINDOW), NAME), self._incomes.quantile
        return Extreme(found.level, found.value, found.limit(), truth(found.level))

    def printed_minimum(self, way: Way) -> float:
        return minimum(self.of(way), NAME, "pena").value

    def quantiles_covered(self, levels: Sequence[float]) -> list[bool]:
        """Return whether intervals hold the true quantiles, to a step of the grid."""
        step, _ = _grid(plan_of(WINDOW.mechanism, self._menu, self._largest))
        ends = quantiles(self.of(WINDOW), NAME, levels).interval()
        truth = [self._incomes.quantile(level) for level in levels]
        return [low - step < t < high + step for t, (low, high) in zip(truth, ends, strict=True)]


def _answer(reports: ReportTable, method: str, incomes: Incomes, owners: float) -> Answer:
    """Estimate the mean; ``owners`` is that of those who report."""
    found = mean(reports, NAME, method, "owners")
    low, high = found.interval()
    return Answer(found.unclipped / incomes.mean - 1, low <= owners <= high)


def pooled(incomes: Incomes, menu: Menu, largest: float, seed: int) -> dict[Way, Answer]:
    """Ask all owners, each in a range of the menu that she takes whatever her income."""
    rng = np.random.default_rng(seed)
    values, truth = incomes.values, incomes.mean
    found: dict[Way, Answer] = {}
    for mechanism in dict.fromkeys(way.mechanism for way in POOLED):
        plan = plan_of(mechanism, menu, largest, ranges=True)
        reports = reported(plan, menu, values, rng, "menu")
        for way in POOLED:
            if way.mechanism != mechanism:
                continue
            if way == NAIVE:
                found[way] = Answer(_naive(reports) / truth - 1, covered=False)
            else:
                found[way] = _answer(reports, way.method, incomes, truth)
    return found


def _naive(reports: ReportTable) -> float:
    """Return the plain mean of reports, each decoded over its own range."""
    evidence = NumberEvidence.of(reports, NAME)
    total = sum(float(part.counts @ part.decoded) for part in evidence.parts)
    return evidence.value(total / evidence.n)


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
    if way.method == "weighted":
        variance = 1 / (n * float(chances @ (1 / (noise + spread)))) - spread / n
        return sqrt(variance + drawn) / incomes.mean
    variance = float(chances @ noise) / n
    if way.method == "pena":  # twice the mean less the end of the range
        return sqrt((incomes.mean - top) ** 2 + 4 * (variance + drawn)) / incomes.mean
    return sqrt(variance + drawn) / incomes.mean


def bias(incomes: Incomes, largest: float) -> float:
    """Return the relative error of the printed average in the mean over runs."""
    _, top = _grid(plan_of(TWO_POINTS.mechanism, Menu.apart(), largest))
    return (incomes.mean - top) / incomes.mean


def _grid(plan: Plan) -> tuple[float, float]:
    number = plan.questions[NAME].attribute
    assert isinstance(number, Numeric)
    return float(number.step * number.unit), float(number.high * number.unit)
