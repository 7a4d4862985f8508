"""A distribution function that is known at the edges of bins, and between them rises as all do.

That is how tables with numbers read off their quantiles, of groups or of a population with known
margins: what is estimated is the share up to each edge. Between two edges a curve rises as the
distribution of all reports does, heaps included. A number may be the quantile at a level if the
share up to it may be that (Woodruff 1952).
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.density import Density
from discretion.numbers.number_evidence import NumberEvidence

Points = npt.NDArray[np.int64]
BINS = 16  # with about equally many people in each
FAINT = 1e-9  # of everybody, at points where nobody is
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Rising:
    """The numbers that there are, how everybody's rise, and at which points bins begin."""

    values: Vector  # (points,)
    everybody: Vector  # (points + 1,) the share of everybody below each of them, and of all
    edges: Points  # (bins + 1,) the points with which bins begin, and the end of the last one

    @classmethod
    def of(
        cls, evidence: NumberEvidence, density: Density, ends: npt.ArrayLike | None = None
    ) -> Self:
        """Let bins end at these points; else each has about the same share of everybody."""
        size = evidence.number.size
        if ends is None:
            ends = density.quantile(np.arange(1, BINS) / BINS)
        inner = np.unique(np.asarray(ends, np.int64))
        inner = inner[(inner > 0) & (inner < size - 1)]
        values = np.array([evidence.value(point) for point in range(size)])
        mass = np.diff(density.cdf(np.arange(-1, size))) + FAINT / size
        everybody = np.append(0.0, np.cumsum(mass)) / mass.sum()
        return cls(values, everybody, np.array([0, *inner, size], np.int64))

    @property
    def bins(self) -> list[float]:
        """The edges as numbers: from the least to the largest one."""
        found: list[float] = self.values[np.append(self.edges[:-1], len(self.values) - 1)].tolist()
        return found

    @property
    def halves(self) -> list[list[float]]:
        """The edges of two bins, for each end of a bin but the last."""
        return [[self.bins[0], inner, self.bins[-1]] for inner in self.bins[1:-1]]

    def curve(self, up_to: Vector) -> Vector:
        """Return which share is below each point, and in all, from those up to the ends of bins.

        Up to the end of the last bin it is all: that may be left out.
        """
        inner = up_to[: len(self.edges) - 2]
        rising = np.append(np.maximum.accumulate(np.append(0.0, inner)), 1.0)
        found: Vector = np.interp(self.everybody, self.everybody[self.edges], rising)
        return found

    def quantile(self, up_to: Vector, levels: Vector) -> Vector:
        """Return the first number at which the share is so large."""
        found = self.curve(up_to)[1:]
        return self.values[_within(np.searchsorted(found, levels - ROUNDING), found)]

    def interval(self, least: Vector, most: Vector, levels: Vector) -> Matrix:
        """Return the first and last number that may be each quantile, (levels, 2).

        ``least`` and ``most``: the ends of what the share up to the end of each bin may be.
        """
        falling = np.minimum.accumulate(most[::-1])[::-1]
        below, up_to = self.curve(least)[:-1], self.curve(falling)[1:]
        first = _within(np.searchsorted(up_to, levels, side="left"), up_to)
        last = np.searchsorted(below, levels, side="right") - 1
        return np.column_stack([self.values[first], self.values[last]])


def _within(at: Points, points: Vector) -> Points:
    """Keep to the last point what rounding puts beyond it."""
    return np.minimum(at, len(points) - 1)
