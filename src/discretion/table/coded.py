"""Coded reports, many at once: their bits, their cohorts, and the codewords as arrays."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from discretion.kernel.count import count_bits, level_index
from discretion.mechanism import Coding
from discretion.mechanism.coding import words
from discretion.table.columns import Bytes, Levels

Bits = npt.NDArray[np.uint8]
Indices = npt.NDArray[np.int64]
Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.floating[Any]]


@cache
def codeword_bits(coding: Coding) -> Bits:
    """Return which bits each code has in each cohort: (cohorts, size, bits)."""
    width = (coding.bits + 7) // 8
    packed = b"".join(word.to_bytes(width, "little") for own in words(coding) for word in own)
    rows = np.frombuffer(packed, np.uint8).reshape(coding.cohorts, coding.size, width)
    return np.unpackbits(rows, axis=2, count=coding.bits, bitorder="little")


def bit_positions(coding: Coding) -> Indices:
    """Return the bits of each codeword, rising: (cohorts, size, hashes)."""
    at = np.nonzero(codeword_bits(coding))[2]
    return at.reshape(coding.cohorts, coding.size, coding.hashes)


def reported_bits(coding: Coding, y: Bytes) -> Bits:
    """Return the bits, or the quantised bits, of each report: (n, bits)."""
    whole = np.ascontiguousarray(y[:, : (coding.bits * coding.depth + 7) // 8])
    if coding.depth == 1:
        return np.unpackbits(whole, axis=1, count=coding.bits, bitorder="little")
    shifts = np.arange(0, 8, coding.depth, dtype=np.uint8)
    quantised = whole[:, :, None] >> shifts & np.uint8(coding.top)
    return quantised.reshape(len(y), -1)[:, : coding.bits]


def held_of(coding: Coding, bits: Floats, cohorts: Indices) -> Floats:
    """Return how much of the codeword of each code each report holds: (n, size)."""
    if coding.plain:
        return bits
    held = np.empty((len(bits), coding.size), bits.dtype)
    for cohort, table in enumerate(codeword_bits(coding)):
        mine = cohorts == cohort
        held[mine] = bits[mine] @ table.T.astype(bits.dtype)
    return held


def cohorts_of(coding: Coding, y: Bytes) -> Indices:
    """Return what stands above the bits: the cohort, in what a device can send."""
    byte, shift = divmod(coding.bits * coding.depth, 8)
    above = y[:, byte:].astype(np.int64) @ (1 << 8 * np.arange(y.shape[1] - byte))
    return above >> shift


def count_codewords(coding: Coding, y: Bytes, levels: Levels) -> tuple[Counts, Counts, Counts]:
    """Return the levels that occur, their reports by cohort, and how often each bit is set.

    For quantised bits it is their sum. Shapes (levels,), (levels, cohorts) and (levels, cohorts,
    bits).
    """
    used, index = level_index(levels)
    own = (index[levels] * coding.cohorts + cohorts_of(coding, y)).astype(np.int32)
    classes = len(used) * coding.cohorts
    rows = np.ascontiguousarray(y)
    counts, _ = count_bits(rows, own, np.arange(classes), classes, 8 * y.shape[1])
    n = np.bincount(own, minlength=classes)
    shape = (len(used), coding.cohorts)
    each = counts[:, : coding.bits * coding.depth].reshape(*shape, coding.bits, coding.depth)
    return used, n.reshape(shape), each @ (1 << np.arange(coding.depth))
