"""Rows as sums of products of two sides: equal to the whole rows, for every split of questions."""

import itertools
import math

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st

from discretion.family.part import Factor
from discretion.family.sets.part import SetFactor
from discretion.joints.rows import (
    BLOCK,
    DisclosedRows,
    Rows,
    SecretRows,
    Sides,
    blocks,
    products,
    split,
)
from tests.unit.joints.crowds import Matrix

SINGLE = 1e-5  # rows are in single precision, and there are a few terms

Bits = tuple[npt.NDArray[np.uint8], ...]
shapes = st.lists(st.integers(2, 4), min_size=1, max_size=4)


def factors_of(bits: Bits, ratios: Matrix) -> tuple[Factor, ...]:
    return tuple(SetFactor(own, ratio) for own, ratio in zip(bits, ratios.T, strict=True))


def drawn_bits(sizes: list[int], n: int, seed: int) -> Bits:
    """Return reports of which one has no bit set and one has all."""
    rng = np.random.default_rng(seed)
    found = [rng.integers(0, 2, (n, size), dtype=np.uint8) for size in sizes]
    for own in found:
        own[0], own[1] = 0, 1
    return tuple(found)


def sides_of(questions: int) -> list[Sides]:
    every = range(questions)
    return [
        (a, tuple(q for q in every if q not in a))
        for r in range(questions + 1)
        for a in itertools.combinations(every, r)
    ]


def whole(rows: Rows, sizes: list[int], n: int) -> Matrix:
    """Sum the products of the terms over all cells, in the order of the questions."""
    a, b = rows.sides
    total = np.zeros((n, *(sizes[q] for q in (*a, *b))))
    for kept, (one, other) in zip(rows.kept, rows.terms(slice(0, n)), strict=True):
        shape = [sizes[q] if q in kept else 1 for q in a] + [sizes[q] for q in b]
        total += (one[:, :, None].astype(float) * other[:, None]).reshape(n, *shape)
    back = np.argsort([*a, *b])
    return total.transpose(0, *(1 + back)).reshape(n, -1)


def bits_of_cells(bits: Bits, sizes: list[int]) -> npt.NDArray[np.uint8]:
    """Return which bits of each cell are set in each report: (n, cells, questions)."""
    codes = np.indices(sizes).reshape(len(sizes), -1)
    return np.stack([own[:, at] for own, at in zip(bits, codes, strict=True)], axis=2)


@settings(max_examples=30)
@given(sizes=shapes, seed=st.integers(0, 1000))
def test_disclosed_rows_are_products_of_ratios(sizes: list[int], seed: int) -> None:
    n, bits = 6, drawn_bits(sizes, 6, seed)
    ratios = np.exp(np.random.default_rng(seed).uniform(0.1, 6, (n, len(sizes))))
    for sides in sides_of(len(sizes)):
        found = whole(DisclosedRows(factors_of(bits, ratios), sides), sizes, n)
        set_ = bits_of_cells(bits, sizes)
        expected = np.where(set_, ratios[:, None], 1.0).prod(axis=2)
        unit = np.sqrt(ratios).prod(axis=1, keepdims=True)
        np.testing.assert_allclose(found * unit, expected, rtol=SINGLE)


@settings(max_examples=30)
@given(sizes=shapes, seed=st.integers(0, 1000))
def test_secret_rows_look_their_bits_up(sizes: list[int], seed: int) -> None:
    n, bits = 6, drawn_bits(sizes, 6, seed)
    rng = np.random.default_rng(seed)
    tables = rng.uniform(0, 1, (n, *(2,) * len(sizes))).astype(np.float32)
    for sides in sides_of(len(sizes)):
        found = whole(SecretRows(bits, tables, sides), sizes, n)
        which = np.moveaxis(bits_of_cells(bits, sizes), 2, 0)
        expected = tables[(np.arange(n)[:, None], *which)]
        np.testing.assert_allclose(found, expected, atol=SINGLE)


def test_ratios_of_secret_rows_are_where_no_other_bit_is_set() -> None:
    tables = np.random.default_rng(3).uniform(0.1, 1, (5, 2, 2, 2)).astype(np.float32)
    rows = SecretRows(drawn_bits([2, 3, 2], 5, 1), tables, ((0,), (1, 2)))
    at = [tables[:, 1, 0, 0], tables[:, 0, 1, 0], tables[:, 0, 0, 1]]
    np.testing.assert_allclose(rows.ratios, np.column_stack(at) / tables[:, 0, 0, :1], rtol=1e-6)


def test_parts_of_the_rows_are_the_rows_of_a_part() -> None:
    sizes = [2, 3, 4]
    bits = drawn_bits(sizes, 9, 5)
    tables = np.random.default_rng(3).uniform(0.1, 1, (9, 2, 2, 2)).astype(np.float32)
    ratios = np.random.default_rng(4).uniform(1, 9, (9, 3))
    for rows in (
        SecretRows(bits, tables, ((2,), (0, 1))),
        DisclosedRows(factors_of(bits, ratios), ((0, 2), (1,))),
    ):
        for whole_term, part in zip(rows.terms(slice(0, 9)), rows.terms(slice(3, 7)), strict=True):
            for one, other in zip(whole_term, part, strict=True):
                np.testing.assert_array_equal(one[3:7], other)


def test_products_run_the_last_factor_fastest_and_none_is_one() -> None:
    one, other = np.array([[2, 3]], np.float32), np.array([[5, 7, 11]], np.float32)
    assert products([one, other], slice(0, 1)).tolist() == [[10, 14, 22, 15, 21, 33]]
    assert products([], slice(4, 6)).tolist() == [[1], [1]]


@given(sizes=st.lists(st.integers(2, 40), min_size=1, max_size=6), secret=st.booleans())
def test_no_other_split_makes_fewer_entries(sizes: list[int], secret: bool) -> None:
    def entries(sides: Sides) -> int:
        a, b = ([sizes[q] for q in side] for side in sides)
        if secret:  # each set of questions on side a has a table of its own, and side b once more
            sets = [s for r in range(len(a) + 1) for s in itertools.combinations(a, r)]
            return sum(math.prod(s) + math.prod(b) for s in sets)
        return math.prod(a) + math.prod(b)

    chosen = split(sizes, secret=secret)
    assert sorted(chosen[0] + chosen[1]) == list(range(len(sizes)))
    assert entries(chosen) == min(map(entries, sides_of(len(sizes))))


@given(n=st.integers(0, 5000), entries=st.integers(0, BLOCK * 2))
def test_blocks_hold_every_row_once(n: int, entries: int) -> None:
    found = [row for rows in blocks(n, entries) for row in range(rows.start, rows.stop)]
    assert found == list(range(n))
