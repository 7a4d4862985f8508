"""A number at a few levels, and a number in a part of its range."""

import random
from fractions import Fraction
from functools import partial
from math import inf

import pytest

from discretion.errors import RecordError
from discretion.randomness import ByteSource
from discretion.schema import Coarse, Numeric
from tests.cases import for_each
from tests.contract.enumeration import distribution

AGE = Numeric("age", 16, 100, 1, 0, ranges=((16, 30), (20, 60)))  # 85 points
TENTHS = Numeric("x", -5, 15, 1, -1)  # -0.5 to 1.5


@for_each("levels", [2, 3, 5, 7, 85, 100])
@for_each("value", [16, 17, 41.25, Fraction(200, 3), 99, 100])
def test_rounding_to_the_grid_and_to_levels_keeps_the_mean(
    value: float | Fraction, levels: int
) -> None:
    coarse = Coarse(AGE, levels)
    codes = distribution(partial(coarse.encode, coarse.answer(value)))
    points = coarse.points()
    assert set(codes) <= set(range(levels))
    assert sum(points[code] * probability for code, probability in codes.items()) == value


@pytest.mark.parametrize("value, code", [(-inf, 0), (3, 0), (16, 0), (100, 4), (inf, 4)])
def test_what_lies_outside_is_at_the_nearer_end(value: float, code: int) -> None:
    coarse = Coarse(AGE, 5)
    assert distribution(partial(coarse.encode, coarse.answer(value))) == {code: 1}


def test_levels_are_equally_far_apart_from_end_to_end() -> None:
    coarse = Coarse(TENTHS, 5)
    assert (coarse.name, coarse.size) == ("x", 5)
    assert coarse.points() == tuple(Fraction(n, 2) for n in (-1, 0, 1, 2, 3))
    assert coarse.labels == ("-0.5", "0", "0.5", "1", "1.5")


def test_strict_reading_takes_the_level_at_or_below() -> None:
    coarse = Coarse(TENTHS, 3)
    assert [coarse.code(v) for v in (-0.5, 0.4, 0.5, 1.4, 1.5)] == [0, 0, 1, 1, 2]
    with pytest.raises(RecordError, match="x: must lie between"):
        coarse.code(2)


def test_a_part_of_the_range_counts_from_its_own_end() -> None:
    part = AGE.within(2)
    assert part.size == 41
    assert [float(part.points()[i]) for i in (0, -1)] == [20, 60]
    assert part.ranges == ()
    assert AGE.within(0) is AGE


@pytest.mark.parametrize(
    "value, probabilities",
    [
        (-inf, {0: 1}),
        (16, {0: 1}),
        (20, {0: 1}),
        (20.25, {0: Fraction(3, 4), 1: Fraction(1, 4)}),
        (60, {40: 1}),
        (60.5, {40: 1}),
        (inf, {40: 1}),
    ],
)
def test_a_value_is_moved_to_the_nearer_end_of_the_part(
    value: float, probabilities: dict[int, Fraction]
) -> None:
    part = AGE.within(2)
    assert distribution(partial(part.encode, part.answer(value))) == probabilities


def test_answers_outside_are_remembered_as_the_end() -> None:
    part = AGE.within(1)
    assert {part.answer(value) for value in (30, 31, 100, 1e9, inf)} == {"30"}


def test_levels_are_drawn_for_any_number() -> None:
    source, coarse = ByteSource(random.Random(5).randbytes), Coarse(TENTHS, 4)
    for value in (0.123456789, 1e-300, 1.4999999999999998):
        assert 0 <= coarse.encode(coarse.answer(value), source) < 4
