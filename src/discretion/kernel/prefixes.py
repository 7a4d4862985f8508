"""Parities of prefixes, many at once: drawn, and summed to the supports of all prefixes there are.

A report has a few rows of bits and says what the parities of a prefix with them are. It supports a
prefix x if all of them are as reported, which is 2^-rows times the sum of (-1)^(<u, x> + s) over
all sums u of rows, with s the sum of the reported parities. So the supports of all prefixes are the
Walsh-Hadamard transform of the signs, each put where its u is.

Of the extensions of given prefixes, the part of u that meets the prefix changes the sign alone. For
64 prefixes at a time the signs are one word, and words with one place are counted by full adders.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint8, uint64

from discretion.kernel import cached
from discretion.kernel.words import Words, uniform, word

Codes = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Vector = npt.NDArray[np.float64]
Single = npt.NDArray[np.float32]
LANES = 64
PLANES = 40  # of a count of words: 2^40 of them


@cached(nogil=True)
def draw_wide_parities(
    keep: Words, rows: Codes, bits: int, which: Codes, codes: Codes, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width): random rows of so many bits, and the parities of a code or others."""
    mask = (uint64(1) << uint64(bits)) - uint64(1)
    for i in range(len(codes)):
        many, code, said = rows[which[i]], uint64(codes[i]), uint64(0)
        y[i] = uint8(0)
        for row in range(many):
            own = word(state) & mask
            said |= _parity(own & code) << uint64(row)
            _put(y[i], many + row * bits, own)
        if word(state) >= keep[which[i]]:
            other = uniform((uint64(1) << uint64(many)) - uint64(1), state)
            said = other + uint64(1) if other >= said else other
        _put(y[i], 0, said)


@njit(inline="always")
def _put(y: Bytes, at: int, value: np.uint64) -> None:
    """Write an integer into bytes from a bit on."""
    byte, shift = at >> 3, uint64(at & 7)
    y[byte] |= uint8(value << shift)
    value >>= uint64(8) - shift
    while value:
        byte += 1
        y[byte] |= uint8(value)
        value >>= uint64(8)


@njit(inline="always")
def _parity(bits: np.uint64) -> np.uint64:
    for shift in (32, 16, 8, 4, 2, 1):
        bits ^= bits >> uint64(shift)
    return bits & uint64(1)


@njit(inline="always")
def _sums(rows: Words, said: int, sums: Words, odds: Words) -> None:
    """Fill the sums of all sets of rows, and of the parities reported for them."""
    for row in range(len(rows)):
        first = 1 << row
        odd = uint64((said >> row) & 1)
        for before in range(first):
            sums[first + before] = sums[before] ^ rows[row]
            odds[first + before] = odds[before] ^ odd


@cached(nogil=True)
def add_signs(rows: Words, said: Bytes, below: int, weight: float, spectrum: Vector) -> None:
    """Add the weighted signs of reports (n, rows) to the spectrum of their bits from the top on.

    ``below`` bits are left out: those of a code that has zeros there. The transform of what comes
    out is the sum of the supports, weighted.
    """
    cells = 1 << rows.shape[1]
    each = weight / cells
    sums, odds = np.zeros(cells, np.uint64), np.zeros(cells, np.uint64)
    for i in range(len(rows)):
        _sums(rows[i], said[i], sums, odds)
        for cell in range(cells):
            spectrum[sums[cell] >> uint64(below)] += each - 2 * each * odds[cell]


