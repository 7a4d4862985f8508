"""Rounding in one pass, against the same arithmetic on whole arrays, to the last bit."""

import numpy as np
import numpy.typing as npt
import pytest

from discretion.kernel.numbers import MISSING, ON_GRID, OUTSIDE, round_to_grid

Vector = npt.NDArray[np.float64]
SEED = 41
GRIDS = [  # unit, low, step, last
    (1.0, 0.0, 500.0, 400.0),
    (0.1, 3.0, 1.0, 6.0),
    (0.01, -725.0, 25.0, 74.0),
]
Grid = tuple[float, float, float, float]


def rounded(numbers: Vector, coins: Vector, grid: Grid) -> tuple[list[int], int]:
    codes = np.full(len(numbers), 99)
    strays = round_to_grid(numbers, coins, *grid, codes)
    return codes.tolist(), strays


@pytest.mark.parametrize("grid", GRIDS)
def test_codes_are_what_arrays_say(grid: Grid) -> None:
    unit, low, step, last = grid
    rng = np.random.default_rng(SEED)
    places = rng.uniform(0, last, 10_001)
    places[::3] = np.rint(places[::3])
    places[::5] += rng.uniform(-2, 2, len(places[::5])) * ON_GRID
    numbers, coins = (places.clip(0, last) * step + low) * unit, rng.random(len(places))
    position = (numbers / unit - low) / step
    nearest = np.rint(position)
    position = np.where(np.abs(position - nearest) <= ON_GRID, nearest, position)
    expected = np.floor(position) + (coins < position - np.floor(position))
    assert rounded(numbers, coins, grid) == (expected.astype(np.int64).tolist(), 0)


def test_a_coin_below_the_rest_goes_up() -> None:
    coins = np.array([0.0, 0.24, 0.25, 0.99])
    assert rounded(np.full(4, 2.25), coins, (1.0, 0.0, 1.0, 9.0)) == ([3, 3, 2, 2], 0)


def test_missing_numbers_and_those_outside_the_range_are_distinguished() -> None:
    numbers = np.array([np.nan, -0.1, 0.0, 9.0, 9.1, np.inf, -np.inf, -1e300])
    expected = [MISSING, OUTSIDE, 0, 9, OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE]
    assert rounded(numbers, np.full(8, 0.5), (1.0, 0.0, 1.0, 9.0)) == (expected, 5)


def test_the_ends_are_where_they_are_meant_to_be() -> None:
    """A float may miss them by a little, and by no more."""
    numbers = np.array([-0.5, 0.5, -2.0, 2.0]) * ON_GRID + [0, 9, 0, 9]
    expected = [0, 9, OUTSIDE, OUTSIDE]
    assert rounded(numbers, np.zeros(4), (1.0, 0.0, 1.0, 9.0)) == (expected, 2)
