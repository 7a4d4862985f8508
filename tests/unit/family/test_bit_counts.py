"""Bit counts by level and cohort: exact integers that add up in any order."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from discretion.aggregate import Aggregate
from discretion.crowd import simulate
from discretion.errors import TableError
from discretion.family.counts import BitCounts
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.plans import MODE, author
from tests.tallies import counted_as

PLAN = Plan.of(
    author(
        attributes=[
            {**MODE, "mechanism": {"rappor": {"hashes": 2, "bits": 9, "cohorts": 3}}},
            {**MODE, "name": "other"},
        ],
        budget={"levels": [0.5, 1, 4]},
    )
)


def crowd(n: int, seed: int) -> ReportTable:
    values = np.random.default_rng(seed).choice(MODE["values"], (2, n))
    frame = {"mode": values[0], "other": values[1]}
    return simulate(PLAN, frame, budgets="levels", share=0.7, seed=seed)


def test_shards_add_up_in_any_order_to_what_is_counted_together() -> None:
    tables = [crowd(n, seed) for seed, n in enumerate((40, 1, 300))]
    one, two, three = map(Aggregate.of, tables)
    whole = Aggregate(PLAN)
    for table in tables:
        whole.add(table)
    expected = whole.to_json()
    assert one.merge(two).merge(three).to_json() == expected
    assert three.merge(one).merge(two).to_json() == expected
    assert Aggregate.from_json(PLAN, expected).to_json() == expected


def test_counts_are_by_level_and_cohort() -> None:
    reports = crowd(400, 5)
    found = counted_as(Aggregate.of(reports), "mode", BitCounts)
    assert list(found) == [500, 1000, 4000]
    assert sum(tally.n for tally in found.values()) == 400 - reports.data["mode.y"].null_count
    for tally in found.values():
        assert tally.counts.shape == (3, 9)
        assert (tally.counts <= tally.reports[:, None]).all()
    assert found[500] + found[1000] != found[500]


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    document = json.loads(Aggregate.of(crowd(50, 7)).to_json())
    change(document["attributes"]["mode"]["500"])
    return json.dumps(document)


@pytest.mark.parametrize(
    "change",
    [
        lambda tally: tally.update(n=[1, 2]),
        lambda tally: tally.update(n=[0, 0, 0], bits=[[0] * 9] * 3),
        lambda tally: tally.update(n=[-1, 90, 90]),
        lambda tally: tally.update(bits=tally["bits"][:2]),
        lambda tally: tally["bits"][0].__setitem__(0, -1),
        lambda tally: tally["bits"][0].__setitem__(0, tally["n"][0] + 1),
        lambda tally: tally.pop("bits"),
    ],
)
def test_counts_that_cannot_be_are_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(TableError):
        Aggregate.from_json(PLAN, changed(change))


def test_sums_of_digits_are_at_most_the_largest_digit_for_each_report() -> None:
    plan = Plan.of(author(attributes=[{**MODE, "mechanism": "she"}], budget={"levels": [1]}))
    reports = simulate(plan, {"mode": ["bus"] * 30}, seed=8)
    whole = Aggregate.of(reports)
    assert Aggregate.from_json(plan, whole.to_json()).to_json() == whole.to_json()
    tally = counted_as(whole, "mode", BitCounts)[1000]
    assert (tally.n, tally.counts.shape) == (30, (1, 5))
    assert tally.counts[0, 1] > 30  # digits, not bits
    document = json.loads(whole.to_json())
    document["attributes"]["mode"]["1000"]["bits"][0][0] = 30 * 15
    Aggregate.from_json(plan, json.dumps(document))
    document["attributes"]["mode"]["1000"]["bits"][0][0] += 1
    with pytest.raises(TableError):
        Aggregate.from_json(plan, json.dumps(document))


def test_bit_counts_are_equal_if_all_counts_are() -> None:
    one = BitCounts(np.array([2, 3]), np.ones((2, 4), np.int64))
    assert one == BitCounts(np.array([2, 3]), np.ones((2, 4), np.int64))
    assert one != BitCounts(np.array([3, 2]), np.ones((2, 4), np.int64))
