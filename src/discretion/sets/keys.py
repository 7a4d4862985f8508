"""The two ends of a map's range, key by key: what shares of keys and means are made of.

A report has each key with one end of the range, or the other. With h the debiased shares of both,
f = h_high + h_low is the share of owners with the key, and g = h_high - h_low the mean over all
owners of their number, as -1 to 1, where they have one. Derivation: docs/proofs/sets.md, section 6.
"""

from dataclasses import dataclass

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.quotient import Estimated
from discretion.family.covers.linear import PooledCovers


@dataclass(frozen=True, eq=False)
class Halves:
    """The debiased shares of both ends of each key, their variances and covariance (keys,)."""

    low: Vector
    high: Vector
    of_low: Vector
    of_high: Vector
    between: Vector

    @classmethod
    def of(cls, pooled: PooledCovers) -> "Halves":
        """Take them from the symbols of a map, of which no owner has both of a key."""
        value = pooled.value
        variance = pooled.variance(np.clip(value, 0, 1))
        ends = value[::2], value[1::2], variance[::2], variance[1::2]
        return cls(*ends, pooled.beside(np.clip(value, 0, 1)))

    @property
    def share(self) -> Vector:
        """The share of owners with each key."""
        return self.low + self.high

    @property
    def share_variance(self) -> Vector:
        return np.maximum(self.of_low + self.of_high + 2 * self.between, 0.0)

    def both(self, low: float, high: float) -> tuple[Estimated, Estimated]:
        """Return the mean of the number over all owners, 0 where there is none, and the shares.

        In the units of a range with these ends; what keys have in common is left out.
        """
        product = low * self.low + high * self.high
        variance = low**2 * self.of_low + high**2 * self.of_high + 2 * low * high * self.between
        mixed = low * self.of_low + high * self.of_high + (low + high) * self.between
        error = np.sqrt(np.maximum(self.share_variance, np.finfo(float).tiny))
        along = mixed / error
        rest = np.sqrt(np.maximum(variance - along**2, 0.0))
        return (
            Estimated(product, np.stack([along, rest])),
            Estimated(self.share, np.stack([error, np.zeros_like(error)])),
        )


@dataclass(frozen=True, eq=False)
class KeySpread:
    """The uncertainty of the shares of keys."""

    pooled: PooledCovers
    halves: Halves
    drawn: float = 0.0  # one over how many owners are themselves the target; 0: none are
    shift: float = 0.0

    @property
    def variance(self) -> Vector:
        f = np.clip(self.halves.share, 0, 1)
        return self.halves.share_variance - self.drawn * f * (1 - f)

    @property
    def covariance(self) -> Matrix:
        """Return it where keys go together by accident only."""
        whole = self.pooled.covariance(np.clip(self.pooled.value, 0, 1))
        found = whole.reshape(len(whole) // 2, 2, len(whole) // 2, 2).sum(axis=(1, 3))
        np.fill_diagonal(found, self.variance)
        return found
