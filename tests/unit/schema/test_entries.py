"""What devices make of sets and maps: a rule for every value, and none is refused."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest

from discretion.errors import RecordError
from discretion.randomness import ByteSource
from discretion.schema import ItemSet, Itemsets, KeyMap, Numeric
from discretion.schema.attribute import Misfit
from tests.contract.enumeration import distribution

BASKET = ItemSet("basket", ("milk", "rye", "tea"), (1, 2))
OTHERS = ItemSet("basket", ("milk", "rye", "other"), (2,))
TOGETHER = Itemsets.of("basket", ("milk", "rye", "tea"), [(0, 1), (2,), (0, 1, 2)], (1, 3))
STARS = KeyMap("stars", ("a", "b", "c"), (2,), Numeric("stars", 10, 50, 5, -1))
NOTHING = ByteSource(random.Random(0).randbytes)


@pytest.mark.parametrize(
    "value, places",
    [
        ([], []),
        (["tea", "milk", "tea"], [0, 2]),
        ({"tea"}, [2]),
        (("milk", "rye", "tea"), [0, 1, 2]),
        (np.array(["rye"]), [1]),
        ({"rye": 3, "oil": 0}, [1]),
        ("milk", [0]),
        (["oil", None, 5, 10**400, float("nan")], []),
        (17, []),
        (["oil"] * 100_000 + ["tea"], [2]),
    ],
)
def test_a_set_is_the_places_of_what_is_listed(value: object, places: list[int]) -> None:
    answer = BASKET.answer(value)
    assert json.loads(answer) == places
    assert BASKET.encode(answer, NOTHING) == sum(1 << place for place in places)


def test_what_is_not_listed_counts_as_other_where_that_is_an_item() -> None:
    assert OTHERS.answer(["oil", "gas", "milk"]) == "[0,2]"
    assert OTHERS.misfit(["oil"]) is Misfit.ENTRIES
    assert OTHERS.misfit(["milk", "milk"]) is None
    assert "other" in OTHERS.otherwise


@pytest.mark.parametrize(
    "value, places",
    [
        ([], []),
        (["milk"], []),
        (["rye", "milk", "beer", None], [0]),
        ({"milk", "rye", "tea"}, [0, 1, 2]),
        ({"tea": 1}, [1]),
        ("tea", [1]),
        (7, []),
    ],
)
def test_itemsets_are_those_whose_items_a_value_all_has(value: object, places: list[int]) -> None:
    answer = TOGETHER.answer(value)
    assert json.loads(answer) == places
    assert TOGETHER.encode(answer, NOTHING) == sum(1 << place for place in places)
    assert TOGETHER.within(1).answer(value) == answer


def test_itemsets_are_called_after_their_items_and_items_are_what_is_asked() -> None:
    assert TOGETHER.labels == ("milk + rye", "tea", "milk + rye + tea")
    assert TOGETHER.items == BASKET.items == BASKET.labels
    assert TOGETHER.size == 8
    assert TOGETHER.within(1).ends == ([], ["milk", "rye", "tea"])
    assert TOGETHER.misfit(["milk", "oil"]) is Misfit.ENTRIES
    assert TOGETHER.misfit(["milk"]) is None
    assert TOGETHER.otherwise == "left out"
    with pytest.raises(RecordError, match="must be items of milk, rye, tea"):
        TOGETHER.code(["oil"])
    others = Itemsets.of("basket", ("milk", "other"), [(0, 1), (0,)], (1,))
    assert others.answer(["milk", "oil"]) == "[0,1]"
    assert others.otherwise == '"other"'


def test_lengths_are_a_menu_and_say_what_is_cut() -> None:
    assert BASKET.range_menu == (1, 2)
    assert OTHERS.range_menu == ()
    assert BASKET.within(1).length == 2
    assert BASKET.within(1).size == BASKET.size == 8
    assert BASKET.within(1).cut == "Of more than 2 items, 2 are drawn at random and reported."


@pytest.mark.parametrize(
    "value, answer",
    [
        ({}, "[]"),
        ({"b": 3, "a": "1.25"}, '[[0,"5/4"],[1,"3"]]'),
        ({"a": 99, "c": -1}, '[[0,"5"],[2,"1"]]'),
        ({"zz": 3, "a": "x", "b": True}, "[]"),
        ([("a", 2), ("a", 4)], '[[0,"4"]]'),
        ([["b", 5], "a", ("c",), None], '[[1,"5"]]'),
        ("a", "[]"),
    ],
)
def test_a_map_is_the_numbers_of_listed_keys(value: object, answer: str) -> None:
    assert STARS.answer(value) == answer


def test_a_number_becomes_an_end_by_a_coin_that_keeps_its_mean() -> None:
    answer = STARS.answer({"a": 2, "b": 5, "c": 1})
    found = distribution(lambda source: STARS.encode(answer, source))
    low, high = 0b01_10_01, 0b01_10_10
    assert found == {low: Fraction(3, 4), high: Fraction(1, 4)}


def test_strict_reading_refuses_what_does_not_fit() -> None:
    assert BASKET.code(["tea"]) == 4
    assert STARS.code({"a": 5, "b": 1}) == 0b01_10
    for attribute, value in ((BASKET, ["oil"]), (STARS, {"zz": 1}), (STARS, {"a": 7})):
        with pytest.raises(RecordError):
            attribute.code(value)
    with pytest.raises(RecordError, match="ends of the range"):
        STARS.code({"a": 3})
    assert BASKET.misfit(["oil"]) is STARS.misfit({"a": 7}) is Misfit.ENTRIES
