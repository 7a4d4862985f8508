"""``python -m papers``: it says what it needs, prints tables, and writes pages."""

import gzip
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as csv
import pytest

from papers.data import Dataset
from papers.pldp.printed import CAR
from tests.papers.crowds import made_up

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "sets").mkdir()
    return tmp_path / "sets"


def digest(table: pa.Table, path: Path) -> str:
    """Write a table as the data sets are written, and return what its text is recognised by."""
    csv.write_csv(table, path, csv.WriteOptions(quoting_style="none"))
    return sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def car(monkeypatch: pytest.MonkeyPatch, place: Path) -> Path:
    """Return a folder with a small Car, the only data set."""
    found = digest(made_up(CAR, 100), place / "car.csv")
    monkeypatch.setattr("papers.pldp.study.DATASETS", {"Car": replace(CAR, sha256=found)})
    return place


@pytest.fixture
def counties(monkeypatch: pytest.MonkeyPatch, place: Path) -> Path:
    """Return a folder with two small files of counties."""
    files = []
    for seed, name in enumerate(("one", "other")):
        rng = np.random.default_rng(seed)
        table = pa.table({f"c{j}": rng.beta(1, 2 + j, 300).round(4) for j in range(4)})
        asked = tuple({"name": column, "kind": "numeric"} for column in table.column_names)
        found = digest(table, place / f"{name}.csv")
        files.append(Dataset(name, f"{name}.csv", 300, found, asked))
    monkeypatch.setattr("papers.pmpm.study.COUNTIES", tuple(files))
    return place


@pytest.mark.parametrize(
    "paper, file", [("pldp", "adult.csv"), ("pmpm", "acs2015_county_data.csv")]
)
def test_missing_data_are_one_line_that_says_what_to_do(
    run: Run, capsys: Capture, paper: str, file: str
) -> None:
    assert run(paper, "--data", "none") == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    start = f"papers: {Path('none') / file} (or .gz) is not there: name its folder"
    assert printed.err.startswith(start)
    assert ("--fetch" in printed.err) == (paper == "pldp")
    assert printed.err.count("\n") == 1


def test_another_file_of_that_name_is_refused(run: Run, capsys: Capture, place: Path) -> None:
    (place / "retail.csv.gz").write_bytes(gzip.compress(b"items\n1 2\n"))
    assert run("lopub", "--data", str(place)) == 1
    assert "is not the Retail of this study" in capsys.readouterr().err


def test_an_unknown_paper_is_refused(run: Run, capsys: Capture) -> None:
    assert run("pdlp") == 2
    assert "'pdlp' is not one of 'pldp', 'pena', 'pmpm', 'lopub'" in capsys.readouterr().err


def test_quick_prints_the_papers_figures_beside_ours_and_writes_nothing(
    run: Run, capsys: Capture, car: Path
) -> None:
    assert run("pldp", "--quick", "--seeds", "1", "--data", str(car)) == 0
    out = capsys.readouterr().out
    assert "Car, S#1\nAVD" in out
    assert "\nPLDP, printed " in out
    assert "blind, secret" in out
    assert "28 bars are met." in out
    assert not Path("docs").exists()


def test_the_page_is_written_where_the_option_says(run: Run, capsys: Capture, car: Path) -> None:
    assert run("pldp", "--quick", "--runs", "1", "--data", str(car), "-o", "pages") == 0
    assert f"written to {Path('pages/pldp.md')}" in capsys.readouterr().out
    assert {path.name for path in Path("pages").iterdir()} == {"pldp.md", "pldp-table-2.svg"}


def test_errors_of_means_are_printed(run: Run, capsys: Capture, counties: Path) -> None:
    assert run("pmpm", "--quick", "--runs", "2", "--data", str(counties), "-o", "pages") == 0
    out = capsys.readouterr().out
    assert "PMPM, mended" in out
    assert "of 24 bars are met." in out
    assert [path.name for path in Path("pages").iterdir()] == ["pmpm.md"]
