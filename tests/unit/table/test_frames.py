"""Frames of pandas, polars and Arrow, in and out."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from discretion.errors import TableError
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.builders import crowd, secret_survey, survey

PLANS = {"disclosed": survey(), "secret": secret_survey()}
KINDS = {"pyarrow": pa.Table, "pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.fixture(params=PLANS)
def reports(request: pytest.FixtureRequest) -> ReportTable:
    """Reports of a disclosed and of a secret plan, with gaps in every column."""
    table = crowd(PLANS[request.param], 200, seed=5)
    assert all(table.data[f"{name}.y"].null_count for name in table.plan.names)
    return table


@pytest.mark.parametrize("backend", KINDS)
def test_out_and_in_again_is_the_same_table(reports: ReportTable, backend: str) -> None:
    frame = reports.to_frame(backend)
    assert isinstance(frame, KINDS[backend])
    assert ReportTable.from_frame(reports.plan, frame, simulated=True) == reports


def test_a_lazy_frame_is_collected(reports: ReportTable) -> None:
    frame = reports.to_frame("polars").lazy()
    assert ReportTable.from_frame(reports.plan, frame, simulated=True) == reports


def test_a_mapping_of_columns_is_a_frame(reports: ReportTable) -> None:
    columns = reports.data.to_pydict()
    assert ReportTable.from_frame(reports.plan, columns, simulated=True) == reports


def test_columns_may_come_in_any_order_and_in_chunks(reports: ReportTable) -> None:
    half = len(reports) // 2
    whole = pa.concat_tables([reports.data.slice(0, half), reports.data.slice(half)])
    frame = whole.select(reversed(reports.data.column_names))
    assert ReportTable.from_frame(reports.plan, frame, simulated=True) == reports


def test_a_pandas_frame_may_be_filtered_first(reports: ReportTable) -> None:
    frame = reports.to_frame("pandas")
    kept = frame[frame["pet.y"].notna()]
    table = ReportTable.from_frame(reports.plan, kept)
    assert table.refused == ()
    assert table.data == reports.data.filter(reports.data["pet.y"].is_valid())


@pytest.mark.parametrize("backend", KINDS)
def test_an_attribute_that_nobody_shared_may_have_untyped_columns(backend: str) -> None:
    plan = survey()
    data = crowd(plan, 50, seed=5).data
    lonely = data.filter(pa.compute.invert(data["mood.y"].is_valid()))
    untyped = lonely
    for name in ("mood.level", "mood.y"):
        at = untyped.column_names.index(name)
        untyped = untyped.set_column(at, name, pa.nulls(len(untyped)))
    frame = {"pyarrow": untyped, "pandas": untyped.to_pandas(), "polars": pl.from_arrow(untyped)}
    table = ReportTable.from_frame(plan, frame[backend])
    assert table.data == lonely
    assert table.refused == ()


@pytest.mark.parametrize("backend", KINDS)
def test_an_empty_frame_is_an_empty_table(backend: str) -> None:
    empty = crowd(survey(), 20, seed=5).of_round(3)
    assert ReportTable.from_frame(survey(), empty.to_frame(backend), simulated=True) == empty


def test_an_unknown_backend_is_refused(reports: ReportTable) -> None:
    with pytest.raises(TableError, match="one of pyarrow, pandas, polars, got 'spark'"):
        reports.to_frame("spark")


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(TableError, match="must be pandas, polars or Arrow, got list"):
        ReportTable.from_frame(survey(), [1, 2])


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(TableError, match="length"):
        ReportTable.from_frame(survey(), {"id": [bytes(16)], "round": [0, 1]})


def without(data: pa.Table, name: str) -> pa.Table:
    return data.drop_columns([name])


def with_column(data: pa.Table, name: str) -> pa.Table:
    return data.append_column(name, pa.nulls(len(data)))


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda d: without(d, "round"), "must have the column 'round'"),
        (lambda d: without(d, "pet.level"), "must have the column 'pet.level'"),
        (lambda d: with_column(d, "note"), "must not have the column 'note'"),
        (lambda d: with_column(d, "id"), "the column 'id'"),
    ],
    ids=["no round", "no level", "a note", "two ids"],
)
def test_a_table_has_its_columns_and_no_others(
    change: Callable[[pa.Table], pa.Table], message: str
) -> None:
    with pytest.raises(TableError, match=message):
        ReportTable.from_frame(survey(), change(crowd(survey(), 20, seed=5).data))


def test_a_secret_table_has_no_levels() -> None:
    data = with_column(crowd(secret_survey(), 20, seed=5).data, "pet.level")
    with pytest.raises(TableError, match=r"must not have the column 'pet\.level'"):
        ReportTable.from_frame(secret_survey(), data)


@pytest.mark.parametrize(
    "name, values, kind",
    [
        ("id", [7], "fixed_size_binary[16]"),
        ("round", ["first"], "int32"),
        ("pet.level", [True], "int32"),
        ("pet.y", [1], "fixed_size_binary[1]"),
        ("mode.y", [[True]], "fixed_size_binary[1]"),
    ],
)
def test_a_column_of_the_wrong_type_is_named(name: str, values: list[Any], kind: str) -> None:
    data = crowd(survey(), 20, seed=5).data
    strange = pa.array(values * len(data))
    frame = data.set_column(data.column_names.index(name), name, strange)
    with pytest.raises(TableError) as error:
        ReportTable.from_frame(survey(), frame)
    assert str(error.value).startswith(f"column '{name}' must be {kind} (")


def test_the_same_reports_are_kept_whatever_library_brings_them() -> None:
    plan: Plan = survey()
    data = crowd(plan, 50, seed=5).data
    level = pa.array([260, *data["pet.level"].to_pylist()[1:]], pa.int32())
    spoilt = ReportTable(plan, data.set_column(4, "pet.level", level))
    tables = [ReportTable.from_frame(plan, spoilt.to_frame(backend)) for backend in KINDS]
    assert [refused.row for refused in tables[0].refused] == [0]
    assert tables[0] == tables[1] == tables[2]
