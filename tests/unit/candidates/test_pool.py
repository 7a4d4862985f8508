"""Two rounds as one estimate: its weights, its error by enumeration, and its intervals."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import discretion as ds
from discretion.candidates.carving import Carved
from discretion.errors import EstimateError
from discretion.estimate.votes import Votes

ITEMS = ["a", "b", "c", "d", "e", "f"]
LEVELS = [0.5, 4]
N = 4000
SEED = 7


@pytest.fixture(scope="module")
def first() -> Any:
    asked = {"name": "x", "kind": "set", "items": ITEMS, "length": 6}
    plan = ds.Plan.of({"name": "f", "attributes": [asked], "budget": {"levels": LEVELS}})
    return ds.frequencies(ds.simulate(plan, people(), budgets=levels(), seed=1), "x")


@pytest.fixture(scope="module")
def again(first: Any) -> ds.ReportTable:
    closer = ds.focus(first, 4, sets=2)
    return ds.simulate(closer, people(), budgets=levels(), seed=2)


def people() -> dict[str, list[list[str]]]:
    rng = np.random.default_rng(SEED)
    chances = np.array([0.6, 0.5, 0.3, 0.1, 0.05, 0.02])
    names = np.array(ITEMS)
    return {"x": [names[own].tolist() for own in rng.random((N, 6)) < chances]}


def levels() -> dict[str, list[float]]:
    return {"x": LEVELS * (N // 2)}


def test_what_owners_have_in_common_is_counted_by_their_weights() -> None:
    """By hand: of four owners two weigh .4, and keep that weight in the other round."""
    one = Votes(np.array([2.0, 2.0]), np.array([0.1, 0.4]), 4)
    other = Votes(np.array([3.0, 1.0]), np.array([0.2, 0.4]), 4)
    assert one.beside(one, 4) == pytest.approx(2 * 0.01 + 2 * 0.16)
    assert one.beside(other, 4) == pytest.approx(2 * 0.1 * 0.2 + 0.4 * 0.2 + 0.4 * 0.4)
    assert one.beside(other, 2) == pytest.approx(one.beside(other, 4) / 2)
    assert one.beside(other, 0) == 0
    half = Votes(np.array([1.0, 1.0]), np.array([0.2, 0.8]), 4)  # the reports of two say nothing
    assert half.beside(one, 4) == pytest.approx(0.2 * 0.1 + 0.8 * 0.4)


def test_no_other_way_in_which_owners_choose_levels_has_more_in_common() -> None:
    rng = np.random.default_rng(SEED)
    mine, hers = rng.random((2, 5))
    made = [Votes(np.ones(5), each / each.sum(), 5) for each in (mine, hers)]
    most = made[0].beside(made[1], 5)
    for _ in range(100):
        assert made[0].weight @ rng.permutation(made[1].weight) <= most + 1e-12


def test_rounds_are_weighed_by_precision_and_itemsets_are_of_the_second(
    first: Any, again: ds.ReportTable
) -> None:
    both = ds.pool(again, first, common=N)
    assert both.labels == again.plan.attributes["x"].labels
    new = [label not in ITEMS for label in both.labels]
    assert any(new)
    assert np.isnan(both.first[new]).all()
    assert (both.weight[new] == 0).all()
    old = ~np.array(new)
    assert ((both.weight > 0) & (both.weight < 1))[old].all()
    expected = both.weight * np.nan_to_num(both.first) + (1 - both.weight) * both.second.value
    assert both.value == pytest.approx(expected)
    assert both.interval()[new] == pytest.approx(both.second.interval()[new], abs=1e-3)
    apart = ds.pool(again, first, common=0)
    assert (apart.stderr[old] < both.stderr[old]).all()
    assert both.value == pytest.approx(apart.value)
    assert ds.pool(again, first).stderr == pytest.approx(both.stderr)  # as many as there can be


def test_a_pooled_estimate_is_a_frame_a_document_and_a_table(
    first: Any, again: ds.ReportTable
) -> None:
    both = ds.pool(again, first, common=N)
    frame = both.to_frame("pandas")
    assert [*frame.columns[:5]] == ["label", "share", "stderr", "low", "high"]
    assert {"second_low", "second_high", "weight"} <= set(frame.columns)
    document: Any = both.document()
    assert document["reports"] == [N, N]
    assert None in [row["first"] for row in document["shares"]]
    assert f"{N:,} owners counted in both" in str(both)
    assert both["a"].value == both.value[both.labels.index("a")]


def test_intervals_are_exact_given_that_the_first_estimate_passed() -> None:
    """Against a million draws: the ends leave 2.5 % on either side, at the limit and far above."""
    rng = np.random.default_rng(SEED)
    errors, weight, least = (1.0, 0.7), 0.3, 1.0
    common = 0.2
    covariance = [[errors[0] ** 2, common], [common, errors[1] ** 2]]
    for share in (0.0, 1.0, 3.0):
        x = rng.multivariate_normal([share, share], covariance, 1_000_000)
        pooled = (weight * x[:, 0] + (1 - weight) * x[:, 1])[x[:, 0] >= least]
        error = float(np.sqrt(np.array([weight, 1 - weight]) @ covariance @ [weight, 1 - weight]))
        beside = weight * errors[0] ** 2 + (1 - weight) * common
        for value in np.quantile(pooled, [0.025, 0.975]).tolist():
            found = Carved(value, error, errors[0], beside, least)
            assert min(abs(found._above(share) - each) for each in (0.025, 0.975)) < 0.002


def test_without_selection_an_interval_is_that_of_the_normal_law() -> None:
    low, high = Carved(0.3, 0.02, 0.03, 0.0004, -np.inf).interval(0.9)
    reach = stats.norm.isf(0.05) * 0.02
    assert (low, high) == pytest.approx((0.3 - reach, 0.3 + reach), abs=5e-5)
    low, high = Carved(-0.05, 0.02, 0.03, 0.0004, -np.inf).interval(0.95)
    assert (low, high) == (0.0, 0.02)  # by a standard error into what a share can be


@pytest.mark.parametrize("common", [-1, N + 1, 2.0, True])
def test_common_owners_are_so_many(first: Any, again: ds.ReportTable, common: Any) -> None:
    with pytest.raises(EstimateError, match=f"from 0 to {N}"):
        ds.pool(again, first, common)


def test_other_estimates_and_other_plans_are_refused(first: Any, again: ds.ReportTable) -> None:
    with pytest.raises(EstimateError, match="the estimate that was given to focus, got int"):
        ds.pool(again, 7)
    asked = {"name": "x", "kind": "set", "items": ["u", "v"], "length": 1}
    plan = ds.Plan.of({"name": "g", "attributes": [asked], "budget": {"levels": [4]}})
    with pytest.raises(EstimateError, match="no label of 'x' is in both"):
        ds.pool(ds.simulate(plan, {"x": [["u"]] * 50}, seed=1), first)
    owners = ds.frequencies(ds.simulate(first.plan, people(), seed=1), "x", target="owners")
    with pytest.raises(EstimateError, match="for the population"):
        ds.pool(again, owners)
