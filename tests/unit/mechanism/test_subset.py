"""The number of codes in a subset is the best one, whatever size and level."""

from fractions import Fraction

import pytest

from discretion.mechanism.odds import odds
from discretion.mechanism.subset import Subset, subset
from discretion.randomness import ONE


def variance(size: int, count: int, level: int) -> Fraction:
    """Return the variance of the score summed over codes, given a true code.

    p(1-p) for the true code and q(1-q) for each other one, over (p-q)^2.
    """
    e = Fraction(odds(level), ONE)
    p = count * e / (count * e + size - count)
    q = (p * (count - 1) + (1 - p) * count) / (size - 1)
    return (p * (1 - p) + (size - 1) * q * (1 - q)) / (p - q) ** 2


@pytest.mark.parametrize("level", [1, 250, 1000, 1386, 3500, 8000, 20_000])
def test_no_other_count_is_better(level: int) -> None:
    for size in range(2, 41):
        least = min(variance(size, count, level) for count in range(1, size))
        assert variance(size, subset(size, level).count, level) == least, size


@pytest.mark.parametrize(
    "size, level, count", [(2, 250, 1), (5, 250, 2), (6, 1, 3), (401, 500, 151)]
)
def test_the_count_is_near_the_size_over_one_plus_the_odds(
    size: int, level: int, count: int
) -> None:
    assert subset(size, level).count == count


def test_no_set_of_another_count_is_possible() -> None:
    law = Subset(6, 2, ONE // 2)
    assert law.form.admits(0b000011)
    assert not law.form.admits(0b000111)
    assert law.probability(0b000111, 0) == 0
