"""The shares of owners who have each item, with the sizes of sets and what cutting can hide."""

from dataclasses import dataclass, field

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.documents.shares import Frequencies
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.votes import Round, RoundShare
from discretion.family.covers.linear import PooledCovers
from discretion.plan import Plan
from discretion.sets.itemsets import Measured, closer


@dataclass(frozen=True, eq=False, repr=False)
class SetEstimate(FrequencyEstimate):
    """The share of owners who have each item; shares need not sum to one.

    At length l a set of more than l items counts each of them by l over its size, so an estimate is
    too low by at most ``cut``.
    """

    summing = False
    sizes: FrequencyEstimate = field(kw_only=True)  # how many items sets have
    cut: Vector = field(kw_only=True)  # (size,)
    round: Round = field(kw_only=True)  # that it is made of

    @property
    def plan(self) -> Plan:
        """The plan that was answered."""
        return self.round.plan

    def share_of(self, label: str) -> RoundShare:
        """Return what a later round is to be pooled with, of one label."""
        if self.target != "population":
            rule = "pool needs an estimate for the population"
            raise EstimateError(f"{rule}, and this one is for these owners")
        at = self.labels.index(label)
        return self.round.share(float(self.value[at]), float(self.stderr[at]))

    def question(self, count: int, sets: int) -> dict[str, object]:
        """Return what to ask about the most frequent items, and up to so many of them together."""
        shares = dict(zip(self.labels, self.value.tolist(), strict=True))
        return closer(Measured(self.plan, self.attribute, shares, self.n), count, sets)

    @property
    def effective_n(self) -> float:
        """How many unperturbed sets would have the same squared error, were half of each kind."""
        f = np.clip(self.given, 0, 1)
        drawn = (f * (1 - f)).sum() / self.n
        noise = self.spread.variance.sum() - (drawn if self.target == "population" else 0.0)
        even = len(self.labels) / 4
        return even / (even / self.n + max(float(noise), 0.0))

    def document(self) -> Frequencies:
        return {**super().document(), "sizes": self.sizes.document()["frequencies"]}


@dataclass(frozen=True, eq=False)
class ShareSpread:
    """The uncertainty of shares at frequencies f; items go together by accident only."""

    pooled: PooledCovers
    f: Vector
    drawn: float = 0.0  # one over how many owners are themselves the target; 0: none are
    shift: float = 0.0

    @property
    def variance(self) -> Vector:
        return self.pooled.variance(self.f) - self.drawn * self.f * (1 - self.f)

    @property
    def covariance(self) -> Matrix:
        return self.pooled.covariance(self.f) - self.drawn * np.diag(self.f * (1 - self.f))
