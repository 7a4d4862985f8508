"""``python -m papers pldp``: it says what it needs, prints Table 2, and writes a page."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pyarrow.csv as csv
import pytest

from papers import pldp
from papers.dataset import CAR
from tests.papers.crowds import made_up

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a folder with a small Car, the only data set."""
    place = tmp_path / "sets"
    place.mkdir()
    csv.write_csv(made_up(CAR, 300), place / "car.csv", csv.WriteOptions(quoting_style="none"))
    digest = sha256((place / "car.csv").read_bytes()).hexdigest()
    monkeypatch.setattr(pldp, "DATASETS", {"Car": replace(CAR, sha256=digest)})
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    return place


def test_missing_data_are_one_line_that_says_what_to_do(run: Run, capsys: Capture) -> None:
    assert run("pldp", "--data", "none") == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"papers: {Path('none/adult.csv')} (or .gz) is not there: ")
    assert printed.err.count("\n") == 1


def test_quick_prints_the_papers_figures_beside_ours_and_writes_nothing(
    run: Run, capsys: Capture, small: Path
) -> None:
    assert run("pldp", "--quick", "--seeds", "1", "--data", str(small)) == 0
    out = capsys.readouterr().out
    assert "PLDP, printed" in out
    assert "blind, secret" in out
    assert "28 bars are met." in out
    assert not Path("docs").exists()


def test_the_page_goes_where_it_is_told(run: Run, capsys: Capture, small: Path) -> None:
    arguments = ("--quick", "--seeds", "1", "--data", str(small), "-o", "pages")
    assert run("pldp", *arguments) == 0
    assert f"written to {Path('pages/pldp.md')}" in capsys.readouterr().out
    assert {path.name for path in Path("pages").iterdir()} == {"pldp.md", "pldp-table-2.svg"}
