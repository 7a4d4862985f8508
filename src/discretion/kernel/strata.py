"""Sums of rows and of their products, each in its stratum."""

import numpy as np
import numpy.typing as npt

from discretion.kernel.compiler import cached

Single = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int32]
Sums = npt.NDArray[np.float64]


@cached(nogil=True)
def add_by_stratum(rows: Single, strata: Indices, sums: Sums, products: Sums) -> None:
    """Add each row to the sums of its stratum, and its products; negative strata are none."""
    for row in range(len(rows)):
        if strata[row] >= 0:
            own, total, squares = rows[row], sums[strata[row]], products[strata[row]]
            for i in range(len(own)):
                total[i] += own[i]
                for j in range(len(own)):
                    squares[i, j] += own[i] * own[j]
