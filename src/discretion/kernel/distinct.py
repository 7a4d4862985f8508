"""Reports as integers, and counting equal ones with a hash table."""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads neighbours far apart


@njit(cache=True, nogil=True)
def distinct(keys: Keys) -> tuple[Keys, Counts]:
    """Return the keys that occur, in the order in which they first do, and how often."""
    return gathered(keys, np.ones(len(keys), np.int64))


@njit(cache=True, nogil=True)
def gathered(keys: Keys, times: Counts) -> tuple[Keys, Counts]:
    """Return the keys that occur, in the order in which they first do, and the sums of times."""
    bits = 1
    while (1 << bits) < 2 * len(keys):
        bits += 1
    last, shift = (1 << bits) - 1, uint64(64 - bits)
    table = np.full(last + 1, -1, np.int32)  # the place among those found
    found, counts, many = np.empty(len(keys), np.uint64), np.zeros(len(keys), np.int64), 0
    for i in range(len(keys)):
        key = keys[i]
        slot = np.int64((key * GOLDEN) >> shift)
        while table[slot] >= 0 and found[table[slot]] != key:
            slot = (slot + 1) & last
        if table[slot] < 0:
            table[slot] = many
            found[many] = key
            many += 1
        counts[table[slot]] += times[i]
    return found[:many].copy(), counts[:many].copy()


@njit(cache=True, nogil=True)
def append_digit(
    keys: Keys, y: Bytes, grades: Levels, there: Mask, ranks: Counts, radix: np.uint64
) -> None:
    """Append a digit to every key: 0 for no answer, else one for each grade and output.

    ``ranks`` (grades,) tells by grade its place on the menu.
    """
    width = y.shape[1]
    for i in range(len(keys)):
        digit = uint64(0)
        if there[i]:
            code = uint64(ranks[uint64(grades[i])])
            for b in range(width - 1, -1, -1):
                code = (code << uint64(8)) | uint64(y[i, b])
            digit = code + uint64(1)
        keys[i] = keys[i] * radix + digit
