"""Honest crowds are not suspected, liars of the simplest kind are; nothing is dropped."""

import json

import numpy as np
import pytest
from scipy.stats import binom

from discretion.aggregate import Aggregate
from discretion.crowd import simulate
from discretion.labels import frequencies
from discretion.mechanism import MECHANISMS
from discretion.plan import Family, Plan
from discretion.robustness.screening import SECRET, screen
from discretion.robustness.testing import ALPHA
from tests.builders import aggregate_of, answered, disclosed, secret, table_of
from tests.significance import ALPHA as SURE
from tests.unit.family.test_codewords_linear import BLOOM, RAPPOR, plan_of

SIZE, TOP = 5, 3000
TRUTH = np.array([0.5, 0.25, 0.15, 0.07, 0.03])
CROWDS = 400
TARGET = 4  # the rarest, which liars want to be frequent


def honest(plan: Plan, n: int, seed: int) -> Aggregate:
    codes = np.random.default_rng(seed).choice(SIZE, n, p=TRUTH)
    return Aggregate.of(answered(plan, codes, seed))


def lying(plan: Plan, y: int, n: int, level: int = TOP) -> Aggregate:
    return Aggregate.of(table_of(plan, [{"x": (level, y)}] * n))


@pytest.mark.parametrize("crowds", [40, pytest.param(CROWDS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_honest_crowds_are_seldom_suspected(mechanism: str, crowds: int) -> None:
    """Small crowds with three levels and gaps: alarms no more often than alpha allows."""
    plan = disclosed(mechanism, SIZE)
    alarms = sum(bool(screen(honest(plan, 400, seed), "x").suspicious) for seed in range(crowds))
    most = binom.isf(SURE, crowds, ALPHA)
    assert alarms <= most, f"{alarms} of {crowds} honest crowds suspected, {most} allowed"


@pytest.mark.parametrize("mechanism", [BLOOM, pytest.param(RAPPOR, marks=pytest.mark.slow)])
def test_honest_words_are_seldom_suspected(mechanism: object) -> None:
    plan, alarms = plan_of(mechanism), 0
    for seed in range(100):
        x = np.random.default_rng(seed).choice(3, 500, p=[0.7, 0.2, 0.1])
        records = {"x": x, "z": np.where(x > 0, "yes", "no")}
        alarms += bool(screen(simulate(plan, records, budgets="levels", seed=seed), "x").suspicious)
    assert alarms <= binom.isf(SURE, 100, ALPHA)


@pytest.mark.parametrize(
    "mechanism, y, test",
    [
        ("oue", 1 << TARGET, "ones"),
        ("sue", 1 << TARGET, "ones"),
        ("grr", TARGET, "agreement"),
        ("subset", 1 << TARGET, "agreement"),
    ],
)
def test_one_liar_of_twenty_who_gains_most_is_noticed(mechanism: str, y: int, test: str) -> None:
    """All liars send the best report for their target, at the level that weighs most.

    Where only the comparison shows it, two informative levels must be there to agree.
    """
    plan = disclosed(mechanism, SIZE, [0.5, 2, 2.5, 3])
    assert plan.questions["x"].law(TOP, Family.SETS).form.admits(y)
    found = screen(honest(plan, 3_800, seed=3).merge(lying(plan, y, 200)), "x")
    (group,) = found.suspicious
    assert group.level == TOP
    assert getattr(group, test) < 1e-4
    assert found.without is not None
    assert found.without_stderr is not None
    assert found.value[TARGET] > TRUTH[TARGET] + 4 * found.stderr[TARGET]
    assert abs(found.without - TRUTH).max() < 4 * found.without_stderr.max()


def test_where_it_is_unknown_which_level_is_bad_all_that_may_be_are_suspicious() -> None:
    """The lowest level carries too little information to decide between the other two."""
    plan = disclosed("subset", SIZE)
    found = screen(honest(plan, 1_900, seed=3).merge(lying(plan, 1 << TARGET, 100)), "x")
    assert [group.level for group in found.suspicious] == [1500, TOP]


def test_false_reports_at_a_level_of_their_own_are_out_of_bounds() -> None:
    plan = disclosed("grr", SIZE)
    whole = honest(plan, 1_900, seed=4)
    kept = {v: tally for v, tally in whole.counted("x").items() if v != TOP}
    found = screen(aggregate_of(plan, kept).merge(lying(plan, TARGET, 100)), "x")
    (group,) = found.suspicious
    assert group.level == TOP
    assert group.outputs is not None
    assert group.outputs < 1e-3


def test_false_codewords_have_too_many_bits_or_too_few() -> None:
    plan = plan_of(BLOOM)
    rng = np.random.default_rng(5)
    records = {"x": rng.choice(3, 1_900, p=[0.6, 0.3, 0.1]), "z": rng.choice(["yes", "no"], 1_900)}
    crowd = Aggregate.of(simulate(plan, records, budgets="levels", seed=5))
    assert not screen(crowd, "x").suspicious
    found = screen(crowd.merge(lying(plan, 0b1111, 100)), "x")
    assert [group.level for group in found.suspicious] == [TOP]
    assert found.suspicious[0].ones is not None
    assert found.suspicious[0].ones < 1e-4
    assert found.without is not None


def test_of_secret_levels_only_the_widest_bounds_are_tested() -> None:
    plan = secret(SIZE)
    crowd = honest(plan, 1_000, seed=6)
    found = screen(crowd, "x")
    (group,) = found.groups
    assert (group.level, group.ones, group.agreement, group.suspicious) == (0, None, None, False)
    assert found.note == SECRET
    np.testing.assert_allclose(found.value, frequencies(crowd, "x", "moment").value)
    flooded = screen(crowd.merge(Aggregate.of(table_of(plan, [{"x": (0, 1)}] * 900))), "x")
    assert flooded.groups[0].suspicious
    assert flooded.without is None
    assert flooded.without_stderr is None
    assert flooded.share == 1.0
    assert flooded.document()["estimates"][0]["without"] is None


def test_with_nothing_suspicious_both_estimates_are_the_weighted_one() -> None:
    plan = disclosed("oue", SIZE)
    crowd = honest(plan, 1_000, seed=7)
    found, estimate = screen(crowd, "x"), frequencies(crowd, "x", "weighted")
    np.testing.assert_array_equal(found.value, estimate.value)
    np.testing.assert_array_equal(found.stderr, estimate.stderr)
    np.testing.assert_array_equal(found.without, found.value)
    assert found.share == 0.0
    assert sum(group.n for group in found.groups) == estimate.n


def test_suspicious_groups_are_left_out_of_without_alone() -> None:
    plan = disclosed("oue", SIZE)
    data = honest(plan, 1_900, seed=8).merge(lying(plan, 1 << TARGET, 100))
    found = screen(data, "x")
    kept = {v: tally for v, tally in data.counted("x").items() if v != TOP}
    rest = frequencies(aggregate_of(plan, kept), "x", "weighted")
    assert found.without is not None
    assert found.without_stderr is not None
    np.testing.assert_allclose(found.without, rest.value)
    np.testing.assert_allclose(found.without_stderr, rest.stderr)
    assert found.share == found.suspicious[0].n / sum(group.n for group in found.groups)


def test_the_frame_and_the_document_have_a_row_a_group() -> None:
    plan = disclosed("grr", SIZE)
    found = screen(honest(plan, 300, seed=9), "x")
    rows = found.to_frame().to_pylist()
    assert [row["level"] for row in rows] == [500, 1500, 3000]
    assert rows[0]["ones"] is None
    assert [row["n"] for row in rows] == [group.n for group in found.groups]
    document = json.loads(json.dumps(found.document(), allow_nan=False))
    assert document["groups"] == rows
    assert [row["what"] for row in document["estimates"]] == list(found.what)
    assert document["alpha"] == ALPHA
    assert found.to_frame("pandas").shape == (3, 8)


def test_two_levels_that_contradict_each_other_are_both_suspicious() -> None:
    plan = disclosed("grr", 2, [1, 3])
    rows = [{"x": (1000, 0)}] * 260 + [{"x": (1000, 1)}] * 140
    rows += [{"x": (3000, 0)}] * 100 + [{"x": (3000, 1)}] * 300
    found = screen(table_of(plan, rows), "x")
    assert len(found.suspicious) == 2
    assert found.without is None


def test_of_very_many_levels_those_with_most_reports_are_compared() -> None:
    plan = disclosed("grr", 2, [i / 10 for i in range(1, 31)])
    rows = [
        {"x": (100 * i, y % 2)} for i in range(1, 31) for y in range(100 + 2 * i)
    ]  # the higher the level, the more of them
    found = screen(table_of(plan, rows), "x")
    assert [group.agreement is not None for group in found.groups] == [False] * 6 + [True] * 24
    assert not found.suspicious
