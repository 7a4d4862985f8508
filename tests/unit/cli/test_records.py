"""Files of records as they come: what is text, what is a number, what is missing."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discretion.cli.records import read_records, read_table, records_in_parts
from discretion.design.proposal import note_of
from discretion.errors import TableError
from discretion.plan import Plan

MANY = range(30)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data.csv"


def column(file: Path, *cells: str) -> pa.ChunkedArray:
    """Return a column with these cells, as it is read without a plan."""
    file.write_text("\n".join(['x,"y"', *(f"{cell}," for cell in cells), ""]), encoding="utf-8")
    return read_table(file)["x"]


@pytest.mark.parametrize(
    "cells, kind",
    [
        (("1", "-2", "3"), pa.int64()),
        (("1.5", " 2", ".5", "1e3"), pa.float64()),
        (("1", "", "3"), pa.int64()),
        (("01", "10"), pa.string()),
        (("1", "two"), pa.string()),
        (("true", "false"), pa.string()),
        (("2020-01-01", "2020-01-02", "n/a"), pa.date32()),
        (("2020-01-01T08:30", "2020-01-02 09:00:01"), pa.date32()),
        (("31.12.2020", "1.2.2021"), pa.date32()),
        (("30.02.2020", "1.2.2021"), pa.string()),
        (("03/04/2020", "12/25/2020"), pa.string()),
        ((*map(str, MANY), "unknown", "-", "N/A", "."), pa.int64()),
        (("1", "?"), pa.string()),
        (("NA", "?"), pa.string()),
        ((*map(str, MANY), "NA", "?"), pa.int64()),
        ((*map(str, MANY), "oops"), pa.string()),
        (("0x1F", "0x2F"), pa.string()),
        (("12345678901234567890", "1"), pa.float64()),
    ],
)
def test_a_column_is_numbers_if_all_its_cells_are(
    file: Path, cells: tuple[str, ...], kind: pa.DataType
) -> None:
    assert column(file, *cells).type == kind


def test_marks_among_many_numbers_are_missing(file: Path) -> None:
    assert column(file, *map(str, MANY), "NA", "", "?").null_count == 3


def test_text_stays_as_it_stands(file: Path) -> None:
    assert column(file, "NA", " a", "").to_pylist() == ["NA", " a", None]


def test_a_byte_order_mark_quotes_and_line_breaks_are_understood(file: Path) -> None:
    file.write_bytes('\ufeffa,"b, c"\r\n1,"x\ny"\r\n'.encode())
    assert read_table(file).to_pylist() == [{"a": 1, "b, c": "x\ny"}]


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "Empty CSV file"),
        (b"a,b\n1\n", "Expected 2 columns, got 1"),
        ("a,b\nå,1\n".encode("latin-1"), "utf-8"),
        ("a,b\n1,1\n".encode("utf-16"), "utf-8"),
        (b'"' + b"a" * 200_000, "field larger than field limit"),
    ],
)
def test_what_is_no_csv_is_refused_in_one_line(file: Path, content: bytes, message: str) -> None:
    file.write_bytes(content)
    with pytest.raises(TableError, match=message) as refused:
        read_table(file)
    assert str(file) in str(refused.value)
    assert "\n" not in str(refused.value)


def plan(**question: object) -> Plan:
    return Plan.of({"name": "p", "attributes": [question], "budget": {"levels": [1]}})


def test_a_plan_decides_what_is_a_label_and_what_a_number(file: Path) -> None:
    file.write_text("x,y\n01,a\n2.0,b\n?,c\n", encoding="utf-8")
    numbers = plan(name="x", kind="numeric", range=[0, 5], step=1)
    assert read_records(file, numbers)["x"].to_pylist() == [1, 2, None]
    labels = plan(name="x", kind="categorical", values=["01", 2, "?"])
    assert read_records(file, labels)["x"].to_pylist() == ["01", "2", "?"]
    assert read_records(file, labels).column_names == ["x"]


def test_parquet_is_taken_as_it_is(tmp_path: Path) -> None:
    table = pa.table({"x": ["01", "2"], "y": [1, 2]})
    pq.write_table(table, tmp_path / "d.parquet")
    assert read_table(tmp_path / "d.parquet") == table
    labels = plan(name="x", kind="categorical", values=["01", "2"])
    assert read_records(tmp_path / "d.parquet", labels) == table.select(["x"])


def test_a_word_among_numbers_stays_where_it_is(file: Path) -> None:
    file.write_text("x,y\n1,\nNA,\nmany,\n", encoding="utf-8")
    numbers = plan(name="x", kind="numeric", range=[0, 5], step=1)
    assert read_records(file, numbers)["x"].to_pylist() == ["1", None, "many"]


def test_one_word_among_numbers_changes_no_other(file: Path) -> None:
    number = plan(name="x", kind="numeric", range=[0, 5000], step=1)
    file.write_text("x;y\n1,5;\nmany;\n1.234,25;\n-;\n7;\n", encoding="utf-8")
    assert read_records(file, number)["x"].to_pylist() == ["1.5", "many", "1234.25", None, "7"]


def test_a_column_is_written_in_one_way_in_all_parts(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discretion.cli.records.CSV_BYTES", 12)
    number = plan(name="x", kind="numeric", range=[0, 5000], step=1)
    file.write_text("x;y\n10;a\n1,5;a\n1.234;a\n12;a\n", encoding="utf-8")
    found = [x for part in records_in_parts(file, number) for x in part["x"].to_pylist()]
    assert found == [10, 1.5, 1234, 12]
    file.write_text("x;y\n1.234;a\n12;a\n1.234,5;a\n", encoding="utf-8")
    with pytest.raises(TableError, match="x: numbers must be written in one way in all rows"):
        list(records_in_parts(file, number))


@pytest.mark.parametrize(
    "content", [b"x;y\n1,5;2\n3;\n", b"x\ty\n1,5\t2\n3\t\n", b'x|y\n"1.5"|2\n3|\n']
)
def test_semicolons_tabs_and_bars_are_understood(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert read_table(file).to_pylist() == [{"x": 1.5, "y": 2}, {"x": 3, "y": None}]


READ: dict[str, tuple[tuple[str, ...], list[object]]] = {
    "decimal commas": (("1,5", "2", "1.234,25"), [1.5, 2, 1234.25]),
    "no thousands": (("0,125", "0,250"), [0.125, 0.25]),
    "thousands": (("1,234.5", "12"), [1234.5, 12]),
    "more thousands": (("1,234,567", "-12"), [1234567, -12]),
    "spaces": (("1\u202f234", "1 234 567"), [1234, 1234567]),
    "apostrophes": (("1'234.5", "3"), [1234.5, 3]),
    "either": (("1,234", "2"), ["1,234", "2"]),
    "neither": (("1,234.5", "1.234,5"), ["1,234.5", "1.234,5"]),
    "points": (("1.234", "2.5"), [1.234, 2.5]),
    "uneven": (("1,23,456", "2"), ["1,23,456", "2"]),
}


@pytest.mark.parametrize("case", READ)
def test_a_column_has_one_notation_that_all_its_cells_allow(file: Path, case: str) -> None:
    cells, wanted = READ[case]
    file.write_text("\n".join(["x;y", *(f"{cell};" for cell in cells), ""]), encoding="utf-8")
    assert read_table(file)["x"].to_pylist() == wanted
    number = plan(name="x", kind="numeric", range=[-50, 2_000_000], step=50)
    words = [str(cell) for cell in cells]
    expected = words if isinstance(wanted[0], str) else wanted
    assert read_records(file, number)["x"].to_pylist() == expected


def test_what_was_done_is_said_by_column(file: Path) -> None:
    rows = [f"{i},5;{i % 28 + 1}.1.2020;{'unknown' if i % 3 else i};1,234" for i in range(90)]
    file.write_text("\n".join(["a;b;c;d", *rows]), encoding="utf-8")
    notes = {field.name: note_of(field) for field in read_table(file).schema}
    assert notes == {
        "a": "numbers with decimal commas",
        "b": "dates, read as day.month.year",
        "c": "60 cells mean that there is no value ('unknown')",
        "d": "left as text, since 1,234 may be 1234 or 1.234",
    }
    dates = plan(name="b", kind="date", range=["2020-01-01", "2020-01-31"])
    assert str(read_records(file, dates)["b"][0]) == "2020-01-01"
