"""Supports of many reports at once: which codes each of them speaks for."""

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from discretion.kernel.count import count_bits, count_codes, level_index
from discretion.mechanism import Choice, Hashed, Parities, Polynomials, SupportLaw
from discretion.table.columns import Bytes, Codes, Levels, codes
from discretion.table.hashed import by_parities, by_polynomials, count_parities

Counts = npt.NDArray[np.int64]

EXPANDED = 1 << 24  # bytes of supports that are worked out at a time
H = TypeVar("H", Polynomials, Parities)


def packed_supports(laws: Sequence[SupportLaw], which: Codes, y: Bytes) -> Bytes:
    """Return the supports as bit sets; report i is of ``laws[which[i]]``, all of one shape."""
    match laws[0]:
        case Hashed(size=size, hashing=Polynomials()):
            return by_polynomials(_hashings(laws, Polynomials), which, y, size)
        case Hashed(size=size, hashing=Parities()):
            return by_parities(_hashings(laws, Parities), which, y, size)
        case Choice(size=size):
            return _single(y, size)
    return np.ascontiguousarray(y)  # the bits of any other shape are its support


def _single(y: Bytes, size: int) -> Bytes:
    """Return the bit sets of single codes."""
    supports = np.zeros((len(y), (size + 7) // 8), np.uint8)
    byte, bit = np.divmod(codes(y), 8)
    supports[np.arange(len(y)), byte] = np.uint8(1) << bit.astype(np.uint8)
    return supports


def _hashings(laws: Sequence[SupportLaw], kind: type[H]) -> list[H]:
    """Return the hash functions of laws, which are of one shape: all of a kind."""
    found = (cast("Hashed", law).hashing for law in laws)
    return [hashing for hashing in found if isinstance(hashing, kind)]


def support_sizes(law: SupportLaw, y: Bytes) -> Counts:
    """Return how many codes each report speaks for, by a law whose outputs are bits or codes."""
    if law.support_size is not None:
        return np.full(len(y), law.support_size, np.int64)
    return np.bitwise_count(y).sum(axis=1, dtype=np.int64)


def count_supports(
    law_of: Callable[[int], SupportLaw], y: Bytes, levels: Levels
) -> tuple[Counts, Counts, Counts]:
    """Return the levels that occur, how many reports of each speak for each code, and for how many.

    Shapes (levels,), (levels, size) and (levels, size + 1).
    """
    y = np.ascontiguousarray(y)
    used, index = level_index(levels)
    laws = [law_of(level) for level in used.tolist()] or [law_of(0)]
    size = laws[0].size
    match laws[0]:
        case Choice():
            supports = count_codes(y, levels, index, len(used), size)
            sizes = np.zeros((len(used), size + 1), np.int64)
            sizes[:, 1] = supports.sum(axis=1)
            return used, supports, sizes
        case Hashed(hashing=Parities()) if len(used):
            return used, *count_parities(_hashings(laws, Parities), y, levels, index, size)
    if not laws[0].repeats:
        return used, *count_bits(y, levels, index, len(used), size)
    supports, sizes = (np.zeros((len(used), size + more), np.int64) for more in (0, 1))
    rows = EXPANDED * 8 // size
    for start in range(0, len(y), rows):
        some = slice(start, start + rows)
        own = levels[some]
        packed = packed_supports(laws, index[own], y[some])
        for total, more in zip(
            (supports, sizes), count_bits(packed, own, index, len(used), size), strict=True
        ):
            total += more
    return used, supports, sizes
