"""Shares and means of keys among the owners with one of them: the exact law, and the truth."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.mechanism.cover import cover
from discretion.mechanism.holding import given_law
from discretion.mechanism.matrix import WHOLE
from discretion.plan import Family, Plan
from tests.unit.aggregate.test_holding import ROUNDED, SURE

N = 60_000
SEED = 20261122
KEYS = [f"k{i}" for i in range(12)]


def test_the_law_of_two_keys_is_what_their_report_says_about_them() -> None:
    """Every map of one or two keys of three, and every report of it."""
    law = cover(6, 2, 1000)
    rows = given_law(law).weights
    for code in range(law.size):
        keys = [code >> 2 * i & 3 for i in range(3)]
        if code.bit_count() > 2 or 3 in keys:
            continue
        seen: Counter[int] = Counter()
        for y in law.outputs():
            first, second = (y & 3).bit_count(), y >> 2 & 3
            seen[4 * first + second] += law.probability(y, code)  # type: ignore[assignment]
        row = rows[3 * bool(keys[0]) + keys[1]]
        for output, weight in enumerate(row):
            assert abs(Fraction(weight, WHOLE) - seen[output]) < ROUNDED


def test_shares_and_means_among_owners_with_a_key_are_near_the_truth() -> None:
    rng = np.random.default_rng(SEED)
    first = rng.random(N) < 0.4
    second = rng.random(N) < np.where(first, 0.7, 0.1)
    high = np.where(first, 8.0, 2.0)
    rows = [
        [("k0", 5.0)] * one + [("k1", number)] * two
        for one, two, number in zip(first.tolist(), second.tolist(), high.tolist(), strict=True)
    ]
    frame = pa.table({"hours": pa.array(rows, pa.map_(pa.string(), pa.float64()))})
    hours = {"name": "hours", "kind": "map", "keys": KEYS, "range": [0, 10], "length": [2, 1]}
    levels = {"levels": [0.5, 1, 2, 4]}
    asked = [{**hours, "step": 1}]
    plan = Plan.of({"name": "hours", "attributes": asked, "budget": levels})
    reports = ds.simulate(plan, frame, budgets="levels", ranges="menu", seed=SEED)
    found = ds.means(reports, "hours", given="k0")
    plain = ds.means(reports, "hours", method="stratified")
    row = found.to_frame("pyarrow").to_pylist()[0]
    assert found.labels == tuple(KEYS[1:])
    assert abs(row["share"] - 0.7) < SURE * row["share_stderr"]
    assert abs(found.exact.value[0] - 8) < SURE * found.exact.stderr[0]
    everybody = (0.4 * 0.7 * 8 + 0.6 * 0.1 * 2) / (0.4 * 0.7 + 0.6 * 0.1)
    assert abs(plain.exact.value[1] - everybody) < SURE * plain.exact.stderr[1]
    assert found.n == (reports.data["hours.range"].to_numpy() == 0).sum()
    assert found.shares.stderr[0] > plain.shares.stderr[1]
    assert "among those with k0" in str(found)
    for data, given, rule in (
        (reports, "k99", "no 'k99' among its keys"),
        (Aggregate.of(reports), "k0", "needs the reports themselves"),
    ):
        with pytest.raises(EstimateError, match=rule):
            ds.means(data, "hours", given=given)
    with pytest.raises(EstimateError, match="method with given"):
        ds.means(reports, "hours", "stratified", given="k0")


def test_reports_of_one_code_are_refused_with_the_reason() -> None:
    hours = {"name": "hours", "kind": "map", "keys": ["a", "b", "c"], "range": [0, 10]}
    asked = [{**hours, "step": 1, "length": 2}]
    plan = Plan.of({"name": "hours", "attributes": asked, "budget": {"levels": [4]}})
    assert plan.questions["hours"].law(4000, Family.COVERS).count == 1
    reports = ds.simulate(plan, {"hours": [{"a": 1, "b": 2}] * 100}, seed=SEED)
    with pytest.raises(EstimateError, match="reports of one code say nothing about two keys"):
        ds.means(reports, "hours", given="a")
