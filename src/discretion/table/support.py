"""Supports of many reports at once: which codes each of them speaks for."""

import numpy as np
import numpy.typing as npt

from discretion.mechanism import Choice, Law
from discretion.table.columns import Bytes, Mask


def codes(y: Bytes) -> npt.NDArray[np.int64]:
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


def support_sizes(law: Law, y: Bytes) -> npt.NDArray[np.int64]:
    """Return how many codes each report speaks for."""
    if isinstance(law, Choice):
        return np.ones(len(y), np.int64)
    return np.bitwise_count(y).sum(axis=1, dtype=np.int64)


def support_counts(law: Law, y: Bytes) -> npt.NDArray[np.int64]:
    """Return how many reports speak for each code, a block of rows at a time."""
    if isinstance(law, Choice):
        return np.bincount(codes(y), minlength=law.size).astype(np.int64)
    rows = max(1, (1 << 24) // law.size)
    total = np.zeros(law.size, np.int64)
    for start in range(0, len(y), rows):
        block = y[start : start + rows]
        bits = np.unpackbits(block, axis=1, count=law.size, bitorder="little")
        total += bits.sum(axis=0, dtype=np.int64)
    return total


def possible(law: Law, y: Bytes) -> Mask:
    """Return for each row whether the law can produce it: ``Law.possible``, for many."""
    if isinstance(law, Choice):
        return codes(y) < law.size
    spare = 8 * law.width - law.size
    fits = (y[:, -1] >> np.uint8(8 - spare)) == 0 if spare else np.ones(len(y), np.bool_)
    count = getattr(law, "count", None)  # a subset has a fixed number of codes
    return fits if count is None else fits & (support_sizes(law, y) == count)
