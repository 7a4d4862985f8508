"""What does not fit a plan is read as on a device, and shown: ``simulate`` and ``plan check``."""

import json
from pathlib import Path

import pytest

import discretion as ds
from tests.unit.cli.conftest import Run

Capture = pytest.CaptureFixture[str]
PLAN = """
name: odd
attributes:
  - {name: pet, kind: categorical, values: [cat, dog, other]}
  - {name: work, kind: categorical, values: ["yes", "no"]}
  - {name: age, kind: numeric, range: [16, 100], step: 1}
  - {name: hours, kind: numeric, range: [0, 80], step: 1, bins: [0, 20, 40, 80],
     applies: {work: ["yes"]}}
budget: {levels: [1]}
"""
ROWS = """pet,work,age,hours
cat,yes,30,40
cow,no,many,many
dog,maybe,,900
dog,yes,7,-1
horse,yes,1000,many
"""
TABLE = """
attribute  values  do not fit       count as  first rows
pet             2  not listed       "other"   2: 'cow', 5: 'horse'
work            1  not listed       "no"      3: 'maybe'
age             1  not a number     no value  2: 'many'
age             1  below the range  16        4: '7'
age             1  above the range  100       5: '1000'
hours           1  below the range  0         4: '-1'
hours           1  not a number     no value  5: 'many'
"""


@pytest.fixture(autouse=True)
def files(run: Run) -> None:  # noqa: ARG001 (in its folder)
    Path("odd.yaml").write_text(PLAN, encoding="utf-8")
    Path("odd.csv").write_text(ROWS, encoding="utf-8")


@pytest.mark.parametrize("output", ["odd.parquet", "odd/"])
def test_a_simulation_shows_what_became_of_which_rows(
    run: Run, capsys: Capture, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discretion.cli.records.CSV_BYTES", 40)
    assert run("simulate", "odd.yaml", "odd.csv", "-o", output) == 0
    said = capsys.readouterr().out
    assert "5 simulated reports written to" in said
    shown = {line.strip() for line in said.replace("'", "").splitlines()}
    assert {line.strip() for line in TABLE.replace("'", "").splitlines()} <= shown


def test_strict_refuses_all_but_labels_that_are_others(run: Run, capsys: Capture) -> None:
    for output in ("odd.parquet", "odd/"):
        assert run("simulate", "odd.yaml", "odd.csv", "--strict", "-o", output) == 1
        printed = capsys.readouterr()
        assert TABLE.strip() in printed.out
        assert (
            printed.err == "discretion: odd.csv: 6 values must fit the plan, as the table shows\n"
        )
        assert not Path(output).exists()
    Path("odd.csv").write_text("pet,work,age,hours\ncow,yes,30,40\n", encoding="utf-8")
    assert run("simulate", "odd.yaml", "odd.csv", "--strict") == 0
    assert run("plan", "check", "odd.yaml", "odd.csv") == 0
    assert "1 fit the plan" in capsys.readouterr().out


def test_plan_check_asks_for_a_place_for_unknown_labels(run: Run, capsys: Capture) -> None:
    assert run("plan", "check", "odd.yaml") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert 'to do work: an unknown label counts as "no", the last one: add "other"' in said
    assert "pet: an unknown" not in said
    plan = ds.Plan.load("odd.yaml")
    assert [name for name, each in plan.attributes.items() if each.assumed] == ["work"]
    canonical = ds.Plan.from_bytes(plan.to_bytes())
    assert not any(each.assumed for each in canonical.attributes.values())
    assert canonical == plan


@pytest.mark.parametrize("level, odds", [(6, "403"), (20, "485,165,195"), (0.5, "1.6")])
def test_plan_check_explains_levels_in_odds(
    run: Run, capsys: Capture, level: float, odds: str
) -> None:
    Path("odd.yaml").write_text(PLAN.replace("[1]", f"[{level}]"), encoding="utf-8")
    assert run("plan", "check", "odd.yaml") == 0
    said = " ".join(capsys.readouterr().out.split())
    made = f"at {level}, a report can make one answer up to {odds} times as likely as another"
    assert made in said
    assert ("practically the answer itself" in said) == (level >= 6)


def test_plan_check_shows_the_same_and_fails(run: Run, capsys: Capture) -> None:
    assert run("plan", "check", "odd.yaml", "odd.csv") == 1
    assert TABLE in capsys.readouterr().out
    assert run("plan", "check", "odd.yaml", "odd.csv", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["fitting_records"] is None
    assert found["misfits"][3] == {
        "attribute": "age",
        "misfit": "below",
        "values": 1,
        "counts_as": "16",
        "first": [{"row": 4, "value": "7"}],
    }
    assert len(found["misfits"]) == 7


def test_a_table_of_reports_counts_them_by_attribute() -> None:
    head, *rows = (line.split(",") for line in ROWS.split())
    frame = [{n: cell or None for n, cell in zip(head, row, strict=True)} for row in rows]
    table = ds.simulate(ds.Plan.load("odd.yaml"), frame, seed=1)
    assert table.changed == {"pet": 2, "work": 1, "age": 3, "hours": 2}


def test_plan_check_names_codes_that_a_spreadsheet_would_work_out(
    run: Run, capsys: Capture
) -> None:
    asked = 'values: ["=cmd|\' /C calc\'!A0", "-1", "+1.5", other]'
    attribute = f"{{name: pet, kind: categorical, {asked}}}"
    stated = f"name: sums\nattributes: [{attribute}]\nbudget: {{levels: [1]}}\n"
    Path("sums.yaml").write_text(stated, encoding="utf-8")
    assert run("plan", "check", "sums.yaml") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("is a formula to programs") == 1
    assert "to do pet: \"=cmd|' /C calc'!A0\" is a formula" in said
