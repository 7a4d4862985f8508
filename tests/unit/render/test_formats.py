"""Axes that people can read, and numbers with as many digits as they are worth."""

import pytest

from discretion.render.formats import (
    counted,
    interval,
    listed,
    measured,
    number,
    p_stated,
    p_value,
)
from discretion.render.svg import Axis, up_to


@pytest.mark.parametrize("most", [0.0, 1e-9, 0.03, 1.0, 7.0, 99.0, 1e12])
def test_an_axis_has_room_for_the_largest_value_and_few_ticks(most: float) -> None:
    axis = Axis(0.0, up_to(most), 0.0, 100.0)
    assert most <= axis.high * (1 + 1e-9)
    assert 2 <= len(axis.ticks) <= 7
    assert axis.pixel(-1.0) == 0.0
    assert axis.pixel(2 * axis.high) == 100.0


@pytest.mark.parametrize(
    "error, text", [(None, "1,234.57"), (0.0, "1,234.57"), (250.0, "1,235"), (0.031, "1,234.568")]
)
def test_numbers_have_as_many_digits_as_they_are_worth(error: float | None, text: str) -> None:
    assert measured(error)(1234.5678) == text


@pytest.mark.parametrize(
    "labels, most, text",
    [
        ([], None, ""),
        (["a"], None, "a"),
        (["a", "b", "c"], None, "a, b and c"),
        (["a", "b", "c"], 2, "a, b and 1 more"),
    ],
)
def test_labels_are_listed_as_people_do(labels: list[str], most: int | None, text: str) -> None:
    assert listed(labels, most) == text


def test_numbers_are_written_for_people() -> None:
    assert number(12345.6) == "12,346"
    assert (number(12.3456), number(12.3456, 3)) == ("12.35", "12.3")
    assert (counted(1, "report"), counted(2000, "report")) == ("1 report", "2,000 reports")
    assert (p_value(1e-9), p_value(0.0123)) == ("< 0.0001", "0.012")
    assert (p_stated(1e-9), p_stated(0.0123)) == ("p < 0.0001", "p = 0.012")
    assert interval(None, 1.0, number) == "unknown"
    assert interval(0.5, 1.0, number) == "0.5 to 1"
