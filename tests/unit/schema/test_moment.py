"""Dates and times of day are numbers that people and files write in their own way."""

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import discretion as ds
from discretion.crowd.records import code_columns
from discretion.errors import PlanError, RecordError
from discretion.kernel.numbers import MISSING
from discretion.plan import Plan
from discretion.schema import MOMENTS
from tests.plans import MOVED, RISE, VISIT, author, dated_commuters

PLAN = dated_commuters()
SEED = 61
DAY = dt.date(2022, 3, 5)


def test_every_way_to_hold_a_date_or_a_time_gives_the_same_answer() -> None:
    """The text of a page, what Python and pandas hold, and what Arrow makes of it."""
    moved, rise = PLAN.questions["moved"].attribute, PLAN.questions["rise"].attribute
    noon = dt.datetime(2022, 3, 5, 12, 30)
    assert {moved.answer(value) for value in ("2022-03-05", DAY, noon, pd.Timestamp(noon))} == {
        str((DAY - dt.date(1970, 1, 1)).days)
    }
    assert {rise.answer(value) for value in ("12:30", "12:30:00", dt.time(12, 30), noon)} == {"750"}
    assert rise.answer(dt.time(6, 40, 30)) == "801/2"
    assert rise.answer("00:10") == "240"  # moved to the nearer end
    columns: dict[str, Any] = {
        "moved": pa.array([DAY, None]),
        "visit": ["2024-02-28", "2024-02-29"],
        "rise": pa.array([dt.time(5, 0), dt.time(7, 45)]),
        "tired": ["yes", "no"],
    }
    codes = code_columns(PLAN, pa.table(columns), np.random.default_rng(SEED))
    assert codes[:, 1:].tolist() == [[0, 4, 0], [1, 15, MISSING]]
    assert codes[0, 0] * 7 == (DAY - dt.date(1999, 12, 25)).days
    named = {**columns, "moved": [dt.datetime(2022, 3, 5, 9), None], "rise": ["05:00", "07:45"]}
    assert (code_columns(PLAN, pa.table(named), np.random.default_rng(SEED)) == codes).all()


def test_between_two_weeks_a_coin_keeps_the_mean() -> None:
    days = {"moved": [DAY + dt.timedelta(3)] * 4000}
    plan = Plan.of(author(attributes=[MOVED]))
    codes = code_columns(plan, pa.table(days), np.random.default_rng(SEED))
    assert set(codes.ravel().tolist()) == {1158, 1159}
    assert codes.mean() == pytest.approx(1158 + 3 / 7, abs=0.04)  # five standard errors


def test_what_is_no_date_is_refused_and_says_how_one_is_written() -> None:
    for kind, values in {
        "moved": ("2022-3-5", "yesterday", "", 19000, None, True, "2022-02-30"),
        "rise": ("7:45", "noon", 465, 7.75, "24:01"),
    }.items():
        for value in values:
            with pytest.raises(RecordError, match=f"{kind}: must be a (date|time) such as"):
                PLAN.questions[kind].attribute.answer(value)


def test_numbers_are_written_and_read_back() -> None:
    for kind, points in {
        "date": (-719_162, -1, 0, 59, 2_932_896),
        "time": (0, 1, 1439, 1440),
    }.items():
        for point in points:
            assert MOMENTS[kind].exact(MOMENTS[kind].written(point)) == point
    assert MOMENTS["date"].written(float("nan")) == MOMENTS["time"].written(np.inf) == "unknown"


