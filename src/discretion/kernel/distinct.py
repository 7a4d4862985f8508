"""Counting equal integers with a hash table: one pass, where sorting would take several."""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads neighbours far apart


@njit(cache=True)
def distinct(keys: Keys) -> tuple[Keys, Counts]:
    """Return the keys that occur, in the order in which they first do, and how often."""
    bits = 1
    while (1 << bits) < 2 * len(keys):
        bits += 1
    last, shift = (1 << bits) - 1, uint64(64 - bits)
    table = np.full(last + 1, -1, np.int64)  # the place among those found
    found, counts, many = np.empty(len(keys), np.uint64), np.zeros(len(keys), np.int64), 0
    for key in keys:
        slot = np.int64((key * GOLDEN) >> shift)
        while table[slot] >= 0 and found[table[slot]] != key:
            slot = (slot + 1) & last
        if table[slot] < 0:
            table[slot] = many
            found[many] = key
            many += 1
        counts[table[slot]] += 1
    return found[:many].copy(), counts[:many].copy()
