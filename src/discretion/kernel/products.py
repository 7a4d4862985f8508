"""Sums of products of rows, by lot or by stratum: no product is ever in memory."""

import numpy as np
import numpy.typing as npt
from numba import uint64

from discretion.kernel import cached

Matrix = npt.NDArray[np.float64]
Single = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int32]
Rows = npt.NDArray[np.int64]
Lots = npt.NDArray[np.uint8]
Ids = npt.NDArray[np.uint64]
MIXED = uint64(0x9E3779B97F4A7C15)  # spreads ids that are not random, too


@cached(nogil=True)
def lots_of(ids: Ids) -> Lots:
    """Return one of 256 lots for each id (n, 2)."""
    lots = np.empty(len(ids), np.uint8)
    for r in range(len(ids)):
        lots[r] = ((ids[r, 0] ^ ids[r, 1]) * MIXED) >> uint64(56)
    return lots


@cached(nogil=True)
def add_products(
    left: Matrix, i: Indices, right: Matrix, j: Indices, rows: Rows, lots: Lots, total: Matrix
) -> None:
    """Add ``left[i[r]]`` times ``right[j[r]]`` of some reports r to ``total[lots[r]]``."""
    for r in rows:
        one, other, sums = left[i[r]], right[j[r]], total[lots[r]]
        for p in range(len(one)):
            for q in range(len(other)):
                sums[p, q] += one[p] * other[q]


@cached(nogil=True)
def add_by_stratum(rows: Single, strata: Indices, sums: Matrix, products: Matrix) -> None:
    """Add each row to the sums of its stratum, and its products; negative strata are none."""
    for row in range(len(rows)):
        if strata[row] >= 0:
            own, total, squares = rows[row], sums[strata[row]], products[strata[row]]
            for i in range(len(own)):
                total[i] += own[i]
                for j in range(len(own)):
                    squares[i, j] += own[i] * own[j]
