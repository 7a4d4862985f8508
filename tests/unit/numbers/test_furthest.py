"""The ends of intervals are found with few tests, also where tests are ragged."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.numbers.density import MOST_LINES, furthest

FEW = 5  # tests, where they are in proportion to the distance, and leaps to it


class Counted:
    """A test that notes at which points it was made."""

    def __init__(self, beyond: Callable[[int], float]) -> None:
        self.asked: list[int] = []
        self._beyond = beyond

    def __call__(self, point: int) -> float:
        self.asked.append(point)
        return self._beyond(point)


@given(st.integers(0, 2_000), st.integers(0, 2_000), st.integers(0, 4_000), st.integers(1, 4))
def test_it_is_the_last_that_is_accepted(end: int, more: int, guess: int, power: int) -> None:
    test = Counted(lambda k: float(k**power) - (end + 0.5) ** power)
    assert furthest(test, end + more, guess) == end
    assert (
        len(test.asked) == len(set(test.asked)) <= 1 + 8 + MOST_LINES + 13
    )  # leaps, lines, halves


@pytest.mark.parametrize("guess", [1, 40, 100, 900])
def test_few_tests_are_needed_where_they_are_in_proportion(guess: int) -> None:
    test = Counted(lambda k: 2.0 * k / 130.5 - 2.0)
    assert furthest(test, 10_000, guess) == 130
    assert len(test.asked) <= 1 + FEW + (4 if guess == 1 else 0)


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=60), st.integers(0, 60))
def test_ragged_tests_end_at_an_accepted_point_next_to_one_that_is_not(
    values: list[float], guess: int
) -> None:
    values[0] = -2.0
    found = furthest(values.__getitem__, len(values) - 1, guess)
    assert values[found] <= 0
    assert found == len(values) - 1 or values[found + 1] > 0


def test_all_may_be_accepted_or_none_but_the_first() -> None:
    assert furthest(lambda _: -1.0, 50, 3) == 50
    assert furthest(lambda k: float(k) - 0.5, 50, 30) == 0
    assert furthest(lambda _: -1.0, 0, 3) == 0
