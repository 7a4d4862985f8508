"""One pass over a column of answers: is each of them one that its law can give?"""

import numpy as np
import numpy.typing as npt
from numba import uint64

from discretion.kernel.compiler import cached
from discretion.kernel.read import possible

Bytes = npt.NDArray[np.uint8]
Levels = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.int64]


@cached(nogil=True)
def first_stray(
    y: Bytes,
    strata: Levels,
    there: Mask,
    rules: Indices,
    shift: int,
    limits: Indices,
    ones: Indices,
) -> int:
    """Return the first row that no device sends, or -1; rows that are not there do not count.

    ``rules`` (strata,) has the index of each stratum's limit and ones, -1 for those off menu.
    """
    for i in range(len(y)):
        if there[i]:
            stratum = strata[i]
            if stratum < 0 or stratum >= len(rules):
                return i
            rule = rules[uint64(stratum)]
            if rule < 0 or not possible(y[i], shift, limits[rule], ones[rule]):
                return i
    return -1
