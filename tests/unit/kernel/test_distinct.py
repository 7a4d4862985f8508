"""Equal integers are counted as a dictionary counts them."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from discretion.kernel.distinct import distinct


@given(st.lists(st.one_of(st.integers(0, 9), st.integers(0, 2**64 - 1)), max_size=200))
def test_every_key_is_there_once_with_its_count(keys: list[int]) -> None:
    found, counts = distinct(np.array(keys, np.uint64))
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == Counter(keys)
    assert found.tolist() == list(dict.fromkeys(keys))
