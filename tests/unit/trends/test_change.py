"""A change has the error that fits how owners answered again."""

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import discretion as ds
from discretion.crowd.rounds import simulate_rounds
from discretion.errors import EstimateError
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.trends.grouped import LARGEST, group_test
from discretion.trends.waves import estimated
from tests.unit.trends.conftest import OWNERS, STEP, VALUES, plan_of, shares

RUNS = 40


def test_repeated_answers_have_repeated_reports(memo: ReportTable, truth: list[Any]) -> None:
    first, second = (memo.of_round(round).data for round in (1, 2))
    same = truth[1]["travel"] == truth[2]["travel"]
    alike = np.array(first["travel.y"].to_pylist()) == np.array(second["travel.y"].to_pylist())
    assert alike[same].all()
    assert 0.02 < 1 - alike[~same].mean() <= 1
    assert first["hours.y"].equals(second["hours.y"])


def test_owners_who_lack_an_attribute_never_report_it() -> None:
    frame = {"travel": [None, *"aab"] * 100, "hours": [7] * 400}
    weeks = simulate_rounds(plan_of("memo"), [frame, frame], budgets="levels", seed=1)
    first, second = (weeks.of_round(round).data["travel.y"] for round in (0, 1))
    assert first.null_count == 100
    assert first.equals(second)


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


def grouped(levels: list[float], **more: Any) -> Plan:
    asked = [
        {"name": "travel", "kind": "categorical", "values": [*"abcd"], "mechanism": "oue"},
        {"name": "hours", "kind": "numeric", "range": [0, 40], "step": 1, "mechanism": "pm"},
    ]
    budget = {"levels": levels}
    return Plan.of({"name": "g", "attributes": asked, "budget": budget, **GROUPS, **more})


GROUPS = {"groups": 64, "owners": 6400}
LARGE = 6400


def people(seed: int, changers: float) -> tuple[list[dict[str, Any]], Any]:
    """Return the records of two rounds, and by how much shares change in the population."""
    rng = np.random.default_rng(seed)
    before, after = [0.4, 0.3, 0.2, 0.1], [0.1, 0.3, 0.2, 0.4]
    first = rng.choice(4, LARGE, p=before)
    moves = rng.random(LARGE) < changers
    second = np.where(moves, rng.choice(4, LARGE, p=after), first)
    hours = rng.integers(0, 41, LARGE)
    records = [{"travel": np.array(VALUES)[x], "hours": hours} for x in (first, second)]
    return records, changers * (np.array(after) - before)


def unequal(seed: int) -> dict[str, Any]:
    """Return budgets of three levels, of which some owners share one attribute alone."""
    rng = np.random.default_rng(seed)
    found = {name: rng.choice([0.5, 1.0, 2.0], LARGE).tolist() for name in ("travel", "hours")}
    found["travel"] = [None if i % 5 == 0 else each for i, each in enumerate(found["travel"])]
    return found


def test_groups_of_owners_give_an_interval_where_answers_are_repeated() -> None:
    plan, covered, shorter = grouped([0.5, 1, 2]), [], []
    for seed in range(12):
        records, truth = people(seed, 0.1)
        weeks = simulate_rounds(plan, records, budgets=unequal(seed), seed=seed)
        found = ds.change(weeks, "travel", 0, 1)
        low, high = found.interval().T
        covered.append(((low <= truth) & (truth <= high)).mean())
        counts = [ds.Aggregate.of(weeks.of_round(round)) for round in (0, 1)]
        bound = ds.change(counts, "travel", 0, 1)
        assert bound.test.method == "bound: answers are repeated"
        shorter.append((found.stderr / bound.stderr).mean())
        assert found.test.method == "groups of owners"
    print(f"seeds 0 to 11: covered {np.mean(covered):.3f}, of the bound {np.mean(shorter):.3f}")
    assert np.mean(covered) > 0.8  # 48 intervals: five are missed in one of 100,000 runs
    assert np.mean(shorter) < 0.3


def test_without_a_change_nothing_is_uncertain() -> None:
    records, _ = people(1, 0.0)
    weeks = simulate_rounds(grouped([1]), records, budgets="levels", seed=1)
    for name in ("travel", "hours"):
        found = ds.change(weeks, name, 0, 1)
        assert np.abs(found.value).max() < 1e-12
        assert found.stderr.max() < 1e-12
        assert found.pvalue == 1


