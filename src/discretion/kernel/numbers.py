"""Numbers of many owners: rounded to a grid, and their laws drawn, a row of ``y`` each."""

import numpy as np
import numpy.typing as npt
from numba import njit, uint8, uint64

from discretion.kernel import cached
from discretion.kernel.words import Words, uniform, wide, word

Codes = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Cumulated = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
HALF = np.uint64(1 << 63)
MISSING, OUTSIDE = -1, -2
ON_GRID = 1e-9  # a float this near to a grid point, in steps, is meant to be that point


@njit(inline="always")
def _write(output: np.uint64, row: Bytes) -> None:
    for b in range(len(row)):
        row[b] = uint8(output >> uint64(8 * b))


@cached()
def draw_twopoint(
    base: Words, slope: Words, which: Codes, codes: Codes, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, 1) with bits; owner i has parameters ``base[which[i]]`` and so on."""
    for i in range(len(codes)):
        own = which[i]
        y[i, 0] = uint8(word(state) < base[own] + slope[own] * uint64(codes[i]))


@njit(inline="always")
def _cell(
    code: np.uint64,
    cells: np.uint64,
    span: np.uint64,
    line: np.uint64,
    keep: np.uint64,
    state: Words,
) -> np.uint64:
    start = code * cells
    if word(state) < keep:
        return start + uniform(span, state)
    other = uniform(line, state)
    return other if other < start else other + span


@cached()
def draw_window(
    cells: Words,
    span: Words,
    line: Words,
    keep: Words,
    which: Codes,
    codes: Codes,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width) with cells of the line."""
    for i in range(len(codes)):
        own, code = which[i], uint64(codes[i])
        _write(_cell(code, cells[own], span[own], line[own], keep[own], state), y[i])


@cached()
def draw_hybrid(
    base: Words,
    slope: Words,
    cells: Words,
    span: Words,
    line: Words,
    keep: Words,
    mix: Words,
    which: Codes,
    codes: Codes,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width) with two points, or with cells that begin at two."""
    for i in range(len(codes)):
        own, code = which[i], uint64(codes[i])
        if word(state) < mix[own]:
            cell = _cell(code, cells[own], span[own], line[own], keep[own], state)
            _write(cell + uint64(2), y[i])
        else:
            _write(uint64(word(state) < base[own] + slope[own] * code), y[i])


@cached()
def draw_geometric(
    step: Words, sizes: Words, which: Codes, codes: Codes, y: Bytes, state: Words
) -> None:
    """Fill ``y`` (n, width) with codes moved by two-sided geometric steps, within the grid."""
    for i in range(len(codes)):
        own = which[i]
        size = np.int64(sizes[own])
        while True:
            up, distance = word(state) < HALF, np.int64(0)
            while distance < size and word(state) < step[own]:
                distance += 1
            if up or distance > 0:
                break
        code = codes[i] + distance if up else codes[i] - distance
        _write(uint64(min(max(code, 0), size - 1)), y[i])


@cached()
def draw_table(
    knots: Codes,
    below: Cumulated,
    sizes: Words,
    which: Codes,
    codes: Codes,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width): a knot near the code by a coin, then an output by its weight.

    ``below`` (laws, knots, outputs) are the weights of outputs up to each one and its own; all of
    them together are a power of two.
    """
    mask = uint64(below[0, 0, -1] - 1)
    for i in range(len(codes)):
        own = which[i]
        steps = np.int64(sizes[own]) - 1
        knot, rest = divmod(codes[i] * (knots[own] - 1), steps)
        if rest > 0 and uniform(uint64(steps), state) < uint64(rest):
            knot += 1
        drawn, output = np.int64(word(state) & mask), 0
        while drawn >= below[own, knot, output]:
            output += 1
        _write(uint64(output), y[i])


@cached()
def draw_halfspace(
    near: Cumulated,
    away: Cumulated,
    keep: Words,
    which: Codes,
    codes: Codes,
    y: Bytes,
    state: Words,
) -> None:
    """Fill ``y`` (n, width) with sign patterns.

    ``near`` and ``away`` (numbers + 1,) count the patterns that agree in so many places or fewer,
    on the near side and on the far one.
    """
    numbers = len(near) - 1
    for i in range(len(codes)):
        ways = near if word(state) < keep[which[i]] else away
        rank, agree = np.int64(wide(uint64(ways[numbers]), state)), 0
        while rank >= ways[agree]:
            agree += 1
        flipped = uint64(0)
        for top in range(agree, numbers):  # Floyd's algorithm, for the places that do not agree
            bit = uint64(1) << uniform(uint64(top + 1), state)
            flipped |= (uint64(1) << uint64(top)) if flipped & bit else bit
        _write(uint64(codes[i]) ^ flipped, y[i])


@cached(error_model="numpy")
def round_to_grid(
    numbers: Numbers,
    coins: Numbers,
    unit: float,
    low: float,
    step: float,
    last: float,
    codes: Codes,
) -> int:
    """Fill ``codes`` with points of the grid, 0 to ``last``, and return how many lie outside.

    Those are OUTSIDE, and NaN is MISSING. ``coins`` are uniform on [0, 1).
    """
    strays = 0
    for i in range(len(numbers)):
        position = (numbers[i] / unit - low) / step
        stray = (position < -ON_GRID) | (position > last + ON_GRID)
        nearest = np.rint(position)
        if abs(position - nearest) <= ON_GRID:
            position = nearest
        below = np.floor(position)
        inside = not (stray | np.isnan(position))
        code = np.int64(below + (coins[i] < position - below))
        codes[i] = code if inside else (OUTSIDE if stray else MISSING)
        strays += stray
    return strays
