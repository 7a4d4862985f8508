"""Positional population counts: how many bit sets, or codes, of each level name each code.

The four bits of half a byte are spread over the bytes of one word by a multiplication, so that one
addition counts four codes; compilers do this for many halves at once. A byte counts to 255, so
every 255 rows of a level the words are emptied into the counts.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, uint32
from numba.extending import intrinsic

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint32]
SPREAD, LANES, FULL = np.uint32(0x00204081), np.uint32(0x01010101), 255


def _set_bits(_: Any, integer: Any) -> Any:
    """Return how the set bits of an integer are counted: by one instruction."""

    def generate(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return integer(integer), generate


_popcount: Any = intrinsic(_set_bits)


@njit(cache=True)
def places_of(levels: Levels) -> tuple[Counts, Counts]:
    """Return the levels that occur, rising, and by level its place among them."""
    places = np.zeros(levels.max() + 1 if len(levels) else 0, np.int64)
    for level in levels:
        places[level] = 1
    used = np.flatnonzero(places)
    places[used] = np.arange(len(used))
    return used, places


@njit(cache=True)
def count_bits(
    y: Bytes, levels: Levels, places: Counts, classes: int, size: int
) -> tuple[Counts, Counts]:
    """Return counts (classes, size) and the histogram of row sizes (classes, size + 1)."""
    n, width = y.shape
    low, high = np.zeros((classes, width), np.uint32), np.zeros((classes, width), np.uint32)
    filled = np.zeros(classes, np.int64)
    counts = np.zeros((classes, 8 * width), np.int64)
    sizes = np.zeros((classes, size + 1), np.int64)
    for i in range(n):
        own = places[levels[i]]
        sizes[own, _add(y[i], low[own], high[own])] += 1
        filled[own] += 1
        if filled[own] == FULL:
            _empty(low[own], high[own], counts[own])
            filled[own] = 0
    for own in range(classes):
        _empty(low[own], high[own], counts[own])
    return counts[:, :size].copy(), sizes


@njit(cache=True)
def count_codes(y: Bytes, levels: Levels, places: Counts, classes: int, size: int) -> Counts:
    """Return how often each code (little-endian, one or more bytes) stands at each place."""
    counts = np.zeros((classes, size), np.int64)
    for i in range(len(y)):
        code = np.int64(0)
        for b in range(y.shape[1]):
            code |= np.int64(y[i, b]) << (8 * b)
        counts[places[levels[i]], code] += 1
    return counts


@njit(cache=True)
def _empty(low: Words, high: Words, counts: Counts) -> None:
    for b in range(len(low)):
        for bit in range(4):
            counts[8 * b + bit] += (low[b] >> uint32(8 * bit)) & uint32(FULL)
            counts[8 * b + 4 + bit] += (high[b] >> uint32(8 * bit)) & uint32(FULL)
        low[b] = 0
        high[b] = 0


@njit(inline="always")
def _add(row: Bytes, low: Words, high: Words) -> np.uint32:
    """Add a row to the words, and return how many ones it has."""
    ones = uint32(0)
    for b in range(len(row)):
        byte = uint32(row[b])
        low[b] += ((byte & uint32(15)) * SPREAD) & LANES
        high[b] += ((byte >> uint32(4)) * SPREAD) & LANES
        ones += _popcount(byte)
    return ones
