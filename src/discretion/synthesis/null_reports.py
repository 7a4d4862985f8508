"""What independence makes likely of the reports about two attributes as one cell.

Such a report is a set of cells. What it adds to the score of an interaction depends on the set, and
how likely each set is follows from the law and the marginals. So the covariance of the score, and
how far the square of it strays from chi-square, are worked out from all sets there are, or from
many drawn once and for all where there are too many: as exactly as one likes, where the covariance
of the reports themselves would rest on the few about rare cells, which make the score large too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.mechanism import SupportLaw
from discretion.synthesis.expectation import Posterior

FEWEST_SETS = 1 << 11  # of a law that has more
SETS_PER_COLUMN = 64
MOST_COLUMNS = 512  # of two attributes and their interactions: more would take too many sets


@dataclass(frozen=True, eq=False)
class NullReports:
    """Different reports, with what each adds to the columns and how many of it are expected."""

    rows: Matrix  # (sets, columns), of mean zero
    times: Vector  # (sets,)

    @classmethod
    def of(cls, law: SupportLaw, posteriors: tuple[Posterior, ...], n: int) -> Self:
        """Return what n reports by a law are expected to be."""
        weighted = np.column_stack([each.weighted for each in posteriors]).astype(np.float64)
        sets = _sets(law, max(FEWEST_SETS, SETS_PER_COLUMN * weighted.shape[1]))
        likelihood = 1 + (float(law.lift) - 1) * sets
        density = likelihood @ posteriors[0].density
        probability = density / density.sum()
        rows = likelihood @ weighted / density[:, None]
        return cls(rows - probability @ rows, n * probability)

    def __add__(self, other: "NullReports") -> "NullReports":
        """Return the reports of both, as at two levels."""
        rows = np.concatenate([self.rows, other.rows])
        return NullReports(rows, np.concatenate([self.times, other.times]))

    @property
    def products(self) -> Matrix:
        """The sum of the products of all columns, as it is expected."""
        found: Matrix = (self.rows.T * self.times) @ self.rows
        return found


def _sets(law: SupportLaw, most: int) -> npt.NDArray[np.uint8]:
    """Return all sets (sets, cells) that may be reported, or so many equally likely ones."""
    size, count = law.size, law.support_size
    assert count is not None  # cells are reported by subsets, of one size
    if comb(size, count) <= most:
        chosen = np.array(list(combinations(range(size), count)))
        found = np.zeros((len(chosen), size), np.uint8)
        np.put_along_axis(found, chosen, 1, axis=1)
        return found
    return np.concatenate(list(_shifted(size, count, most)))


def _shifted(size: int, count: int, most: int) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield sets and all they become when cells move on in a circle: each cell is in as many."""
    rng, steps = np.random.default_rng(0), np.arange(size)
    for _ in range(-(-most // size)):
        chosen = np.zeros(size, np.uint8)
        chosen[rng.permutation(size)[:count]] = 1
        yield chosen[(steps[:, None] + steps) % size]
