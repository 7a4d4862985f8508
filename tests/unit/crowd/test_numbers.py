"""A crowd's numbers: in ranges of their owners, a few of them drawn, several in one report."""

import itertools
from collections import Counter
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from discretion.budget.level import stratum_of
from discretion.crowd import simulate
from discretion.crowd.records import codes_of
from discretion.crowd.sharing import sampled
from discretion.errors import BudgetError, RecordError
from discretion.mechanism import NUMBERS, OPTIMAL
from discretion.mechanism.law import decode
from discretion.plan import Family, Plan
from discretion.schema import Bundle
from discretion.schema.attribute import Ends
from discretion.table import ReportTable
from tests.cases import for_each
from tests.significance import ALPHA

OWNERS, SEED = 3_000, 61
GRID = {"kind": "numeric", "range": [0, 10], "step": 0.5}  # 21 points
RANGES = [[2, 8], [0, 5]]
SURE = 8000  # a level at which a report is nearly the truth


def plan_of(mechanism: str, levels: tuple[float, ...] = (0.5, 2, 8), **changes: Any) -> Plan:
    x = {"name": "x", **GRID, "mechanism": mechanism, "ranges": RANGES}
    z = {"name": "z", "kind": "categorical", "values": ["no", "yes"]}
    whole = {"name": "n", "attributes": [x, z], "budget": {"levels": list(levels)}}
    return Plan.of({**whole, **changes})


def records(n: int = OWNERS, missing: float = 0.1) -> dict[str, pa.Array]:
    rng = np.random.default_rng(SEED)
    gone = rng.random((2, n)) < missing
    numbers = rng.uniform(0, 10, n)
    return {
        "x": pa.array(numbers, mask=gone[0]),
        "z": pa.array(rng.choice(["no", "yes"], n), mask=gone[1]),
    }


@for_each("ranges", ["whole", "menu"])
@for_each("mechanism", [*NUMBERS, OPTIMAL])
def test_every_simulated_report_is_one_that_a_device_may_send(mechanism: str, ranges: str) -> None:
    plan = plan_of(mechanism)
    table = simulate(plan, records(), budgets="levels", ranges=ranges, seed=SEED)
    assert ReportTable.from_frame(plan, table.data).refused == ()
    places = Counter(table.data["x.range"].to_pylist())
    assert places.keys() == ({None, 0} if ranges == "whole" else {None, 0, 1, 2})
    if ranges == "menu":
        assert stats.chisquare([places[i] for i in range(3)]).pvalue > ALPHA


@pytest.mark.parametrize("mechanism", [name for name in NUMBERS if name != "laplace"])
def test_reports_are_about_the_owners_own_number_in_her_range(mechanism: str) -> None:
    """The mean of decoded reports is that of the clamped numbers, within five standard errors."""
    plan, frame = plan_of(mechanism, (8,)), records(20_000, missing=0)
    places = np.random.default_rng(SEED).integers(0, 3, 20_000)
    table = simulate(plan, frame, ranges={"x": places}, seed=SEED)
    numbers = np.asarray(frame["x"])
    menu = cast("tuple[Ends, ...]", plan.questions["x"].ranges)
    for place, (low, high) in enumerate(menu):
        law = plan.questions["x"].law(stratum_of(SURE, place), Family.NUMBERS)
        rows = table.data.filter(pa.array(places == place))
        reported = [int.from_bytes(y, "little") for y in rows["x.y"].to_pylist()]
        values = [float(low) + 0.5 * float(decode(law, y)) for y in reported]
        truth = numbers[places == place].clip(float(low), float(high))
        off = np.mean(values) - truth.mean()
        assert abs(off) < 5 * np.std(np.array(values) - truth) / len(reported) ** 0.5


