"""Compiling the kernels ahead of time: once on a machine, then they are read from a cache."""

from pathlib import Path
from typing import Any

import numpy as np

from discretion.kernel.belief import Wiring, beliefs
from discretion.kernel.check import first_stray
from discretion.kernel.count import count_bits, count_codes, index_rows, level_index
from discretion.kernel.distinct import append_digit, distinct, gathered
from discretion.kernel.draw import draw_bloom, draw_choice, draw_histogram, draw_subset, draw_unary
from discretion.kernel.grid import round_to_grid
from discretion.kernel.hash import (
    draw_parities,
    draw_polynomials,
    expand_parities,
    expand_polynomials,
    fold_outputs,
    fold_parities,
    transform,
    walsh_words,
)
from discretion.kernel.numbers import (
    draw_geometric,
    draw_halfspace,
    draw_hybrid,
    draw_table,
    draw_twopoint,
    draw_window,
)
from discretion.kernel.outer import add_products, lots_of
from discretion.kernel.project import project
from discretion.kernel.quadratic import invert, minimise
from discretion.kernel.read import Columns, Grammar, read_reports
from discretion.kernel.sketch import draw_buckets, find_buckets, find_codewords, sum_buckets
from discretion.kernel.slope import slope_of
from discretion.kernel.strata import add_by_stratum
from discretion.kernel.systematic import sample_systematically
from discretion.kernel.words import fill

KERNELS: tuple[Any, ...] = (
    fill,
    round_to_grid,
    draw_choice,
    draw_unary,
    draw_subset,
    draw_bloom,
    draw_histogram,
    draw_polynomials,
    draw_parities,
    expand_polynomials,
    expand_parities,
    draw_buckets,
    find_buckets,
    find_codewords,
    sum_buckets,
    fold_outputs,
    fold_parities,
    transform,
    draw_twopoint,
    draw_window,
    draw_hybrid,
    draw_geometric,
    draw_table,
    draw_halfspace,
    level_index,
    index_rows,
    count_bits,
    count_codes,
    first_stray,
    distinct,
    gathered,
    append_digit,
    lots_of,
    add_products,
    slope_of,
    project,
    invert,
    minimise,
    sample_systematically,
    beliefs,
    add_by_stratum,
    read_reports,
)


def is_kept() -> bool:
    """Whether there is a cache, so that a kernel is compiled once and not in every process."""
    return all(kernel.stats.cache_path is not None for kernel in KERNELS)


def is_warm() -> bool:
    """Whether every kernel is compiled in the cache."""
    return is_kept() and all(
        any(Path(kernel.stats.cache_path).glob(f"*.{kernel.__name__}-*.nbi")) for kernel in KERNELS
    )


def warm() -> None:
    """Run every kernel on a row, which compiles it or reads it from the cache.

    Those that look at reports run twice: what was simulated can be written to, what was read from a
    file cannot, and to the compiler that is another type.
    """
    which, codes, counts = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64)
    heads, y = np.ones(1, np.uint64), np.zeros((1, 1), np.uint8)
    state = np.ones(4, np.uint64)
    round_to_grid(_frozen(np.zeros(1)), np.zeros(1), 1.0, 0.0, 1.0, 1.0, codes)
    fill(heads.copy(), state)
    draw_choice(heads, which, codes, 2, y, state)
    draw_unary(heads, heads, which, codes, 2, y, state)
    draw_subset(heads, counts, which, codes, 2, y, state)
    positions = np.zeros((1, 1), np.int64)
    draw_bloom(np.ones((1, 4), np.uint64), which, codes, positions, 2, y, state)
    weights = np.ones((1, 2), np.int64).cumsum(axis=1)
    draw_histogram(weights, weights, which, codes, 2, 1, y, state)
    rows = (which, codes, y, state)
    draw_polynomials(heads, 2 * counts, 3, *rows)
    draw_parities(heads, counts, 1, *rows)
    expand_polynomials(codes, which, 2 * counts, 3, 2, y)
    lines = np.zeros((1, 3), np.int64)
    draw_buckets(heads, which, codes, codes, 2, y, state)
    find_buckets(lines, codes, codes, 2)
    find_codewords(lines[None], codes, codes, 2, positions)
    sum_buckets(lines, codes, np.zeros((1, 2)))
    expand_parities(codes, which, counts, 1, walsh_words(), 2, y)
    draw_twopoint(heads, heads, *rows)
    draw_window(heads, heads, heads, heads, *rows)
    draw_hybrid(heads, heads, heads, heads, heads, heads, heads, *rows)
    draw_geometric(heads, 2 * heads, *rows)
    draw_table(2 * counts, np.ones((1, 2, 1), np.int64), 2 * heads, *rows)
    draw_halfspace(np.ones(2, np.int64), np.ones(2, np.int64), heads, *rows)
    levels = np.zeros(1, np.int32)
    used, index = level_index(levels)
    index_rows(levels, which)
    signs = np.zeros((1, 2), np.int64)
    read = _frozen(y), _frozen(levels)
    for each in (y, read[0]):
        rest = np.array([2, 0]), signs, np.zeros((1, 3), np.int64)
        fold_parities(each, levels, index, counts, 1, *rest)
        count_bits(each, levels, index, len(used), 2)
        count_codes(each, levels, index, len(used), 2)
    fold_outputs(np.zeros((1, 4), np.int64), np.array([2, 0]), signs, np.zeros((1, 3), np.int64))
    transform(signs)
    there, keys = np.ones(1, np.bool_), np.zeros(1, np.uint64)
    for own in ((y, levels), read):
        first_stray(*own, there, which, 0, counts, -counts)
        append_digit(keys, *own, there, which, np.uint64(257))
    gathered(keys, counts)
    distinct(keys)
    lots_of(np.zeros((1, 2), np.uint64))
    square, lots = np.ones((1, 1)), lots_of(_frozen(np.zeros((1, 2), np.uint64)))
    add_products(square, levels, square, levels, which, lots, np.zeros((1, 1, 1)))
    slope_of(y, which, np.ones(1), np.ones(1), np.full(2, 0.5))
    project(np.ones(1), np.ones(1))
    minimise(square, square, square, np.ones(1), 1, np.ones((1, 1), np.bool_))
    ends, maps = np.array([0, 1]), np.zeros((1, 1), np.int32)
    one = np.ones((1, 1), np.float32)
    wiring = Wiring(
        ends, np.ones((1, 3), np.int64), np.array([0, 1, 1]), which, which, maps, counts, maps
    )
    beliefs(one, one[0], wiring, np.zeros(1))
    add_by_stratum(one, levels, square, np.zeros((1, 1, 1)))
    sample_systematically(levels, np.ones((1, 1)), state, np.zeros(1, np.int32))
    _warm_reading()


def _frozen(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy that cannot be written to, as Arrow's arrays."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def _warm_reading() -> None:
    text, zeros, ends = np.frombuffer(b"{", np.uint8), np.zeros(1, np.int64), np.arange(2)
    texts, rules = (text,) * 5, (zeros, ends, zeros, zeros, zeros, zeros, zeros, ends)
    grammar = Grammar(*texts, text, ends, False, *rules, zeros, ends, 1, ends, ends, 1, 1)
    flags, integers = np.zeros((1, 1), np.bool_), np.zeros((1, 1), np.int32)
    ids, y = np.zeros((1, 16), np.uint8), np.zeros((1, 1), np.uint8)
    read_reports(text, ends, grammar, Columns(integers[0], ids, flags, integers, integers, y))


if __name__ == "__main__":
    warm()
