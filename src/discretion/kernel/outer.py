"""Sums of products of rows, each report's in its lot: no product is ever in memory."""

import numpy as np
import numpy.typing as npt
from numba import njit

Matrix = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Lots = npt.NDArray[np.uint8]


@njit(cache=True, nogil=True)
def add_products(
    left: Matrix, i: Places, right: Matrix, j: Places, lots: Lots, total: Matrix
) -> None:
    """Add ``left[i[r]]`` times ``right[j[r]]`` of every report r to ``total[lots[r]]``."""
    for r in range(len(lots)):
        one, other, sums = left[i[r]], right[j[r]], total[lots[r]]
        for p in range(len(one)):
            for q in range(len(other)):
                sums[p, q] += one[p] * other[q]
