"""Numbers brought to a grid: rounded by a coin that keeps the mean."""

import numpy as np
import numpy.typing as npt

from discretion.kernel.compiler import cached

Codes = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
MISSING, OUTSIDE = -1, -2
ON_GRID = 1e-9  # a float this near to a grid point, in steps, is meant to be that point


@cached(error_model="numpy")
def round_to_grid(
    numbers: Numbers,
    coins: Numbers,
    unit: float,
    low: float,
    step: float,
    last: float,
    codes: Codes,
) -> int:
    """Fill ``codes`` with points of the grid, 0 to ``last``, and return how many lie outside.

    Those are OUTSIDE, and NaN is MISSING. ``coins`` are uniform on [0, 1).
    """
    strays = 0
    for i in range(len(numbers)):
        position = (numbers[i] / unit - low) / step
        stray = (position < -ON_GRID) | (position > last + ON_GRID)
        nearest = np.rint(position)
        if abs(position - nearest) <= ON_GRID:
            position = nearest
        below = np.floor(position)
        inside = not (stray | np.isnan(position))
        code = np.int64(below + (coins[i] < position - below))
        codes[i] = code if inside else (OUTSIDE if stray else MISSING)
        strays += stray
    return strays
