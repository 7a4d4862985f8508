"""Hashed reports, many at once: drawn, and expanded to the bit sets of the codes that they support.

Values of a polynomial at a row of codes are sums of differences, so no code takes a product. Lane j
of 64 has code j of a word of the bit set; the next word's codes are 64 further on, where the second
difference of a quadratic is constant again. Parities of 64 neighbours are one of 64 words, or its
complement.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, uint8, uint32, uint64
from numba.extending import intrinsic

from discretion.kernel import cached
from discretion.kernel.words import Words, uniform, wide, word

Codes = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Lanes = npt.NDArray[np.uint32]
Levels = npt.NDArray[np.int32]
LANES = 64
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def _stepped(_: Any, value: Any, change: Any, turn: Any, prime: Any, low: Any, span: Any) -> Any:
    """Return which lanes lie in a cell, as a word, while all of them take a step."""
    narrow = ir.IntType(32)
    lanes, bits = ir.VectorType(narrow, LANES), ir.VectorType(ir.IntType(1), LANES)

    def generate(context: Any, builder: Any, _: Any, arguments: Any) -> Any:
        def pointer(array: Any, kind: Any) -> Any:
            data = context.make_array(kind)(context, builder, array).data
            return builder.bitcast(data, lanes.as_pointer())

        def spread(scalar: Any) -> Any:
            first = builder.insert_element(
                ir.Constant(lanes, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0)
            )
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
            return builder.shuffle_vector(first, ir.Constant(lanes, ir.Undefined), zeros)

        def wrapped(total: Any) -> Any:
            less = builder.sub(total, modulus)
            return builder.select(builder.icmp_unsigned("<", total, modulus), total, less)

        values, changes = pointer(arguments[0], value), pointer(arguments[1], change)
        modulus = spread(arguments[3])
        now, by = builder.load(values, align=4), builder.load(changes, align=4)
        inside = builder.icmp_unsigned(
            "<", builder.sub(now, spread(arguments[4])), spread(arguments[5])
        )
        builder.store(wrapped(builder.add(now, by)), values, align=4)
        builder.store(wrapped(builder.add(by, spread(arguments[2]))), changes, align=4)
        return builder.bitcast(builder.bitcast(inside, bits), ir.IntType(LANES))

    return uint64(value, change, turn, prime, low, span), generate


_step: Any = intrinsic(_stepped)


@cached(nogil=True)
def expand_polynomials(
    y: Codes, which: Codes, cells: Codes, prime: int, size: int, supports: Bytes
) -> None:
    """Fill ``supports`` (n, width) with the codes in the cell of each report.

    Report i is of the function ``y[i] // cells[which[i]]``.
    """
    p = uint64(prime)
    value, change = np.empty(LANES, np.uint32), np.empty(LANES, np.uint32)
    far = uint64(LANES)
    for i in range(len(y)):
        many = uint64(cells[which[i]])
        function, cell = uint64(y[i]) // many, uint64(y[i]) % many
        c, b, a = function % p, function // p % p, function // (p * p)
        low = (cell * p + many - uint64(1)) // many
        span = ((cell + uint64(1)) * p + many - uint64(1)) // many - low
        now, by, turn = c, (a + b) % p, uint64(2) * a % p
        leap, climb = (a * far % p * far + b * far) % p, uint64(2) * far * a % p
        for lane in range(LANES):  # f(x + 64) - f(x) = 128 a x + 4096 a + 64 b
            value[lane], change[lane] = uint32(now), uint32(leap)
            now, by, leap = now + by, by + turn, leap + climb
            now, by, leap = min(now, now - p), min(by, by - p), min(leap, leap - p)  # below 0: huge
        turn = uint64(2) * far % p * far % p * a % p
        for first in range(0, size, LANES):
            held = _step(value, change, uint32(turn), uint32(p), uint32(low), uint32(span))
            _write(supports, i, first, held, size)


@cached(nogil=True)
def expand_parities(
    y: Codes, which: Codes, rows: Codes, bits: int, walsh: Words, size: int, supports: Bytes
) -> None:
    """Fill ``supports`` (n, width); codes are as they stand, and ``walsh`` has the 64 words."""
    mask = (uint64(1) << uint64(bits)) - uint64(1)
    for i in range(len(y)):
        many = uint64(rows[which[i]])
        cell, function = uint64(y[i]), uint64(y[i]) >> many
        for first in range(0, size, LANES):
            held = ALL
            for row in range(many):
                own = (function >> (uint64(row) * uint64(bits))) & mask
                odd = _parity(own & uint64(first)) ^ ((cell >> uint64(row)) & uint64(1))
                held &= walsh[own & uint64(63)] ^ (ALL if odd == uint64(0) else uint64(0))
            _write(supports, i, first, held, size)


@cached(nogil=True)
def fold_parities(
    y: Bytes,
    levels: Levels,
    index: Codes,
    rows: Codes,
    bits: int,
    walsh: Codes,
    signs: Codes,
    sizes: Codes,
) -> None:
    """Add to ``signs`` (classes, 2^bits) and ``sizes`` (classes, size + 1) what reports say.

    A code is in a bucket if all its parities are the reported ones, and the product of (1 +
    agreement) / 2 over the rows is a sum over sets of rows: each adds a sign to the coefficient of
    the code's transform that is the sum of its rows. ``walsh`` has the transform of which codes
    there are.
    """
    mask, size = (uint64(1) << uint64(bits)) - uint64(1), sizes.shape[1] - 1
    sums, odds = np.zeros(16, np.uint64), np.zeros(16, np.uint64)
    for i in range(len(y)):
        own = uint64(index[uint64(levels[i])])
        many, code = uint64(rows[own]), uint64(0)
        for b in range(y.shape[1]):
            code |= uint64(y[i, b]) << uint64(8 * b)
        function, held = code >> many, size
        for row in range(many):
            first = uint64(1) << uint64(row)
            at = (function >> (uint64(row) * uint64(bits))) & mask
            odd = (code >> uint64(row)) & uint64(1)
            for before in range(first):
                now = first + uint64(before)
                sums[now], odds[now] = sums[before] ^ at, odds[before] ^ odd
                sign = 1 - 2 * np.int64(odds[now])
                signs[own, sums[now]] += sign
                held += sign * walsh[sums[now]]
        sizes[own, held >> np.int64(many)] += 1


@cached(nogil=True)
def fold_outputs(counts: Codes, walsh: Codes, signs: Codes, sizes: Codes) -> None:
    """Do the same for reports of one parity, counted in ``counts`` (classes, 2^(bits + 1))."""
    size = sizes.shape[1] - 1
    for own in range(len(counts)):
        for function in range(len(walsh)):
            even, odd = counts[own, 2 * function], counts[own, 2 * function + 1]
            held = (size + walsh[function]) >> 1
            signs[own, function] += even - odd
            sizes[own, held] += even
            sizes[own, size - held] += odd


@cached(nogil=True)
def transform(values: Codes) -> None:
    """Replace each row, of 2^bits entries, by its Walsh-Hadamard transform."""
    for i in range(len(values)):
        half = values.shape[1] // 2
        while half:
            for start in range(0, values.shape[1], 2 * half):
                first, second = values[i, start : start + half], values[i, start + half :]
                for j in range(half):
                    a, b = first[j], second[j]
                    first[j], second[j] = a + b, a - b
            half //= 2


@cached(nogil=True)
def draw_polynomials(
    keep: Words, cells: Codes, prime: int, which: Codes, codes: Codes, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width): a random function, and the cell of the code or another one."""
    p = uint64(prime)
    functions = p * p * p
    for i in range(len(codes)):
        many, code = uint64(cells[which[i]]), uint64(codes[i])
        function = wide(functions, state)
        c, b, a = function % p, function // p % p, function // (p * p)
        cell = ((a * code + b) % p * code + c) % p * many // p
        _randomise(function, cell, many, keep[which[i]], y[i], state)


