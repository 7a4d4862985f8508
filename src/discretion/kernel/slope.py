"""One pass over packed supports: the log-likelihood at f and its slope, a byte at a time.

For each byte of a support the sum of f over its bits is looked up in a table of 256, and what a
report adds to the slope is collected in such a table: eight codes for one addition.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

Bytes = npt.NDArray[np.uint8]
Classes = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]


@njit(cache=True)
def slope_of(
    packed: Bytes, classes: Classes, counts: Vector, excess: Vector, f: Vector
) -> tuple[float, Vector]:
    """Return sum of c log d and sum of c L / d, with d = L f and L = 1 + excess [bit set]."""
    size, width = len(f), packed.shape[1]
    sums = _byte_sums(f, width)
    gained = np.zeros((width, 256))
    value, base = 0.0, 0.0
    for i in range(len(counts)):
        inside = 0.0
        for b in range(width):
            inside += sums[b, packed[i, b]]
        density = 1 + excess[classes[i]] * inside
        share = counts[i] / density
        value += counts[i] * np.log(density)
        base += share
        share *= excess[classes[i]]
        for b in range(width):
            gained[b, packed[i, b]] += share
    slope = np.full(size, base)
    for code in range(size):
        for byte in range(256):
            if (byte >> (code & 7)) & 1:
                slope[code] += gained[code >> 3, byte]
    return value, slope


@njit(cache=True)
def _byte_sums(f: Vector, width: int) -> Vector:
    """Return, for every byte of a support and every value it can have, the sum of f over it."""
    sums = np.zeros((width, 256))
    for b in range(width):
        for byte in range(1, 256):
            bit = 0
            while not (byte >> bit) & 1:
                bit += 1
            code = 8 * b + bit
            sums[b, byte] = sums[b, byte & (byte - 1)] + (f[code] if code < len(f) else 0.0)
    return sums
