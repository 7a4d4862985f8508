"""Parts of folds add up, whatever they are made of."""

from typing import Any

import numpy as np

from discretion.engine import added


def test_numbers_arrays_and_tuples_of_them_are_added_entry_by_entry() -> None:
    number, array = added((1, np.array([1.0, 2.0])), (2, np.array([0.5, 0.5])))
    assert number == 3
    np.testing.assert_array_equal(array, [1.5, 2.5])


def test_a_mapping_keeps_the_keys_of_both_parts() -> None:
    one: dict[str, Any] = {"a": 1, "b": (1, 2)}
    other: dict[str, Any] = {"b": (3, 4), "c": 5}
    assert added(one, other) == {"a": 1, "b": (4, 6), "c": 5}
    assert (one, other) == ({"a": 1, "b": (1, 2)}, {"b": (3, 4), "c": 5})


def test_the_order_of_keys_is_that_of_their_first_occurrence() -> None:
    assert list(added({2: 1, 1: 1}, {3: 1, 2: 1})) == [2, 1, 3]


def test_an_empty_mapping_is_neutral() -> None:
    whole = {"a": {"b": 1}}
    assert added({}, whole) == added(whole, {}) == whole
