"""Hashed reports, many at once: the codes in the bucket that each of them reports."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from discretion.kernel.count import count_codes
from discretion.kernel.hash import (
    expand_parities,
    expand_polynomials,
    fold_outputs,
    fold_parities,
    transform,
    walsh_words,
)
from discretion.kernel.words import Words
from discretion.mechanism import Parities, Polynomials
from discretion.table.columns import Bytes, Codes, Levels, codes


def by_polynomials(hashings: Sequence[Polynomials], which: Codes, y: Bytes, size: int) -> Bytes:
    """Return the supports as bit sets (n, ceil(size / 8)); report i is of ``hashings[which[i]]``.

    All have one prime, with buckets of their own each.
    """
    supports = np.zeros((len(y), (size + 7) // 8), np.uint8)
    cells = np.array([hashing.n_buckets for hashing in hashings])
    which = np.ascontiguousarray(which)
    expand_polynomials(codes(y), which, cells, hashings[0].prime, size, supports)
    return supports


def by_parities(hashings: Sequence[Parities], which: Codes, y: Bytes, size: int) -> Bytes:
    """Return the same where all are parities of equally many bits, with rows of their own each."""
    supports = np.zeros((len(y), (size + 7) // 8), np.uint8)
    rows, bits, which = rows_of(hashings), hashings[0].bits, np.ascontiguousarray(which)
    expand_parities(codes(y), which, rows, bits, _walsh_words(), size, supports)
    return supports


def count_parities(
    hashings: Sequence[Parities], y: Bytes, levels: Levels, index: Codes, size: int
) -> tuple[Codes, Codes]:
    """Return supports (classes, size) and how many codes they have (classes, size + 1).

    The codes of all reports of a class come by one fast transform, so no report visits each code.
    """
    (bits,) = {hashing.bits for hashing in hashings}
    rows = rows_of(hashings)
    walsh = transformed((np.arange(1 << bits) < size).astype(np.int64))
    signs = np.zeros((len(hashings), 1 << bits), np.int64)
    sizes = np.zeros((len(hashings), size + 1), np.int64)
    if rows.max() == 1:  # outputs are few enough to be counted first
        sums = count_codes(y, levels, index, len(hashings), 2 << bits)
        fold_outputs(sums, walsh, signs, sizes)
    else:
        fold_parities(y, levels, index, rows, bits, walsh, signs, sizes)
    agreeing = transformed(signs)[:, :size] + sizes.sum(axis=1, keepdims=True)
    return agreeing >> rows[:, None], sizes


def transformed(values: Codes) -> Codes:
    """Return the Walsh-Hadamard transform along the last axis, whose length is a power of two."""
    found = np.ascontiguousarray(values, np.int64).copy()
    transform(found.reshape(-1, found.shape[-1]))
    return found


def rows_of(hashings: Sequence[Parities]) -> Codes:
    """Return how many parities each of the families takes."""
    return np.array([hashing.rows for hashing in hashings])


@cache
def _walsh_words() -> Words:
    return walsh_words()
