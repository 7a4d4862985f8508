"""One pass over packed supports: the log-likelihood at f, its slope, and the squares of that.

For each byte of a support the sum of f over its bits is looked up in a table of 256, and what a
report adds is collected in such tables: eight codes for one addition. Reports and bytes are taken
in blocks whose tables stay in the nearest cache.
"""

import numpy as np
import numpy.typing as npt
from numba import njit

from discretion.kernel import cached

Bytes = npt.NDArray[np.uint8]
Classes = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]
ROWS, BYTES = 1024, 8  # of a block


@cached(nogil=True)
def slope_of(
    packed: Bytes, classes: Classes, counts: Vector, excess: Vector, f: Vector
) -> tuple[float, Vector, Vector]:
    """Return the sums of c log d, c L / d and c (L / d)^2: d = L f, L = 1 + excess [bit set]."""
    size, width = len(f), packed.shape[1]
    sums = _byte_sums(f, width)
    first, second = np.zeros((width, 256)), np.zeros((width, 256))
    value, ones, squares = 0.0, 0.0, 0.0  # of codes that are not in a support
    inside, share, square = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    for start in range(0, len(counts), ROWS):
        rows = min(ROWS, len(counts) - start)
        inside[:] = 0
        for left in range(0, width, BYTES):
            _gather(packed, start, rows, left, sums, inside)
        for i in range(rows):
            count, more = counts[start + i], excess[classes[start + i]]
            density = 1 + more * inside[i]
            value += count * np.log(density)
            part = count / density
            ones += part
            share[i] = part * more
            part /= density
            squares += part
            square[i] = part * more * (2 + more)
        for left in range(0, width, BYTES):
            _scatter(packed, start, rows, left, share, square, first, second)
    return value, ones + _by_code(first, size), squares + _by_code(second, size)


@njit(inline="always")
def _gather(packed: Bytes, start: int, rows: int, left: int, sums: Vector, inside: Vector) -> None:
    right = min(left + BYTES, packed.shape[1])
    for i in range(rows):
        for b in range(left, right):
            inside[i] += sums[b, packed[start + i, b]]


@njit(inline="always")
def _scatter(
    packed: Bytes,
    start: int,
    rows: int,
    left: int,
    share: Vector,
    square: Vector,
    first: Vector,
    second: Vector,
) -> None:
    right = min(left + BYTES, packed.shape[1])
    for i in range(rows):
        for b in range(left, right):
            byte = packed[start + i, b]
            first[b, byte] += share[i]
            second[b, byte] += square[i]


@cached(nogil=True)
def _byte_sums(f: Vector, width: int) -> Vector:
    """Return, for every byte of a support and every value it can have, the sum of f over it."""
    sums = np.zeros((width, 256))
    for code in range(len(f)):
        own, bit = sums[code >> 3], 1 << (code & 7)
        for byte in range(bit):
            own[bit + byte] = own[byte] + f[code]
    return sums


@cached(nogil=True)
def _by_code(gained: Vector, size: int) -> Vector:
    """Return what each code gained: the sum over the bytes that have its bit. Uses up ``gained``.

    The upper half of a table has the highest bit; laid onto the lower half, it leaves a table of
    the bits below.
    """
    total = np.zeros(8 * len(gained))
    for code in range(len(total) - 1, -1, -1):
        own, bit = gained[code >> 3], 1 << (code & 7)
        upper = 0.0
        for byte in range(bit, 2 * bit):
            upper += own[byte]
        for byte in range(bit):
            own[byte] += own[bit + byte]
        total[code] = upper
    return total[:size]