def test_numbers_outside_the_range_are_counted_and_not_shown() -> None:
    plan, numbers = plan_of("pm"), [0.0, 2.0, 5.5, 8.0, 10.0, None]
    frame = {"x": numbers, "z": ["no"] * 6}
    for place, outside in ((0, 0), (1, 2), (2, 3)):
        table = simulate(plan, frame, ranges={"x": [place] * 6}, seed=1)
        assert table.changed == ({"x": outside} if outside else {})
        assert "changed" not in str(table.data.schema)
        assert table.data["x.range"].to_pylist() == [*[place] * 5, None]


def test_without_a_menu_there_are_no_ranges() -> None:
    x = {"name": "x", **GRID}
    plan = Plan.of({"name": "n", "attributes": [x], "budget": {"levels": [1]}})
    for ranges in ("whole", "menu"):
        table = simulate(plan, {"x": [1.0, 2.0]}, ranges=ranges, seed=1)
        assert table.data.column_names == ["id", "round", "x.level", "x.y"]
        assert table.changed == {}


@pytest.mark.parametrize(
    "ranges, message",
    [
        ("some", "ranges must be whole, menu or a frame of indices, got some"),
        ({"z": [0, 0]}, "ranges must be those of attributes with a menu, got z"),
        ({"x": [0, 3]}, "x: range must be on the plan's menu, 0 to 2, got 3"),
        ({"x": [-1, 0]}, "x: range must be on the plan's menu, 0 to 2, got -1"),
        ({"x": [0]}, "x: ranges must be 2 indices on the menu"),
        ({"x": [0.5, 1.0]}, "x: ranges must be 2 indices on the menu"),
    ],
)
def test_ranges_that_are_not_on_the_menu_are_refused(ranges: object, message: str) -> None:
    with pytest.raises(BudgetError, match=message):
        simulate(plan_of("pm"), {"x": [1.0, 2.0], "z": ["no", "no"]}, ranges=ranges, seed=1)


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), 10.5, -0.1])
def test_a_strict_simulation_refuses_numbers_that_no_grid_has(value: float) -> None:
    with pytest.raises(RecordError, match=r"x: must lie between 0\.0 and 10\.0, got"):
        simulate(plan_of("pm"), {"x": [1.0, value], "z": ["no", "no"]}, seed=1, strict=True)


def test_nan_is_missing() -> None:
    table = simulate(plan_of("pm"), {"x": [1.0, float("nan")], "z": ["no", "no"]}, seed=1)
    assert [y is None for y in table.data["x.y"].to_pylist()] == [False, True]


# A few of the questions


def sampling(sample: int, **changes: Any) -> Plan:
    attributes = [{"name": name, **GRID} for name in "abcd"]
    budget = {"total": 6, "spread": 1.5}
    whole = {"name": "s", "attributes": attributes, "budget": budget, "share": {"sample": sample}}
    return Plan.of({**whole, **changes})


@pytest.mark.parametrize("sample", [1, 2, 4])
def test_every_owner_draws_so_many_and_all_choices_are_equally_likely(sample: int) -> None:
    plan = sampling(sample)
    everything = np.ones((OWNERS, 4), np.bool_)
    drawn = sampled(plan, everything, "all", np.random.default_rng(SEED))
    seen = Counter(map(tuple, drawn.tolist()))
    assert {sum(choice) for choice in seen} == {sample}
    choices = len(list(itertools.combinations(range(4), sample)))
    assert len(seen) == choices
    assert choices == 1 or stats.chisquare(list(seen.values())).pvalue > ALPHA


@pytest.mark.parametrize("budgets", ["even", "dirichlet"])
def test_simulated_owners_report_what_they_drew_and_spend_the_total(budgets: str) -> None:
    plan = sampling(2)
    rng = np.random.default_rng(SEED)
    frame = {name: rng.uniform(0, 10, OWNERS) for name in "abcd"}
    table = simulate(plan, frame, budgets=budgets, seed=SEED)
    levels = np.column_stack([table.data[f"{n}.level"].fill_null(0).to_numpy() for n in "abcd"])
    assert ((levels > 0).sum(axis=1) == 2).all()
    assert levels.sum(axis=1).min() >= 5500
    assert levels.sum(axis=1).max() <= 6000
    assert ReportTable.from_frame(plan, table.data).refused == ()


