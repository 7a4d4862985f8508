"""Supports of many reports at once: which codes each of them speaks for."""

import numpy as np
import numpy.typing as npt

from discretion.kernel.count import count_bits, count_codes, places_of
from discretion.mechanism import Bloom, Choice, HalfSpace, Law, Subset, Unary
from discretion.table.coded import possible_words
from discretion.table.columns import Bytes, Levels, Mask

Codes = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]


def codes(y: Bytes) -> Codes:
    """Return little-endian integers of up to eight bytes."""
    weights = np.int64(1) << (8 * np.arange(y.shape[1], dtype=np.int64))
    return y.astype(np.int64) @ weights


def packed_supports(law: Law, y: Bytes) -> Bytes:
    """Return the supports as bit sets; the level of the law does not matter, its shape does."""
    if not isinstance(law, Choice):
        return y
    supports = np.zeros((len(y), (law.size + 7) // 8), np.uint8)
    byte, bit = np.divmod(codes(y), 8)
    supports[np.arange(len(y)), byte] = np.uint8(1) << bit.astype(np.uint8)
    return supports


def support_sizes(law: Law, y: Bytes) -> Counts:
    """Return how many codes each report speaks for."""
    if isinstance(law, Choice):
        return np.ones(len(y), np.int64)
    return np.bitwise_count(y).sum(axis=1, dtype=np.int64)


def count_supports(law: Law, y: Bytes, levels: Levels) -> tuple[Counts, Counts, Counts]:
    """Return the levels that occur, how many reports of each speak for each code, and for how many.

    Shapes (levels,), (levels, size) and (levels, size + 1).
    """
    y = np.ascontiguousarray(y)
    used, places = places_of(levels)
    if isinstance(law, Choice):
        supports = count_codes(y, levels, places, len(used), law.size)
        sizes = np.zeros((len(used), law.size + 1), np.int64)
        sizes[:, 1] = supports.sum(axis=1)
    else:
        supports, sizes = count_bits(y, levels, places, len(used), law.size)
    return used, supports, sizes


def possible(law: Law, y: Bytes) -> Mask:
    """Return for each row whether the law can produce it: ``Law.possible``, for many."""
    spare = 8 * law.width - law.size
    match law:
        case Choice():
            return codes(y) < law.size
        case HalfSpace():
            return codes(y) < law.size
        case Bloom(coding):
            return possible_words(coding, y)
        case Unary():
            return (y[:, -1] >> np.uint8(8 - spare)) == 0 if spare else np.ones(len(y), np.bool_)
        case Subset(count=count):
            inside = np.unpackbits(y, axis=1, count=law.size, bitorder="little").sum(axis=1)
            return (inside == count) & (support_sizes(law, y) == count)
    raise TypeError(f"no shape to check {law!r}")
