"""Sketched reports about texts, many at once: cells of fingerprints, and counts by cohort."""

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from discretion.kernel.count import level_index
from discretion.kernel.sketch import find_buckets, find_codewords
from discretion.mechanism import Encoding, Hashing, SketchLaw
from discretion.mechanism.sketch import coefficients
from discretion.schema.text import PRIME
from discretion.table.coded import cohorts_of, reported_bits
from discretion.table.columns import Bytes, Codes, Levels, codes
from discretion.table.support import Counts

if TYPE_CHECKING:
    from discretion.mechanism import Hashed

Matrix = npt.NDArray[np.float64]
SPARE = 64  # functions of a codeword that may hit a bucket once more, for each of its bits


@cache
def lines_of(cohorts: int) -> Codes:
    """Return the coefficients of each cohort: (cohorts, 3)."""
    return np.array([coefficients(cohort) for cohort in range(cohorts)])


def fingerprints(texts: Iterable[str]) -> Codes:
    """Return the code of each text: ``schema.text.fingerprint``, for many."""
    digests = b"".join(sha256(text.encode()).digest()[:16] for text in texts)
    high, low = (np.frombuffer(digests, ">u8").reshape(-1, 2) % PRIME).astype(np.int64).T
    return high * PRIME + low


def codeword_buckets(encoding: Encoding, cohorts: Codes, codes: Codes) -> Codes:
    """Return the bits of the codeword of each text in its cohort: (n, hashes)."""
    buckets = np.empty((len(codes), encoding.hashes), np.int64)
    lines = _codeword_lines(encoding.cohorts, encoding.hashes)
    if not find_codewords(lines, cohorts, np.ascontiguousarray(codes), encoding.bits, buckets):
        raise ArithmeticError(f"a codeword took more than {lines.shape[1]} functions: {encoding}")
    return buckets


@cache
def _codeword_lines(cohorts: int, hashes: int) -> Codes:
    many = hashes * SPARE if hashes > 1 else 1
    return np.array([[coefficients(c, i) for i in range(many)] for c in range(cohorts)])


def buckets_of(hashing: Hashing, functions: Codes, codes: Codes) -> Codes:
    """Return where each function puts its text."""
    lines, codes = lines_of(hashing.cohorts), np.ascontiguousarray(codes)
    if not hashing.signed:
        return find_buckets(lines, functions, codes, hashing.n_buckets)
    buckets = hashing.functions // hashing.cohorts  # there is a row of signs for each
    cohorts, rows = np.divmod(functions, buckets)
    both = find_buckets(lines, cohorts, codes, buckets) & rows
    return (np.bitwise_count(both) & 1).astype(np.int64)


def reported_for(law: SketchLaw, encoding: Encoding, y: Bytes, texts: Codes) -> Matrix:
    """Return which part of the buckets of each text each report has (n, texts): 0 to 1."""
    every = np.repeat(np.arange(len(y)), len(texts)), np.tile(texts, len(y))
    shape = len(y), len(texts), -1
    if law.form.n_bits:
        buckets = codeword_buckets(encoding, cohorts_of(encoding, y)[every[0]], every[1])
        bits = reported_bits(encoding, y)[every[0][:, None], buckets]
        found: Matrix = bits.reshape(shape).mean(axis=2)
        return found
    hashing = cast("Hashed", law).hashing
    functions, reported = np.divmod(codes(y), hashing.n_buckets)
    agree = buckets_of(hashing, functions[every[0]], every[1]) == reported[every[0]]
    return agree.reshape(shape[:2]).astype(np.float64)


def count_sketch(law: SketchLaw, y: Bytes, levels: Levels) -> tuple[Counts, Counts, Counts]:
    """Return the levels that occur, their reports by cohort, and the counts of buckets.

    Shapes (levels,), (levels, cohorts) and (levels, cohorts, functions of a cohort * cells).
    """
    used, index = level_index(levels)
    cohorts, columns = law.cohorts, law.columns
    own = index[levels] * (cohorts * columns) + codes(y)  # the cohort stands above the rest
    counts = np.bincount(own, minlength=len(used) * cohorts * columns)
    counts = counts.reshape(len(used), cohorts, columns)
    return used, counts.sum(axis=2), counts