@cached(nogil=True)
def draw_parities(
    keep: Words, rows: Codes, bits: int, which: Codes, codes: Codes, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width) likewise; the codes are those of which parities are taken."""
    mask = (uint64(1) << uint64(bits)) - uint64(1)
    for i in range(len(codes)):
        many, code = rows[which[i]], uint64(codes[i])
        function = word(state) & ((uint64(1) << uint64(bits * many)) - uint64(1))
        cell = uint64(0)
        for row in range(many):
            own = (function >> uint64(row * bits)) & mask
            cell |= _parity(own & code) << uint64(row)
        _randomise(function, cell, uint64(1) << uint64(many), keep[which[i]], y[i], state)


@njit(inline="always")
def _randomise(
    function: np.uint64, cell: np.uint64, many: np.uint64, keep: np.uint64, y: Bytes, state: Words
) -> None:
    if word(state) >= keep:
        other = uniform(many - uint64(1), state)
        cell = other + uint64(1) if other >= cell else other
    code = function * many + cell
    for b in range(len(y)):
        y[b] = uint8(code >> uint64(8 * b))


@njit(inline="always")
def _parity(bits: np.uint64) -> np.uint64:
    for shift in (32, 16, 8, 4, 2, 1):
        bits ^= bits >> uint64(shift)
    return bits & uint64(1)


@njit(inline="always")
def _write(supports: Bytes, i: int, first: int, held: np.uint64, size: int) -> None:
    """Write a word of the bit set of row i, as far as there are codes."""
    if size - first < LANES:
        held &= (uint64(1) << uint64(size - first)) - uint64(1)
    for b in range(first >> 3, min((first >> 3) + 8, supports.shape[1])):
        supports[i, b] = uint8(held)
        held >>= uint64(8)


def walsh_words() -> Words:
    """Return for each of 64 patterns the parities of what 64 neighbours have in common with it."""
    both = np.arange(64)[:, None] & np.arange(64)
    odd = (np.bitwise_count(both) & 1).astype(np.uint64)
    return odd @ (np.uint64(1) << np.arange(64, dtype=np.uint64))
