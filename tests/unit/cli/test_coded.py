"""Words from the command line: a plan in YAML, a crowd, and estimates with intervals."""

import json
from pathlib import Path

import pytest

import discretion as ds
from tests.unit.cli.conftest import Run

PLAN = """
name: words
attributes:
  - name: work
    kind: categorical
    values: [employed, self-employed, seeking, retired, student]
    mechanism: {bloom: {hashes: 4, bits: 32}}
  - name: income
    kind: numeric
    range: [0, 150000]
    step: 100
    bins: [0, 20000, 60000, 150000]
    mechanism: {rappor: {hashes: 2, cohorts: 3, ones: 0.9, zeros: 0.1}}
budget: {levels: [1, 4]}
"""
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def worded(run: Run) -> Run:
    """Return the command, in a folder with such a plan."""
    Path("words.yaml").write_text(PLAN, encoding="utf-8")
    return run


def test_plan_check_shows_the_words(worded: Run, capsys: Capture) -> None:
    assert worded("plan", "check", "words.yaml") == 0
    printed = capsys.readouterr().out
    assert "bloom 4/32 " in printed
    assert "rappor 2/9 x 3 " in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert worded("plan", "check", "words.yaml", "--json") == 0
    work, income = json.loads(capsys.readouterr().out)["attributes"]
    assert (work["mechanism"], work["words"]) == ("bloom", {"hashes": 4, "bits": 32})
    stated = {"hashes": 2, "bits": 9, "cohorts": 3, "ones": 900, "zeros": 100}
    assert (income["mechanism"], income["words"]) == ("rappor", stated)


def test_a_crowd_is_simulated_and_estimated(worded: Run, capsys: Capture) -> None:
    assert worded("simulate", "words.yaml", "people.csv", "-o", "reports.parquet") == 0
    assert worded("estimate", "reports.parquet", "--all") == 0
    assert worded("estimate", "reports.parquet", "--joint", "work,income") == 0
    printed = capsys.readouterr().out
    assert "self-employed" in printed
    assert len(ds.ReportTable.read("reports.parquet")) == 2_000


def test_advice_is_about_sets_of_codes(worded: Run, capsys: Capture) -> None:
    assert worded("plan", "advise", "words.yaml", "--owners", "1000") == 1
    assert "there is advice on sets of codes, and 'work' uses bloom" in capsys.readouterr().err
