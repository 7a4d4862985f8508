"""The shapes of laws drawn for many owners: a row of ``y`` each, from parameters of her own."""

import numpy as np
import numpy.typing as npt
from numba import njit, uint8, uint64

from discretion.kernel import cached
from discretion.kernel.words import AHEAD, LAST, Words, lanes, refill, uniform, word

Codes = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


@cached()
def draw_choice(keep: Words, which: Codes, codes: Codes, size: int, y: Bytes, state: Words) -> None:
    """Fill ``y`` (n, width) with little-endian codes; owner i has parameter ``keep[which[i]]``."""
    for i in range(len(codes)):
        code = uint64(codes[i])
        other = uniform(uint64(size - 1), state)  # drawn in any case: quicker than to branch
        other += uint64(other >= code)
        code = code if word(state) < keep[which[i]] else other
        for b in range(y.shape[1]):
            y[i, b] = uint8(code >> uint64(8 * b))


@cached()
def draw_unary(
    true: Words, false: Words, which: Codes, codes: Codes, size: int, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width) with bit sets; the true code's bit is drawn over the others'."""
    ahead, at = np.empty(AHEAD, np.uint64), AHEAD
    for i in range(len(codes)):
        heads = false[which[i]]
        for first in range(0, y.shape[1], 8):
            if at > LAST:
                at = refill(ahead, at, state)
            bits, at = lanes(heads, ahead, at)
            if size - 8 * first < 64:
                bits &= (uint64(1) << uint64(size - 8 * first)) - uint64(1)
            _store(bits, y[i], first)
        byte, bit = codes[i] >> 3, uint8(1) << uint8(codes[i] & 7)
        y[i, byte] = (y[i, byte] & ~bit) | bit * uint8(ahead[at] < true[which[i]])
        at += 1


@njit(inline="always")
def _store(bits: np.uint64, row: Bytes, first: int) -> None:
    """Write eight bytes, at once where they are whole, or as many as the row has left."""
    if first + 8 <= len(row):
        for b in range(8):
            row[first + b] = uint8(bits >> uint64(8 * b))
    else:
        for b in range(first, len(row)):
            row[b] = uint8(bits >> uint64(8 * (b - first)))


@cached()
def draw_subset(
    keep: Words, counts: Codes, which: Codes, codes: Codes, size: int, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width) with sets of ``counts[which[i]]`` codes, by Floyd's algorithm."""
    y[:] = 0
    for i in range(len(codes)):
        code = uint64(codes[i])
        held = word(state) < keep[which[i]]
        if held:
            y[i, code >> uint64(3)] |= uint8(1) << uint8(code & uint64(7))
        others = size - 1
        for top in range(others - counts[which[i]] + held, others):
            drawn = uniform(uint64(top + 1), state)
            drawn += uint64(drawn >= code)
            if (y[i, drawn >> uint64(3)] >> uint8(drawn & uint64(7))) & uint8(1):
                drawn = uint64(top) + uint64(uint64(top) >= code)
            y[i, drawn >> uint64(3)] |= uint8(1) << uint8(drawn & uint64(7))


