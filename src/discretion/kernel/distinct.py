"""Reports as integers, and counting equal ones with a hash table."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

from discretion.kernel import cached

Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.uint64]
Counts = npt.NDArray[np.int64]
Levels = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
FIRST = 12  # bits of the number of slots that a table begins with
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio: spreads neighbours far apart


@cached(nogil=True)
def distinct(keys: Keys) -> tuple[Keys, Counts]:
    """Return the keys that occur, in the order in which they first do, and how often."""
    return gathered(keys, None)


@cached(nogil=True)
def gathered(keys: Keys, times: Counts | None) -> tuple[Keys, Counts]:
    """Return the keys that occur, in the order in which they first do, and the sums of times.

    The table grows with what is found, at most half full: few different keys stay in the cache.
    """
    bits, many = FIRST, 0
    table = np.full(1 << bits, -1, np.int32)  # the place among those found
    found, counts = np.empty(1 << (bits - 1), np.uint64), np.zeros(1 << (bits - 1), np.int64)
    for i in range(len(keys)):
        key = keys[i]
        slot = _slot(key, found, table, bits)
        if table[slot] < 0:
            if many == len(found):
                bits += 2
                table = np.full(1 << bits, -1, np.int32)
                found, counts = _longer(found, 1 << (bits - 1)), _longer(counts, 1 << (bits - 1))
                for index in range(many):
                    table[_slot(found[index], found, table, bits)] = index
                slot = _slot(key, found, table, bits)
            table[slot] = many
            found[many] = key
            many += 1
        counts[table[slot]] += 1 if times is None else times[i]
    return found[:many].copy(), counts[:many].copy()


@njit(inline="always")
def _slot(key: Any, found: Keys, table: Levels, bits: int) -> int:
    """Return where a key stands in the table, or would stand."""
    last = uint64((1 << bits) - 1)
    slot = (key * GOLDEN) >> uint64(64 - bits)
    while table[slot] >= 0 and found[table[slot]] != key:
        slot = (slot + uint64(1)) & last
    return slot


@njit
def _longer(entries: Any, size: int) -> Any:
    """Return the entries with zeros behind them, so many in all."""
    longer = np.zeros(size, entries.dtype)
    longer[: len(entries)] = entries
    return longer


@cached(nogil=True)
def append_digit(
    keys: Keys, y: Bytes, strata: Levels, there: Mask, ranks: Counts, radix: np.uint64
) -> None:
    """Append a digit to every key: 0 for no answer, else one for each stratum and output.

    ``ranks`` (strata,) has the index of each stratum on the menu.
    """
    width = y.shape[1]
    for i in range(len(keys)):
        digit = uint64(0)
        if there[i]:
            code = uint64(ranks[uint64(strata[i])])
            for b in range(width - 1, -1, -1):
                code = (code << uint64(8)) | uint64(y[i, b])
            digit = code + uint64(1)
        keys[i] = keys[i] * radix + digit
