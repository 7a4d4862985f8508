"""The page of the report: every claim a row, figures that do not change, and its record."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks.claim import Claim, Curve, Section, tell
from benchmarks.page import PAGE, number, write
from benchmarks.report import NAMES, RESULTS

MACHINE = {
    "cpu": "Abacus 2000",
    "cores": 2,
    "system": "Linux x86_64",
    "python": "3.11.7",
    "date": "2026-11-16",
    "versions": {"discretion": "0.1.0", "numpy": "2.4.6"},
}
SECTION = Section(
    "Counting",
    "Of beans.",
    [
        Claim("count", 0.5, "copy", 0.2, 0.3),
        Claim("sort", 2.0, "copy", 0.2, 0.3, "µs a bean"),
        Claim.up_to(1000, "peak memory", 1234, "MB"),
        Claim("shell", 3.0),
        Claim("boil", 3.0, "peer", None, 2.0),
    ],
    [
        Curve("count", "owners", [(10, 1.0), (1000, 100.0)], (0.9, 1.1)),
        Curve("sort", "owners", [(10, 1.0), (1000, 2.0)], (0.9, 1.1)),
    ],
)


@pytest.fixture
def document() -> dict[str, object]:
    return {"counting": {**asdict(SECTION), "machine": MACHINE}}


def test_every_claim_is_a_row_and_a_missed_bar_cannot_be_overlooked(
    document: dict[str, object], tmp_path: Path
) -> None:
    page = tmp_path / "benchmarks.md"
    write(json.loads(json.dumps(document)), page)
    text = page.read_text()
    assert "## Counting\n\nOf beans. Measured on 2026-11-16: Abacus 2000, 2 cores" in text
    assert "discretion 0.1.0, numpy 2.4.6." in text
    assert "| count | 0.5 s | copy | 0.2 | 0.4 | ≥ 0.3: met |" in text
    assert "| sort | 2 µs a bean | copy | 0.2 | 0.1 | **≥ 0.3: missed** |" in text
    assert "| peak memory | 1,234 MB | allowed | 1,000 | 0.81 | **missed** |" in text
    assert "| shell | 3 s | – | – | – |  |" in text
    assert "| boil | 3 s | peer | – | – | **≥ 2: missed** |" in text
    assert "| count | owners, 10 to 1,000 | 1 to 100 | 1.00 | 0.9 to 1.1: met |" in text
    assert "| 0.15 | **0.9 to 1.1: missed, grows slower** |" in text


def test_figures_do_not_change(document: dict[str, object], tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    write(document, page)
    first = {path.name: path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert first.keys() == {"benchmarks.md", "scaling-owners.svg"}
    write(document, page)
    assert {path.name: path.read_bytes() for path in tmp_path.rglob("*.*")} == first


def test_a_section_is_printed_and_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    tell(SECTION)
    shown = capsys.readouterr().out
    tell(Section.of(json.loads(shown)))
    assert capsys.readouterr().out == shown


def test_the_page_is_that_of_the_record(tmp_path: Path) -> None:
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert tuple(found) == NAMES
    write(found, tmp_path / "benchmarks.md")
    assert (tmp_path / "benchmarks.md").read_text() == PAGE.read_text(), "report --render"


@pytest.mark.parametrize(
    "value, text", [(0.00123456, "0.00123"), (1.5, "1.5"), (99.96, "100"), (12345.6, "12,346")]
)
def test_numbers_have_three_digits_and_no_exponent(value: float, text: str) -> None:
    assert number(value) == text
