"""Results by group, and their groups beside one another: differences with a test, and ratios."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NotRequired, TypedDict

import numpy as np

from discretion.comparisons.difference import DifferenceEstimate, SameTest, wald
from discretion.errors import EstimateError
from discretion.estimate.documents import Weighted
from discretion.estimate.documents.groups import GroupComparison
from discretion.estimate.estimate import Tabular
from discretion.estimate.legend import Legend
from discretion.estimate.quotient import Estimated
from discretion.estimate.weighting import Weighting
from discretion.groups.grouping import Grouping, index_of
from discretion.groups.ratio import RatioEstimate
from discretion.table.columns import Mask


class Head(TypedDict):
    """What documents about groups begin with."""

    attribute: str
    by: str | None
    given: dict[str, str]
    reports: int
    together: int
    weighted: NotRequired[Weighted]


@dataclass(frozen=True, eq=False, repr=False)
class ByGroup(Tabular):
    """Anything by group."""

    attribute: str
    grouping: Grouping
    groups: tuple[str, ...]  # what they are called
    n: int  # reports behind it
    together: int  # those that are about all of the attributes
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins

    @property
    def head(self) -> Head:
        """What its document begins with."""
        found: Head = {
            "attribute": self.attribute,
            "by": self.grouping.by,
            "given": dict(self.grouping.given),
            "reports": self.n,
            "together": self.together,
        }
        return found if self.weighted is None else {**found, "weighted": self.weighted.document()}


class Comparable(ByGroup, ABC):
    """A result by group whose groups can be compared; those that are not learnt cannot."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """What is known of each group: the share of each label, or the mean."""

    @property
    @abstractmethod
    def learnt(self) -> Mask:
        """Which groups are clearly above zero, so that something is said about them."""

    @property
    @abstractmethod
    def unbiased(self) -> Estimated:
        """What is compared (groups, labels)."""

    @property
    @abstractmethod
    def free(self) -> int:
        """How much of it does not follow from the rest."""

    @property
    @abstractmethod
    def has_ratios(self) -> bool:
        """Whether ratios mean something."""

    @cached_property
    def test(self) -> SameTest:
        """The test of whether all groups are alike, as far as they are learnt."""
        learnt = np.flatnonzero(self.learnt)
        if len(learnt) < 2:
            return SameTest(0.0, 0, 1.0)
        own = self.unbiased[learnt, : self.free]
        return tested(own[1:] - own[:1])

    @property
    def pvalue(self) -> float:
        """How likely differences as large as these are if all groups are alike."""
        return self.test.pvalue

    def difference(self, first: str, second: str) -> DifferenceEstimate:
        """Return the first group less the second, with one test of all that is compared."""
        one, other = self._side(first), self._side(second)
        apart = one - other
        test, sides = tested(apart[: self.free]), self._sides(first, second)
        found = self.attribute, self.labels, one.value, other.value, apart.stderr, (self.n,)
        return DifferenceEstimate(*found, test, sides, legend=self.legend)

    def ratio(self, first: str, second: str) -> RatioEstimate:
        """Return the first group over the second."""
        if not self.has_ratios:
            rule = "ratios are of numbers that count from zero up"
            raise EstimateError(f"{rule}, and {self.attribute!r} does not")
        both = self._side(first), self._side(second)
        found = self.attribute, self.labels, *both, self.n, self._sides(first, second)
        return RatioEstimate(*found, legend=self.legend)

    def others(self, against: str) -> Iterator[str]:
        """Yield the other groups, as far as something is learnt about them."""
        known = zip(self.groups, self.learnt, strict=True)
        return (group for group, learnt in known if learnt and group != against)

    def comparisons(self, against: str) -> list[GroupComparison]:
        """Return the differences from one group and the ratios to it, of each other group."""
        return [self._comparison(group, against) for group in self.others(against)]

    def _comparison(self, group: str, against: str) -> GroupComparison:
        difference = self.difference(group, against).document()
        return {
            "first": group,
            "second": against,
            "test": difference["test"],
            "differences": difference["differences"],
            "ratios": self.ratio(group, against).document() if self.has_ratios else [],
        }

    def _side(self, group: str) -> Estimated:
        at = index_of(self.groups, group, self.grouping.by or "the result")
        if not self.learnt[at]:
            side = self.grouping.side(group)
            raise EstimateError(f"{side} is not clearly above zero: nothing is learnt about it")
        return self.unbiased[at]

    def _sides(self, first: str, second: str) -> tuple[str, str]:
        return self.grouping.side(first), self.grouping.side(second)


def tested(apart: Estimated) -> SameTest:
    """Test differences by their own covariance; what it cannot distinguish counts once."""
    root = apart.root.reshape(len(apart.root), -1)
    return wald(apart.value.ravel(), root.T @ root)
