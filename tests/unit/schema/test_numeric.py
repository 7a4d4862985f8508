import random
from decimal import Decimal
from fractions import Fraction
from functools import partial

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from discretion.errors import RecordError
from discretion.randomness import ByteSource
from discretion.schema import Numeric
from tests.cases import for_each
from tests.contract.enumeration import distribution

INF = float("inf")
AGE = Numeric("age", 16, 100, 1, 0)
INCOME = Numeric("income", 0, 2000, 500, 0)
TENTHS = Numeric("tenths", -5, 15, 1, -1)
BINNED = Numeric("binned", -5, 15, 1, -1, edges=(-5, 0, 3, 15))


@pytest.mark.parametrize("attribute", [AGE, INCOME, TENTHS], ids=lambda a: a.name)
def test_every_grid_point_is_a_code_and_back(attribute: Numeric) -> None:
    points = attribute.points()
    assert [attribute.code(point) for point in points] == list(range(attribute.size))
    assert [attribute.code(float(point)) for point in points] == list(range(attribute.size))
    assert [attribute.code(Decimal(label)) for label in attribute.labels] == [
        *range(attribute.size)
    ]


@pytest.mark.parametrize("attribute", [AGE, INCOME, TENTHS], ids=lambda a: a.name)
def test_a_grid_point_needs_no_coin(attribute: Numeric) -> None:
    for code, point in enumerate(attribute.points()):
        encode = partial(attribute.encode, attribute.answer(point))
        assert distribution(encode) == {code: 1}


def test_labels_are_plain_decimals() -> None:
    assert TENTHS.labels[:7] == ("-0.5", "-0.4", "-0.3", "-0.2", "-0.1", "0.0", "0.1")
    assert INCOME.labels == ("0", "500", "1000", "1500", "2000")


@given(st.fractions(Fraction(-1, 2), Fraction(3, 2), max_denominator=1000))
def test_the_coin_between_two_grid_points_keeps_the_mean_exactly(value: Fraction) -> None:
    answer = TENTHS.answer(value)
    codes = distribution(lambda source: TENTHS.encode(answer, source))
    points = TENTHS.points()
    assert sum(probability * points[code] for code, probability in codes.items()) == value
    assert len(codes) <= 2


def test_the_coin_is_as_likely_as_the_rest_of_a_step() -> None:
    answer = INCOME.answer(1257)
    assert distribution(lambda source: INCOME.encode(answer, source)) == {
        2: Fraction(243, 500),
        3: Fraction(257, 500),
    }


@pytest.mark.parametrize(
    "value",
    [0.1, Decimal("0.1"), Fraction(1, 10), np.float64(0.1), np.float32(0.1), np.float16(0.1)],
    ids=repr,
)
def test_a_tenth_of_any_type_lies_on_a_grid_of_tenths(value: object) -> None:
    assert TENTHS.code(value) == 6
    assert TENTHS.answer(value) == "1/10"


@pytest.mark.parametrize("value", [1, 1.0, np.int8(1), np.uint64(1), np.float32(1)], ids=repr)
def test_one_of_any_type_is_one(value: object) -> None:
    assert TENTHS.code(value) == 15


@for_each(
    "value, end",
    [
        (-3, 0),
        (15.99, 0),
        (-1e300, 0),
        (-INF, 0),
        (np.float32("-inf"), 0),
        (Decimal("-Infinity"), 0),
        (100.01, 84),
        (10**40, 84),
        (INF, 84),
        (np.float64("inf"), 84),
        (np.float32("inf"), 84),
        (Decimal("Infinity"), 84),
    ],
)
def test_a_device_clamps_what_lies_outside(value: object, end: int) -> None:
    answer = AGE.answer(value)
    assert distribution(lambda source: AGE.encode(answer, source)) == {end: 1}


@pytest.mark.parametrize("value", [15, 101, -1e300, 10**40], ids=repr)
def test_strict_reading_refuses_what_lies_outside(value: object) -> None:
    with pytest.raises(RecordError, match="age: must lie between 16 and 100, got"):
        AGE.code(value)


@pytest.mark.parametrize("value", [INF, -INF, np.float32("inf"), Decimal("Infinity")], ids=repr)
def test_strict_reading_refuses_what_is_infinite(value: object) -> None:
    with pytest.raises(RecordError, match="age: must"):
        AGE.code(value)


@pytest.mark.parametrize("value", [16.5, Fraction(50, 3), 0.1 + 0.2 + 16], ids=repr)
def test_strict_reading_refuses_what_lies_between_grid_points(value: object) -> None:
    with pytest.raises(RecordError, match="age: must be a point of the grid, got"):
        AGE.code(value)


@pytest.mark.parametrize("value", ["forty", True, None, [40], 40j, np.bool_(True)], ids=repr)
def test_what_is_not_a_number_is_refused(value: object) -> None:
    for read in (AGE.code, AGE.answer):
        with pytest.raises(RecordError, match="age: must be a number, got"):
            read(value)


def test_strict_reading_refuses_nan() -> None:
    with pytest.raises(RecordError, match="age: must be a number, got nan"):
        AGE.code(float("nan"))


@pytest.mark.parametrize(
    "value, code",
    [(-0.5, 0), (-0.01, 0), (0, 1), (0.29, 1), (0.3, 2), (1.49, 2), (1.5, 2)],
)
def test_bins_hold_their_lower_end_and_the_last_one_both(value: float, code: int) -> None:
    assert BINNED.code(value) == code
    answer = BINNED.answer(value)
    assert distribution(lambda source: BINNED.encode(answer, source)) == {code: 1}