def test_what_an_owner_drew_and_lacks_she_does_not_replace() -> None:
    """The draw does not look at the record: of two drawn, one is there on average."""
    plan, present = sampling(2), np.array([[True, True, False, False]]).repeat(OWNERS, axis=0)
    count = sampled(plan, present, "all", np.random.default_rng(SEED)).sum(axis=1)
    seen = np.bincount(count, minlength=3)
    assert stats.chisquare(seen, OWNERS * np.array([1, 4, 1]) / 6).pvalue > ALPHA


def test_bundles_are_drawn_whole() -> None:
    plan = sampling(1, bundles=[{"attributes": ["a", "c"]}])
    drawn = sampled(plan, np.ones((OWNERS, 4), np.bool_), "all", np.random.default_rng(SEED))
    assert set(map(tuple, drawn.tolist())) == {
        (False, True, False, False),
        (False, False, False, True),
        (True, False, True, False),
    }


def test_who_draws_does_not_choose() -> None:
    with pytest.raises(BudgetError, match="share must be 'all' under a plan whose devices draw"):
        sampled(sampling(2), np.ones((3, 4), np.bool_), 2, np.random.default_rng(SEED))


# Several numbers in one report


@pytest.mark.parametrize(
    "bundle", [{"levels": 2}, {"levels": 5}, {"levels": 7}, {"mechanism": "duchi"}]
)
def test_bundled_numbers_are_reported_and_may_be_sent(bundle: dict[str, object]) -> None:
    plan = sampling(1, bundles=[{"attributes": list("abcd"), **bundle}])
    rng = np.random.default_rng(SEED)
    frame = {name: rng.uniform(0, 10, OWNERS) for name in "abcd"}
    table = simulate(plan, frame, seed=SEED)
    assert table.shared == ["a+b+c+d"]
    assert ReportTable.from_frame(plan, table.data).refused == ()


@pytest.mark.parametrize("levels", [2, 3, 5, 6])
def test_numbers_go_to_levels_by_the_coin_that_keeps_the_mean(levels: int) -> None:
    plan = sampling(1, bundles=[{"attributes": ["a", "b"], "levels": levels}])
    codes = np.repeat([[7, 20, 0, 0]], OWNERS, axis=0)
    cells = codes_of(plan, "a+b", codes, slice(None), np.random.default_rng(SEED))
    bundle = plan.questions["a+b"].attribute
    assert isinstance(bundle, Bundle)
    a, b = np.unravel_index(cells, bundle.sizes)
    assert (b == levels - 1).all()
    low, rest = divmod(7 * (levels - 1), 20)
    seen = Counter(a.tolist())
    assert seen.keys() <= {low, low + 1}
    assert stats.binomtest(seen[low + 1], OWNERS, rest / 20).pvalue > ALPHA


def test_forty_signs_are_simulated() -> None:
    names = [f"x{i}" for i in range(40)]
    plan = Plan.of(
        {
            "name": "many",
            "attributes": [{"name": name, **GRID} for name in names],
            "bundles": [{"attributes": names, "mechanism": "duchi"}],
            "budget": {"levels": [0.1, 0.5]},
        }
    )
    frame = {name: [10.0 * (i % 2)] * 2_000 for i, name in enumerate(names)}
    (name,) = (bundle.name for bundle in plan.bundles)
    table = simulate(plan, frame, budgets={name: [20.0] * 2_000}, seed=SEED)
    reported = np.array([int.from_bytes(y, "little") for y in table.data[f"{name}.y"].to_pylist()])
    bits = reported[:, None] >> np.arange(39, -1, -1) & 1
    law = plan.questions[name].law(20_000)
    own = float(law.own)  # type: ignore[attr-defined]
    right = (bits == np.arange(40) % 2).sum(axis=0)
    assert own > 0.55
    assert stats.binomtest(int(right.sum()), right.size * 2_000, own).pvalue > ALPHA**2
    assert min(right) > 2_000 * (own - 0.06)
