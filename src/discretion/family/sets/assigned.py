"""Manipulation where hash functions are assigned: false reports choose the bucket, or silence.

For a code v of k, with n = k - 1 others, let S be how many of these a random function puts in the
cell of v, and M how many are in the fullest of the g - 1 other cells. By the cell of v a report has
the score (n - S) / (k gap) + 1 / k at v, the most it can have; by that other cell 1 / k - M / (k
gap), the least. The mean and the variance of S follow from how often two and three codes share a
cell. M is at most A + D,

    A = (n - S) / (g - 1),   D^2 = (g - 2) / (g - 1) * sum over these cells of (count - A)^2,

and the mean of D^2 follows as well. Derivation: docs/proofs/frequencies.md, section 13.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from discretion.estimate.noise import Vector
from discretion.mechanism import Hashed


@dataclass(frozen=True, slots=True)
class ScoreBound:
    """A score's distance from ``base`` in one direction, over random functions.

    It is at most a part with this mean and spread, and another one of ``slack`` on average.
    """

    mean: float
    spread: float  # the standard deviation
    slack: float

    @property
    def most(self) -> float:
        """What is to be expected at most."""
        return self.mean + self.slack

    def change(self, distance: Vector, odds: float) -> Vector:
        """Return how far false reports move an estimate at ``distance`` from the base, at most.

        ``odds`` are their weight over that of all others. An attacker whose function
        does not help leaves the attribute out.
        """
        ahead = distance + self.mean - odds * self.slack
        root = np.sqrt(ahead**2 + (1 + odds) * self.spread**2)
        return odds * self.slack + odds / (1 + odds) * (ahead + root) / 2


@dataclass(frozen=True, slots=True)
class ScoreBounds:
    """How far above, and below, 1 / size the score of a code can be by the functions of a law."""

    up: ScoreBound
    down: ScoreBound

    @classmethod
    def of(cls, law: Hashed) -> Self:
        n, g = law.size - 1, law.hashing.n_buckets
        two, three = law.hashing.sharing(2), law.hashing.sharing(3)
        mean = n * (1 - two)  # of n - S
        square = mean + n * (n - 1) * (1 - 2 * two + three)
        alike = mean + n * (n - 1) * (two - three)  # of the squared counts of other cells
        excess = (alike - square / (g - 1)) * (g - 2) / (g - 1)  # of D^2
        scale = law.size * float(law.inclusion.own - law.inclusion.other)
        spread = float(square - mean**2) ** 0.5
        return cls(
            ScoreBound(float(mean) / scale, spread / scale, 0.0),
            ScoreBound(
                float(mean) / (g - 1) / scale,
                spread / (g - 1) / scale,
                float(excess) ** 0.5 / scale,
            ),
        )
