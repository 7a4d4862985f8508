"""Positional population counts: how many bit sets, or codes, of each level name each code.

Every level has a byte for each code, and the bits of a word are added to 64 of them at once, in
whatever vectors the machine has. A byte counts to 255, so every 255 rows of a level its bytes are
emptied into the counts.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, uint64
from numba.extending import intrinsic

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int32]
FULL = 255


def _added_bits(_: Any, cells: Any, start: Any, word: Any) -> Any:
    """Return how the bits of an integer are added to as many bytes, and how many are set."""
    bits, lanes = (ir.VectorType(ir.IntType(wide), word.bitwidth) for wide in (1, 8))

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        array, first, integer = arguments
        data = context.make_array(cells)(context, builder, array).data
        place = builder.bitcast(builder.gep(data, [first]), lanes.as_pointer())
        more = builder.zext(builder.bitcast(integer, bits), lanes)
        builder.store(builder.add(builder.load(place, align=1), more), place, align=1)
        return builder.zext(builder.ctpop(integer), ir.IntType(64))

    return uint64(cells, start, word), generate


_add_bits: Any = intrinsic(_added_bits)


@njit(cache=True, nogil=True)
def places_of(levels: Levels) -> tuple[Counts, Counts]:
    """Return the levels that occur, rising, and by level its place among them."""
    places = np.zeros(levels.max() + 1 if len(levels) else 0, np.int64)
    for level in levels:
        places[level] = 1
    used = np.flatnonzero(places)
    places[used] = np.arange(len(used))
    return used, places


@njit(cache=True, nogil=True)
def find_places(levels: Levels, which: Counts) -> Counts:
    """Return the levels that occur, rising, and fill ``which`` with each row's place among them."""
    used, places = places_of(levels)
    for i in range(len(levels)):
        which[i] = places[uint64(levels[i])]  # unsigned: no index counts from the end
    return used


@njit(cache=True, nogil=True)
def count_bits(
    y: Bytes, levels: Levels, places: Counts, classes: int, size: int
) -> tuple[Counts, Counts]:
    """Return counts (classes, size) and the histogram of row sizes (classes, size + 1)."""
    n, width = y.shape
    cells, filled = np.zeros((classes, 8 * width), np.uint8), np.zeros(classes, np.int64)
    counts = np.zeros((classes, 8 * width), np.int64)
    sizes = np.zeros((classes, size + 1), np.int64)
    for i in range(n):
        own = uint64(places[uint64(levels[i])])  # unsigned: no index counts from the end
        sizes[own, _add(y[i], cells[own])] += 1
        filled[own] += 1
        if filled[own] == FULL:
            counts[own] += cells[own]
            cells[own] = 0
            filled[own] = 0
    counts += cells
    return counts[:, :size].copy(), sizes


@njit(cache=True, nogil=True)
def count_codes(y: Bytes, levels: Levels, places: Counts, classes: int, size: int) -> Counts:
    """Return how often each code (little-endian, one or more bytes) stands at each place."""
    counts = np.zeros((classes, size), np.int64)
    if y.shape[1] == 2:  # read at once, where the loop below would take them one by one
        for i in range(len(y)):
            own = uint64(places[uint64(levels[i])])  # unsigned: no index counts from the end
            counts[own, uint64(y[i, 0]) | uint64(y[i, 1]) << uint64(8)] += 1
        return counts
    for i in range(len(y)):
        own, code = uint64(places[uint64(levels[i])]), uint64(0)
        for b in range(y.shape[1]):
            code |= uint64(y[i, b]) << uint64(8 * b)
        counts[own, code] += 1
    return counts


@njit(inline="always")
def _add(row: Bytes, cells: Bytes) -> np.uint64:
    """Add the bits of a row to its cells, and return how many ones it has."""
    ones, words = uint64(0), len(row) // 8
    for b in range(0, 8 * words, 8):
        ones += _add_bits(cells, 8 * b, _word(row, b))
    for b in range(8 * words, len(row)):
        ones += _add_bits(cells, 8 * b, row[b])
    return ones


@njit(inline="always")
def _word(row: Bytes, start: int) -> np.uint64:
    """Return eight bytes as one integer; compilers read them at once."""
    word = uint64(0)
    for b in range(8):
        word |= uint64(row[start + b]) << uint64(8 * b)
    return word