@cached()
def draw_cover(
    keep: Words,
    lengths: Codes,
    counts: Codes,
    overlaps: Words,
    which: Codes,
    codes: Codes,
    starts: Codes,
    symbols: Codes,
    items: int,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width) with codes that meet each owner's set, or miss it, by its law.

    The set of owner i are the symbols from ``starts[codes[i]]`` on, brought to the length of her
    law. ``overlaps`` (laws, length): the chance of each number of codes in common up to 1, 2, ...
    """
    y[:] = 0
    held = np.zeros(items + lengths.max(), np.bool_)
    own = np.empty(lengths.max(), np.int64)
    for i in range(len(codes)):
        length, first = lengths[which[i]], starts[codes[i]]
        _prepare(symbols[first : starts[codes[i] + 1]], length, items, own, state)
        for j in range(length):
            held[own[j]] = True
        overlap = 0
        if word(state) < keep[which[i]]:
            drawn = word(state)
            while drawn >= overlaps[which[i], overlap] and overlap < length - 1:
                overlap += 1
            overlap += 1
        for j in range(overlap):
            other = j + np.int64(uniform(uint64(length - j), state))
            own[j], own[other] = own[other], own[j]
            y[i, own[j] >> 3] |= uint8(1) << uint8(own[j] & 7)
        for _ in range(counts[which[i]] - overlap):
            code = np.int64(uniform(uint64(items + length), state))
            while held[code] or (y[i, code >> 3] >> uint8(code & 7)) & uint8(1):
                code = np.int64(uniform(uint64(items + length), state))
            y[i, code >> 3] |= uint8(1) << uint8(code & 7)
        for j in range(length):
            held[own[j]] = False


@njit(nogil=True)
def _prepare(found: Codes, length: int, items: int, own: Codes, state: Words) -> None:
    """Fill ``own`` with as many symbols as the length: some of more, blanks beside fewer."""
    n = len(found)
    for j in range(min(n, length)):
        own[j] = found[j]
    for j in range(n, length):
        own[j] = items + j
    for j in range(length, n):  # each that comes later takes the place of an earlier one, or none
        place = np.int64(uniform(uint64(j + 1), state))
        if place < length:
            own[place] = found[j]


@cached()
def draw_bloom(
    coins: Words,
    which: Codes,
    cohorts: Codes,
    positions: Codes,
    bits: int,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width) with bits, drawn over in the codeword, and the cohort above them.

    ``coins`` (laws, 4): of a bit in the codeword, of another; and of a kept one and a kept zero
    that are reported again, if not both are 0. ``positions`` (n, hashes) are the bits of each
    codeword.
    """
    width = y.shape[1]
    ahead, at = np.empty(AHEAD, np.uint64), AHEAD
    for i in range(len(which)):
        true, false, one, zero = coins[which[i]]
        own, again = positions[i], one > zero
        for first in range(0, width, 8):
            if at > LAST:
                at = refill(ahead, at, state)
            kept, at = lanes(false, ahead, at)
            for position in own:
                if position >> 6 == first >> 3:
                    if at > LAST:
                        at = refill(ahead, at, state)
                    bit = uint64(1) << uint64(position & 63)
                    kept = kept | bit if ahead[at] < true else kept & ~bit
                    at += 1
            if again:
                if at > LAST - 64:
                    at = refill(ahead, at, state)
                still, at = lanes(one, ahead, at)
                anew, at = lanes(zero, ahead, at)
                kept = (kept & still) | (~kept & anew)
            if bits - 8 * first < 64:
                kept &= (uint64(1) << uint64(max(bits - 8 * first, 0))) - uint64(1)
            _store(kept, y[i], first)
        above = uint64(cohorts[i]) << uint64(bits & 7)
        for b in range(bits >> 3, width):
            y[i, b] |= uint8(above)
            above >>= uint64(8)


@cached()
def send_bits(coins: Words, which: Codes, bits: int, y: Bytes, state: Words) -> None:
    """Draw anew the first ``bits`` of each row of ``y`` (n, width), given what they are.

    ``coins`` (laws, 2): of a one that is sent as a one, and of a zero that is.
    """
    ahead, at = np.empty(AHEAD, np.uint64), AHEAD
    for i in range(len(which)):
        one, zero = coins[which[i]]
        for first in range(0, (bits + 7) // 8, 8):
            kept = uint64(0)
            for b in range(first, min(first + 8, y.shape[1])):
                kept |= uint64(y[i, b]) << uint64(8 * (b - first))
            if at > LAST - 64:
                at = refill(ahead, at, state)
            still, at = lanes(one, ahead, at)
            anew, at = lanes(zero, ahead, at)
            sent = (kept & still) | (~kept & anew)
            if bits - 8 * first < 64:
                own = (uint64(1) << uint64(bits - 8 * first)) - uint64(1)
                sent = (sent & own) | (kept & ~own)
            _store(sent, y[i], first)


@cached()
def draw_histogram(
    own: Codes,
    others: Codes,
    which: Codes,
    codes: Codes,
    size: int,
    depth: int,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width) with a quantised bit of ``depth`` bits for each code.

    ``own`` and ``others`` (laws, values) are the weights of values up to each one and its own, of
    the true code and of others; all of them together are a power of two.
    """
    y[:] = 0
    each, top, mask = 8 // depth, own.shape[1] - 1, uint64(own[0, -1] - 1)
    for i in range(len(codes)):
        for code in range(size):
            below = own[which[i]] if code == codes[i] else others[which[i]]
            drawn, quantised = np.int64(word(state) & mask), 0
            for d in range(top):
                quantised += drawn >= below[d]
            y[i, code // each] |= uint8(quantised) << uint8(code % each * depth)


def fresh_state(rng: np.random.Generator) -> Words:
    """Return a state of the word generator; all zeros would stay zeros."""
    return rng.integers(1, 1 << 64, 4, np.uint64)
