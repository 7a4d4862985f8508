"""Grids are round, hold every number, and their bins are what a person would draw."""

from decimal import Decimal
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.design.grid import Grid, round_grid

SEED = 5
ROUND = {1, 2, 5}


def drawn(values: npt.ArrayLike) -> Grid:
    grid = round_grid(np.asarray(values, np.float64))
    assert grid is not None
    return grid


def numbers(grid: Grid) -> list[float]:
    return [float(edge) for edge in grid.edges]


def shares(grid: Grid, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    counts = np.histogram(np.asarray(values, np.float64), numbers(grid))[0]
    return counts / counts.sum()


def test_ages_get_years_and_bins_of_five() -> None:
    rng = np.random.default_rng(SEED)
    ages = np.clip(rng.normal(40, 13, 50_000), 17, 90).round()
    grid = drawn(ages)
    assert [int(x) for x in (grid.low, grid.high, grid.step)] == [15, 90, 1]
    assert all(edge % 5 == 0 for edge in grid.edges)
    assert 8 <= len(grid.edges) - 1 <= 11
    assert grid.heavy == ()


def test_a_heavy_value_has_a_bin_of_its_own_and_the_rest_a_few() -> None:
    rng = np.random.default_rng(SEED)
    gains = np.concatenate([np.zeros(9_200), rng.integers(114, 99_999, 800)])
    grid = drawn(gains)
    assert grid.heavy == (Decimal(0),)
    assert numbers(grid)[:2] == [0, 100]
    assert shares(grid, gains)[0] == 0.92
    assert 3 <= len(grid.edges) - 1 <= 6


def test_a_heavy_value_inside_the_range_is_cut_out_on_both_sides() -> None:
    rng = np.random.default_rng(SEED)
    hours = np.concatenate([np.full(5_000, 40), rng.integers(1, 100, 5_000)])
    grid = drawn(hours)
    assert {40, 41} <= {*grid.edges}
    assert grid.heavy == (Decimal(40),)


@pytest.mark.parametrize("heavy, other", [(0, 100), (100, 0)])
def test_a_heavy_value_at_either_end_is_alone(heavy: int, other: int) -> None:
    rng = np.random.default_rng(SEED)
    values = np.concatenate([np.full(900, heavy), rng.uniform(1, 99, 100).round(), [other]])
    grid = drawn(values)
    start = numbers(grid).index(float(grid.heavy[0]))
    low, high = numbers(grid)[start : start + 2]
    last = high == grid.high
    assert set(values[(values >= low) & ((values < high) | last)]) == {heavy}


def test_neighbours_of_a_heavy_value_make_the_step_finer() -> None:
    rng = np.random.default_rng(SEED)
    values = np.concatenate([np.zeros(500), rng.uniform(3, 60, 300), rng.uniform(9, 1e5, 500)])
    grid = drawn(values)
    assert grid.step < 5  # a thousandth of the range would be 100
    assert shares(grid, values)[0] == pytest.approx(500 / 1300, abs=1e-9)


def test_a_minus_one_that_means_never_makes_no_empty_bin() -> None:
    rng = np.random.default_rng(SEED)
    days = np.concatenate([np.full(8_000, -1), rng.integers(1, 871, 2_000)])
    grid = drawn(days)
    assert numbers(grid)[:2] == [-1, 0]
    assert (shares(grid, days) > 0).all()


def test_two_numbers_far_apart_have_a_bin_each() -> None:
    grid = drawn([-36.01, 43.99])
    assert shares(grid, [-36.01, 43.99]).tolist() == [0.5, 0.5]


def test_few_rows_have_no_heavy_value() -> None:
    assert drawn([1.5, 2.5, 2.5, 4, 7.25]).heavy == ()


def test_skewed_numbers_get_a_step_that_separates_their_bins() -> None:
    rng = np.random.default_rng(SEED)
    people = np.exp(rng.normal(10, 1.5, 3_000)).round()
    grid = drawn(people)
    assert shares(grid, people).max() < 0.3
    assert grid.points <= 100_001


@pytest.mark.parametrize(
    "values",
    [
        [0, 2.0**53],
        [1e300, -1e300],
        [1e15, 1e15 + 1],
        [0, 1e-13],
        [1.0, 1.0 + 1e-12],
    ],
    ids=["large", "huge", "far", "small", "near"],
)
def test_what_no_plan_can_hold_has_no_grid(values: list[float]) -> None:
    grid = round_grid(np.array(values))
    assert grid is None or grid.points < 1_000_000


finite = st.floats(-1e12, 1e12, allow_subnormal=False) | st.integers(-50, 50).map(float)
decimals = st.integers(-3000, 3000).map(lambda n: n / 10)


@given(st.lists(finite, min_size=2, max_size=60) | st.lists(decimals, min_size=2, max_size=400))
def test_every_grid_is_round_and_holds_every_number(values: list[float]) -> None:
    if len(set(values)) < 2:
        return
    grid = round_grid(np.array(values))
    if grid is None:
        return
    assert grid.step.normalize().as_tuple().digits[0] in ROUND
    assert len(grid.step.normalize().as_tuple().digits) == 1
    assert grid.low <= min(Decimal(repr(v)) for v in values)
    assert grid.high >= max(Decimal(repr(v)) for v in values)
    assert (grid.edges[0], grid.edges[-1]) == (grid.low, grid.high)
    assert all(a < b for a, b in pairwise(grid.edges))
    assert all((edge - grid.low) % grid.step == 0 for edge in grid.edges)
    assert 2 <= len(grid.edges) - 1 <= 20
