"""A folder of reports is what its tables are, in shards, by plan and round."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discretion.errors import TableError
from discretion.plan import Plan
from discretion.table import ReportFolder, ReportTable
from tests.builders import author, bundled_survey, crowd, secret_survey, survey
from tests.folders import in_folder

PLANS = (survey(), secret_survey(), bundled_survey())


def ids_of(reports: ReportTable) -> list[bytes]:
    found: list[bytes] = reports.data["id"].to_pylist()
    return found


def of_rounds(reports: ReportTable, *rounds: int) -> ReportTable:
    """Return reports whose rounds take turns."""
    own = pa.array(np.resize(np.array(rounds, np.int32), len(reports)))
    place = reports.data.column_names.index("round")
    return ReportTable(reports.plan, reports.data.set_column(place, "round", own))


@pytest.mark.parametrize("plan", PLANS, ids=["disclosed", "secret", "bundled"])
def test_all_that_is_written_is_in_the_shards_in_order(plan: Plan, tmp_path: Path) -> None:
    table = crowd(plan, 300, seed=1)
    folder = in_folder(table, tmp_path)
    rows = folder.fold(
        plan.names, lambda t: t.data, lambda a, b: pa.concat_tables([a, b]), ids=True
    )
    assert rows.select([c for c in table.data.column_names if c != "round"]).to_pylist() == (
        table.data.drop_columns(["round"]).to_pylist()
    )
    assert [shard.rows for shard in folder.shards] == [70] * (len(table) // 70) + [len(table) % 70]
    assert (len(folder), folder.shared, folder.rounds) == (len(table), table.shared, table.rounds)
    assert folder.simulated is table.simulated
    assert folder.plan.to_bytes() == plan.to_bytes()


def test_the_layout_is_by_plan_and_round_and_each_file_is_a_table(tmp_path: Path) -> None:
    table = of_rounds(crowd(survey(), 300, seed=1), 4, 0)
    folder = in_folder(table, tmp_path / "reports")
    files = sorted((tmp_path / "reports").rglob("*.parquet"))
    assert {f.parent for f in files} == {
        tmp_path / "reports" / f"plan={survey().id}" / f"round={round}" for round in (0, 4)
    }
    assert folder.rounds == [0, 4]
    tables = [ReportTable.read(file) for file in files]
    assert sorted(id for t in tables for id in ids_of(t)) == sorted(ids_of(table))
    assert len(folder.of_round(4)) == len(table.of_round(4))
    assert folder.of_round(4).rounds == [4]
    assert len(folder.of_round(9)) == 0


def test_only_the_columns_that_are_asked_for_are_read(tmp_path: Path) -> None:
    shard = in_folder(crowd(survey(), 100, seed=1), tmp_path).shards[0]
    assert shard.read(["pet"]).data.column_names == ["pet.y", "pet.level"]
    assert shard.read(["pet"], ids=True).data.column_names == ["pet.y", "pet.level", "id"]


def test_a_file_by_itself_is_a_folder_too(tmp_path: Path) -> None:
    table = crowd(survey(), 100, seed=1)
    table.write(tmp_path / "reports.parquet")
    folder = ReportFolder.open(tmp_path / "reports.parquet")
    assert len(folder) == len(table)
    assert folder.shared == table.shared


@pytest.mark.parametrize("scheme", ["file://", "memory:/"])
def test_addresses_of_other_file_systems_are_read_and_written(scheme: str, tmp_path: Path) -> None:
    table = crowd(survey(), 200, seed=1)
    folder = in_folder(table, f"{scheme}{tmp_path}")
    again = ReportFolder.open(f"{scheme}{tmp_path}")
    assert len(again) == len(folder) == len(table)
    assert ids_of(again.shards[0].read([], ids=True)) == ids_of(table)[:70]


def test_an_empty_round_is_written_and_read(tmp_path: Path) -> None:
    folder = in_folder(crowd(survey(), 20, seed=1).of_round(9), tmp_path)
    assert (len(folder), folder.rounds, folder.shared) == (0, [], [])
    assert folder.plan == survey()
    assert folder.fold(["pet"], len, lambda a, b: a + b) == 0


def test_reports_are_not_written_twice(tmp_path: Path) -> None:
    table = crowd(survey(), 20, seed=1)
    in_folder(table, tmp_path)
    with pytest.raises(TableError, match="holds reports already, which would be counted twice"):
        in_folder(table, tmp_path)
    in_folder(of_rounds(table, 1), tmp_path)
    assert ReportFolder.open(tmp_path).rounds == [0, 1]


def test_of_several_plans_one_is_named(tmp_path: Path) -> None:
    other = Plan.of(author(name="another"))
    in_folder(crowd(survey(), 20, seed=1), tmp_path)
    in_folder(crowd(other, 30, seed=1), tmp_path)
    assert len(ReportFolder.open(tmp_path, plan=other)) == len(crowd(other, 30, seed=1))
    with pytest.raises(TableError, match=r"2 plans \(.*\): name one"):
        ReportFolder.open(tmp_path)
    with pytest.raises(TableError, match="must hold"):
        ReportFolder.open(tmp_path, plan=secret_survey())
    with pytest.raises(TableError, match="must be reports of plan"):
        ReportFolder.write(tmp_path / "new", [crowd(survey(), 9, seed=1), crowd(other, 9, seed=1)])


def test_what_is_no_folder_of_reports_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no such file or folder"):
        ReportFolder.open(tmp_path / "none")
    with pytest.raises(TableError, match="must hold Parquet files of reports, and holds none"):
        ReportFolder.open(tmp_path)
    with pytest.raises(TableError, match="must be on a file system that is known"):
        ReportFolder.open("nowhere://reports")
    (tmp_path / "part.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match=r"part\.parquet: must be a whole Parquet file"):
        ReportFolder.open(tmp_path)


def test_files_with_other_columns_or_mixed_rounds_are_refused(tmp_path: Path) -> None:
    table = crowd(survey(), 20, seed=1)
    wide = table.data.set_column(1, "round", table.data["round"].cast(pa.int64()))
    ReportTable(survey(), wide).write(tmp_path / "wide.parquet")
    with pytest.raises(TableError, match="must have the columns of a table of reports, with their"):
        ReportFolder.open(tmp_path / "wide.parquet")
    of_rounds(table, 0, 1).write(tmp_path / "mixed.parquet")
    with pytest.raises(TableError, match="each row group is of one round"):
        ReportFolder.open(tmp_path / "mixed.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "bare.parquet")
    with pytest.raises(TableError, match="carries no plan"):
        ReportFolder.open(tmp_path / "bare.parquet")


def spoilt(plan: Plan, column: str, value: object, path: Path) -> ReportFolder:
    """Return reports of which the first that has a column has something else in it."""
    table = crowd(plan, 50, seed=1)
    cells = table.data[column].to_pylist()
    cells[next(i for i, cell in enumerate(cells) if cell is not None)] = value
    place = table.data.column_names.index(column)
    own = pa.array(cells, table.data[column].type)
    ReportTable(plan, table.data.set_column(place, column, own)).write(path)
    return ReportFolder.open(path)


@pytest.mark.parametrize(
    "plan, column, value, reason",
    [
        (survey(), "mode.level", 251, "level_off_menu"),
        (survey(), "mode.level", -1, "level_off_menu"),
        (survey(), "mode.level", 2**30, "level_off_menu"),
        (survey(), "mode.level", None, "missing_field"),
        (survey(), "hours.y", b"\x07", "impossible_output"),
        (survey(), "pet.y", b"\x08", "impossible_output"),
        (survey(), "mode.y", b"\x00", "impossible_output"),
        (secret_survey(), "pet.y", b"\x80", "impossible_output"),
    ],
)
def test_an_answer_that_no_device_sends_is_refused_when_it_is_read(
    plan: Plan, column: str, value: object, reason: str, tmp_path: Path
) -> None:
    folder = spoilt(plan, column, value, tmp_path / "spoilt.parquet")
    name = column.split(".")[0]
    with pytest.raises(TableError, match=rf"spoilt\.parquet: .*'{name}'.*\({reason}\)"):
        folder.fold([name], len, lambda a, b: a + b)
    others = [other for other in plan.names if other != name]
    assert folder.fold(others, len, lambda a, b: a + b) == len(folder)
