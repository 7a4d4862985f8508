"""A crowd and bundles: who reports which of them, at which levels, and about which cells."""

from fractions import Fraction
from typing import Any

import hypothesis.strategies as st
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given

from discretion.aggregate import Aggregate
from discretion.budget import Average, Budget, Policy, Total, agreement
from discretion.budget.policy import apportion
from discretion.crowd import simulate
from discretion.crowd.allocation import allocate, apportion_many
from discretion.crowd.sharing import bundled, reportable
from discretion.errors import BudgetError, UnknownAttribute
from discretion.labels import frequencies
from discretion.plan import Plan
from discretion.schema import Bundle
from discretion.table import ReportTable
from tests.builders import AVERAGE, BUNDLES, LEVELS, POLICIES, TOTAL, author, bundled_survey, owners
from tests.cases import for_each

OWNERS, SEED = 400, 22
SHARED = np.random.default_rng(SEED).random((OWNERS, 4)) < 0.7  # some share nothing
WIDE = [["mood", "mode", "pet"], ["pet", "mode"], ["mode", "mood"]]
SCHEMES = [(p, "even") for p in POLICIES] + [(AVERAGE, "dirichlet"), (TOTAL, "dirichlet")]


def named(plan: Plan, row: npt.NDArray[np.int64]) -> dict[str, int]:
    return {name: v for name, v in zip(plan.names, row.tolist(), strict=True) if v}


@pytest.mark.parametrize("bundles", [BUNDLES, WIDE], ids=["pairs", "wide"])
@given(shared=st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=6))
def test_owners_bundle_what_they_share_as_a_budget_does(
    bundles: list[list[str]], shared: list[tuple[bool, ...]]
) -> None:
    plan = Plan.of(author(bundles=bundles))
    names, possible = bundled(plan, np.array(shared)), reportable(plan, np.array(shared))
    for row, mask, able in zip(shared, names.tolist(), possible.tolist(), strict=True):
        own = [name for name, there in zip(plan.attributes, row, strict=True) if there]
        chosen = [name for name, there in zip(plan.names, mask, strict=True) if there]
        assert chosen == agreement.bundled(plan, own)
        assert able == [set(plan.questions[name].parts) <= set(own) for name in plan.names]


@for_each("bundles", [BUNDLES, WIDE])
@for_each("policy, budgets", [*SCHEMES, (LEVELS, "levels")])
def test_every_row_is_a_budget_of_the_plan(
    policy: dict[str, Any], budgets: str, bundles: list[list[str]]
) -> None:
    plan = Plan.of(author(budget=policy, bundles=bundles))
    levels = allocate(plan, SHARED, budgets, np.random.default_rng(SEED))
    assert ((levels > 0) == bundled(plan, SHARED)).all()
    for row in levels[SHARED.any(axis=1)]:
        mine = named(plan, row)
        assert Budget.of(plan, {name: v / 1000 for name, v in mine.items()}).levels == mine


@pytest.mark.parametrize("policy", [*POLICIES, {"average": 15, "least": 1, "most": 20}], ids=str)
def test_even_is_what_a_device_calls_even(policy: dict[str, Any]) -> None:
    plan = Plan.of(author(budget=policy, bundles=WIDE))
    levels = allocate(plan, SHARED, "even", np.random.default_rng(SEED))
    for row, mask in zip(levels, SHARED, strict=True):
        own = [name for name, there in zip(plan.attributes, mask, strict=True) if there]
        expected = dict(Budget.even(plan, agreement.bundled(plan, own)).levels) if own else {}
        assert named(plan, row) == expected


def test_dirichlet_gives_a_bundle_the_shares_of_its_attributes() -> None:
    """Least, and 2 of 3 Dirichlet shares of the rest, on average; the whole is spent."""
    plan = Plan.of(author(bundles=[["mode", "pet"]], budget={**AVERAGE, "most": 5.5}))
    shared = np.tile([True, True, True, False], (20_000, 1))
    levels = allocate(plan, shared, "dirichlet", np.random.default_rng(SEED))
    bundle, alone = levels[:, plan.names.index("mode+pet")], levels[:, 2]
    assert (bundle + alone <= 6000).all()
    assert (bundle + alone).mean() > 6000 - 150  # a step of a bundle costs two
    assert abs(bundle.mean() - 4000) < 100
    variance = 5250**2 * 2 / 36  # of the sum of two of three shares
    assert abs(bundle.std() / np.sqrt(variance) - 1) < 0.05


def test_dirichlet_keeps_a_bundle_at_or_below_the_largest_level() -> None:
    plan = Plan.of(author(bundles=BUNDLES, budget={"average": 8, "least": 1, "most": 20}))
    levels = allocate(plan, SHARED, "dirichlet", np.random.default_rng(SEED))
    assert levels.max() <= 20_000
    assert levels[:, 4:].max() > 15_000


def test_a_bundle_that_fewer_attributes_cannot_fill_does_not_hinder_them() -> None:
    """One attribute alone must get 15, of which twice is more than any level."""
    plan = Plan.of(author(bundles=BUNDLES, budget={"total": 15, "spread": 1, "step": 0.01}))
    shared = np.eye(4, dtype=np.bool_)
    levels = allocate(plan, shared, "dirichlet", np.random.default_rng(SEED))
    assert levels.sum(axis=1).tolist() == [15_000] * 4


POLICY_OBJECTS: tuple[Policy, ...] = (
    Average(2000, 250, 6000, 250),
    Average(2000, 333, 6100, 250),
    Average(7000, 1, 20_000, 1000),
    Total(8000, 1500, 250),
    Total(30_000, 20_000, 111),
)


