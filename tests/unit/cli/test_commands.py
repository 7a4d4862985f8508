"""The commands as a shell calls them: what they print, what they write, how they fail."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import discretion as ds
from tests.builders import crowd, survey

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_plan_check_says_what_a_plan_means(run: Run, capsys: Capture) -> None:
    assert run("plan", "check", "plan.yaml", "people.csv") == 0
    printed = capsys.readouterr().out
    assert ds.Plan.load("plan.yaml").id in printed
    assert "subset" in printed
    assert "2,000 fit the plan" in printed


def test_plan_check_keeps_to_80_columns_and_to_one_line_a_row(run: Run, capsys: Capture) -> None:
    assert run("plan", "check", "plan.yaml") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 + 2 + 1 + 4 + 5 + 2  # five about levels, two about unknown labels
    assert max(map(len, lines)) <= 80


def test_plan_check_gives_json(run: Run, capsys: Capture) -> None:
    assert run("plan", "check", "plan.yaml", "people.csv", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    plan = ds.Plan.load("plan.yaml")
    work, income = document.pop("attributes")
    assert document == {
        "name": "census",
        "id": plan.id,
        "bundles": [],
        "levels": [level / 1000 for level in plan.policy.menu],
        "share_least": 1,
        "sample": None,
        "allocation": "disclosed",
        "contract": "attribute",
        "fitting_records": 2_000,
        "fallbacks_assumed": ["work"],
        "misfits": [],
    }
    assert work["fallback"] == "student"
    assert income == {
        "name": "income",
        "kind": "numeric",
        "values": ["[0, 20000)", "[20000, 60000)", "[60000, 150000]"],
        "fallback": None,
        "mechanism": "subset",
        "bytes": 1,
    }


BUNDLED = """
name: bundled
attributes:
  - {name: work, kind: categorical, values: [employed, self-employed, seeking, retired, student]}
  - {name: income, kind: numeric, range: [0, 150000], step: 100, bins: [0, 20000, 60000, 150000]}
  - {name: travel, kind: categorical, values: [car, bus, train, bike, walk]}
budget: {levels: [0.5, 1, 2]}
bundles: [[work, income], [income, travel]]
"""


def test_plan_check_shows_the_bundles_and_what_they_leave_of_the_contract(
    run: Run, capsys: Capture
) -> None:
    Path("bundled.yaml").write_text(BUNDLED, encoding="utf-8")
    assert run("plan", "check", "bundled.yaml") == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80
    assert "bundles     work+income: levels 1, 2, 4\n            income+travel: levels" in printed
    assert "contract    record: any two records are told apart by at most the total\n" in printed
    assert "an attribute in a bundle, by at most the bundle's whole level\n" in printed
    assert run("plan", "check", "bundled.yaml", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["contract"] == "record"
    assert [each["name"] for each in document["attributes"]] == ["work", "income", "travel"]
    assert document["bundles"][1] == {
        "name": "income+travel",
        "attributes": ["income", "travel"],
        "cells": 15,
        "levels": [1, 2, 4],
        "mechanism": "subset",
        "bytes": 2,
    }


def test_estimate_leaves_out_what_nobody_reported_unless_it_is_named(
    run: Run, capsys: Capture
) -> None:
    Path("bundled.yaml").write_text(BUNDLED, encoding="utf-8")
    assert run("simulate", "bundled.yaml", "people.csv", "-o", "r.parquet", "--seed", "3") == 0
    capsys.readouterr()
    assert run("estimate", "r.parquet", "--json") == 0
    found = [each["attribute"] for each in json.loads(capsys.readouterr().out)]
    assert found == ["travel", "work+income"]
    assert run("estimate", "r.parquet", "work") == 1
    assert "nobody shared 'work' in these reports" in capsys.readouterr().err


def test_simulate_and_estimate_give_frequencies_of_every_attribute(
    run: Run, capsys: Capture
) -> None:
    options = ("--budgets", "dirichlet", "--share", "1-2", "--seed", "3")
    assert run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", *options) == 0
    assert "2,000 simulated reports" in capsys.readouterr().out
    assert run("estimate", "r.parquet") == 0
    printed = capsys.readouterr()
    labels = ("self-employed", "[60000, 150000]", "95 % interval")
    assert all(label in printed.out for label in labels)
    assert printed.err == ""


def test_json_holds_what_the_library_gives(run: Run, capsys: Capture) -> None:
    run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", "--seed", "3")
    capsys.readouterr()
    assert run("estimate", "r.parquet", "work", "--method", "weighted", "--json") == 0
    (document,) = json.loads(capsys.readouterr().out)
    estimate = ds.frequencies(ds.ReportTable.read("r.parquet"), "work", "weighted")
    rows = [{"label": row.pop("work"), **row} for row in estimate.to_frame().to_pylist()]
    assert document["frequencies"] == rows
    assert document["reports"] == estimate.n == 2_000


@pytest.mark.parametrize("share", ["all", "1", "1-2", "0.5"])
def test_every_way_to_share_is_understood(run: Run, share: str) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "--share", share) == 0
    assert len(ds.ReportTable.read("reports.parquet")) == 2_000


def test_dependent_budgets_are_reported_on_stderr(run: Run, capsys: Capture) -> None:
    people = ds.census(20_000, seed=1)
    cautious = [1.0 if work == "seeking" else 2.0 for work in people["work"].to_pylist()]
    plan = ds.Plan.load("plan.yaml")
    ds.simulate(plan, people, budgets={"work": cautious}, seed=2).write("r.parquet")
    assert run("estimate", "r.parquet", "work") == 0
    assert "warning: work: owners' budgets and values look dependent" in capsys.readouterr().err


def test_refused_rows_are_reported_on_stderr_and_the_others_counted(
    run: Run, capsys: Capture
) -> None:
    table = crowd(survey(), 200, seed=4)
    again = table.data.slice(0, 1)
    ds.ReportTable(
        survey(), type(again).from_batches([*table.data.to_batches(), *again.to_batches()])
    ).write("r.parquet")
    assert run("estimate", "r.parquet", "mode", "--json") == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)[0]["attribute"] == "mode"
    assert printed.err.startswith("warning: 1 rows are refused; row 200: duplicate_id")


def test_one_of_several_rounds_is_chosen(run: Run, capsys: Capture) -> None:
    plan = survey()
    budget = ds.Budget.of(plan, {"mode": 2})
    messages = []
    for number in (0, 2):
        device = ds.Device(plan)
        messages += [device.report({"mode": "bus"}, budget, round=number).to_bytes()]
    ds.ReportTable.from_reports(plan, messages).write("r.parquet")
    assert run("estimate", "r.parquet", "mode") == 1
    assert "choose --round from 0, 2" in capsys.readouterr().err
    assert run("estimate", "r.parquet", "mode", "--round", "1") == 1
    assert "of round 1, and there are of 0, 2" in capsys.readouterr().err
    assert run("estimate", "r.parquet", "mode", "--round", "2", "--json") == 0
    assert json.loads(capsys.readouterr().out)[0]["reports"] == 1


def test_labels_are_printed_as_they_are(run: Run, capsys: Capture) -> None:
    """What looks like rich's markup or emoji is data."""
    labels = ["[bold]", "[/x]", ":smile:", "[red]a[/red]"]
    question = {"name": "[i]", "kind": "categorical", "values": labels}
    plan = ds.Plan.of({"name": "odd", "attributes": [question], "budget": {"levels": [1, 2]}})
    ds.simulate(plan, {"[i]": labels * 50}, budgets="levels", seed=1).write("r.parquet")
    Path("odd.json").write_bytes(plan.to_bytes())
    assert run("estimate", "r.parquet") == 0
    printed = capsys.readouterr().out
    assert all(f"\n{label} " in printed for label in labels)
    assert printed.startswith("[i]: mle")
    assert run("plan", "check", "odd.json") == 0
    assert "4: [bold] ... [red]a[/red]" in capsys.readouterr().out


