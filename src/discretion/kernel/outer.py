"""Sums of products of rows, each report's in its lot: no product is ever in memory."""

import numpy as np
import numpy.typing as npt
from numba import uint64

from discretion.kernel.compiler import cached

Matrix = npt.NDArray[np.float64]
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
