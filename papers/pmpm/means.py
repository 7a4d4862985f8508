"""Ways to ask for the means of many numbers, each a plan: the papers' and ours.

The squared error of a way is averaged over the numbers, which are scaled to [-1, 1]; it is that
about the mean of the records themselves, as in the PMPM paper.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import sqrt

import numpy as np

from discretion.crowd import simulate
from discretion.design.design import Block, Design
from discretion.design.guess import Guess, guesses
from discretion.design.mean_designs import BEST, squared_error
from discretion.design.means import MeanAdvice, advise_means, author_of
from discretion.mechanism.halfspace import signs
from discretion.numbers import mean
from discretion.plan import Plan
from discretion.plan.plan import Contract
from papers.pmpm.county import STEP, Survey
from papers.study import Vector

POINTS = 50  # quantiles by which a mean over personal levels is worked out
FINE = 0.01  # the step of personal levels, in epsilon
EVEN = 1.01  # the spread where levels are even: the total need not be a multiple of them


class Way(StrEnum):
    """How numbers are asked for, and how their means are worked out."""

    RECORD = "ours, record contract"
    EVENLY = "ours, record contract, spread evenly"
    PILOT = "ours, record contract, pilot"
    ATTRIBUTE = "ours, attribute contract"
    ALIKE = "ours, drawn as PMPM"
    PMPM = "PMPM, mended"
    PRINTED = "PMPM, as printed"
    MPM = "MPM"
    HARMONY = "Harmony"
    DUCHI = "Duchi et al."

    @property
    def contract(self) -> Contract:
        together = (Way.RECORD, Way.EVENLY, Way.PILOT, Way.DUCHI)
        return Contract.RECORD if self in together else Contract.ATTRIBUTE

    @property
    def ours(self) -> bool:
        return self in (Way.RECORD, Way.EVENLY, Way.PILOT, Way.ATTRIBUTE, Way.ALIKE)

    @property
    def personal(self) -> bool:
        """Whether an owner divides the total among her numbers as she likes, as far as tau goes."""
        return self in (Way.ATTRIBUTE, Way.ALIKE, Way.PMPM, Way.PRINTED)


@dataclass(frozen=True, eq=False)
class Setting:
    """A survey, and the total of each owner."""

    survey: Survey
    budget: float

    @property
    def n(self) -> int:
        return int(self.survey.records.num_rows)

    @property
    def total(self) -> int:
        return round(1000 * self.budget)

    @cached_property
    def plan(self) -> Plan:
        """The numbers and the total, whatever way they are asked for."""
        questions = [
            {"name": name, "kind": "numeric", "range": [-1, 1], "step": STEP}
            for name in self.survey.attributes
        ]
        budget = {"total": self.budget, "spread": EVEN, "step": 0.001}
        share = {"sample": 1}
        name = self.survey.name
        return Plan.of({"name": name, "attributes": questions, "budget": budget, "share": share})

    @cached_property
    def truth(self) -> Vector:
        """The means of the records."""
        return np.array([np.mean(column.to_numpy()) for column in self.survey.records.columns])

    @cached_property
    def numbers(self) -> dict[str, Guess]:
        """The numbers as they are distributed in the records, for exact errors."""
        return guesses(self.plan, self.survey.attributes, self.survey.records)

    @cached_property
    def spread(self) -> float:
        """The variance of the numbers, in the mean over them."""
        return sum(number.spread for number in self.numbers.values()) / len(self.numbers)

    @cached_property
    def advice(self) -> MeanAdvice:
        """What is advised to someone who knows nothing about the numbers."""
        return advise_means(self.plan, self.n)

    @cached_property
    def informed(self) -> MeanAdvice:
        """What is advised to someone who has the pilot's records."""
        return advise_means(self.plan, self.n, guess=self.survey.pilot)

    @cached_property
    def misled(self) -> MeanAdvice:
        """What is advised where numbers are supposed to be spread evenly, as in the paper."""
        guess = dict.fromkeys(self.survey.attributes, (0, sqrt(1 / 3)))
        return advise_means(self.plan, self.n, guess=guess)

    def design(self, way: Way) -> Design:
        """Return who reports what."""
        match way:
            case Way.RECORD | Way.ATTRIBUTE:
                return self.advice.best(way.contract).design
            case Way.PILOT:
                return self.informed.best(way.contract).design
            case Way.EVENLY:
                return self.misled.best(way.contract).design
            case Way.DUCHI:
                return Design(way, ((Block(tuple(self.numbers), "duchi", 2),),))
            case Way.HARMONY:
                return self._drawn(1, "duchi")
            case Way.MPM:
                return self._drawn(int(self.budget / 2.5), "pm")
            case Way.ALIKE:
                return self._drawn(int(0.28 * self.budget), BEST)
            case Way.PMPM | Way.PRINTED:
                return self._drawn(int(0.28 * self.budget), "pm")

    def _drawn(self, count: int, mechanism: str) -> Design:
        k = max(1, min(len(self.numbers), count))
        return Design(f"draw {k}", tuple((Block((n,), mechanism),) for n in self.numbers), k)


