"""Coded reports, many at once: their bits, their cohorts, and the codewords as arrays."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from discretion.kernel.count import count_bits, level_index
from discretion.mechanism import Encoding
from discretion.mechanism.encoding import codewords
from discretion.table.columns import Bytes, Levels

Bits = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.floating[Any]]


@cache
def codeword_bits(encoding: Encoding) -> Bits:
    """Return which bits each code has in each cohort: (cohorts, size, bits)."""
    width = (encoding.bits + 7) // 8
    packed = b"".join(
        codeword.to_bytes(width, "little") for own in codewords(encoding) for codeword in own
    )
    rows = np.frombuffer(packed, np.uint8).reshape(encoding.cohorts, encoding.size, width)
    return np.unpackbits(rows, axis=2, count=encoding.bits, bitorder="little")


def bit_positions(encoding: Encoding) -> Indices:
    """Return the bits of each codeword, rising: (cohorts, size, hashes)."""
    at = np.nonzero(codeword_bits(encoding))[2]
    return at.reshape(encoding.cohorts, encoding.size, encoding.hashes)


def reported_bits(encoding: Encoding, y: Bytes) -> Bits:
    """Return the bits, or the quantised bits, of each report: (n, bits)."""
    if encoding.sampled:
        return _sampled_bits(encoding, y)
    whole = np.ascontiguousarray(y[:, : (encoding.bits * encoding.depth + 7) // 8])
    if encoding.depth == 1:
        return np.unpackbits(whole, axis=1, count=encoding.bits, bitorder="little")
    shifts = np.arange(0, 8, encoding.depth, dtype=np.uint8)
    quantised = whole[:, :, None] >> shifts & np.uint8(encoding.top)
    return quantised.reshape(len(y), -1)[:, : encoding.bits]


def _sampled_bits(encoding: Encoding, y: Bytes) -> Bits:
    """Return one for each code that is not reported, and 0 or 2 for those that are."""
    n, size, reported = len(y), encoding.size, encoding.sampled
    bits = np.unpackbits(y, axis=1, count=size + reported, bitorder="little")
    found = np.ones((n, size), np.uint8)
    found[np.nonzero(bits[:, :size])] = 2 * bits[:, size:].ravel()  # both are in order
    return found


def held_of(encoding: Encoding, bits: Floats, cohorts: Indices) -> Floats:
    """Return how much of the codeword of each code each report holds: (n, size)."""
    if encoding.plain:
        return bits
    held = np.empty((len(bits), encoding.size), bits.dtype)
    for cohort, table in enumerate(codeword_bits(encoding)):
        mine = cohorts == cohort
        held[mine] = bits[mine] @ table.T.astype(bits.dtype)
    return held


def cohorts_of(encoding: Encoding, y: Bytes) -> Indices:
    """Return what stands above the bits: the cohort, in what a device can send."""
    if encoding.sampled:
        return np.zeros(len(y), np.int64)
    byte, shift = divmod(encoding.bits * encoding.depth, 8)
    above = y[:, byte:].astype(np.int64) @ (1 << 8 * np.arange(y.shape[1] - byte))
    return above >> shift


def count_codewords(encoding: Encoding, y: Bytes, levels: Levels) -> tuple[Counts, Counts, Counts]:
    """Return the levels that occur, their reports by cohort, and how often each bit is set.

    For quantised bits it is their sum. Shapes (levels,), (levels, cohorts) and (levels, cohorts,
    bits).
    """
    used, index = level_index(levels)
    if encoding.sampled:
        sums = np.zeros((len(used), 1, encoding.size), np.int64)
        np.add.at(sums[:, 0], index[levels], reported_bits(encoding, y))
        return used, np.bincount(index[levels], minlength=len(used))[:, None], sums
    own = (index[levels] * encoding.cohorts + cohorts_of(encoding, y)).astype(np.int32)
    classes = len(used) * encoding.cohorts
    rows = np.ascontiguousarray(y)
    counts, _ = count_bits(rows, own, np.arange(classes), classes, 8 * y.shape[1])
    n = np.bincount(own, minlength=classes)
    shape = (len(used), encoding.cohorts)
    each = counts[:, : encoding.bits * encoding.depth].reshape(
        *shape, encoding.bits, encoding.depth
    )
    return used, n.reshape(shape), each @ (1 << np.arange(encoding.depth))
