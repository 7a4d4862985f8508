"""Coded reports, many at once: what they tell, their cohorts, and the words as arrays."""

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
    """Return the bits of each word, rising: (cohorts, size, hashes)."""
    at = np.nonzero(codeword_bits(coding))[2]
    return at.reshape(coding.cohorts, coding.size, coding.hashes)


def reported_bits(coding: Coding, y: Bytes) -> Bits:
    """Return the bits, or the digits, of each report: (n, bits)."""
    whole = np.ascontiguousarray(y[:, : (coding.bits * coding.depth + 7) // 8])
    if coding.depth == 1:
        return np.unpackbits(whole, axis=1, count=coding.bits, bitorder="little")
    shifts = np.arange(0, 8, coding.depth, dtype=np.uint8)
    digits = whole[:, :, None] >> shifts & np.uint8(coding.top)
    return digits.reshape(len(y), -1)[:, : coding.bits]


def held_of(coding: Coding, told: Floats, cohorts: Indices) -> Floats:
    """Return what each report tells in all of the word of each code: (n, size)."""
    if coding.plain:
        return told
    held = np.empty((len(told), coding.size), told.dtype)
    for cohort, table in enumerate(codeword_bits(coding)):
        mine = cohorts == cohort
        held[mine] = told[mine] @ table.T.astype(told.dtype)
    return held


def cohorts_of(coding: Coding, y: Bytes) -> Indices:
    """Return what stands above the bits: the cohort, in what a device can send."""
    byte, shift = divmod(coding.bits * coding.depth, 8)
    above = y[:, byte:].astype(np.int64) @ (1 << 8 * np.arange(y.shape[1] - byte))
    return above >> shift


def count_codewords(coding: Coding, y: Bytes, levels: Levels) -> tuple[Counts, Counts, Counts]:
    """Return the levels that occur, their reports by cohort, and how often each bit is set.

    Of digits their sum. Shapes (levels,), (levels, cohorts) and (levels, cohorts, bits).
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