def test_plans_take_what_yaml_makes_of_dates_and_refuse_grids_that_do_not_fit() -> None:
    yaml = {**RISE, "range": [240, 1440], "ranges": [[360, 540]]}  # as YAML 1.1 reads 4:00
    dates = {**VISIT, "range": [dt.date(2024, 1, 1), dt.date(2024, 12, 31)]}
    assert Plan.of(author(attributes=[dates, yaml])) == Plan.of(author(attributes=[VISIT, RISE]))
    assert Plan.from_bytes(PLAN.to_bytes()) == PLAN
    refused: list[tuple[dict[str, Any], str]] = [
        ({**MOVED, "step": 5}, "must be above zero and divide the range"),
        ({**MOVED, "step": "month"}, "must be a number"),
        ({**MOVED, "range": ["2024-02-30", "2024-03-01"]}, "must be a date such as 2026-05-31"),
        ({**MOVED, "range": [2024, 2025]}, "must be a date such as 2026-05-31"),
        ({**MOVED, "range": ["2025-01-01", "2024-01-01"]}, "must be two, the earlier first"),
        ({**RISE, "step": "day"}, "must be a number"),
        ({**RISE, "step": [15]}, "must be a number"),
        ({**RISE, "range": ["04:00:30", "10:00"]}, "must be a whole minute"),
        ({**RISE, "range": ["04:00", "24:15"]}, "must be a time such as 08:30"),
    ]
    for stated, rule in refused:
        with pytest.raises(PlanError) as error:
            Plan.of(author(attributes=[stated]))
        assert rule in str(error.value), stated
    with pytest.raises(PlanError, match=r"got \[2025-01-01, 2024-01-01\]"):
        Plan.of(author(attributes=[{**VISIT, "range": [dt.date(2025, 1, 1), dt.date(2024, 1, 1)]}]))


def test_days_of_a_century_have_codes_that_are_dates() -> None:
    born = {"name": "born", "kind": "date", "range": ["1920-01-01", "2019-12-31"]}
    attribute = Plan.of(author(attributes=[born])).attributes["born"]
    assert attribute.size == 4096
    assert attribute.labels[:2] == ("1920-01-01", "1920-01-10")
    assert attribute.labels[-1] == "2019-12-31"
    assert len(set(attribute.labels)) == attribute.size


def test_results_are_dates_and_differences_are_days() -> None:
    rng, first = np.random.default_rng(SEED), dt.date(2000, 1, 1)
    moved = [first + dt.timedelta(int(days)) for days in rng.uniform(0, 9000, 4000)]
    rise = [dt.time(6 + int(hours), int(60 * (hours % 1))) for hours in rng.uniform(0, 3, 4000)]
    visit, tired = ["2024-02-01"] * 4000, ["yes"] * 4000
    records = pa.table({"moved": moved, "visit": visit, "rise": rise, "tired": tired})
    reports = ds.simulate(PLAN, records, budgets="dirichlet", seed=SEED)
    mean = ds.mean(reports, "moved")
    (row,) = mean.to_frame().to_pylist()
    truth = first + dt.timedelta(4500)
    assert row["low"] < row["value"] < row["high"]
    assert abs((row["value"] - truth).days) < 5 * row["stderr"]
    assert f"mean of moved: {row['value'].isoformat()} (stderr " in str(mean)
    assert "days, 95 % interval 20" in str(mean)
    assert mean.document()["mean"]["value"] == mean.value  # days since 1970-01-01
    other = ds.simulate(PLAN, records, budgets="dirichlet", seed=SEED + 1)
    for name, unit in (("moved", "days"), ("rise", "minutes")):
        (row,) = ds.compare(reports, other, name).table().rows
        assert [cell.count(unit) for cell in row[1:]] == [0, 0, 1, 2], row
    median = ds.quantiles(reports, "rise", [0.5])
    assert median.to_frame().schema.field("value").type == pa.time64("us")
    assert median.document()["quantiles"][0]["value"] == median.value[0]
    shares = ds.histogram(reports, "moved", 3)
    assert shares.to_frame()["from"][0].as_py() == dt.date(1999, 12, 25)
    assert str(ds.frequencies(reports, "visit")).count("[2024-02-29, 2024-12-31]") == 1
    table = ds.joint(reports, ["visit", "rise"], bins={"rise": 2})
    assert table.labels[1][0].startswith("[04:00, ")
    axes = shares.plot()
    axes.figure.canvas.draw()
    assert any(label.get_text().startswith("20") for label in axes.get_xticklabels())
