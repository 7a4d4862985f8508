"""Positional population counts: how many bit sets of each class hold each bit.

The counters are kept sideways: plane p holds bit p of 64 counters in one word. Adding a row of 64
bits is a carry that ripples through a few planes; every 255 rows the planes are emptied.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
PLANES = 8


@njit(cache=True)
def count_bits(y: Bytes, which: Counts, classes: int, size: int) -> tuple[Counts, Counts]:
    """Return counts (classes, size) and the histogram of row sizes (classes, size + 1)."""
    n, width = y.shape
    words = (width + 7) // 8
    planes = np.zeros((classes, words, PLANES), np.uint64)
    filled = np.zeros(classes, np.int64)
    counts = np.zeros((classes, 64 * words), np.int64)
    sizes = np.zeros((classes, size + 1), np.int64)
    for i in range(n):
        own = which[i]
        ones = np.int64(0)
        for w in range(words):
            carry = uint64(0)
            for b in range(min(8, width - 8 * w)):
                carry |= uint64(y[i, 8 * w + b]) << uint64(8 * b)
            ones += _popcount(carry)
            for p in range(PLANES):
                plane = planes[own, w, p]
                planes[own, w, p] = plane ^ carry
                carry &= plane
                if carry == 0:
                    break
        sizes[own, ones] += 1
        filled[own] += 1
        if filled[own] == (1 << PLANES) - 1:
            _empty(planes, counts, own)
            filled[own] = 0
    for own in range(classes):
        _empty(planes, counts, own)
    return counts[:, :size].copy(), sizes


@njit(cache=True)
def _empty(planes: npt.NDArray[np.uint64], counts: Counts, own: int) -> None:
    for w in range(planes.shape[1]):
        for p in range(PLANES):
            bits = planes[own, w, p]
            planes[own, w, p] = uint64(0)
            for b in range(64):
                counts[own, 64 * w + b] += np.int64((bits >> uint64(b)) & uint64(1)) << p


@njit(inline="always")
def _popcount(x: np.uint64) -> np.int64:
    x -= (x >> uint64(1)) & uint64(0x5555555555555555)
    x = (x & uint64(0x3333333333333333)) + ((x >> uint64(2)) & uint64(0x3333333333333333))
    x = (x + (x >> uint64(4))) & uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * uint64(0x0101010101010101)) >> uint64(56))