def plan_of(setting: Setting, way: Way, tau: float) -> Plan:
    """Return the plan of a way."""
    author = author_of(setting.plan, setting.design(way), setting.total)
    if way is Way.DUCHI:
        author["bundles"] = [{"attributes": list(setting.survey.attributes), "mechanism": "duchi"}]
    if way.personal:
        author["budget"] |= {"spread": tau, "step": FINE}
    return Plan.of(author)


def simulated(
    setting: Setting, way: Way, tau: float, seeds: Sequence[int]
) -> Iterator[dict[Way, float]]:
    """Yield the squared error of a crowd for each seed; of PMPM's reports also that as printed."""
    plan, method = plan_of(setting, way, tau), "weighted" if way.ours else "unweighted"
    budgets = "dirichlet" if way.personal else "even"
    for seed in seeds:
        reports = simulate(plan, setting.survey.records, budgets=budgets, seed=seed)
        found = np.array([mean(reports, n, method).value for n in setting.survey.attributes])
        errors = {way: _squared(found - setting.truth)}
        if way is Way.PMPM:
            times = len(found) / setting.design(way).sample
            errors[Way.PRINTED] = _squared(times * found - setting.truth)
        yield errors


def expected(setting: Setting, way: Way, tau: float) -> float:
    """Return the squared error to expect, by the variances of the laws.

    ``tau`` is PMPM's bound on how personal budgets are.
    """
    design, n, count = setting.design(way), setting.n, len(setting.numbers)
    if way is Way.DUCHI:
        level = setting.total // count * count
        gain = 1 / float(2 * signs(1 << count, level).own - 1)  # the two numbers of a report: +-
        return (gain**2 - sum(g.square for g in setting.numbers.values()) / count) / n
    if way.personal and design.sample > 1:
        error = _personal(setting, design, tau, weighted=way.ours)
    else:
        error = squared_error(design, setting.numbers, n, setting.total)
    error -= setting.spread / n  # about the mean of the records, not that of a population
    if way is Way.PRINTED:
        times = count / design.sample
        return (times - 1) ** 2 * _squared(setting.truth) + times**2 * error
    return error


def _personal(setting: Setting, design: Design, tau: float, *, weighted: bool) -> float:
    """Return the squared error with personal levels: each owner's numbers share what is left.

    Of k numbers each has total / (k tau), and a share of the rest that is above x with chance
    (1 - x)^(k - 1).
    """
    k, count = design.sample, len(design.groups)
    shares = 1 - (1 - (np.arange(POINTS) + 0.5) / POINTS) ** (1 / (k - 1))
    least = setting.total / (k * tau)
    levels = [round(least + (setting.total - k * least) * share) for share in shares]
    noise = np.array(
        [
            [setting.numbers[block.names[0]].variance(block.mechanism, v) for v in levels]
            for block in design.blocks
        ]
    )
    each = 1 / np.mean(1 / noise, axis=1) if weighted else noise.mean(axis=1)
    return float(each.mean()) * count / (k * setting.n)


def _squared(values: Vector) -> float:
    return float(np.mean(values**2))
