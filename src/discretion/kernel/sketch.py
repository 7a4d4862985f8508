"""Sketches of texts, many at once: the buckets of fingerprints, and sums over them."""

import numpy as np
import numpy.typing as npt
from numba import njit, uint8, uint64

from discretion.kernel import cached
from discretion.kernel.words import Words, uniform, word

Codes = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
PRIME = (1 << 31) - 1


@njit(inline="always")
def _bucket(line: Codes, code: int, cells: int) -> int:
    value = (line[0] * (code // PRIME) + line[1] * (code % PRIME) % PRIME + line[2]) % PRIME
    return value * cells // PRIME


@cached(nogil=True)
def find_buckets(lines: Codes, functions: Codes, codes: Codes, cells: int) -> Codes:
    """Return the bucket of each code under its own function, whose coefficients are a line."""
    found = np.empty(len(codes), np.int64)
    for i in range(len(codes)):
        found[i] = _bucket(lines[functions[i]], codes[i], cells)
    return found


@cached(nogil=True)
def find_cells(
    lines: Codes, cohorts: Codes, codes: Codes, starts: Codes, texts: Codes, cells: int
) -> tuple[Codes, Codes]:
    """Return the cells of each owner's texts in her cohort, each once, and where hers begin.

    The texts of owner i stand from ``starts[codes[i]]`` on.
    """
    n, last = len(codes), np.full(cells, -1, np.int64)
    ends, found = np.zeros(n + 1, np.int64), np.empty(_most(starts, codes), np.int64)
    for i in range(n):
        ends[i + 1] = ends[i]
        for j in range(starts[codes[i]], starts[codes[i] + 1]):
            cell = _bucket(lines[cohorts[i]], texts[j], cells)
            if last[cell] != i:
                last[cell] = i
                found[ends[i + 1]] = cell
                ends[i + 1] += 1
    return ends, found[: ends[n]]


@njit(nogil=True)
def _most(starts: Codes, codes: Codes) -> int:
    total = 0
    for code in codes:
        total += starts[code + 1] - starts[code]
    return total


@cached(nogil=True)
def write_above(above: Codes, which: Codes, bits: Codes, y: Bytes) -> None:
    """Write a number into each row of ``y``, above the bits that its law has."""
    for i in range(len(above)):
        first = uint64(bits[which[i]])
        left, at = uint64(above[i]) << (first & uint64(7)), first >> uint64(3)
        while left:
            y[i, at] |= uint8(left & uint64(255))
            left, at = left >> uint64(8), at + uint64(1)


@cached(nogil=True)
def find_codewords(lines: Codes, cohorts: Codes, codes: Codes, cells: int, buckets: Codes) -> bool:
    """Fill ``buckets`` (n, hashes) with the bits of each codeword; False if lines run out.

    ``lines`` (cohorts, functions, 3) has as many functions as it may take.
    """
    hashes = buckets.shape[1]
    for i in range(len(codes)):
        many = 0
        for line in lines[cohorts[i]]:
            cell, known = _bucket(line, codes[i], cells), False
            for j in range(many):
                known |= buckets[i, j] == cell
            if not known:
                buckets[i, many] = cell
                many += 1
            if many == hashes:
                break
        if many < hashes:
            return False
    return True


@cached(nogil=True)
def sum_buckets(lines: Codes, codes: Codes, values: Floats) -> Floats:
    """Return for each code the sum of ``values`` (cohorts, cells) over its buckets."""
    sums, (cohorts, cells) = np.zeros(len(codes)), values.shape
    for i in range(len(codes)):
        for j in range(cohorts):
            sums[i] += values[j, _bucket(lines[j], codes[i], cells)]
    return sums


@cached(nogil=True)
def draw_buckets(
    keep: Words, which: Codes, functions: Codes, own: Codes, cells: int, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width) with each one's function and her own bucket, or another one."""
    many = uint64(cells)
    for i in range(len(own)):
        cell = uint64(own[i])
        if word(state) >= keep[which[i]]:
            other = uniform(many - uint64(1), state)
            cell = other + uint64(1) if other >= cell else other
        code = uint64(functions[i]) * many + cell
        for b in range(y.shape[1]):
            y[i, b] = uint8(code >> uint64(8 * b))
