"""Positional population counts: how many bit sets, or codes, of each class name each code.

The four bits of half a byte are spread over the bytes of one word by a multiplication, so that one
addition counts four codes; compilers do this for many halves at once. A byte counts to 255, so
every 255 rows of a class the words are emptied into the counts.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint32

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint32]
SPREAD, LANES, FULL = np.uint32(0x00204081), np.uint32(0x01010101), 255
CHUNK = 64  # bytes whose ones, twice as many at most in each byte of a word, it can hold


@njit(cache=True)
def count_bits(y: Bytes, which: Counts, classes: int, size: int) -> tuple[Counts, Counts]:
    """Return counts (classes, size) and the histogram of row sizes (classes, size + 1)."""
    n, width = y.shape
    low, high = np.zeros((classes, width), np.uint32), np.zeros((classes, width), np.uint32)
    filled = np.zeros(classes, np.int64)
    counts = np.zeros((classes, 8 * width), np.int64)
    sizes = np.zeros((classes, size + 1), np.int64)
    for i in range(n):
        own, ones = which[i], uint32(0)
        if width <= CHUNK:
            ones = _add(y[i], low[own], high[own])
        else:
            for first in range(0, width, CHUNK):
                part = slice(first, first + CHUNK)
                ones += _add(y[i, part], low[own, part], high[own, part])
        sizes[own, ones] += 1
        filled[own] += 1
        if filled[own] == FULL:
            _empty(low[own], high[own], counts[own])
            filled[own] = 0
    for own in range(classes):
        _empty(low[own], high[own], counts[own])
    return counts[:, :size].copy(), sizes


@njit(cache=True)
def count_codes(y: Bytes, which: Counts, classes: int, size: int) -> Counts:
    """Return how often each code (little-endian, one or more bytes) stands in each class."""
    counts = np.zeros((classes, size), np.int64)
    for i in range(len(y)):
        code = np.int64(0)
        for b in range(y.shape[1]):
            code |= np.int64(y[i, b]) << (8 * b)
        counts[which[i], code] += 1
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
    """Add a stretch of a row to the words, and return how many ones it has."""
    ones = uint32(0)
    for b in range(len(row)):
        byte = uint32(row[b])
        to_low = ((byte & uint32(15)) * SPREAD) & LANES
        to_high = ((byte >> uint32(4)) * SPREAD) & LANES
        low[b] += to_low
        high[b] += to_high
        ones += to_low + to_high
    pairs = (ones & uint32(0x00FF00FF)) + ((ones >> uint32(8)) & uint32(0x00FF00FF))
    return (pairs + (pairs >> uint32(16))) & uint32(0xFFFF)
