"""``odds`` is floor(2^64 e^(level / per)), against mpmath at 80 digits."""

from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest

from discretion.mechanism.odds import level_above, odds
from discretion.randomness import ONE

DIGITS = 80  # 2^64 e^20 has 29 digits before the point; 51 after it decide every floor here
LEVELS = sorted({*range(51), *range(0, 20_001, 25), 19_999})


def floor_exp(level: int, per: int) -> int:
    with mpmath.workdps(DIGITS):
        return int(mpmath.floor(mpmath.mpf(2) ** 64 * mpmath.exp(mpmath.mpf(level) / per)))


@pytest.mark.parametrize("per", [1000, 2000])
def test_odds_are_the_floor_of_the_exponential(per: int) -> None:
    wrong = [level for level in LEVELS if odds(level, per) != floor_exp(level, per)]
    assert wrong == []


def test_odds_rise_strictly_with_the_level() -> None:
    values = [odds(level) for level in LEVELS]
    assert all(a < b for a, b in pairwise(values))


def test_odds_of_nothing_are_one_to_one() -> None:
    assert odds(0) == 1 << 64


@pytest.mark.parametrize("level", [1, 2, 693, 1000, 4000, 17_893, 20_000])
def test_the_level_above_a_ratio_is_the_least_whose_odds_reach_it(level: int) -> None:
    """Also a hair above what a level's odds reach, where a rounded logarithm would be too small."""
    reached = Fraction(odds(level), ONE)
    assert level_above(reached) == level
    assert level_above(reached + Fraction(1, ONE**2)) == level + 1
    assert level_above(reached - Fraction(1, ONE**2)) == level
    assert level_above(Fraction(1)) == 1
