"""What the reports say about one ordered attribute: shares of a tree, and everything from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self, TypeGuard

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Aggregate
from discretion.aggregate.evidence import counts_of, reports_of
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.family import Intervals, of
from discretion.family.counts import NodeCounts
from discretion.numbers.number_evidence import NumberEvidence
from discretion.order.depths import depths_of
from discretion.order.shrinkage import shrunk
from discretion.order.tree import Cuts, LinearTree, Shape, Variance
from discretion.plan import Plan
from discretion.schema import Attribute
from discretion.table import Reports

REDRAWS = 64  # crowds that are drawn anew: the intervals' widths are random by 1 / (2 * 64)^(1/2)
SEED = 20260  # of these: the same reports have the same intervals


@dataclass(frozen=True, eq=False)
class OrderEvidence:
    """All that was reported about one ordered attribute, in one round."""

    plan: Plan
    family: Intervals
    counts: Mapping[int, NodeCounts]  # by stratum
    everyone: int  # reports of the round, whatever they share

    @classmethod
    def of(cls, data: object, name: str) -> Self:
        """Count the reports, if that is not done; there must be some, and of one round."""
        if isinstance(data, cls):
            return data.about(name)
        if not isinstance(data, Reports | Aggregate):
            kind = type(data).__name__
            raise EstimateError(f"ranges need reports or an Aggregate, got {kind}")
        family = of(data.plan.questions[name]).intervals()
        return cls(data.plan, family, counts_of(data, family), reports_of(data))

    def about(self, name: str) -> Self:
        """Return the same, if it is about this attribute."""
        if name != self.name:
            raise EstimateError(f"the evidence is about {self.name!r}, not {name!r}")
        return self

    @property
    def name(self) -> str:
        return self.family.name

    @property
    def attribute(self) -> Attribute:
        return self.family.question.attribute

    @property
    def n(self) -> int:
        return sum(own.n for own in self.counts.values())

    @property
    def shape(self) -> Shape:
        return Shape(self.family.tree)

    @cached_property
    def linear(self) -> LinearTree:
        laws = {level: self.family.law(level) for level in self.counts}
        return LinearTree(self.shape, depths_of(laws, self.counts))

    @cached_property
    def shares(self) -> list[Vector]:
        """The shares of all nodes by empirical Bayes, depth by depth."""
        return shrunk(self.linear.shape, self.linear.up)

    @property
    def leaves(self) -> Vector:
        return self.shares[-1]

    @cached_property
    def variance(self) -> Variance:
        """The covariance of the linear estimate, at the shares by empirical Bayes."""
        return Variance(self.linear, self.leaves)

    def below(self, cuts: Cuts) -> Vector:
        """Return the share below each cut."""
        return self.linear.shape.below(cuts, self.leaves)

    @cached_property
    def redrawn(self) -> npt.NDArray[np.float32]:
        """How far the leaves of crowds with the estimated shares are off: (redraws, leaves)."""
        rng = np.random.default_rng(SEED)
        found = np.empty((REDRAWS, len(self.leaves)), np.float32)
        for row in found:
            row[:] = self._redraw(rng) - self.leaves
        return found

    def _redraw(self, rng: np.random.Generator) -> Vector:
        shape, depths = self.linear.shape, self.linear.depths
        parts = zip(depths, self.shares, strict=True)
        drawn = [own + depth.noise(own, rng) for depth, own in parts]
        return shrunk(shape, shape.up(depths, drawn))[-1]

    def deviations(self, cuts: Cuts) -> Matrix:
        """Return how far the redrawn shares below each cut are off: (redraws, cuts)."""
        shape = self.linear.shape
        return np.stack([shape.below(cuts, row.astype(np.float64)) for row in self.redrawn])


Data = Reports | Aggregate | OrderEvidence


def is_ordered(data: Data | NumberEvidence, name: str) -> TypeGuard[Data]:
    """Whether an attribute is reported by intervals."""
    if isinstance(data, Reports | Aggregate):
        return of(data.plan.questions[name]).ordered
    return isinstance(data, OrderEvidence)
