"""Tables of reports in ranges: a column more, which travels with the others."""

from pathlib import Path

import pyarrow as pa
import pytest

from discretion.budget.level import stratum_of
from discretion.crowd import simulate
from discretion.device import Device, State
from discretion.errors import TableError
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.table.reports import answer_columns
from discretion.table.validation import types_of
from tests.plans import bundled_numbers, ranged_commuters, sampled_commuters
from tests.unit.report.malformed import VALID_NUMBERS, VALID_RANGED, VALID_SAMPLED, VALID_SIGNS

COLUMNS = ["id", "round", "mode.level", "mode.y", "income.level", "income.range", "income.y"]
RECORDS = {"mode": ["car", "bus", None] * 20, "income": [1e5, None, 7e4] * 20}


def crowd() -> ReportTable:
    return simulate(ranged_commuters(), RECORDS, ranges="menu", seed=3)


def test_the_range_stands_between_level_and_y_where_there_is_a_menu() -> None:
    plan = ranged_commuters()
    assert [*types_of(plan)] == crowd().data.column_names == COLUMNS
    assert answer_columns(plan, "income") == ["income.y", "income.level", "income.range"]
    assert answer_columns(plan, "mode") == ["mode.y", "mode.level"]


def test_reports_become_rows_with_their_range() -> None:
    table = ReportTable.from_reports(ranged_commuters(), [VALID_RANGED])
    (row,) = table.data.to_pylist()
    assert table.data.column_names == COLUMNS
    assert (row["income.level"], row["income.range"], row["income.y"]) == (3500, 1, b"\xb0\x04")
    assert table.refused == ()


@pytest.mark.parametrize(
    "plan, data",
    [
        (ranged_commuters(), VALID_RANGED),
        (sampled_commuters(), VALID_SAMPLED),
        (bundled_numbers(), VALID_NUMBERS),
        (bundled_numbers(), VALID_SIGNS),
    ],
)
def test_a_table_of_reports_about_numbers_is_read_again(
    plan: Plan, data: bytes, tmp_path: Path
) -> None:
    table = ReportTable.from_reports(plan, [data])
    table.write(tmp_path / "reports.parquet")
    again = ReportTable.read(tmp_path / "reports.parquet", plan)
    assert (again.refused, again.data) == ((), table.data)


def test_a_crowd_is_read_again_from_every_frame() -> None:
    table = crowd()
    for backend in ("pyarrow", "pandas", "polars"):
        again = ReportTable.from_frame(table.plan, table.to_frame(backend))
        assert again.refused == ()
        assert again.data.to_pylist() == table.data.to_pylist()


def test_answers_have_the_strata_of_level_and_range() -> None:
    table = crowd()
    rows = [row for row in table.data.to_pylist() if row["income.y"] is not None]
    expected = [stratum_of(row["income.level"], row["income.range"]) for row in rows]
    found = [grade for grades, _ in table.answers("income") for grade in grades.tolist()]
    assert found == expected
    assert {grade >> 15 for grade in found} == {0, 1, 2}


def test_a_frame_without_the_column_is_refused() -> None:
    data = crowd().data.drop_columns("income.range")
    with pytest.raises(TableError, match=r"must have the column 'income\.range'"):
        ReportTable.from_frame(ranged_commuters(), data)


def test_a_range_of_what_has_no_menu_is_refused() -> None:
    table = crowd()
    data = table.data.append_column("mode.range", pa.array([0] * len(table), pa.int32()))
    with pytest.raises(TableError, match=r"must not have the column 'mode\.range'"):
        ReportTable.from_frame(ranged_commuters(), data)


def test_what_devices_send_is_what_a_table_takes() -> None:
    """Drawn by devices, a few of the questions each."""
    plan, sent = sampled_commuters(), []
    record = {"mode": "bike", "age": 41, "income": 31_257}
    for _ in range(10):
        with State() as state:
            device = Device(plan, state)
            budget = device.sample({"mode": 1, "age": 2, "income": 3})
            sent.append(device.report(record, budget).to_bytes())
    table = ReportTable.from_reports(plan, sent)
    assert (len(table), table.refused) == (10, ())
    assert ReportTable.from_frame(plan, table.data).refused == ()
