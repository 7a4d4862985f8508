"""Aggregates of numbers: exact counts of outputs by level and range, and of what bundles report."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.aggregate import Aggregate
from discretion.budget.level import stratum_of
from discretion.crowd import simulate
from discretion.errors import TableError
from discretion.family.counts import Outputs
from discretion.plan import Family, Plan
from discretion.schema import Bundle
from discretion.table import ReportTable
from tests.cases import for_each
from tests.tallies import counted_as

GRID = {"kind": "numeric", "range": [0, 4], "step": 1}
PLAN = Plan.of(
    {
        "name": "numbers",
        "attributes": [
            {"name": "x", **GRID, "mechanism": "hm", "ranges": [[0, 2]]},
            {"name": "y", **GRID, "mechanism": "optimal"},
            {"name": "a", **GRID},
            {"name": "b", **GRID},
            {"name": "c", **GRID},
        ],
        "bundles": [
            {"attributes": ["a", "b"], "levels": 3},
            {"attributes": ["b", "c"], "mechanism": "duchi"},
        ],
        "budget": {"levels": [0.5, 2]},
    }
)


def crowd(n: int, seed: int) -> ReportTable:
    rng = np.random.default_rng(seed)
    frame = {
        name: pa.array(rng.integers(0, 5, n).astype(float), mask=rng.random(n) < 0.2)
        for name in PLAN.attributes
    }
    return simulate(PLAN, frame, budgets="levels", ranges="menu", seed=seed)


CROWD = crowd(80, seed=9)
shards = st.lists(st.integers(0, 69), max_size=30)


def part(rows: list[int]) -> ReportTable:
    return ReportTable(PLAN, CROWD.data.take(pa.array(rows, pa.int64())))


@given(a=shards, b=shards, c=shards)
def test_merge_is_a_commutative_monoid_that_agrees_with_counting_together(
    a: list[int], b: list[int], c: list[int]
) -> None:
    A, B, C, whole = (Aggregate.of(part(rows)) for rows in (a, b, c, a + b + c))
    assert A.merge(B).merge(C).to_json() == whole.to_json() == C.merge(B.merge(A)).to_json()
    assert Aggregate.from_json(PLAN, whole.to_json()) == whole


def test_counts_are_those_of_one_report_at_a_time() -> None:
    aggregate = Aggregate.of(CROWD)
    for name in PLAN.names:
        seen: dict[int, list[int]] = {}
        for row in CROWD.data.to_pylist():
            if row[f"{name}.y"] is not None:
                grade = stratum_of(row[f"{name}.level"], row.get(f"{name}.range") or 0)
                seen.setdefault(grade, []).append(int.from_bytes(row[f"{name}.y"], "little"))
        found = counted_as(aggregate, name, Outputs)
        assert list(found) == sorted(seen)
        for grade, tally in found.items():
            assert tally.counts.tolist() == counted(name, grade, seen[grade])
            assert tally.n == len(seen[grade])
    assert {grade >> 15 for grade in aggregate.counted("x")} == {0, 1}


def counted(name: str, grade: int, ys: list[int]) -> list[Any]:
    bundle = PLAN.questions[name].attribute
    if not isinstance(bundle, Bundle):
        return [
            ys.count(y) for y in range(PLAN.questions[name].law(grade, Family.NUMBERS).n_outputs)
        ]
    reported = [np.unravel_index(y, bundle.sizes) for y in ys]
    return [
        [sum(cell[i] == level for cell in reported) for level in range(bundle.sizes[i])]
        for i in range(len(bundle.parts))
    ]


def test_outputs_add_up_to_a_new_one() -> None:
    one, other = Outputs(2, np.array([1, 1])), Outputs(3, np.array([0, 3]))
    assert (one + other).document() == {"n": 5, "outputs": [1, 4]}
    assert one.document() == {"n": 2, "outputs": [1, 1]}
    assert one != other
    assert one == Outputs(2, np.array([1, 1]))


Document = dict[str, Any]
BIT = stratum_of(500, 1)  # two points, in the narrower range


def spoilt(change: Callable[[Document], object]) -> str:
    whole = {"format": 2, "plan": PLAN.id, "round": 0, "reports": 4}
    attributes: Document = {name: {} for name in PLAN.names}
    attributes["x"] = {str(BIT): {"n": 3, "outputs": [1, 2]}}
    attributes["a+b"] = {"1000": {"n": 2, "outputs": [[2, 0, 0], [0, 1, 1]]}}
    change(attributes)
    return json.dumps({**whole, "attributes": attributes})


def setting(name: str, grade: int, **fields: object) -> Callable[[Document], object]:
    return lambda attributes: attributes[name][str(grade)].update(fields)


def moved(name: str, old: int, new: str) -> Callable[[Document], object]:
    return lambda attributes: attributes.update({name: {new: attributes[name][str(old)]}})


MALFORMED: dict[str, Callable[[Document], object]] = {
    "more of one part, in two bundles, than reports": lambda attributes: attributes.update(
        {"b+c": {"1000": {"n": 3, "outputs": [[3, 0], [1, 2]]}}}
    ),
    "another n": setting("x", BIT, n=4),
    "no reports": setting("x", BIT, n=0, outputs=[0, 0]),
    "an output too many": setting("x", BIT, outputs=[1, 1, 1]),
    "an output too few": setting("x", BIT, outputs=[3]),
    "negative counts": setting("x", BIT, outputs=[4, -1]),
    "broken counts": setting("x", BIT, outputs=[1.5, 1.5]),
    "counts of a part that differ": setting("a+b", 1000, outputs=[[2, 0, 0], [1, 1, 1]]),
    "a part too few": setting("a+b", 1000, outputs=[[2, 0, 0]]),
    "a part too many": setting("a+b", 1000, outputs=[[2, 0, 0]] * 3),
    "a level too many": setting("a+b", 1000, outputs=[[2, 0, 0, 0], [0, 1, 1, 0]]),
    "counts without parts": setting("a+b", 1000, outputs=[2, 0, 0]),
    "supports": setting("x", BIT, supports=[1, 2]),
    "a range beyond the last": moved("x", BIT, str(stratum_of(500, 2))),
    "a range of what has none": moved("a+b", 1000, str(stratum_of(1000, 1))),
    "a level off the menu": moved("x", BIT, str(stratum_of(750, 1))),
    "a grade below zero": moved("x", BIT, str(500 - (1 << 15))),
}


@for_each("change", MALFORMED.values())
def test_a_malformed_aggregate_is_refused(change: Callable[[Document], object]) -> None:
    assert Aggregate.from_json(PLAN, spoilt(lambda _: None)).counted("x")[BIT].n == 3
    with pytest.raises(TableError):
        Aggregate.from_json(PLAN, spoilt(change))
