"""The distribution of a number in a population with known margins.

Bins of the number stand in a table beside the margins' attributes; within a bin, numbers are as
frequent as their distribution among all respondents says. What is linear in the calibrated bins
(F at a point, shares of bins) has its error from their deviations. A quantile is inverted: t may
be the level-a quantile if F(t - 1) <= a <= F(t) within these errors.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from discretion.estimate.estimate import between
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.weighting import Weighting
from discretion.numbers.profile import ROUNDING
from discretion.numbers.result import NumberEstimate
from discretion.numbers.sieve import Edges


class NumberWeights(Protocol):
    """Weights to known margins, from ``calibrate``."""

    def mean(self, data: object, attribute: str) -> NumberEstimate: ...

    def distribution(self, data: object, attribute: str) -> "WeightedDistribution": ...


@dataclass(frozen=True, eq=False)
class WeightedDistribution:
    """Probabilities of grid points; what is uncertain about them is how frequent bins are."""

    edges: Edges  # (bins + 1,) of the bins that were calibrated
    mixing: Matrix  # (grid, bins), each column sums to one
    bins: Vector  # (bins,)
    root: Matrix  # (r, bins): deviations
    weighting: Weighting

    @cached_property
    def value(self) -> Vector:
        """The probability of each grid point."""
        return self.mixing @ self.bins

    def cdf(self, points: npt.ArrayLike) -> Vector:
        """Return the chance of a number up to each position."""
        chances: Vector = self.below(points) @ self.value
        return chances

    def cdf_interval(self, points: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        return np.array([self.interval(row, confidence) for row in self.below(points)])

    def interval(self, row: Vector, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of row @ f, for weights of grid points from 0 to 1."""
        here = float(row @ self.value)
        low, high = between(here, here, self.stderr(row), confidence)
        return float(low), float(high)

    def stderr(self, row: Vector) -> float:
        """Return the standard error of row @ f, any linear function of the probabilities."""
        return float(np.linalg.norm(self.root @ (row @ self.mixing)))

    def below(self, points: npt.ArrayLike) -> Matrix:
        """Return which grid points lie up to each position: (k, grid)."""
        at = np.atleast_1d(np.asarray(points, np.float64))[:, None]
        found: Matrix = (np.arange(len(self.mixing)) <= at).astype(np.float64)
        return found

    def quantile(self, levels: npt.ArrayLike) -> Vector:
        """Return the first grid point at which F reaches each level."""
        rising = np.maximum.accumulate(self._curve[0])
        found = np.searchsorted(rising, np.atleast_1d(levels) - ROUNDING)
        return np.minimum(found, len(rising) - 1).astype(np.float64)

    def quantile_interval(self, levels: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        """Return for each level the first and last grid point that may be the quantile: (k, 2)."""
        share, error = self._curve
        far = float(ndtri((1 + confidence) / 2)) * error
        before, upto = np.append(0.0, (share - far)[:-1]), share + far
        upto[-1], ends = 1.0, []
        for level, middle in zip(np.atleast_1d(levels), self.quantile(levels), strict=True):
            may = np.append(np.flatnonzero((before <= level) & (level <= upto)), middle)
            ends.append((may.min(), may.max()))
        return np.array(ends, np.float64)

    @cached_property
    def _curve(self) -> tuple[Vector, Vector]:
        """F at every grid point, and its standard error."""
        slopes = np.cumsum(self.mixing, axis=0)
        errors = np.sqrt(((self.root @ slopes.T) ** 2).sum(axis=0))
        return slopes @ self.bins, errors
