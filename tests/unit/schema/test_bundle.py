from itertools import product

import numpy as np
import pytest

from discretion.errors import RecordError
from discretion.randomness import ByteSource
from discretion.schema import Bundle, Categorical, Numeric

MODE = Categorical("mode", ("car", "bus", "other"), "other")
AGE = Numeric("age", 0, 100, 1, 0, (0, 30, 100))
HOME = Categorical("home", ("town", "a, b"), "town")
BUNDLE = Bundle((MODE, AGE, HOME))


def test_a_bundle_is_named_after_its_parts_and_has_a_value_for_each_cell() -> None:
    assert BUNDLE.name == "mode+age+home"
    assert BUNDLE.sizes == (3, 2, 2)
    assert BUNDLE.size == len(BUNDLE.labels) == 12
    assert BUNDLE.labels[:3] == ("car, [0, 30), town", "car, [0, 30), a, b", "car, [30, 100], town")


def test_cells_are_in_row_major_order_and_the_last_part_is_the_fastest() -> None:
    for codes in product(*map(range, BUNDLE.sizes)):
        cell = BUNDLE.cell(codes)
        assert cell == np.ravel_multi_index(codes, BUNDLE.sizes)
        names = [part.labels[c] for part, c in zip(BUNDLE.parts, codes, strict=True)]
        assert BUNDLE.labels[cell] == ", ".join(names)
    assert BUNDLE.cell((2, 1, 1)) == BUNDLE.size - 1


def test_an_answer_is_that_of_each_part_and_leads_to_the_cell() -> None:
    """An unknown label has a home, a number is clamped, and a bin is one answer."""
    nothing = ByteSource(lambda _: b"")  # bins draw no coin, so no word is read
    values = ["tram", 1e9, "a, b"]
    answer = BUNDLE.answer(values)
    assert answer == BUNDLE.answer(("other", 31.25, "a, b"))
    assert answer != BUNDLE.answer(["other", 29, "a, b"])
    assert (
        BUNDLE.encode(answer, nothing) == BUNDLE.cell((2, 1, 1)) == BUNDLE.code(["x", 31, "a, b"])
    )


def test_answers_whose_labels_read_alike_are_told_apart() -> None:
    left = Categorical("left", ("a", "a, b"), "a")
    right = Categorical("right", ("b, c", "c"), "c")
    bundle = Bundle((left, right))
    assert bundle.labels[0] == bundle.labels[3] == "a, b, c"
    assert bundle.answer(["a", "b, c"]) != bundle.answer(["a, b", "c"])


def test_strict_reading_is_that_of_each_part() -> None:
    with pytest.raises(RecordError, match="age: must lie between 0 and 100, got 101"):
        BUNDLE.code(["car", 101, "town"])


@pytest.mark.parametrize("value", ["car", None, ["car", 7], ["car", 7, "town", 8]])
def test_a_value_must_have_one_for_each_part(value: object) -> None:
    for ask in (BUNDLE.answer, BUNDLE.code):
        with pytest.raises(RecordError, match=r"mode\+age\+home: must be 3 values, one a part"):
            ask(value)
