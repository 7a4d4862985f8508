"""Means of keys: near the truth with unequal budgets, unbounded where nothing is known."""

from functools import cache

import numpy as np
import pyarrow as pa
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.statistics import STATISTICS
from discretion.table import ReportTable
from tests.unit.aggregate.test_holding import SURE, crowd

N = 60_000
SEED = 20261120
KEYS = ["a", "b", "c", "d", "rare"]
SHARES = [0.4, 0.3, 0.2, 0.1, 0.001]
MEANS = [20.0, 45.0, 30.0, 50.0, 60.0]


def plan_of(levels: list[float], length: object) -> Plan:
    hours = {"name": "hours", "kind": "map", "keys": KEYS, "range": [0, 60], "length": length}
    asked = [{**hours, "step": 0.5, "question": "Hours", "unit": "h"}]
    return Plan.of({"name": "hours", "attributes": asked, "budget": {"levels": levels}})


@cache
def rated() -> tuple[ReportTable, np.ndarray, np.ndarray]:
    """Reports of hours by key at unequal levels, and the truth: shares, and means."""
    rng = np.random.default_rng(SEED)
    has = rng.random((N, len(KEYS))) < SHARES
    hours = np.clip(rng.normal(MEANS, 8, (N, len(KEYS))), 0, 60).round()
    rows = [
        [(key, hour) for key, hour, own in zip(KEYS, *each, strict=True) if own]
        for each in zip(hours.tolist(), has.tolist(), strict=True)
    ]
    frame = pa.table({"hours": pa.array(rows, pa.map_(pa.string(), pa.float64()))})
    plan = plan_of([0.5, 1, 2, 4], [5, 2])
    reports = ds.simulate(plan, frame, budgets="levels", seed=SEED)
    return reports, has.mean(axis=0), (has * hours).sum(axis=0) / has.sum(axis=0)


def test_means_and_shares_are_near_the_truth_and_the_rare_key_is_not_learnt() -> None:
    reports, shares, truth = rated()
    found = ds.means(reports, "hours")
    assert found.learnt.tolist() == [True, True, True, True, False]
    assert (np.abs(found.shares.value - shares) < SURE * found.shares.stderr).all()
    exact, stderr = found.exact.value[:4], found.stderr[:4]
    assert (np.abs(exact - truth[:4]) < SURE * stderr).all()
    products = shares * truth
    assert (np.abs(found.products.value - products) < SURE * found.products.stderr).all()
    low, high = found.interval().T
    assert ((low <= found.value) | np.isnan(found.value)).all()
    assert (low[4], high[4]) == (0.0, 60.0)
    assert np.isnan(found.value[4])
    assert "not learnt" in str(found)
    assert found["b"].value == found.value[1]


def test_values_are_drawn_towards_the_mean_of_all_by_the_ratio_of_variances() -> None:
    found = ds.means(rated()[0], "hours")
    assert ((found.kept[:4] > 0) & (found.kept[:4] < 1)).all()
    apart = found.exact.value[:4] - found.centre
    np.testing.assert_allclose(found.value[:4], found.centre + found.kept[:4] * apart)
    assert np.argsort(found.kept[:4]).tolist() == np.argsort(-found.stderr[:4]).tolist()


def test_counts_and_reports_give_the_same_answer_with_margins_of_shares_and_means() -> None:
    reports, _, _ = rated()
    statistic = STATISTICS["means"]
    one, other = (statistic.answered(d, "hours") for d in (reports, Aggregate.of(reports)))
    assert one == other
    assert one["keys"][4]["value"] is None
    assert [row["what"] for row in one["margins"][0]["margins"]] == [
        *KEYS,
        *(f"mean of {key}" for key in KEYS),
    ]
    assert sum(each["share"] for each in one["weights"]) == pytest.approx(1)


def test_a_margin_is_what_false_reports_do() -> None:
    """At one level false reports have their share of the estimate."""
    plan, share = plan_of([2], 5), 0.02
    rows = [[("a", 20.0)], [("a", 60.0), ("b", 1.0)]] * 5000
    frame = pa.table({"hours": pa.array(rows, pa.map_(pa.string(), pa.float64()))})
    reports = ds.simulate(plan, frame, seed=SEED)
    found = ds.means(reports, "hours")
    low, high = found.products.value[0], found.shares.value[0]
    bounds = {row["what"]: row for row in ds.margin(reports, "hours", share).to_frame().to_pylist()}
    law = plan.questions["hours"].law(2000)
    own, other = float(law.own), float(law.other)  # type: ignore[attr-defined]
    one, none = (1 - other) / (own - other), -other / (own - other)  # scores of a code
    f = (1 - share) * high + share * (one + none)
    product = (1 - share) * low + share * (60 * one + 0 * none)  # only its upper end
    assert bounds["mean of a"]["up"] >= product / f - low / high - 1e-9
    most = (1 - share) * high + share * (one + (one if law.count > 1 else none))  # type: ignore[attr-defined]
    assert bounds["a"]["up"] == pytest.approx(most - high)


def test_means_are_of_maps_and_stratified_takes_the_longest() -> None:
    reports, _ = crowd()
    with pytest.raises(EstimateError, match="'basket' is a set: means are of maps"):
        ds.means(reports, "basket")
    stars = ds.means(reports, "stars", method="stratified")
    assert stars.method == "stratified"
    assert abs(stars.exact.value[0] - 4) < SURE * stars.exact.stderr[0]