def test_the_version_is_printed(run: Run, capsys: Capture) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"discretion {ds.__version__}\n"


def simulated() -> None:
    """Write reports in which some leave an attribute out."""
    plan, people = ds.Plan.load("plan.yaml"), ds.census(2_000, seed=1)
    ds.simulate(plan, people, budgets="dirichlet", share=(1, 2), seed=2).write("reports.parquet")


def test_estimate_prints_joint_tables(run: Run, capsys: Capture) -> None:
    simulated()
    assert run("estimate", "reports.parquet", "--joint", "work,income") == 0
    summary, heads, *cells = capsys.readouterr().out.splitlines()
    assert summary.startswith("work x income: adaptive estimate from ")
    assert heads.split()[:3] == ["work", "[0,", "20000)"]
    assert len(cells) == 5 * 2  # intervals stand below the values
    assert run("estimate", "reports.parquet", "--joint", "income,work", "work", "--csv") == 0
    table, cells = (each.splitlines() for each in capsys.readouterr().out.split("\n\n"))
    assert (table[0], len(table)) == ('"work","value","stderr","low","high"', 6)
    assert (cells[0], len(cells)) == ('"income","work","value","stderr","low","high"', 16)


def test_estimate_gives_joint_tables_as_json(run: Run, capsys: Capture) -> None:
    simulated()
    assert run("estimate", "reports.parquet", "--joint", "work, income", "--json") == 0
    (document,) = json.loads(capsys.readouterr().out)
    estimate = ds.joint(ds.ReportTable.read("reports.parquet"), ["work", "income"])
    assert document["attributes"] == ["work", "income"]
    assert document["together"] == estimate.holding["work", "income"]
    assert [cell["value"] for cell in document["cells"]] == pytest.approx(estimate.value.ravel())


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--joint", "work"], "name two attributes"),
        (["--joint", "work,nothing"], "nothing"),
        (["--joint", "work,income", "--target", "owners"], "about the population"),
        (["--joint", "work,income", "--method", "nosuch"], "method must be one of"),
    ],
)
def test_a_joint_table_that_cannot_be_is_refused_in_a_line(
    run: Run, capsys: Capture, arguments: list[str], said: str
) -> None:
    simulated()
    assert run("estimate", "reports.parquet", *arguments) == 1
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_estimate_takes_steps_of_post_processing(run: Run, capsys: Capture) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", "--seed", "3") == 0
    capsys.readouterr()
    steps = "--post", "power", "--post", "norm-sub"
    arguments = "estimate", "r.parquet", "work", "--joint", "work,income", *steps
    assert run(*arguments, "--json") == 0
    frequencies, table = json.loads(capsys.readouterr().out)
    assert frequencies["post"] == table["post"] == ["power", "norm-sub"]
    reports = ds.ReportTable.read("r.parquet")
    expected = ds.postprocess(ds.frequencies(reports, "work"), "power", "norm-sub")
    assert [row["value"] for row in frequencies["frequencies"]] == expected.value.tolist()
    assert run(*arguments) == 0
    assert capsys.readouterr().out.count(", then power, then norm-sub") == 2


def test_estimate_refuses_steps_before_the_work(run: Run, capsys: Capture) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", "--seed", "3") == 0
    assert run("estimate", "r.parquet", "--post", "clip") == 1
    assert "step must be one of norm, norm-sub" in capsys.readouterr().err
