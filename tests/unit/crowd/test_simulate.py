"""A crowd's reports: reproducible, marked, partial where records are, and about the right code."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discretion.crowd import simulate
from discretion.errors import BudgetError, RecordError
from discretion.plan import Family, Plan
from discretion.table import ReportTable
from tests.builders import POLICIES, author, crowd, disclosed, owners, secret_survey, survey
from tests.cases import for_each

BUDGETS = [(policy, "even") for policy in POLICIES] + [
    (POLICIES[0], "dirichlet"),
    (POLICIES[1], "dirichlet"),
    (POLICIES[2], "levels"),
]


def test_the_same_seed_gives_the_same_reports() -> None:
    assert crowd(survey(), 200, seed=1) == crowd(survey(), 200, seed=1)


def test_another_seed_gives_other_reports() -> None:
    records = owners(200, seed=1)
    one, other = (simulate(survey(), records, seed=seed) for seed in (1, 2))
    assert one.data["id"] != other.data["id"]
    assert one.data["hours.y"] != other.data["hours.y"]


def test_without_a_seed_every_crowd_is_another() -> None:
    records = owners(200, seed=1)
    one, other = (simulate(survey(), records) for _ in range(2))
    assert one.data["id"] != other.data["id"]


def test_simulated_reports_are_marked() -> None:
    table = crowd(survey(), 20, seed=1)
    assert table.simulated
    assert repr(table).startswith("<20 simulated reports of plan 'survey'")


@for_each("policy, budgets", BUDGETS)
@for_each("share", ["all", 2, (1, 3), 0.5])
def test_every_simulated_report_is_one_that_a_device_may_send(
    policy: dict[str, Any], budgets: str, share: object
) -> None:
    plan = Plan.of(author(budget=policy))
    table = simulate(plan, owners(300, seed=3), budgets=budgets, share=share, seed=3)
    again = ReportTable.from_frame(plan, table.data, simulated=True)
    assert again.refused == ()
    assert again == table


def test_secret_reports_have_no_levels() -> None:
    table = crowd(secret_survey(), 200, seed=3)
    assert table.data.column_names == ["id", "round", "mode.y", "pet.y", "mood.y"]
    assert ReportTable.from_frame(secret_survey(), table.data).refused == ()


def test_all_that_an_owner_has_is_shared_and_nothing_that_she_lacks() -> None:
    records = owners(300, seed=4)
    table = simulate(survey(), records, seed=4)
    some = np.array([any(row.values()) for row in records.to_pylist()])
    for name in survey().names:
        has = np.asarray(records[name].is_valid())[some]
        assert 0 < has.sum() < len(has)
        assert np.asarray(table.data[f"{name}.y"].is_valid()).tolist() == has.tolist()
        assert np.asarray(table.data[f"{name}.level"].is_valid()).tolist() == has.tolist()


def test_where_all_share_there_are_no_nulls_to_keep() -> None:
    table = simulate(survey(), owners(300, 3, missing=0.0), seed=4).data
    assert all(column.chunk(0).buffers()[0] is None for column in table.columns)


def test_who_has_too_little_for_the_plan_sends_nothing() -> None:
    plan = Plan.of(author(share={"least": 3}))
    records = owners(300, seed=5, missing=0.4)
    has = [sum(v is not None for v in row.values()) for row in records.to_pylist()]
    table = simulate(plan, records, seed=5)
    assert 0 < len(table) < len(has)
    assert len(table) == sum(count >= 3 for count in has)


def test_a_crowd_without_anything_to_share_is_an_empty_table() -> None:
    records = pa.table({name: pa.nulls(3) for name in survey().names})
    assert len(simulate(survey(), records, budgets="dirichlet", seed=1)) == 0


@pytest.mark.parametrize("mechanism", ["grr", "subset", "oue", "sue"])
def test_at_the_largest_level_reports_are_about_the_owners_own_code(mechanism: str) -> None:
    """At epsilon 20 another code is reported with probability 1e-8 or so (sue: 1e-4 per bit)."""
    plan = disclosed(mechanism, 11, levels=(20,))
    codes = np.random.default_rng(6).integers(0, 11, 200)
    records = {"x": pa.array(codes, mask=codes == 3), "z": ["yes"] * 200}
    table = simulate(plan, records, seed=7)
    law = plan.questions["x"].law(20_000, Family.SETS)
    reported = [
        y and law.support(int.from_bytes(y, "little")) for y in table.data["x.y"].to_pylist()
    ]
    for code, support in zip(codes, reported, strict=True):
        allowed = {None} if code == 3 else {1 << int(code), *([0] if mechanism == "oue" else [])}
        assert support in allowed
    assert sum(bool(support) for support in reported) > 50


def test_frames_of_every_library_give_the_same_reports() -> None:
    records = owners(100, seed=8)
    frames = [records, records.to_pandas(), pl.from_arrow(records), records.to_pydict()]
    tables = [simulate(survey(), frame, budgets="dirichlet", seed=9) for frame in frames]
    assert all(table == tables[0] for table in tables)


def test_a_category_that_no_owner_has_does_no_harm() -> None:
    """A pandas frame keeps all its categories when it is filtered."""
    pets = pd.Categorical(["cat", "dog", None], categories=["cat", "dog", "cow"])
    frame = pd.DataFrame({"mode": "car", "pet": pets, "hours": 0.5, "mood": 0.0})
    assert simulate(survey(), frame, seed=1).data["pet.y"].null_count == 1


def test_an_empty_frame_is_refused() -> None:
    with pytest.raises(RecordError, match="records: there must be at least one, got 0"):
        simulate(survey(), owners(5, seed=1).slice(0, 0))


@for_each(
    "share",
    [0, 5, -1, (2, 1), (0, 3), (1, 5), (1, 2, 3), 0.0, 1.5, float("nan"), True, "some", None],
)
def test_a_share_that_means_nothing_is_refused(share: object) -> None:
    with pytest.raises(BudgetError, match="share must"):
        simulate(survey(), owners(5, seed=1), share=share)


def test_a_share_below_the_plans_least_is_refused() -> None:
    plan = Plan.of(author(share={"least": 2}))
    with pytest.raises(BudgetError, match="between the plan's least, 2, and its 4 attributes"):
        simulate(plan, owners(5, seed=1), share=1)
