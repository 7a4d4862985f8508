"""Lists and mappings in records become sets and maps of a plan that all rows fit."""

from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import yaml

import discretion as ds
from discretion.design.proposal import propose
from discretion.plan import Plan

ROWS = 30
BASKETS: list[Any] = [["milk", "rye"], ["tea"], [], ["milk", "rye", "tea", "oil"]] * ROWS
STARS: list[Any] = [{"a": 1.0, "b": 4.5}, {"a": 5.0}, {"b": 2.0}, {"a": 3.0}] * ROWS
MAPPED = pa.array([[*each.items()] for each in STARS], pa.map_(pa.string(), pa.float64()))
FRAMES = {
    "pandas": pd.DataFrame({"basket": BASKETS, "stars": STARS}),
    "polars": pl.DataFrame({"basket": BASKETS, "stars": STARS}),
    "Arrow": pa.table({"basket": BASKETS, "stars": MAPPED}),
}


@pytest.mark.parametrize("library", FRAMES)
def test_lists_become_a_set_and_mappings_a_map(library: str) -> None:
    author = yaml.safe_load(propose(FRAMES[library]))
    basket, stars = author["attributes"]
    assert (basket["kind"], basket["items"]) == ("set", ["milk", "oil", "rye", "tea"])
    assert basket["length"] == 4
    assert (stars["kind"], stars["keys"], stars["length"]) == ("map", ["a", "b"], 2)
    assert stars["range"][0] <= 1
    assert stars["range"][1] >= 5
    reports = ds.simulate(Plan.of(author), FRAMES[library], seed=1)
    assert (len(reports), reports.changed) == (4 * ROWS, {})


def test_many_items_leave_a_home_for_the_rest_and_the_length_is_that_of_most() -> None:
    lists = [[f"i{i}", f"i{i + 1}"] for i in range(400)] + [[f"i{i}" for i in range(30)]] * 9
    (asked,) = yaml.safe_load(propose(pa.table({"basket": lists})))["attributes"]
    assert len(asked["items"]) == 257
    assert asked["items"][-1] == "other"
    assert asked["length"] == 2
    whole = pa.array([[("a", 1), ("b", 90)]] * 30, pa.map_(pa.string(), pa.int64()))
    (asked,) = yaml.safe_load(propose(pa.table({"hours": whole})))["attributes"]
    assert (asked["range"], asked["step"]) == ([1, 90], 1)


def test_what_cannot_be_asked_is_left_out_with_the_reason() -> None:
    frame = pa.table({"age": ["y", "o"] * 20, "one": [["a"]] * 40, "same": [{"a": 1, "b": 1}] * 40})
    text = propose(frame)
    assert [each["name"] for each in yaml.safe_load(text)["attributes"]] == ["age"]
    assert "fewer than two different items" in text
    assert "no numbers for a grid" in text
