"""A change has the error that fits how owners answered again."""

import json
from typing import Any

import numpy as np
import pytest

import discretion as ds
from discretion.crowd.rounds import simulate_rounds
from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.unit.trends.conftest import OWNERS, STEP, plan_of, shares

RUNS = 40


def test_repeated_answers_have_repeated_reports(memo: ReportTable, truth: list[Any]) -> None:
    first, second = (memo.of_round(round).data for round in (1, 2))
    same = truth[1]["travel"] == truth[2]["travel"]
    alike = np.array(first["travel.y"].to_pylist()) == np.array(second["travel.y"].to_pylist())
    assert alike[same].all()
    assert 0.02 < 1 - alike[~same].mean() <= 1
    assert first["hours.y"].equals(second["hours.y"])


def test_owners_of_a_plan_that_rotates_answer_once_in_their_rounds(truth: list[Any]) -> None:
    plan = plan_of({"rotate": [2, 4]})
    reports = simulate_rounds(plan, truth[:4], every=4, seed=5)
    assert len(reports) == OWNERS
    assert all(0.2 < len(reports.of_round(r)) / OWNERS < 0.3 for r in range(4))


def test_variances_of_fresh_rounds_add_and_those_of_a_memo_are_bounds(
    fresh: ReportTable, memo: ReportTable
) -> None:
    for reports, method in ((fresh, "independent rounds"), (memo, "bound: answers are repeated")):
        one, other = (ds.frequencies(reports.of_round(r), "travel", "weighted") for r in (2, 9))
        found = ds.change(reports, "travel", 2, 9)
        assert found.test.method == method
        assert found.sides == ("round 9", "round 2")
        np.testing.assert_allclose(found.value, other.value - one.value)
        errors = np.array([one.stderr, other.stderr])
        whole = np.sqrt((errors**2).sum(axis=0)) if "indep" in method else errors.sum(axis=0)
        np.testing.assert_allclose(found.stderr, whole, rtol=1e-6)
        assert found.pvalue < 1e-3
        json.dumps(found.document(), allow_nan=False)


def test_intervals_of_fresh_rounds_cover_and_those_of_a_memo_do_not_miss(truth: list[Any]) -> None:
    pair = [{"travel": r["travel"], "hours": r["hours"]} for r in (truth[0], truth[STEP])]
    apart = shares(pair[1]) - shares(pair[0])
    covered = {"fresh": 0.0, "memo": 0.0}
    for again in covered:
        for seed in range(RUNS):
            reports = simulate_rounds(plan_of(again), pair, budgets="levels", seed=seed)
            low, high = ds.change(reports, "travel", 0, 1).interval().T
            covered[again] += float(((low <= apart) & (apart <= high)).mean()) / RUNS
    print(f"{RUNS} runs, seeds from 0: covered {covered}")
    assert 0.91 < covered["fresh"] <= 1  # it counts a sample that is the same people here
    assert covered["memo"] > 0.98


def test_a_number_is_followed_by_its_mean(fresh: ReportTable) -> None:
    found = ds.change(fresh, "hours", 0, 11)
    assert found.of_mean
    low, high = found.interval()[0]
    assert low < 0 < high


def test_rounds_that_are_not_there_or_not_two_are_refused(fresh: ReportTable) -> None:
    with pytest.raises(EstimateError, match="no reports of round 99: rounds are 0, 1"):
        ds.change(fresh, "travel", 0, 99)
    with pytest.raises(EstimateError, match="between two rounds"):
        ds.change(fresh, "travel", 3, 3)
    counts = [ds.Aggregate.of(fresh.of_round(r)) for r in (0, 1)]
    assert ds.change(counts, "travel", 0, 1).pvalue == ds.change(fresh, "travel", 0, 1).pvalue
    with pytest.raises(EstimateError, match="each round must be there once"):
        ds.change([counts[0], counts[0]], "travel", 0, 1)
    other = [counts[0], ds.Aggregate(plan_of("memo"), 1)]
    with pytest.raises(EstimateError, match="must be of one plan"):
        ds.change(other, "travel", 0, 1)


def test_items_of_sets_are_followed_each_by_itself() -> None:
    """Shares of items do not sum to one, so the test has a degree of freedom for each."""
    basket = {"name": "basket", "kind": "set", "items": [*"abc"], "length": [2, 3]}
    levels = {"levels": [2, 4]}
    plan = Plan.of({"name": "s", "attributes": [basket], "budget": levels, "again": "fresh"})
    before, after = [["a", "b"]] * 1500, [["a"]] * 1500
    weeks = simulate_rounds(
        plan, [{"basket": each} for each in (before, after)], budgets="levels", seed=5
    )
    found = ds.change(weeks, "basket", 0, 1)
    assert found.test.df == 3
    low, high = found.interval().T
    assert ((low <= [0, -1, 0]) & (np.array([0, -1, 0]) <= high)).all()
    assert ds.series(weeks, "basket").labels == ("a", "b", "c")
