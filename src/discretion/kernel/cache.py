"""Compiling the kernels ahead of time: once on a machine, then they are read from a cache."""

from pathlib import Path
from typing import Any

import numpy as np

from discretion.kernel import KERNELS
from discretion.kernel.belief import Indices, Wiring, beliefs
from discretion.kernel.count import Bytes, Levels, count_bits, count_codes, index_rows, level_index
from discretion.kernel.distinct import append_digit, distinct, gathered
from discretion.kernel.draw import (
    draw_bloom,
    draw_choice,
    draw_cover,
    draw_histogram,
    draw_subset,
    draw_unary,
    send_bits,
)
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
    round_to_grid,
)
from discretion.kernel.pivoting import minimise
from discretion.kernel.prefixes import (
    add_extensions,
    add_signs,
    count_prefixes,
    draw_wide_parities,
    transform_columns,
)
from discretion.kernel.products import Matrix, add_by_stratum, add_products, lots_of
from discretion.kernel.project import project
from discretion.kernel.read import Columns, Grammar, first_stray, read_reports
from discretion.kernel.root import root
from discretion.kernel.sketch import (
    draw_buckets,
    find_buckets,
    find_cells,
    find_codewords,
    sum_buckets,
    write_above,
)
from discretion.kernel.slope import slope_of
from discretion.kernel.systematic import sample_systematically
from discretion.kernel.words import Words, fill


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
    _warm_draws(np.zeros(1, np.int64), np.ones(1, np.uint64), np.zeros((1, 1), np.uint8))
    _warm_counts(np.zeros((1, 1), np.uint8), np.zeros(1, np.int32))
    _warm_prefixes(np.ones((1, 1), np.uint64), np.ones(1, np.uint8))
    _warm_estimates(np.ones((1, 1)), np.zeros(1, np.int32))
    _warm_reading()


def _warm_draws(codes: Indices, heads: Words, y: Bytes) -> None:
    """Run what a simulation runs; the words of heads also stand for other parameters."""
    state, counts, which = np.ones(4, np.uint64), np.ones(1, np.int64), codes.copy()
    round_to_grid(_frozen(np.zeros(1)), np.zeros(1), 1.0, 0.0, 1.0, 1.0, codes)
    fill(heads.copy(), state)
    draw_choice(heads, which, codes, 2, y, state)
    draw_unary(heads, heads, which, codes, 2, y, state)
    draw_subset(heads, counts, which, codes, 2, y, state)
    starts, ones = np.array([0, 1]), np.ones((1, 1), np.uint64)
    draw_cover(heads, counts, counts, ones, which, codes, starts, codes, 2, y, state)
    positions, lines = np.zeros((1, 1), np.int64), np.zeros((1, 3), np.int64)
    draw_bloom(np.ones((1, 4), np.uint64), which, codes, positions, 2, y, state)
    send_bits(np.ones((1, 2), np.uint64), which, 2, y, state)
    weights = np.ones((1, 2), np.int64).cumsum(axis=1)
    draw_histogram(weights, weights, which, codes, 2, 1, y, state)
    draw_buckets(heads, which, codes, codes, 2, y, state)
    find_buckets(lines, codes, codes, 2)
    find_cells(lines, which, which, starts, which, 2)
    write_above(which, which, which, y)
    find_codewords(lines[None], codes, codes, 2, positions)
    rows = (which, codes, y, state)
    draw_polynomials(heads, 2 * counts, 3, *rows)
    draw_parities(heads, counts, 1, *rows)
    draw_twopoint(heads, heads, *rows)
    draw_window(heads, heads, heads, heads, *rows)
    draw_hybrid(heads, heads, heads, heads, heads, heads, heads, *rows)
    draw_geometric(heads, 2 * heads, *rows)
    draw_table(2 * counts, np.ones((1, 2, 1), np.int64), 2 * heads, *rows)
    draw_halfspace(np.ones(2, np.int64), np.ones(2, np.int64), heads, *rows)
    sample_systematically(np.zeros(1, np.int32), np.ones((1, 1)), state, np.zeros(1, np.int32))


