"""The pooled linear estimate: unbiased frequencies from the counts of several strata.

Every family of reports has one. Its weights come from the laws and the numbers of reports alone:
weights that looked at the counts would bias the estimate.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

import numpy as np

from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.precision import DensePrecisions, Precisions
from discretion.estimate.spread import Later, Spread, Stratified
from discretion.table.columns import Mask


class Counted(Protocol):
    """Reports that were counted."""

    @property
    def n(self) -> int: ...


class Pooled(ABC):
    """An unbiased estimate that knows its covariance, whatever was counted.

    Assumes that an owner's level is independent of her value.
    """

    levels: Sequence[tuple[object, Counted]]  # a law and the counts of its reports each

    @cached_property
    def n(self) -> int:
        """How many reports there are."""
        return sum(counts.n for _, counts in self.levels)

    @property
    @abstractmethod
    def value(self) -> Vector: ...

    @property
    @abstractmethod
    def shares(self) -> Vector:
        """The share of the weight that each level has."""

    @abstractmethod
    def covariance(self, f: Vector) -> Matrix:
        """Return the covariance for the population, at frequencies f on the simplex."""

    @property
    def identifiable(self) -> bool:
        """Whether what is counted distinguishes all codes; if not, there is no value."""
        return True

    @property
    def start(self) -> Vector:
        """Where a search for the most likely frequencies begins."""
        return self.value

    @property
    def spread(self) -> Spread:
        """The uncertainty for the population."""
        return self.spread_at(simplex(self.value))

    def spread_at(self, f: Vector) -> Spread:
        """Return the uncertainty for a population with frequencies f, on the simplex."""
        return Later(lambda: self.covariance(f))

    @property
    def answers(self) -> float:
        """How many reports there are, as if equally precise: those of small weight hardly count."""
        n = np.array([counts.n for _, counts in self.levels])
        return 1 / float(self.shares**2 @ (1 / n))

    @property
    def weight(self) -> float:
        """The weight of the estimate in an average with others of the same family."""
        return float(self.n)

    def reliable(self, f: Vector) -> Mask:
        """Return the codes at which the error is normal enough for a test."""
        return np.ones(len(f), np.bool_)

    @classmethod
    def precisions(cls, parts: Sequence["Pooled"], f: Vector) -> Precisions:
        """Return the inverse covariances at f, on contrasts, of estimates of this class."""
        return DensePrecisions.of([part.covariance(f) for part in parts])


def stratified(parts: Sequence[Pooled]) -> tuple[Vector, Spread]:
    """Return the estimates of the strata, averaged by their shares of the owners.

    Right also where levels depend on values, as far as they do not within a stratum; costly, since
    cautious strata count as much as they have owners.
    """
    n = sum(part.n for part in parts)
    shares = np.array([part.n / n for part in parts])
    value: Vector = shares @ np.array([part.value for part in parts])
    rows = np.array([part.value - value for part in parts]) * np.sqrt(shares / n)[:, None]
    own = tuple((float(s**2), part.spread) for s, part in zip(shares, parts, strict=True))
    return value, Stratified(own, rows)
