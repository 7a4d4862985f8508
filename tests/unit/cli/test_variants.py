"""Variants of local privacy from the command line: each says which contract it gives."""

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import Run

PLAN = """
name: clinic
attributes:
  - {name: illness, kind: categorical, values: [hiv, flu, none],
     mechanism: {idldp: {shares: {hiv: 0.5}}}}
  - {name: smokes, kind: categorical, values: ["yes", "no"],
     mechanism: {uldp: {sensitive: ["yes"]}}}
  - {name: pain, kind: categorical, values: [1, 2, 3, 4, 5], mechanism: {metric: {scale: 2}}}
  - {name: home, kind: categorical, values: [town, country]}
budget: {levels: [1, 2]}
"""
RECORDS = "illness,smokes,pain,home\n" + "flu,no,3,town\nnone,yes,1,country\nhiv,no,5,town\n" * 200
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def clinic(run: Run) -> Run:
    """Return the command, in a folder with such a plan and records."""
    Path("clinic.yaml").write_text(PLAN, encoding="utf-8")
    Path("people.csv").write_text(RECORDS, encoding="utf-8")
    return run


def test_plan_check_says_what_each_variant_promises(clinic: Run, capsys: Capture) -> None:
    assert clinic("plan", "check", "clinic.yaml") == 0
    printed = capsys.readouterr().out
    assert "variant     illness, idldp: two values are told apart by at most the smaller" in printed
    assert "variant     smokes, uldp: a report of yes tells any two values apart by" in printed
    assert (
        "variant     pain, metric: two values are told apart by at most the level times" in printed
    )
    assert "variant     home" not in printed


def test_plan_check_prints_json(clinic: Run, capsys: Capture) -> None:
    assert clinic("plan", "check", "clinic.yaml", "--json") == 0
    illness, smokes, pain, home = json.loads(capsys.readouterr().out)["attributes"]
    assert illness["variant"] == {"shares": [500, 1000, 1000]}
    assert smokes["variant"] == {"sensitive": ["yes"]}
    assert pain["variant"] == {"places": [[0], [500], [1000], [1500], [2000]]}
    assert pain["promise"].startswith("two values are told apart by at most the level times")
    assert "variant" not in home


def test_a_crowd_is_simulated_and_estimated(clinic: Run, capsys: Capture) -> None:
    assert clinic("simulate", "clinic.yaml", "people.csv", "-o", "reports.parquet") == 0
    assert clinic("estimate", "reports.parquet", "--all") == 0
    assert clinic("estimate", "reports.parquet", "--joint", "illness,home") == 0
    printed = capsys.readouterr().out
    assert "hiv" in printed
    assert "smokes" in printed


def test_advice_is_on_sets_of_codes(clinic: Run, capsys: Capture) -> None:
    assert clinic("plan", "advise", "clinic.yaml", "--table", "pain,home") == 1
    assert "'pain' uses metric" in capsys.readouterr().err
