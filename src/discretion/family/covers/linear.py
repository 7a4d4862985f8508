"""Unbiased linear estimates from reports that are codes of a set: each code a share of its own.

A code of frequency f is in a report with probability P = q + (p - q) f, so that its debiased share
has the variance P (1 - P) / (p - q)^2. Two codes are in one report: their channel is that of the
pair (``Cover.pattern``). Derivation: docs/proofs/sets.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product

import numpy as np

from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import BitCounts
from discretion.mechanism import Cover

CoverLevels = Sequence[tuple[Cover, BitCounts]]


@dataclass(frozen=True)
class Channel:
    """How often codes are reported: one that is held and another one; and pairs, by how many are.

    ``both[i]`` is how often two codes are reported together of which the set holds i.
    """

    own: float
    other: float
    both: tuple[float, float, float]

    @property
    def gap(self) -> float:
        return self.own - self.other

    def probability(self, f: Vector) -> Vector:
        """Return how often codes with these frequencies are in a report."""
        return self.other + self.gap * f

    def variance(self, f: Vector) -> Vector:
        """Return the variance of one debiased report about codes with these frequencies."""
        probability = self.probability(f)
        return np.asarray(probability * (1 - probability) / self.gap**2)

    def beside(self, f: Vector) -> Vector:
        """Return the covariance of codes 0 and 1, 2 and 3, ..., of which no set has both."""
        none, one, _ = self.both
        together = none + (one - none) * (f[::2] + f[1::2])
        probability = self.probability(f)
        return np.asarray((together - probability[::2] * probability[1::2]) / self.gap**2)

    def covariance(self, f: Vector, pairs: Matrix) -> Matrix:
        """Return that of all codes, given how frequent each pair of them is."""
        none, one, two = self.both
        either = f[:, None] + f - 2 * pairs
        together = none + (one - none) * either + (two - none) * pairs
        probability = self.probability(f)
        found = (together - np.outer(probability, probability)) / self.gap**2
        np.fill_diagonal(found, self.variance(f))
        return found


@cache
def channel(law: Cover) -> Channel:
    """Return the channel of a law."""
    held = ((False, False), (True, False), (True, True))
    none, one, two = (float(law.pattern(each, (True, True))) for each in held)
    return Channel(float(law.own), float(law.other), (none, one, two))


@dataclass(frozen=True)
class PooledCovers(Pooled):
    """The inverse-variance combination over strata, the variances at codes that nobody has.

    The shares need not sum to one. ``labels`` is how many codes are estimated, of the first ones.
    """

    levels: CoverLevels
    labels: int
    by_owners: bool = False  # whether all owners count alike

    @property
    def weights(self) -> Vector:
        """The weight of each stratum: its reports over the variance of one at a rare code."""
        nobody = np.zeros(1)
        each = [tally.n / channel(law).variance(nobody)[0] for law, tally in self.levels]
        return np.array(each)

    @property
    def shares(self) -> Vector:
        own = np.array([tally.n for _, tally in self.levels]) if self.by_owners else self.weights
        return np.asarray(own / own.sum())

    @property
    def weight(self) -> float:
        return float(self.weights.sum())

    @cached_property
    def each(self) -> Matrix:
        """The debiased shares of each stratum: (strata, labels)."""
        return np.array([debiased(law, tally)[: self.labels] for law, tally in self.levels])

    @cached_property
    def value(self) -> Vector:
        return self.shares @ self.each

    def variance(self, f: Vector) -> Vector:
        """Return the variances of the estimate at frequencies f."""
        return sum(
            (w**2 / tally.n * channel(law).variance(f) for w, law, tally in self._weighed),
            np.zeros_like(f),
        )

    def beside(self, f: Vector) -> Vector:
        """Return the covariance of codes 0 and 1, 2 and 3, ..., of which no set has both."""
        return sum(
            (w**2 / tally.n * channel(law).beside(f) for w, law, tally in self._weighed),
            np.zeros(len(f) // 2),
        )

    def covariance(self, f: Vector) -> Matrix:
        """Return the covariance at frequencies f of items that go together by accident only."""
        pairs = np.outer(f, f)
        return sum(
            (w**2 / tally.n * channel(law).covariance(f, pairs) for w, law, tally in self._weighed),
            np.zeros_like(pairs),
        )

    @property
    def _weighed(self) -> Sequence[tuple[float, Cover, BitCounts]]:
        pairs = zip(self.shares.tolist(), self.levels, strict=True)
        return [(share, law, tally) for share, (law, tally) in pairs]


def debiased(law: Cover, tally: BitCounts) -> Vector:
    """Return the unbiased share of each code, blanks included."""
    own = channel(law)
    seen = tally.counts[0, : law.n_codes] / tally.n
    return np.asarray((seen - own.other) / own.gap, np.float64)


def patterns(law: Cover, codes: int) -> Matrix:
    """Return how probable each pattern of a few codes is, given which of them are held.

    Shape (2^codes, 2^codes), patterns reported by patterns held, the first code in the lowest bit.
    """
    every = [state[::-1] for state in product((False, True), repeat=codes)]
    return np.array([[float(law.pattern(held, reported)) for held in every] for reported in every])
