"""Levels that occur, and the place of each among them."""

import numpy as np
import pytest

from discretion.kernel.count import index_rows, level_index


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_the_index_of_levels_is_that_of_numpys_unique(n: int) -> None:
    levels = np.random.default_rng(n).choice([250, 300, 6000, 70_000], n).astype(np.int32)
    which = np.full(n, -1)
    used, expected = np.unique(levels, return_inverse=True)
    assert index_rows(levels, which).tolist() == used.tolist()
    assert which.tolist() == expected.tolist()
    assert level_index(levels)[1][levels].tolist() == expected.tolist()
