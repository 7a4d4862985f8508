"""Budgets for a crowd keep the plan's policy, row by row."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discretion.budget import Average, Budget, Levels, Policy, Total
from discretion.budget.policy import apportion
from discretion.crowd import simulate
from discretion.crowd.allocation import allocate, apportion_many
from discretion.crowd.records import ROWS
from discretion.errors import BudgetError, UnknownAttribute
from discretion.plan import Plan
from tests.builders import AVERAGE, LEVELS, POLICIES, TOTAL, author, owners, survey
from tests.cases import for_each

OWNERS, SEED = 400, 21
SHARED = np.random.default_rng(SEED).random((OWNERS, 4)) < 0.6  # some share nothing

Matrix = npt.NDArray[np.int64]


def checked(plan: Plan, levels: Matrix, shared: npt.NDArray[np.bool_]) -> None:
    """Assert that a device would accept every row as its budget."""
    assert levels.shape == shared.shape
    assert ((levels > 0) == shared).all()
    for row in levels[shared.any(axis=1)]:
        named = {name: int(v) for name, v in zip(plan.names, row, strict=True) if v}
        plan.policy.check(named)
        assert Budget.of(plan, {name: v / 1000 for name, v in named.items()}).levels == named


SCHEMES = [(p, "even") for p in POLICIES] + [(AVERAGE, "dirichlet"), (TOTAL, "dirichlet")]


@pytest.mark.parametrize("policy, budgets", [*SCHEMES, (LEVELS, "levels")])
def test_every_row_is_a_budget_of_the_plan(policy: dict[str, Any], budgets: str) -> None:
    plan = Plan.of(author(budget=policy))
    checked(plan, allocate(plan, SHARED, budgets, np.random.default_rng(SEED)), SHARED)


def test_even_is_what_a_device_calls_even() -> None:
    plan = survey()
    levels = allocate(plan, SHARED, "even", np.random.default_rng(SEED))
    for row, mask in zip(levels, SHARED, strict=True):
        names = [name for name, there in zip(plan.names, mask, strict=True) if there]
        expected = dict(Budget.even(plan, names).levels) if names else {}
        assert {n: v for n, v in zip(plan.names, row.tolist(), strict=True) if v} == expected


def test_dirichlet_budgets_differ_and_spend_all_that_the_menu_allows() -> None:
    plan = survey()
    levels = allocate(plan, SHARED, "dirichlet", np.random.default_rng(SEED))
    several = SHARED.sum(axis=1) > 1
    assert len(np.unique(levels[several], axis=0)) > OWNERS / 2
    left = 2000 * SHARED.sum(axis=1) - levels.sum(axis=1)
    assert (left == 0).all()  # the average and all levels are multiples of the step


def test_dirichlet_shares_are_uniform_between_two() -> None:
    """Of two attributes, the first gets least plus a uniform share of the rest, to the menu."""
    plan = Plan.of(author(budget={**AVERAGE, "most": 3.75}))
    shared = np.tile([True, False, True, False], (20_000, 1))
    first = allocate(plan, shared, "dirichlet", np.random.default_rng(SEED))[:, 0]
    assert (first.min(), first.max()) == (250, 3750)
    assert abs(first.mean() - 2000) < 5 * first.std() / np.sqrt(len(first))
    assert abs(first.std() - 3500 / np.sqrt(12)) < 50


def test_levels_are_uniform_over_the_menu() -> None:
    plan = Plan.of(author(budget=LEVELS))
    levels = allocate(plan, SHARED, "levels", np.random.default_rng(SEED))
    seen = np.unique(levels[SHARED], return_counts=True)
    assert seen[0].tolist() == [500, 1000, 2000, 4000]
    assert seen[1].min() > SHARED.sum() / 5


def test_levels_are_one_stream_whatever_the_batches() -> None:
    plan, shared = Plan.of(author(budget=LEVELS)), np.ones((ROWS + 9, 4), np.bool_)
    shared[::3, 1] = False
    drawn = np.random.default_rng(SEED).choice(plan.policy.menu, shared.shape)
    levels = allocate(plan, shared, "levels", np.random.default_rng(SEED))
    assert (levels == np.where(shared, drawn, 0)).all()


POLICY_OBJECTS: tuple[Policy, ...] = (
    Average(2000, 250, 6000, 250),
    Average(2000, 333, 6100, 250),
    Average(1500, 1, 5000, 1000),
    Average(2000, 250, 6000, 1),
    Average(2000, 250, 2250, 250),
    Total(8000, 1500, 250),
    Total(7777, 2345, 111),
)


def one_by_one(policy: Policy, weights: Sequence[Sequence[float]]) -> list[list[int]]:
    return [apportion(policy, [Fraction(w) for w in row], [1] * len(row)) for row in weights]


@for_each("policy", POLICY_OBJECTS)
@for_each("m", [1, 2, 3, 5])
def test_many_owners_get_what_each_would_get_alone(policy: Policy, m: int) -> None:
    weights = np.random.default_rng(SEED + m).standard_exponential((200, m))
    many = apportion_many(policy, np.ones((200, m), np.bool_), weights, np.ones(m, np.int64))
    assert many.tolist() == one_by_one(policy, weights.tolist())


@for_each("policy", POLICY_OBJECTS)
@for_each("m", [2, 3, 5])
def test_ties_between_equal_weights_are_broken_by_their_order_alone(policy: Policy, m: int) -> None:
    """Whole weights make exact ties, which floating point must not break."""
    weights = np.random.default_rng(SEED + m).integers(1, 5, (200, m)).astype(np.float64)
    many = apportion_many(policy, np.ones((200, m), np.bool_), weights, np.ones(m, np.int64))
    assert many.tolist() == one_by_one(policy, weights.tolist())


def test_weights_of_what_is_not_shared_do_not_count() -> None:
    policy = POLICY_OBJECTS[0]
    rng = np.random.default_rng(SEED)
    shared = np.array([rng.permutation([True, True, False, False]) for _ in range(200)])
    weights = rng.standard_exponential(shared.shape)
    many = apportion_many(policy, shared, weights, np.ones(4, np.int64))
    assert not many[~shared].any()
    expected = one_by_one(policy, weights[shared].reshape(200, 2).tolist())
    assert many[shared].reshape(200, 2).tolist() == expected


def test_shares_need_an_allowance() -> None:
    ones = np.ones((1, 2))
    with pytest.raises(BudgetError, match="need a plan whose budget has one"):
        apportion_many(Levels((500, 2000)), ones > 0, ones, np.ones(2, np.int64))


def test_dirichlet_without_room_above_the_average_is_refused() -> None:
    plan = Plan.of(author(budget={"average": 2, "least": 0.25, "most": 2}))
    with pytest.raises(BudgetError, match="need a largest level well above the average, got 2"):
        allocate(plan, SHARED[:5], "dirichlet", np.random.default_rng(SEED))


def test_dirichlet_is_refused_where_there_is_no_allowance() -> None:
    with pytest.raises(BudgetError, match="need a plan whose budget has one"):
        simulate(Plan.of(author(budget=LEVELS)), owners(5, seed=1), budgets="dirichlet")


def test_levels_are_refused_where_there_is_an_allowance() -> None:
    with pytest.raises(BudgetError, match="budgets='levels' needs a plan whose budget is levels"):
        simulate(survey(), owners(5, seed=1), budgets="levels")


def test_a_word_that_names_no_budgets_is_refused() -> None:
    with pytest.raises(BudgetError, match="even, dirichlet, levels or a frame, got generous"):
        simulate(survey(), owners(5, seed=1), budgets="generous")


RECORDS = {
    "mode": ["car", "bus", "bike"],
    "pet": ["cat", None, "dog"],
    "hours": [0.3, 0.5, None],
    "mood": [0.0, 0.5, 1.0],
}


def given(**epsilons: list[Any]) -> pa.Table:
    return simulate(survey(), RECORDS, budgets=epsilons, seed=1).data


def test_a_frame_of_epsilons_is_taken_as_it_is_and_null_is_not_shared() -> None:
    data = given(mode=[3.5, None, 1], pet=[0.5, 2, None], mood=[None, 2, 3])
    assert data["mode.level"].to_pylist() == [3500, None, 1000]
    assert data["pet.level"].to_pylist() == [500, None, None]  # the second owner has none
    assert data["hours.level"].to_pylist() == [None] * 3
    assert data["mood.level"].to_pylist() == [None, 2000, 3000]
    assert data["mode.y"].null_count == 1


def test_an_owner_whose_budget_is_empty_sends_nothing() -> None:
    data = given(mode=[None, 2, None], mood=[None, None, float("nan")])
    assert data["mode.level"].to_pylist() == [2000]


@for_each(
    "epsilons, message",
    [
        ({"mode": [2, 0.3, 2]}, r"mode: level must be on the plan's menu \(row 1\), got 0.3"),
        ({"mode": [2, 2, 0.2504]}, r"mode: level must be on the plan's menu \(row 2\), got 0.2504"),
        ({"mode": [-1, 2, 2]}, r"mode: level must be on the plan's menu \(row 0\), got -1"),
        ({"mode": [0, 2, 2]}, r"mode: level must be on the plan's menu \(row 0\), got 0"),
        ({"mode": [float("inf"), 2, 2]}, r"mode: level must be on the plan's menu \(row 0\)"),
        ({"mode": [2, 3.5, 2]}, r"must keep the plan's policy \(row 1\), got \[3.5, 0.0"),
        ({"mode": [2, 2]}, "must have 3 rows, got 2"),
        ({"mode": ["much", "more", "most"]}, "mode: epsilon must be a number"),
    ],
)
def test_a_frame_that_breaks_the_plan_is_refused(
    epsilons: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(BudgetError, match=message):
        given(**epsilons)


def test_a_column_that_names_no_attribute_is_refused() -> None:
    """Otherwise a misspelt column would silently mean that nobody shares the attribute."""
    with pytest.raises(UnknownAttribute, match="no attribute 'mood_'"):
        given(mode=[2, 2, 2], mood_=[2, 2, 2])


def test_a_frame_that_gives_fewer_than_the_plans_least_is_refused() -> None:
    plan = Plan.of(author(share={"least": 2}))
    epsilons = {"mode": [2.0, 2.0, 2.0], "mood": [2.0, 2.0, None]}
    with pytest.raises(BudgetError, match=r"must keep the plan's policy \(row 2\)"):
        simulate(plan, RECORDS, budgets=epsilons, seed=1)


@pytest.mark.parametrize("make", [dict, pa.table, pd.DataFrame, pl.DataFrame])
def test_budgets_may_be_any_frame(make: Callable[[dict[str, list[float]]], object]) -> None:
    plan = Plan.of(
        {
            "name": "one",
            "attributes": [{"name": "x", "kind": "categorical", "values": ["a", "b"]}],
            "budget": {"levels": [0.5, 1, 2]},
        }
    )
    epsilons = {"x": [0.5, 1.0, 2.0, 1.0]}
    reports = simulate(plan, {"x": ["a", "b", "a", "b"]}, budgets=make(epsilons), seed=1)
    assert reports.data["x.level"].to_pylist() == [500, 1000, 2000, 1000]