@cached(nogil=True)
def add_extensions(
    rows: Words, said: Bytes, below: int, weight: float, tables: Words, spectrum: Single
) -> None:
    """Do the same for the extensions (2^bits, prefixes) of some prefixes.

    ``tables`` (bytes, 256, words) has for each byte of a prefix, and each pattern of eight bits,
    the parity of both for every prefix, one bit each.
    """
    cells, places = 1 << rows.shape[1], len(spectrum)
    each, mask = weight / cells, uint64(places - 1)
    above = below
    while (1 << (above - below)) < places:
        above += 1
    starts = np.zeros(places + 1, np.int64)
    sums, odds = np.zeros(cells, np.uint64), np.zeros(cells, np.uint64)
    for i in range(len(rows)):
        _sums(rows[i], said[i], sums, odds)
        for cell in range(cells):
            starts[((sums[cell] >> uint64(below)) & mask) + uint64(1)] += 1
    for place in range(places):
        starts[place + 1] += starts[place]
    entries, free = np.empty(starts[places], np.uint64), starts.copy()
    for i in range(len(rows)):
        _sums(rows[i], said[i], sums, odds)
        for cell in range(cells):
            place = (sums[cell] >> uint64(below)) & mask
            entries[free[place]] = (sums[cell] >> uint64(above)) | odds[cell] << uint64(63)
            free[place] += 1
    _count_signs(entries, starts, each, tables, spectrum)


@cached(nogil=True)
def _count_signs(
    entries: Words, starts: Codes, each: float, tables: Words, spectrum: Single
) -> None:
    """Add at each place what the entries there make of the sign of every prefix."""
    parts, words = tables.shape[0], tables.shape[2]
    planes, waiting = np.zeros((PLANES, words), np.uint64), np.zeros((PLANES, words), np.uint64)
    full = np.zeros(PLANES, np.bool_)
    signs, ones = np.zeros(words, np.uint64), np.zeros(words * LANES, np.int64)
    for place in range(len(spectrum)):
        first, last = starts[place], starts[place + 1]
        if first == last:
            continue
        depth = 0
        for at in range(first, last):
            entry = entries[at]
            turn = uint64(0) - (entry >> uint64(63))
            for w in range(words):
                signs[w] = turn
            for part in range(parts):
                own = tables[part, (entry >> uint64(8 * part)) & uint64(255)]
                for w in range(words):
                    signs[w] ^= own[w]
            depth = max(depth, _carried(signs, planes, waiting, full))
        ones[:] = 0
        for plane in range(depth + 1):
            _add_plane(planes[plane], plane, ones)
            if full[plane]:
                _add_plane(waiting[plane], plane, ones)
                full[plane] = False
            planes[plane] = uint64(0)
        for prefix in range(spectrum.shape[1]):
            spectrum[place, prefix] += each * (last - first - 2 * ones[prefix])


@njit(inline="always")
def _carried(signs: Words, planes: Words, waiting: Words, full: npt.NDArray[np.bool_]) -> int:
    """Count a word of signs: two of a plane and what it has are a new one, and a carry."""
    plane = 0
    while full[plane]:
        own, other = planes[plane], waiting[plane]
        for w in range(len(signs)):
            a, b, c = own[w], other[w], signs[w]
            both = a ^ b
            own[w] = both ^ c
            signs[w] = (a & b) | (both & c)
        full[plane] = False
        plane += 1
    for w in range(len(signs)):
        waiting[plane, w] = signs[w]
    full[plane] = True
    return plane


@njit(inline="always")
def _add_plane(bits: Words, plane: int, ones: Codes) -> None:
    for w in range(len(bits)):
        own = bits[w]
        if own:
            for lane in range(LANES):
                ones[w * LANES + lane] += np.int64((own >> uint64(lane)) & uint64(1)) << plane


@cached(nogil=True)
def transform_columns(values: Single) -> None:
    """Replace each column, of 2^bits entries, by its Walsh-Hadamard transform."""
    half = len(values) // 2
    while half:
        for start in range(0, len(values), 2 * half):
            for at in range(start, start + half):
                first, second = values[at], values[at + half]
                for j in range(len(first)):
                    a, b = first[j], second[j]
                    first[j], second[j] = a + b, a - b
        half //= 2


@cached(nogil=True)
def count_prefixes(rows: Words, said: Bytes, codes: Words, counts: Codes) -> None:
    """Add to ``counts`` how many reports (n, rows) support each code."""
    for i in range(len(rows)):
        for at in range(len(codes)):
            agrees = True
            for row in range(rows.shape[1]):
                odd = _parity(rows[i, row] & codes[at])
                if odd != uint64((said[i] >> row) & 1):
                    agrees = False
                    break
            counts[at] += agrees
