"""Files of SPSS and Stata come in with their labels, and synthetic rows go out with them."""

from datetime import date, time
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest

from discretion.errors import TableError
from discretion.plan import Plan
from discretion.synthesis.rows import described
from discretion.table.labelled import SUFFIXES, Described, labelled_parts, read_labelled
from discretion.table.labelled_writer import write_labelled

SEX = {1: "Male", 2: "Female"}
ANSWERS = {1: "Yes", 2: "No", 98: "Refused", 99: "Don't know"}
PLAN = Plan.of(
    {
        "name": "people",
        "languages": ["en", "de"],
        "attributes": [
            {
                "name": "work",
                "kind": "categorical",
                "question": {"en": "Do you work?", "de": "Arbeiten Sie?"},
                "values": [
                    {"code": "employed", "label": {"en": "Employed", "de": "Angestellt"}},
                    {"code": "retired", "label": {"en": "Retired", "de": "Im Ruhestand"}},
                ],
            },
            {
                "name": "sex",
                "kind": "categorical",
                "values": [{"code": code, "label": label} for code, label in SEX.items()],
            },
            {
                "name": "hours per week",
                "kind": "numeric",
                "range": [0, 80],
                "step": 1,
                "bins": [0, 20, 80],
                "applies": {"work": ["employed"]},
            },
            {"name": "moved", "kind": "date", "range": ["2000-01-01", "2026-12-31"]},
            {"name": "rise", "kind": "time", "range": ["04:00", "12:00"]},
        ],
        "budget": {"levels": [1, 2]},
    }
)
ROWS = pa.table(  # as a model draws them
    {
        "work": ["employed", "retired", "employed"],
        "sex": ["2", "1", "2"],
        "hours per week": ["[20, 80]", "not applicable", "[0, 20)"],
        "moved": pa.array([0, 10957, 11000], pa.int64()),
        "rise": pa.array([240, 435, 720], pa.int64()),
    }
)


def written(path: Path, data: dict[str, Any], **options: Any) -> Path:
    write = pyreadstat.write_dta if path.suffix == ".dta" else pyreadstat.write_sav
    write(pd.DataFrame(data), str(path), **options)
    return path


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_rows_go_out_with_questions_and_labels_and_come_back_with_them(
    suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"rows{suffix}"
    write_labelled(described(ROWS, PLAN), path, suffix)
    found = read_labelled(path)
    work, sex, hours, moved, rise = (Described.of(column) for column in found.schema)
    stata = suffix == ".dta"  # where labels are of numbers only
    codes = ("1", "2") if stata else ("employed", "retired")
    assert work == Described("Do you work?", dict(zip(codes, ("Employed", "Retired"), strict=True)))
    assert sex == Described("", {str(code): label for code, label in SEX.items()})
    assert found["sex"].to_pylist() == [2, 1, 2]
    assert found["work"].to_pylist() == ([1, 2, 1] if stata else ROWS["work"].to_pylist())
    assert found.column_names[2] == "hours_per_week"
    assert hours.question == "hours per week"
    bins = found["hours_per_week"].to_pylist()  # none where the question does not apply
    assert bins == ([2, None, 1] if stata else ["[20, 80]", None, "[0, 20)"])
    assert found["moved"].to_pylist() == [date(1970, 1, 1), date(2000, 1, 1), date(2000, 2, 13)]
    assert found["rise"].to_pylist() == [time(4), time(7, 15), time(12)]
    assert (moved, rise) == (Described(), Described())


def test_values_that_are_declared_missing_are_missing_and_have_no_label(tmp_path: Path) -> None:
    missing = {"q": [{"lo": 98, "hi": 99}]}
    labels = {"q": {float(code): label for code, label in ANSWERS.items()}}
    about: dict[str, Any] = {
        "variable_value_labels": labels,
        "column_labels": {"q": " Are you?\n "},
    }
    data = {"q": [1.0, 98.0, 2.0, None], "n": [1.5, 2, 3, None], "s": ["a", "", " ", "b "]}
    spss = read_labelled(written(tmp_path / "a.sav", data, missing_ranges=missing, **about))
    assert Described.of(spss.schema.field("q")) == Described("Are you?", {"1": "Yes", "2": "No"})
    assert spss["q"].to_pylist() == [1, None, 2, None]
    assert spss["n"].to_pylist() == [1.5, 2, 3, None]
    assert spss["s"].to_pylist() == ["a", None, None, "b"]
    marked = {"q": [1, "a", 2, "b"]}
    labelled: Any = {"q": {1: "Yes", 2: "No", "a": "Refused", "b": "Don't know"}}
    stata = read_labelled(
        written(
            tmp_path / "a.dta",
            marked,
            missing_user_values={"q": ["a", "b"]},
            variable_value_labels=labelled,
        )
    )
    assert Described.of(stata.schema.field("q")) == Described("", {"1": "Yes", "2": "No"})
    assert stata["q"].to_pylist() == [1, None, 2, None]


def test_a_file_is_read_in_parts(tmp_path: Path) -> None:
    path = written(tmp_path / "a.sav", {"n": range(250)})
    parts = [part["n"].to_pylist() for part in labelled_parts(path, 100)]
    assert [len(part) for part in parts] == [100, 100, 50]
    assert [*range(250)] == [number for part in parts for number in part]
    assert [part.num_rows for part in labelled_parts(path, 125)] == [125, 125]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_such_file_is_refused_in_one_line(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"people{suffix}"
    with pytest.raises(FileNotFoundError):
        read_labelled(path)
    for content in (b"", b"hello", b"$FL2" + bytes(400), b"<stata_dta>" + bytes(400)):
        path.write_bytes(content)
        with pytest.raises(TableError, match=r"must be a (Stata|SPSS) file") as caught:
            read_labelled(path)
        assert "\n" not in str(caught.value)


def test_names_and_texts_fit_what_both_programs_take(tmp_path: Path) -> None:
    names = ["1st", "with", "Größe", "a" * 70, "a" * 70 + "b", "A" * 70, "é"]
    said = Described("ü" * 300, {"1": "é" * 200})
    fields = [said.on(pa.field(name, pa.string())) for name in names]
    table = pa.table([pa.array(["1", None])] * len(names), pa.schema(fields))
    for suffix, most, label, question in ((".sav", 64, 60, 128), (".dta", 32, 200, 40)):
        path = tmp_path / f"rows{suffix}"
        write_labelled(table, path, suffix)
        found = read_labelled(path)
        assert found.column_names[:3] == ["v_1st", "v_with", "Gr__e"]
        assert len({name.lower() for name in found.column_names}) == len(names)
        assert all(len(name) <= most for name in found.column_names)
        described = Described.of(found.schema.field(0))
        assert (described.question, described.labels) == ("ü" * question, {"1": "é" * label})
