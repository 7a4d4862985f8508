"""From the p-values of groups to those that are suspicious, with the number of tests accounted for.

All tests of an attribute together call honest groups suspicious with a probability of alpha at
most (Holm 1979).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.special import chdtrc

from discretion.estimate.homogeneity import FEWEST_REPORTS, holm
from discretion.estimate.linear import Pooled
from discretion.estimate.noise import simplex

ALPHA = 0.001  # of all tests of an attribute together


@dataclass(frozen=True, slots=True)
class Disagreement:
    """How far a group is from the others; a chi-square statistic and its p-value."""

    statistic: float
    pvalue: float


def disagreement(one: Pooled, other: Pooled, both: Pooled) -> Disagreement | None:
    """Test whether a level has the frequencies of others; None where too few reports came.

    With d the difference of the two estimates and V the sum of their covariances at what all say
    together, d' V^-1 d is chi-square, over the codes at which both are reliable.
    """
    if min(one.n, other.n) < FEWEST_REPORTS or not (one.identifiable and other.identifiable):
        return None
    f = simplex(both.value)
    kept = np.flatnonzero(one.reliable(f) & other.reliable(f))[:-1]  # they leave the last to one
    if not len(kept):
        return None
    spread = (one.covariance(f) + other.covariance(f))[np.ix_(kept, kept)]
    apart = (one.value - other.value)[kept]
    statistic = float(apart @ np.linalg.solve(spread, apart))
    return Disagreement(statistic, float(chdtrc(len(apart), statistic)))


Compare = Callable[[int, Sequence[int]], Disagreement | None]


@dataclass(frozen=True, slots=True)
class GroupTest:
    """What the tests say of one group."""

    alone: tuple[float | None, ...]  # p-values of its own tests
    agreement: float | None  # of the test against the others
    adjusted: float  # the smallest of them, for the number of all tests
    suspicious: bool


def judged(
    alone: Sequence[tuple[float | None, ...]], compare: Compare, alpha: float = ALPHA
) -> list[GroupTest]:
    """Return the tests of each group, tested by itself and against those that are not suspicious.

    Groups that fail tests of their own go first. One bad group makes good ones disagree with it,
    so of those that disagree the culprits go, and the rest are compared again.
    """
    found: dict[int, GroupTest] = {}
    while True:
        case = _Case(alone, compare, found)
        fresh = {i for i in case.trusted if case.adjusted[i][0] < alpha}
        fresh = fresh or case.culprits(alpha)
        for i in fresh or case.trusted:
            found[i] = case.result(i, suspicious=i in fresh)
        if not fresh or len(found) == len(alone):
            return [found[i] for i in range(len(alone))]


@dataclass(frozen=True)
class _Case:
    """The groups that are not suspicious so far, each against the others of them."""

    alone: Sequence[tuple[float | None, ...]]
    compare: Compare
    found: Mapping[int, GroupTest]

    @cached_property
    def trusted(self) -> list[int]:
        return [i for i in range(len(self.alone)) if i not in self.found]

    @cached_property
    def against(self) -> dict[int, Disagreement | None]:
        return {i: self.compare(i, [j for j in self.trusted if j != i]) for i in self.trusted}

    @cached_property
    def adjusted(self) -> dict[int, tuple[float, float]]:
        """The smallest adjusted p-value of each group's own tests, and that of the other."""
        known = {i: result.agreement for i, result in self.found.items()}
        known |= {i: self._pvalue(i) for i in self.trusted}
        tests = [(i, True, p) for i, own in enumerate(self.alone) for p in own if p is not None]
        tests += [(i, False, p) for i, p in known.items() if p is not None]
        table = dict.fromkeys(range(len(self.alone)), (1.0, 1.0))
        for (i, own, _), p in zip(tests, holm([p for _, _, p in tests]), strict=True):
            first, second = table[i]
            table[i] = (min(first, p), second) if own else (first, p)
        return table

    def result(self, i: int, *, suspicious: bool) -> GroupTest:
        return GroupTest(self.alone[i], self._pvalue(i), min(self.adjusted[i]), suspicious)

    def culprits(self, alpha: float) -> set[int]:
        """Return each group without which all others agree, or else the one that is most apart.

        Where there are several of the first kind, it is unknown which of them is the bad one.
        """
        apart = {i for i in self.trusted if self.adjusted[i][1] < alpha}
        alone = {i for i in apart if self._without(i).agree(alpha)}
        return alone or {i for i in apart if i == min(apart, key=self._closeness)}

    def agree(self, alpha: float) -> bool:
        return all(self.adjusted[i][1] >= alpha for i in self.trusted)

    def _without(self, i: int) -> "_Case":
        return replace(self, found={**self.found, i: self.result(i, suspicious=True)})

    def _closeness(self, i: int) -> tuple[float, float]:
        d = self.against[i]
        return (1.0, 0.0) if d is None else (d.pvalue, -d.statistic)

    def _pvalue(self, i: int) -> float | None:
        d = self.against[i]
        return None if d is None else d.pvalue
