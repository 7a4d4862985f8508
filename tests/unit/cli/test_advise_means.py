"""``discretion plan advise`` about numbers: what it prints, and the plan that it proposes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import discretion as ds
from discretion.design import advise_means

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]

PLAN = """
name: numbers
attributes:
- {name: age, kind: numeric, range: [0, 100], step: 1}
- {name: hours, kind: numeric, range: [0, 80], step: 1, mechanism: pm}
- {name: income, kind: numeric, range: [0, 200000], step: 500}
budget: {total: 6, spread: 1.5, step: 0.5}
"""
PILOT = "age,hours,income\n31,40,30000\n45,38,52000\n62,20,41000\n"


@pytest.fixture
def run(run: Run) -> Run:
    """Add a plan about numbers, and a pilot, to the folder."""
    Path("numbers.yaml").write_text(PLAN, encoding="utf-8")
    Path("pilot.csv").write_text(PILOT, encoding="utf-8")
    return run


def test_a_plan_of_numbers_is_enough(run: Run, capsys: Capture) -> None:
    assert run("plan", "advise", "numbers.yaml") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("10,000 owners who spend 6 each: the means of 3 numbers, somewhere")
    assert "Drawing 1 (attribute contract) is about as good as" in printed
    assert run("plan", "advise", "numbers.yaml", "--total", "12") == 0
    assert "protected by 12 instead of 6." in " ".join(capsys.readouterr().out.split())


def test_json_holds_what_the_library_gives(run: Run, capsys: Capture) -> None:
    options = ("--table", "age", "--table", "hours", "-n", "500", "--total", "4", "--json")
    assert run("plan", "advise", "numbers.yaml", *options) == 0
    document = json.loads(capsys.readouterr().out)
    plan = ds.Plan.load("numbers.yaml")
    advice = advise_means(plan, 500, 4, ["age", "hours"])
    assert document["recommendation"] == advice.recommendation
    assert document["forecasts"][0]["squared_error"] == advice.rows[0].squared_error
    assert document["proposals"]["attribute"] == advice.proposal("attribute")


def test_the_proposed_plan_is_written_and_can_be_used(run: Run, capsys: Capture) -> None:
    options = ("--pilot", "pilot.csv", "-o", "new.yaml", "--contract", "attribute")
    assert run("plan", "advise", "numbers.yaml", *options) == 0
    out = capsys.readouterr().out
    assert "as guessed" in out
    assert "written to new.yaml" in out
    assert ds.Plan.load("new.yaml").sample is not None
    assert run("plan", "check", "new.yaml") == 0


def test_the_plan_itself_is_not_overwritten(run: Run, capsys: Capture) -> None:
    assert run("plan", "advise", "numbers.yaml", "-o", "numbers.yaml") == 1
    assert "must not be a file that is read" in capsys.readouterr().err
    assert Path("numbers.yaml").read_text(encoding="utf-8") == PLAN


def test_tables_of_numbers_are_refused_in_one_line(run: Run, capsys: Capture) -> None:
    assert run("plan", "advise", "numbers.yaml", "--table", "age,hours") == 1
    error = capsys.readouterr().err
    assert "'age' is a number" in error
    assert error.count("\n") == 1
