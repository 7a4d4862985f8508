"""How much each owner counts in an estimate, and what two estimates have in common by their owners.

A share is estimated by a weighted sum over owners: the share among these, and noise. Where the same
owners answer twice, with noise of its own each time, both estimates are off by how these owners
differ from the population. With f the share and v, w an owner's weights in both, that gives them
the covariance f (1 - f) times the sum of v w over the owners who answered both.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Vector
from discretion.plan import Plan


@dataclass(frozen=True, eq=False)
class Votes:
    """Owners who count alike, ``n`` of each sort, and the ``weight`` of one: in all they make one.

    ``of`` is how many answered, with those whose reports say nothing about what is estimated; which
    ones these are does not depend on their weights.
    """

    n: Vector
    weight: Vector
    of: int

    @classmethod
    def of_pooled(cls, pooled: Pooled, answered: int) -> Self:
        """Return those of a linear estimate, made of the reports of so many owners or fewer."""
        n = np.array([counts.n for _, counts in pooled.levels], np.float64)
        return cls(n, pooled.shares / n, answered)

    @property
    def counting(self) -> float:
        """The part of the owners whose reports count."""
        return float(self.n.sum()) / self.of

    def beside(self, other: "Votes", common: int) -> float:
        """Return the sum of the products of both weights over so many owners who answered both.

        Which level one of them had in the other round is not known. The sum is exact where all keep
        their order, as owners do who choose the same level again, and else too large: the largest
        there can be, as long as those who answered both weigh on average as the others do.
        """
        mine, hers = self._rising, other._rising
        ends = np.union1d(mine[0], hers[0])
        parts = np.diff(ends, prepend=0.0)
        middle = ends - parts / 2
        product = (
            mine[1][np.searchsorted(mine[0], middle)] * hers[1][np.searchsorted(hers[0], middle)]
        )
        return float(parts @ product) * common * self.counting * other.counting

    @property
    def _rising(self) -> tuple[Vector, Vector]:
        """Return the weights, rising, and the part of those who count that has up to each."""
        order = np.argsort(self.weight)
        below = np.cumsum(self.n[order]) / self.n.sum()
        below[-1] = 1.0
        return below, self.weight[order]


@dataclass(frozen=True, eq=False)
class RoundShare:
    """What one round says of a label: its share, its error, and how it came to be asked again.

    ``rare`` is the standard error where nobody has it, and ``least`` the share from which on it is
    among what was found; -inf where it was not chosen by its share.
    """

    share: float
    stderr: float
    rare: float
    votes: Votes
    least: float = -np.inf


@dataclass(frozen=True, eq=False)
class Round:
    """What was asked, how much each owner counts, and the standard error of what nobody has."""

    plan: Plan
    votes: Votes
    rare: float

    @classmethod
    def of(cls, plan: Plan, pooled: Pooled, answered: int) -> Self:
        """Return the round that a linear estimate is made of, which so many owners answered."""
        rare = float(pooled.spread_at(np.zeros(len(pooled.value))).variance[0])
        return cls(plan, Votes.of_pooled(pooled, answered), rare**0.5)

    def share(self, share: float, stderr: float) -> RoundShare:
        """Return what the round says of a label."""
        return RoundShare(share, stderr, self.rare, self.votes)
