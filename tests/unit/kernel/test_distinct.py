"""Equal integers are counted as a dictionary counts them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.kernel.distinct import FIRST, distinct, gathered

HELD = 1 << (FIRST - 1)  # different keys that the first table holds


@given(st.lists(st.one_of(st.integers(0, 9), st.integers(0, 2**64 - 1)), max_size=200))
def test_every_key_is_there_once_with_its_count(keys: list[int]) -> None:
    found, counts = distinct(np.array(keys, np.uint64))
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == Counter(keys)
    assert found.tolist() == list(dict.fromkeys(keys))


@pytest.mark.parametrize("many", [HELD - 1, HELD, HELD + 1, 4 * HELD, 4 * HELD + 1, 20 * HELD])
def test_a_table_grows_with_what_is_found(many: int) -> None:
    rng = np.random.default_rng(many)
    different = rng.permutation(np.arange(many, dtype=np.uint64) << np.uint64(7))
    keys = np.concatenate([different, rng.choice(different, many), different[:1]])
    times = rng.integers(1, 9, len(keys))
    found, counts = distinct(keys)
    assert found.tolist() == different.tolist()
    expected = Counter(keys.tolist())
    assert counts.tolist() == [expected[key] for key in found.tolist()]
    found, sums = gathered(keys, times)
    assert found.tolist() == different.tolist()
    order = np.argsort(different)
    places = order[np.searchsorted(different[order], keys)]
    assert sums.tolist() == np.bincount(places, times).astype(int).tolist()
