"""Columns of sets become what devices make of each value."""

import json

import numpy as np
import pyarrow as pa
import pytest

from discretion.crowd.entries import Ragged, read_entries
from discretion.crowd.misfits import Misfits
from discretion.schema import ItemSet, Itemsets

ITEMS = ("a", "b", "c", "other")
SETS = [(0, 1), (2,), (1, 2, 3), (3,), (0, 1, 2, 3)]
SEED = 5


@pytest.fixture(params=["items", "itemsets"])
def attribute(request: pytest.FixtureRequest) -> ItemSet:
    if request.param == "items":
        return ItemSet("x", ITEMS, (2,))
    return Itemsets.of("x", ITEMS, SETS, (2,))


def values() -> list[list[str | None] | None]:
    rng = np.random.default_rng(SEED)
    said = [rng.choice(["a", "b", "c", "zz", "other"], rng.integers(7)).tolist() for _ in range(99)]
    return [*said, [], None, ["a", None, "b"]]


def told(found: Ragged) -> list[list[int]]:
    ends = zip(found.starts[:-1], found.starts[1:], strict=True)
    return [found.symbols[start:end].tolist() for start, end in ends]


def test_a_column_is_read_as_a_device_reads_each_value(attribute: ItemSet) -> None:
    rng, column, noted = np.random.default_rng(SEED), pa.array(values()), Misfits()
    found = told(read_entries(attribute, column, rng, noted))
    assert found == [[] if v is None else json.loads(attribute.answer(v)) for v in values()]
    words = pa.array(["a", "c", None, "zz"]).dictionary_encode()
    assert told(read_entries(attribute, words, rng, Misfits())) == [
        [] if word is None else json.loads(attribute.answer(word)) for word in words.to_pylist()
    ]
    empty = pa.array([[], None], pa.list_(pa.string()))
    assert told(read_entries(attribute, empty, rng, Misfits())) == [[], []]
