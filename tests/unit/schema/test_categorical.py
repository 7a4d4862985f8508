from decimal import Decimal

import numpy as np
import pytest

from discretion.errors import RecordError
from discretion.schema import Categorical
from tests.cases import for_each
from tests.contract.enumeration import distribution

MODE = Categorical("mode", ("car", "bus", "train"), "train")
ROOMS = Categorical("rooms", ("1", "2", "3", "other"), "other")


def test_codes_follow_the_order_of_the_labels() -> None:
    assert [MODE.code(label) for label in MODE.labels] == [0, 1, 2]
    assert MODE.size == 3


@for_each(
    "value",
    [2, 2.0, "2", np.int64(2), np.float64(2), np.float32(2), np.uint8(2), np.str_("2"), Decimal(2)],
)
def test_a_whole_number_of_any_type_is_its_label(value: object) -> None:
    assert ROOMS.answer(value) == "2"
    assert ROOMS.code(value) == 1


@pytest.mark.parametrize("value", [2.5, "02", " 2", True, b"2", "4", -1], ids=repr)
def test_another_spelling_is_another_label(value: object) -> None:
    assert ROOMS.answer(value) == "other"


def test_an_unknown_label_becomes_the_stated_fallback() -> None:
    assert MODE.answer("tram") == "train"


def test_strict_reading_takes_other_for_an_unknown_label() -> None:
    assert ROOMS.code("12") == 3


def test_strict_reading_without_other_names_the_labels_and_the_value() -> None:
    with pytest.raises(RecordError, match=r"mode: must be one of car, bus, train, got 'tram'"):
        MODE.code("tram")


def test_a_long_list_of_labels_is_shortened_in_the_error() -> None:
    many = Categorical("many", tuple(f"v{i}" for i in range(9)), "v0")
    with pytest.raises(RecordError, match=r"v6, v7, \.\.\., got 'x'"):
        many.code("x")


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), np.float32("inf")], ids=repr)
def test_an_infinite_number_is_an_unknown_label_like_any_other(value: object) -> None:
    assert MODE.answer(value) == "train"
    with pytest.raises(RecordError):
        MODE.code(value)


def test_strict_reading_refuses_what_is_not_a_number() -> None:
    with pytest.raises(RecordError):
        MODE.code(float("nan"))


def test_encoding_draws_nothing() -> None:
    assert distribution(lambda source: MODE.encode("bus", source)) == {1: 1}
