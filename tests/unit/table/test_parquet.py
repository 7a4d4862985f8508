"""A Parquet file carries the reports, their plan and whether they are simulated."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discretion.errors import NoSuchFile, PlanError, Refusal, TableError
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.builders import author, crowd, secret_survey, survey


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "reports.parquet"


@pytest.mark.parametrize("plan", [survey(), secret_survey()], ids=["disclosed", "secret"])
@pytest.mark.parametrize("simulated", [True, False])
def test_what_is_written_is_read(path: Path, plan: Plan, simulated: bool) -> None:
    table = ReportTable(plan, crowd(plan, 300, seed=1).data, simulated)
    table.write(path)
    again = ReportTable.read(path)
    assert again == table
    assert again.plan.to_bytes() == plan.to_bytes()
    assert again.simulated is simulated


def test_an_empty_table_is_read_again(path: Path) -> None:
    table = crowd(survey(), 20, seed=1).of_round(9)
    table.write(path)
    assert ReportTable.read(path) == table


def test_the_expected_plan_is_accepted(path: Path) -> None:
    crowd(survey(), 20, seed=1).write(path)
    assert ReportTable.read(path, plan=survey()).plan == survey()


def test_the_file_of_another_plan_is_refused(path: Path) -> None:
    crowd(survey(), 20, seed=1).write(path)
    other = Plan.of(author(name="another"))
    with pytest.raises(TableError) as error:
        ReportTable.read(path, plan=other)
    assert str(error.value) == f"{path}: must hold reports of plan {other.id}, got {survey().id}"


def test_a_truncated_file_is_refused(path: Path) -> None:
    crowd(survey(), 20, seed=1).write(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TableError, match=r"reports\.parquet: must be a whole Parquet file \("):
        ReportTable.read(path)


def test_a_file_that_is_no_parquet_is_refused(path: Path) -> None:
    path.write_text("mode,pet\nbike,dog\n")
    with pytest.raises(TableError, match="must be a Parquet file of reports"):
        ReportTable.read(path)


def test_a_missing_file_is_refused(path: Path) -> None:
    with pytest.raises(NoSuchFile, match="no such file"):
        ReportTable.read(path)


def test_a_parquet_file_that_is_no_table_of_reports_is_refused(path: Path) -> None:
    pq.write_table(pa.table({"mode": ["bike", None]}), path)
    with pytest.raises(TableError) as error:
        ReportTable.read(path)
    assert str(error.value) == f"{path}: must be a table of reports; this file carries no plan"


def test_a_plan_that_was_tampered_with_is_refused(path: Path) -> None:
    data = crowd(survey(), 20, seed=1).data
    changed = survey().to_bytes().replace(b"survey", b"Survey", 1) + b" "
    pq.write_table(data.replace_schema_metadata({"discretion.plan": changed}), path)
    with pytest.raises(PlanError, match=r"reports\.parquet: plan: must be the canonical bytes"):
        ReportTable.read(path)


def test_malformed_rows_of_a_file_are_refused_and_the_others_kept(path: Path) -> None:
    table = crowd(survey(), 20, seed=1)
    rounds = pa.array([-1, *[0] * (len(table) - 1)], pa.int32())
    ReportTable(survey(), table.data.set_column(1, "round", rounds), simulated=True).write(path)
    again = ReportTable.read(path)
    assert [(refused.row, refused.reason) for refused in again.refused] == [(0, Refusal.BAD_ROUND)]
    assert again.data == table.data.slice(1)
