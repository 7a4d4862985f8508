"""Levels that occur, and the place of each among them."""

import numpy as np
import pytest

from discretion.kernel.count import find_places, places_of


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_places_are_what_unique_says(n: int) -> None:
    levels = np.random.default_rng(n).choice([250, 300, 6000, 70_000], n).astype(np.int32)
    which = np.full(n, -1)
    used, expected = np.unique(levels, return_inverse=True)
    assert find_places(levels, which).tolist() == used.tolist()
    assert which.tolist() == expected.tolist()
    assert places_of(levels)[1][levels].tolist() == expected.tolist()
