"""Pools: linear estimates that know their covariance, whatever was counted."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.spread import Later, Spread


class Pool(Protocol):
    """An unbiased estimate from counts of several levels."""

    @property
    def n(self) -> int:
        """How many reports there are."""
        ...

    @property
    def tells(self) -> bool:
        """Whether what is counted tells all codes apart."""
        ...

    @property
    def value(self) -> Vector: ...

    def covariance(self, f: Vector) -> Matrix:
        """Return the covariance for the population, at frequencies f on the simplex."""
        ...


def weighted(pool: Pool) -> tuple[Vector, Spread]:
    """Return the pooled estimate and its spread for the population."""
    return pool.value, Later(lambda: pool.covariance(simplex(pool.value)))


def stratified(parts: Sequence[Pool]) -> tuple[Vector, Spread]:
    """Return the estimates of the strata, averaged by their shares of the owners."""
    n = sum(part.n for part in parts)
    shares = np.array([part.n / n for part in parts])
    value: Vector = shares @ np.array([part.value for part in parts])

    def work() -> Matrix:
        rows = np.array([part.value - value for part in parts]) * np.sqrt(shares / n)[:, None]
        own = (s**2 * p.covariance(simplex(p.value)) for s, p in zip(shares, parts, strict=True))
        return sum(own, rows.T @ rows)

    return value, Later(work)
