"""Positional population counts: how many bit sets, or codes, of each level name each code.

Every level has a byte for each code, and bits are added to 128 of them at once, in
whatever vectors the machine has. A byte counts to 255, so every 255 rows of a level its bytes are
emptied into the counts.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, uint64
from numba.extending import intrinsic

from discretion.kernel import cached

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int32]
FULL = 255
LANES = 128  # bits that are added at once
CHUNK = LANES // 8  # bytes
ALL = uint64((1 << 64) - 1)


def _added_bits(_: Any, rows: Any, at: Any, low: Any, high: Any, cells: Any, to: Any) -> Any:
    """Return how 128 bits of a row, as a mask has them, are added to as many bytes.

    What that returns is how many of them are set.
    """
    bits, lanes = (ir.VectorType(ir.IntType(wide), LANES) for wide in (1, 8))
    half, whole = ir.IntType(LANES // 2), ir.IntType(LANES)

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        row, first, *mask, own, start = arguments
        read, kept = (
            builder.gep(context.make_array(kind)(context, builder, array).data, [offset])
            for kind, array, offset in ((rows, row, first), (cells, own, start))
        )
        lower, upper = (builder.zext(part, whole) for part in mask)
        inside = builder.or_(lower, builder.shl(upper, whole(LANES // 2)))
        word = builder.load(builder.bitcast(read, whole.as_pointer()), align=1)
        word = builder.and_(word, inside)
        target = builder.bitcast(kept, lanes.as_pointer())
        more = builder.zext(builder.bitcast(word, bits), lanes)
        builder.store(builder.add(builder.load(target, align=1), more), target, align=1)
        return builder.trunc(builder.ctpop(word), half)

    return uint64(rows, at, low, high, cells, to), generate


_add_bits: Any = intrinsic(_added_bits)


@cached(nogil=True)
def level_index(levels: Levels) -> tuple[Counts, Counts]:
    """Return the levels that occur, rising, and by level its index among them."""
    seen = np.zeros(levels.max() + 1 if len(levels) else 0, np.bool_)
    for i in range(len(levels)):
        seen[uint64(levels[i])] = True  # unsigned: no index counts from the end
    used, index = np.flatnonzero(seen), np.zeros(len(seen), np.int64)
    index[used] = np.arange(len(used))
    return used, index


@cached(nogil=True)
def index_rows(levels: Levels, which: Counts) -> Counts:
    """Return the levels that occur, rising, and fill ``which`` with each row's index among them."""
    used, index = level_index(levels)
    for i in range(len(levels)):
        which[i] = index[uint64(levels[i])]  # unsigned: no index counts from the end
    return used


@cached(nogil=True)
def count_bits(
    y: Bytes, levels: Levels, index: Counts, classes: int, size: int
) -> tuple[Counts, Counts]:
    """Return counts (classes, size) and the histogram of row sizes (classes, size + 1)."""
    n, width = y.shape
    chunks = -(-width // CHUNK)
    cells, filled = np.zeros((classes, chunks * LANES), np.uint8), np.zeros(classes, np.uint8)
    counts = np.zeros((classes, 8 * width), np.int64)
    sizes = np.zeros((classes, size + 1), np.int64)
    state = cells, filled, counts, sizes
    inside = max(0, n - CHUNK)  # rows after which whole chunks can be read
    rest = np.zeros((n - inside) * width + CHUNK, np.uint8)
    rest[:-CHUNK] = y[inside:].reshape(-1)
    _count_rows(y.reshape(-1), width, levels[:inside], index, state)
    _count_rows(rest, width, levels[inside:], index, state)
    for own in range(classes):
        _empty(cells[own], counts[own])
    return counts[:, :size].copy(), sizes


@cached(nogil=True)
def count_codes(y: Bytes, levels: Levels, index: Counts, classes: int, size: int) -> Counts:
    """Return how often each code (little-endian, one or more bytes) occurs in each class."""
    counts = np.zeros((classes, size), np.int64)
    if y.shape[1] == 2:  # read at once, where the loop below would take them one by one
        for i in range(len(y)):
            own = uint64(index[uint64(levels[i])])  # unsigned: no index counts from the end
            counts[own, uint64(y[i, 0]) | uint64(y[i, 1]) << uint64(8)] += 1
        return counts
    for i in range(len(y)):
        own, code = uint64(index[uint64(levels[i])]), uint64(0)
        for b in range(y.shape[1]):
            code |= uint64(y[i, b]) << uint64(8 * b)
        counts[own, code] += 1
    return counts


@njit(nogil=True)
def _count_rows(rows: Bytes, width: int, levels: Levels, index: Counts, state: Any) -> None:
    """Count rows, behind which there are the bytes of another chunk."""
    cells, filled, counts, sizes = state
    flat, line, last = cells.reshape(-1), cells.shape[1], (width - 1) // CHUNK * CHUNK
    spare = 8 * (CHUNK - (width - last))  # bits of the last chunk that are of the next row
    low = ALL if spare < 64 else ALL >> uint64(spare - 64)
    high = uint64(0) if spare >= 64 else ALL >> uint64(spare)
    for i in range(len(levels)):
        own = uint64(index[uint64(levels[i])])  # unsigned: no index counts from the end
        at, to, ones = uint64(i) * uint64(width), own * uint64(line), uint64(0)
        for b in range(0, last, CHUNK):
            ones += _add_bits(rows, at + uint64(b), ALL, ALL, flat, to + uint64(8 * b))
        ones += _add_bits(rows, at + uint64(last), low, high, flat, to + uint64(8 * last))
        sizes[own, ones] += 1
        filled[own] += 1
        if filled[own] == FULL:
            _empty(cells[own], counts[own])
            filled[own] = 0


@njit(inline="always")
def _empty(cells: Bytes, counts: Counts) -> None:
    for k in range(len(counts)):
        counts[k] += cells[k]
    cells[:] = 0