@for_each("policy", POLICY_OBJECTS)
@for_each("counts", [(2,), (1, 2), (2, 1, 3), (1, 1, 2, 2)])
@for_each("whole", [False, True])
def test_many_owners_get_what_each_would_get_alone(
    policy: Policy, counts: tuple[int, ...], whole: bool
) -> None:
    rng = np.random.default_rng(SEED + len(counts))
    shape = (200, len(counts))
    weights = rng.standard_exponential(shape)
    if whole:
        weights = rng.integers(1, 4, shape).astype(np.float64) * counts
    many = apportion_many(policy, np.ones(shape, np.bool_), weights, np.array(counts))
    for row, levels in zip(weights.tolist(), many.tolist(), strict=True):
        each = apportion(policy, [Fraction(w) for w in row], counts)
        assert levels == [v * count for v, count in zip(each, counts, strict=True)]


RECORDS = {
    "mode": ["car", "bus", "bike"],
    "pet": ["cat", None, "dog"],
    "hours": [0.3, 0.5, None],
    "mood": [0.0, 0.5, 1.0],
}


def given_budgets(**epsilons: list[Any]) -> pa.Table:
    return simulate(bundled_survey(), RECORDS, budgets=epsilons, seed=1).data


def test_a_frame_of_epsilons_names_bundles_and_one_with_a_missing_part_is_left_out() -> None:
    epsilons: dict[str, list[Any]] = {"mode+pet": [3.5, 2, None], "mood": [2, 2, None]}
    data = given_budgets(**epsilons, pet=[None, 2, 1])
    assert data["mode+pet.level"].to_pylist() == [3500, None, None]
    assert data["mood.level"].to_pylist() == [2000, 2000, None]
    assert data["pet.level"].to_pylist() == [None, None, 1000]


@pytest.mark.parametrize(
    "epsilons, message",
    [
        (
            {"mode+pet": [4, 4, 4], "pet": [None, 1, 1]},
            r"alone or in one bundle \(row 2\), got \[0",
        ),
        ({"mode+pet": [None, 4, 2], "pet+mood": [2, 4, 2]}, r"alone or in one bundle \(row 2\)"),
        ({"mode+pet": [4, 4, 3.25]}, r"mode\+pet: level must be on the plan's menu \(row 2\)"),
        ({"mode+pet": [4.5, 4, 2]}, r"budgets must keep the plan's policy \(row 0\)"),
    ],
    ids=["alone as well", "two bundles", "off the menu", "over"],
)
def test_a_frame_that_breaks_the_plan_is_refused(
    epsilons: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(BudgetError, match=message):
        given_budgets(**epsilons)


def test_a_bundle_that_the_plan_lacks_is_refused() -> None:
    with pytest.raises(UnknownAttribute, match=r"no attribute 'mode\+mood'"):
        given_budgets(**{"mode+mood": [1, 1, 1]})


@for_each("policy, budgets", [*SCHEMES, (LEVELS, "levels")])
@for_each("share", ["all", 2, (1, 4), 0.5])
def test_every_simulated_report_is_one_that_a_device_may_send(
    policy: dict[str, Any], budgets: str, share: object
) -> None:
    plan = Plan.of(author(budget=policy, bundles=BUNDLES))
    table = simulate(plan, owners(300, seed=3), budgets=budgets, share=share, seed=3)
    again = ReportTable.from_frame(plan, table.data, simulated=True)
    assert again.refused == ()
    assert again == table


def test_who_lacks_a_part_reports_the_others_alone_or_in_another_bundle() -> None:
    records = owners(300, seed=4)
    table = simulate(bundled_survey(), records, seed=4)
    seen = set()
    rows = [row for row in records.to_pylist() if any(v is not None for v in row.values())]
    for row, report in zip(rows, table.data.to_pylist(), strict=True):
        own = [name for name, value in row.items() if value is not None]
        reported = [name for name in bundled_survey().names if report[f"{name}.y"] is not None]
        assert reported == agreement.bundled(bundled_survey(), own)
        seen.update(reported)
    assert seen == set(bundled_survey().names)


def test_at_the_largest_level_reports_are_about_the_owners_own_cell() -> None:
    """At epsilon 20 another of the 15 cells is reported with a probability of about 3e-8."""
    plan = Plan.of(author(bundles=BUNDLES, budget={"levels": [10]}))
    records = owners(200, seed=6, missing=0)
    table = simulate(plan, records, seed=7)
    bundle = plan.questions["mode+pet"].attribute
    assert isinstance(bundle, Bundle)
    reported = [int.from_bytes(y, "little") for y in table.data["mode+pet.y"].to_pylist()]
    pairs = zip(records["mode"].to_pylist(), records["pet"].to_pylist(), strict=True)
    assert reported == [1 << bundle.code(pair) for pair in pairs]


def test_cells_are_counted_and_estimated_like_values() -> None:
    plan = bundled_survey()
    records = owners(20_000, seed=8, missing=0)
    table = simulate(plan, records, budgets="dirichlet", seed=9)
    cells = plan.questions["mode+pet"].attribute
    pairs = zip(records["mode"].to_pylist(), records["pet"].to_pylist(), strict=True)
    truth = np.bincount([cells.code(pair) for pair in pairs], minlength=15) / 20_000
    whole = Aggregate.of(table)
    assert Aggregate.from_json(plan, whole.to_json()) == whole
    for data, method in ((table, "mle"), (whole, "weighted")):
        estimate = frequencies(data, "mode+pet", target="owners")
        assert (estimate.method, estimate.n) == (method, 20_000)
        assert estimate.labels == cells.labels
        assert (abs(estimate.value - truth) < 5 * estimate.stderr).all()
    assert table.shared == ["hours", "mood", "mode+pet"]
