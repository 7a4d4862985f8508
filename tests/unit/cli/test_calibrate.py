"""``discretion estimate --calibrate``: known margins in a file, for people and for machines."""

import json
from pathlib import Path

import pytest

import discretion as ds
from tests.unit.cli.conftest import Run

Capture = pytest.CaptureFixture[str]
INCOMES = {"[0, 20000)": 30, "[20000, 60000)": 50, "[60000, 150000]": 20}


@pytest.fixture
def reports(run: Run, capsys: Capture) -> ds.ReportTable:
    assert run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", "--seed", "7") == 0
    Path("margins.json").write_text(json.dumps({"income": INCOMES}), encoding="utf-8")
    lines = ["income:", *(f'  "{label}": {share}' for label, share in INCOMES.items())]
    Path("margins.yaml").write_text("\n".join(lines), encoding="utf-8")
    capsys.readouterr()
    return ds.ReportTable.read("r.parquet")


@pytest.mark.filterwarnings("ignore::discretion.CalibrationWarning")
def test_estimates_are_weighted_to_the_margins_in_a_file(
    run: Run, reports: ds.ReportTable, capsys: Capture
) -> None:
    weights = ds.calibrate(reports, {"income": INCOMES})
    value = ds.frequencies(reports, "work", weights=weights).value.tolist()
    for name in ("margins.json", "margins.yaml"):
        assert run("estimate", "r.parquet", "work", "--calibrate", name, "--json") == 0
        (found,) = json.loads(capsys.readouterr().out)
        assert [row["value"] for row in found["frequencies"]] == pytest.approx(value)
        assert found["weighted"]["attributes"] == ["income"]
    assert run("estimate", "r.parquet", "work", "--calibrate", "margins.yaml") == 0
    said = capsys.readouterr().out
    assert "weighted to the margins of income" in said
    assert "nor levels that were chosen by value" in said
    table = ("--joint", "work,income", "--calibrate", "margins.yaml")
    assert run("estimate", "r.parquet", *table) == 0
    assert "work x income: tensor estimate" in capsys.readouterr().out
    statistic = ("--statistic", "frequencies", "--calibrate", "margins.yaml", "--json")
    assert run("estimate", "r.parquet", "work", *statistic) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in found["frequencies"]] == pytest.approx(value)
    by_income = ("--by", "income", "--calibrate", "margins.yaml")
    assert run("estimate", "r.parquet", "work", *by_income, "--json") == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [row["value"] for row in found["answers"]] == pytest.approx(value)
    assert [row["value"] for row in found["groups"]] == pytest.approx([0.3, 0.5, 0.2])


def test_a_file_that_states_no_margins_is_refused(
    run: Run, reports: ds.ReportTable, capsys: Capture
) -> None:
    del reports
    for text, message in (
        ("income: {low: 1}", "'income' has no label 'low'"),
        ("[1, 2]", "margins must be a mapping"),
        ("a: [", "must be valid YAML"),
    ):
        Path("wrong.yaml").write_text(text, encoding="utf-8")
        assert run("estimate", "r.parquet", "work", "--calibrate", "wrong.yaml") == 1
        assert message in capsys.readouterr().err
    statistic = ("--statistic", "screening", "--calibrate", "margins.yaml")
    assert run("estimate", "r.parquet", "work", *statistic) == 1
    assert "not 'calibrate'" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::discretion.CalibrationWarning")
def test_tests_are_weighted_to_the_margins_in_a_file(
    run: Run, reports: ds.ReportTable, capsys: Capture
) -> None:
    del reports
    assert run("simulate", "plan.yaml", "people.csv", "-o", "s.parquet", "--seed", "8") == 0
    capsys.readouterr()
    known = ("--calibrate", "margins.yaml")
    assert run("compare", "r.parquet", "s.parquet", "work", *known) == 0
    said = capsys.readouterr().out
    assert "Wald" in said
    assert "weighted to the margins of income" in said
    assert run("compare", "r.parquet", "s.parquet", *known, "--json") == 0
    compared = [each["attribute"] for each in json.loads(capsys.readouterr().out)]
    assert "work" in compared
    assert "income" not in compared  # its margins are known
    assert run("compare", "r.parquet", "s.parquet", "income", *known) == 1
    assert "nothing is left to test" in capsys.readouterr().err