def _warm_counts(y: Bytes, levels: Levels) -> None:
    """Run what counts reports, or finds those that are equal."""
    which, counts, keys = np.zeros(1, np.int64), np.ones(1, np.int64), np.zeros(1, np.uint64)
    signs, walsh, sizes = np.zeros((1, 2), np.int64), np.array([2, 0]), np.zeros((1, 3), np.int64)
    there = np.ones(1, np.bool_)
    used, index = level_index(levels)
    index_rows(levels, which)
    for own in (y, _frozen(y)):
        fold_parities(own, levels, index, counts, 1, walsh, signs, sizes)
        count_bits(own, levels, index, len(used), 2)
        count_codes(own, levels, index, len(used), 2)
    for answers in ((y, levels), (_frozen(y), _frozen(levels))):
        first_stray(*answers, there, which, 1, counts, counts, -counts)
        append_digit(keys, *answers, there, which, np.uint64(257))
    fold_outputs(np.zeros((1, 4), np.int64), walsh, signs, sizes.copy())
    transform(signs)
    gathered(keys, counts)
    distinct(keys)
    expand_polynomials(which, which, 2 * counts, 3, 2, y)
    expand_parities(which, which, counts, 1, walsh_words(), 2, y)
    sum_buckets(np.zeros((1, 3), np.int64), which, np.zeros((1, 2)))


def _warm_prefixes(rows: Words, said: Bytes) -> None:
    """Run what discovers texts: parities of prefixes, and what they say of all there are."""
    state, codes, y = np.ones(4, np.uint64), np.zeros(1, np.int64), np.zeros((1, 8), np.uint8)
    draw_wide_parities(np.ones(1, np.uint64), np.ones(1, np.int64), 2, codes, codes, y, state)
    spectra = np.zeros((2, 1), np.float32)
    add_signs(rows, said, 0, 1.0, np.zeros(2))
    add_extensions(rows, said, 0, 1.0, np.zeros((1, 256, 1), np.uint64), spectra)
    transform(np.zeros((1, 2)))
    transform_columns(spectra)
    count_prefixes(rows, said, np.ones(1, np.uint64), codes)


def _warm_estimates(square: Matrix, levels: Levels) -> None:
    """Run what estimates are made with."""
    which, counts, support = np.zeros(1, np.int64), np.ones(1, np.int64), np.ones(1, np.bool_)
    ids = np.zeros((1, 2), np.uint64)
    lots_of(ids)
    add_products(square, levels, square, levels, which, lots_of(_frozen(ids)), np.zeros((1, 1, 1)))
    slope_of(np.zeros((1, 1), np.uint8), which, np.ones(1), np.ones(1), np.full(2, 0.5))
    project(np.ones(1), np.ones(1))
    minimise(square, square, square, np.ones(1), 1, *root(square, support))
    maps, one = np.zeros((1, 1), np.int32), np.ones((1, 1), np.float32)
    shapes, inputs = np.ones((1, 3), np.int64), np.array([0, 1, 1])
    wiring = Wiring(np.array([0, 1]), shapes, inputs, which, which, maps, counts, maps)
    beliefs(one, one[0], wiring, np.zeros(1))
    add_by_stratum(one, levels, square, np.zeros((1, 1, 1)))


def _frozen(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy that cannot be written to, as Arrow's arrays."""
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def _warm_reading() -> None:
    text, zeros, ends = np.frombuffer(b"{", np.uint8), np.zeros(1, np.int64), np.arange(2)
    texts, rules = (text,) * 5, (zeros, ends, *(zeros,) * 6, ends)
    grammar = Grammar(*texts, text, ends, False, *rules, zeros, ends, 1, ends, ends, 1, 1)
    flags, integers = np.zeros((1, 1), np.bool_), np.zeros((1, 1), np.int32)
    ids, y = np.zeros((1, 16), np.uint8), np.zeros((1, 1), np.uint8)
    read_reports(text, ends, grammar, Columns(integers[0], ids, flags, integers, integers, y))


if __name__ == "__main__":
    warm()
