"""Neighbouring bins that are merged, the more of them the farther they are from a point.

How numbers far from t are distributed within a short distance says next to nothing about F(t), and
fewer bins are asked sooner. The statistic is coarser by that, not the truth: how it scatters is
drawn from reports of all bins.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector

ALIKE = 6  # so many bins to each side are not merged, then as many pairs follow, then fours,
DOUBLED = 3  # and so on, so many times

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Grading:
    """Which neighbours are one bin, and which share each has of it."""

    starts: Places  # (wider bins,), the first bin in each
    shares: Vector  # (bins,)

    @classmethod
    def around(cls, first: int, count: int, masses: Vector) -> Self:
        """Leave so many bins as they are, from the first on; bins hold about these masses."""
        starts = _starts(first, count, len(masses))
        return cls(starts, masses / _repeated(np.add.reduceat(masses, starts), starts, len(masses)))

    def averaged(self, rows: Matrix) -> Matrix:
        """Return what holds of a number in each wider bin, given what does in each bin."""
        found: Matrix = np.add.reduceat(rows * self.shares, self.starts, axis=-1)
        return found

    def total(self, f: Vector) -> Vector:
        """Return the probabilities of wider bins."""
        found: Vector = np.add.reduceat(f, self.starts)
        return found

    def narrowed(self, f: Vector, like: Vector) -> Vector:
        """Return probabilities of bins, which share the wider ones as those of another do."""
        return like * _repeated(f / self.total(like), self.starts, len(like))


def _repeated(values: Vector, starts: Places, bins: int) -> Vector:
    return np.repeat(values, np.diff(starts, append=bins))


@lru_cache(1024)
def _starts(first: int, count: int, bins: int) -> Places:
    """Return the first of each wider bin. The ends stay alone, since clipped numbers pile up."""
    sizes = np.repeat(2 ** np.arange(DOUBLED + 1), [ALIKE] * DOUBLED + [bins])
    away = np.append(0, np.cumsum(sizes))
    kept = ([0, 1, bins - 1], first - away, np.arange(first, first + count), first + count + away)
    found = np.unique(np.concatenate(kept))
    return found[(found >= 0) & (found < bins)]