@pytest.mark.parametrize("value, code", [(-7, 0), (-INF, 0), (7, 2), (INF, 2)])
def test_a_device_clamps_into_the_outer_bins(value: float, code: int) -> None:
    answer = BINNED.answer(value)
    assert distribution(lambda source: BINNED.encode(answer, source)) == {code: 1}


def test_bins_are_named_by_their_ends_and_stand_for_their_middle() -> None:
    assert BINNED.size == 3
    assert BINNED.labels == ("[-0.5, 0.0)", "[0.0, 0.3)", "[0.3, 1.5]")
    assert BINNED.points() == (Fraction(-1, 4), Fraction(3, 20), Fraction(9, 10))


def test_values_of_one_bin_are_one_answer() -> None:
    """The memo is keyed by the code; within a bin nothing else is ever told."""
    assert len({BINNED.answer(value) for value in (0.3, 0.31, 1.2, 1.5, 99)}) == 1
    assert BINNED.answer(0.29) != BINNED.answer(0.3)


@given(st.floats(allow_nan=False))
def test_a_device_can_answer_every_float(value: float) -> None:
    source = ByteSource(random.Random(7).randbytes)
    for attribute in (AGE, INCOME, TENTHS, BINNED):
        assert 0 <= attribute.encode(attribute.answer(value), source) < attribute.size


@pytest.mark.parametrize(
    "text, end",
    [("1e999999999", 84), ("-1E999999999", 0), ("Infinity", 84), ("-inf", 0), ("1e401", 84)],
)
def test_text_far_outside_is_clamped_without_being_written_out(text: str, end: int) -> None:
    for value in (text, Decimal(text)):
        answer = AGE.answer(value)
        assert distribution(partial(AGE.encode, answer)) == {end: 1}


@for_each("text", ["nan", "sNaN", "-snan123", "", "1e", "0x10", "e9", ".e99", "1e--9"])
def test_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="age: must be a number, got"):
        AGE.answer(text)


FINE = ["1e-401", "40.5e-999999999", "-1e-1000000000000000000000", "0." + "3" * 5000, "1e-999999"]


@pytest.mark.parametrize("text", FINE, ids=lambda text: text[:12])
def test_more_decimal_places_than_are_counted_with_are_cut(text: str) -> None:
    values: list[object] = [text]
    if len(text) < 20:
        values.append(Decimal(text))
    for value in values:
        answer = Fraction(TENTHS.answer(value))
        assert answer == (Fraction("0." + "3" * 400) if text.startswith("0.3") else 0)
    assert TENTHS.answer("1e-400") == str(Fraction(1, 10**400))
    assert TENTHS.answer("0e-999999999") == "0"


@for_each(
    "value, end",
    [
        ("1e1000000000000000000000", 20),
        ("-1e+1000000000000000000000", 0),
        ("\u0661e1000000000000000000000", 20),
        ("0e1000000000000000000000", 5),
        ("0.00e-1000000000000000000000", 5),
        (-0.0, 5),
        ("9" * 5000, 20),
        (10**5000, 20),
        (Fraction(1, 10**5000), 5),
        (Fraction(10**5000, 3), 20),
        (np.longdouble("1e-4000"), 5),
        (Decimal("-0"), 5),
    ],
)
def test_every_real_number_has_an_answer(value: object, end: int) -> None:
    assert distribution(partial(TENTHS.encode, TENTHS.answer(value))) == {end: 1}


def test_strict_reading_refuses_more_decimal_places_than_are_counted_with() -> None:
    with pytest.raises(RecordError, match="age: must have at most 400 decimal places"):
        AGE.code(Decimal("1e-401"))


@pytest.mark.parametrize("value", [Decimal("1e999999999"), Decimal("sNaN"), Decimal("Infinity")])
def test_strict_reading_refuses_strange_decimals(value: Decimal) -> None:
    with pytest.raises(RecordError, match="age: must be a number, got"):
        AGE.code(value)


MILLION = Numeric("fine", 0, (1 << 20) - 1, 1, -2)


@pytest.mark.parametrize(
    "number",  # the coins have 69,905 sides at most: those of the inner numbers divide that
    ["0", "0.01", "6.82", "69.905", "5241.17", "10485.74", "10485.75"],
)
def test_a_fine_grid_has_codes_from_end_to_end_and_the_coin_keeps_the_mean(number: str) -> None:
    """What is remembered and charged is still the number itself."""
    assert (MILLION.size, MILLION.n_points) == (4096, 1 << 20)
    assert MILLION.ends == (0, Fraction("10485.75"))
    assert MILLION.domain == "1048576: 0.00 ... 10485.75"
    answer = MILLION.answer(Decimal(number))
    assert Fraction(answer) == Fraction(number)
    points, shares = MILLION.points(), distribution(partial(MILLION.encode, answer))
    assert sum(points[code] * share for code, share in shares.items()) == Fraction(number)
    assert max(shares) - min(shares) <= 1


def test_a_grid_of_as_many_points_as_there_are_codes_needs_no_coin() -> None:
    full = Numeric("full", 5, 5 + 3 * 4095, 3, 0)
    assert full.stride == full.step
    assert distribution(partial(full.encode, full.answer(5 + 3 * 4094))) == {4094: 1}