def test_leaving_groups_out_agrees_with_the_laws_where_rounds_are_independent() -> None:
    """The same plan, but other owners: then the variances of both rounds add."""
    plan = grouped([1])
    records, _ = people(3, 1.0)
    rounds = [ds.simulate(plan, each, budgets="levels", seed=i) for i, each in enumerate(records)]
    later = rounds[1].data.set_column(
        rounds[1].data.column_names.index("round"), "round", pa.array(np.ones(LARGE, np.int32))
    )
    weeks = ReportTable(plan, pa.concat_tables([rounds[0].data, later]))
    for name in ("travel", "hours"):
        found = ds.change(weeks, name, 0, 1)
        sides = [estimated(weeks.of_round(round), name).covariance() for round in (0, 1)]
        expected = np.sqrt(np.diag(sides[0] + sides[1]))
        assert found.stderr == pytest.approx(expected, rel=0.4)  # 63 squares: 9 % each


def test_of_many_labels_the_largest_difference_decides() -> None:
    apart = np.array([0.0] * 39 + [0.5])
    found = group_test(apart, np.eye(40) * 0.01, 64, 39)
    assert (found.method, found.df) == (LARGEST, 1)
    assert found.pvalue == pytest.approx(40 * 2 * stats.t.sf(5, 63))
    none = group_test(np.zeros(40), np.zeros((40, 40)), 64, 39)
    assert none.pvalue == 1


def test_a_round_without_some_group_has_a_bound() -> None:
    plan, records = grouped([1]), people(1, 0.1)[0]
    weeks = simulate_rounds(plan, records, budgets="levels", seed=1)
    data = weeks.data
    group = np.array([each[0] % 64 for each in data["id"].to_pylist()])
    kept = ReportTable(plan, data.filter(pa.array((group != 5) | (data["round"].to_numpy() == 0))))
    assert ds.change(kept, "travel", 0, 1).test.method == "bound: answers are repeated"


def test_numbers_that_drift_are_followed_where_rounding_is_kept() -> None:
    """Rounding errors of one owner are the same in all rounds, and cancel in a change."""
    hours = {"name": "hours", "kind": "numeric", "range": [0, 40], "step": 10, "mechanism": "pm"}
    asked = {"attributes": [{**hours, "rounding": "kept"}], **GROUPS}
    plan = Plan.of({"name": "g", "budget": {"levels": [1, 2]}, **asked})
    covered, same = [], []
    for seed in range(8):
        first = np.random.default_rng(seed).uniform(1, 38, LARGE)
        records = [{"hours": first}, {"hours": first + 0.5}]
        weeks = simulate_rounds(plan, records, budgets="levels", seed=seed)
        low, high = ds.change(weeks, "hours", 0, 1).interval()[0]
        covered.append(low <= 0.5 <= high)
        sent = [weeks.of_round(round).data["hours.y"].to_pylist() for round in (0, 1)]
        same.append(np.mean([a == b for a, b in zip(*sent, strict=True)]))
    print(f"seeds 0 to 7: {sum(covered)} of 8 hold, {np.mean(same):.3f} sent the same again")
    assert sum(covered) >= 5  # fewer in one of 10,000 runs
    assert 0.94 < np.mean(same) < 0.97  # one owner in 20 passes her threshold


def test_groups_of_owners_see_the_second_stage_of_those_who_do_not_change() -> None:
    """Their kept answers cancel, and what two rounds send of these does not."""
    asked = {"name": "v", "kind": "categorical", "values": [*"abcd"], "mechanism": "lgrr"}
    plan = Plan.of({"name": "g", "attributes": [asked], "budget": {"levels": [2]}, **GROUPS})
    law: Any = plan.questions["v"].law(2000)
    (own, other), (same, another) = law.means, map(float, law.second.means)
    kept = float(law.permanent.means[0]) * np.array([0.4, 0.3, 0.2, 0.1])
    kept += float(law.permanent.means[1]) * np.array([0.6, 0.7, 0.8, 0.9])
    each = 2 * (kept * same * (1 - same) + (1 - kept) * another * (1 - another))
    exact = np.sqrt(each / LARGE) / float(own - other)
    codes = np.repeat([0, 1, 2, 3], [2560, 1920, 1280, 640])
    frame = {"v": np.array(VALUES)[codes]}
    scores, ratios = [], []
    for seed in range(8):
        found = ds.change(simulate_rounds(plan, [frame, frame], seed=seed), "v", 0, 1)
        assert found.test.method == "groups of owners"
        scores.append(found.value / exact)
        ratios.append(found.stderr / exact)
    print(f"seeds 0 to 7: {np.std(scores):.2f} of the exact error, {np.mean(ratios):.2f} estimated")
    assert np.abs(scores).max() < 5
    assert 0.5 < np.std(scores) < 1.6
    assert 0.9 < np.mean(ratios) < 1.1
