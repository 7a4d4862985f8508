"""The shapes of ``discretion.mechanism``, drawn for many owners with a law of their own each.

The coins are 64-bit integers compared with the integers of the law, so a simulated report has the
probabilities a device gives it. The generator is seedable, hence for simulation only.
"""

from collections.abc import Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from discretion.kernel.draw import (
    draw_bloom,
    draw_choice,
    draw_histogram,
    draw_subset,
    draw_unary,
    fresh_state,
)
from discretion.kernel.hash import draw_parities, draw_polynomials
from discretion.kernel.numbers import (
    draw_geometric,
    draw_halfspace,
    draw_hybrid,
    draw_table,
    draw_twopoint,
    draw_window,
)
from discretion.kernel.sketch import draw_cells
from discretion.mechanism import (
    Bloom,
    Buckets,
    Choice,
    Geometric,
    HalfSpace,
    Hashed,
    Hashing,
    Histogram,
    Hybrid,
    Law,
    Matrix,
    Parities,
    Polynomials,
    Signs,
    Subset,
    Table,
    TwoPoint,
    Unary,
    Window,
)
from discretion.table.coded import places_of
from discretion.table.columns import Bytes
from discretion.table.hashed import rows_of
from discretion.table.sketch import cells_of, word_places

Codes = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


def draw(
    laws: Sequence[Law],
    which: Codes,
    codes: Codes,
    rng: np.random.Generator,
    cohorts: Codes | None = None,
) -> Bytes:
    """Return a report (n, width) about each code, drawn from its own law ``laws[which[i]]``.

    All laws have one shape; they differ in their parameters. Owners of laws with cohorts are in
    ``cohorts``, or in any of them at random.
    """
    size = laws[0].size
    y = np.empty((len(codes), max(law.width for law in laws)), np.uint8)
    which, codes = np.ascontiguousarray(which), np.ascontiguousarray(codes)
    rows, state = (which, codes), fresh_state(rng)
    match laws[0]:
        case Choice():
            draw_choice(_each(laws, "keep"), *rows, size, y, state)
        case Unary():
            draw_unary(_each(laws, "true"), _each(laws, "false"), *rows, size, y, state)
        case Subset():
            counts = _each(laws, "count").astype(np.int64)
            draw_subset(_each(laws, "keep"), counts, *rows, size, y, state)
        case Hashed(hashing=Polynomials(prime=prime)):
            draw_polynomials(_each(laws, "keep"), _cells(laws), prime, *rows, y, state)
        case Hashed(hashing=Parities(bits=bits)):
            rows_each = rows_of([law.hashing for law in laws if isinstance(law, Hashed)])
            draw_parities(_each(laws, "keep"), rows_each, bits, *rows, y, state)
        case Hashed(hashing=Buckets() | Signs() as sketch):
            functions = _functions(sketch, cohorts, len(codes), rng)
            own = cells_of(sketch, functions, codes)
            draw_cells(_each(laws, "keep"), which, functions, own, sketch.cells, y, state)
        case Bloom(coding):
            if cohorts is None:
                cohorts = rng.integers(0, coding.cohorts, len(codes))
            places = (
                word_places(coding, cohorts, codes)
                if coding.open
                else places_of(coding)[cohorts, codes]
            )
            draw_bloom(_coins(laws), which, cohorts, places, coding.bits, y, state)
        case Histogram(coding):
            draw_histogram(*_digits(laws), *rows, size, coding.depth, y, state)
        case TwoPoint():
            draw_twopoint(*_points(laws), *rows, y, state)
        case Window():
            draw_window(*_windows(laws), *rows, y, state)
        case Hybrid():
            points = _points([law.points for law in laws if isinstance(law, Hybrid)])
            windows = _windows([law.window for law in laws if isinstance(law, Hybrid)])
            draw_hybrid(*points, *windows, _each(laws, "mix"), *rows, y, state)
        case Geometric():
            draw_geometric(_each(laws, "step"), _each(laws, "size"), *rows, y, state)
        case Table() | Matrix():
            draw_table(*_cumulated(laws), _each(laws, "size"), *rows, y, state)
        case HalfSpace(numbers):
            draw_halfspace(*_sides(numbers), _each(laws, "keep"), *rows, y, state)
        case other:
            raise TypeError(f"no shape to draw {other!r}")
    return y


def _each(laws: Sequence[Law], parameter: str) -> Words:
    return np.array([getattr(law, parameter) for law in laws], np.uint64)


def _functions(sketch: Hashing, cohorts: Codes | None, n: int, rng: np.random.Generator) -> Codes:
    """Draw a function of each one's cohort."""
    if cohorts is None:
        cohorts = rng.integers(0, sketch.cohorts, n)
    own = sketch.functions // sketch.cohorts
    return cohorts * own + rng.integers(0, own, n)


def _cells(laws: Sequence[Law]) -> Codes:
    return np.array([law.hashing.cells for law in laws if isinstance(law, Hashed)])


def _coins(laws: Sequence[Law]) -> Words:
    """Return the coins of both stages; where there is no second one, both of its coins are 0."""
    coins = [
        (law.true, law.false, *(law.instant or (0, 0))) for law in laws if isinstance(law, Bloom)
    ]
    return np.array(coins, np.uint64)


def _digits(laws: Sequence[Law]) -> tuple[Codes, Codes]:
    """Return the cumulated weights of the true code's digits, and of the others'."""
    weights = np.array([law.weights for law in laws if isinstance(law, Histogram)], np.int64)
    return weights[:, ::-1].cumsum(axis=1), weights.cumsum(axis=1)


def _points(laws: Sequence[Law]) -> tuple[Words, Words]:
    return _each(laws, "base"), _each(laws, "slope")


def _windows(laws: Sequence[Law]) -> tuple[Words, Words, Words, Words]:
    cells, span, line, keep = (_each(laws, name) for name in ("cells", "span", "line", "keep"))
    return cells, span, line, keep


def _cumulated(laws: Sequence[Law]) -> tuple[Codes, Codes]:
    """Return how many knots each table has, and its cumulated weights; no draw is beyond them.

    The knots of a matrix are its codes.
    """
    tables = [np.array(law.weights, np.int64) for law in laws if isinstance(law, Table | Matrix)]
    knots, outputs = np.max([table.shape for table in tables], axis=0)
    below = np.full((len(tables), knots, outputs), tables[0][0].sum(), np.int64)
    for own, table in zip(below, tables, strict=True):
        own[: len(table), : table.shape[1]] = table.cumsum(axis=1)
    return np.array([len(table) for table in tables]), below


def _sides(numbers: int) -> tuple[Codes, Codes]:
    ways = [comb(numbers, agree) for agree in range(numbers + 1)]
    half = numbers // 2
    near = [0] * (half + 1) + ways[half + 1 :]
    away = ways[: half + 1] + [0] * (numbers - half)
    return np.cumsum(near, dtype=np.int64), np.cumsum(away, dtype=np.int64)
