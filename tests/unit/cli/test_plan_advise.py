"""``discretion plan advise``: what it prints, what it gives machines, how it fails."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import discretion as ds

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_a_plan_is_enough(run: Run, capsys: Capture) -> None:
    assert run("plan", "advise", "plan.yaml") == 0
    printed = capsys.readouterr().out
    assert printed.startswith("10,000 owners who spend 4 each")
    assert "work x income" in printed
    assert "each attribute alone is then protected by 4" in " ".join(printed.split())
    assert max(map(len, printed.splitlines())) <= 80


def test_json_holds_what_the_library_gives(run: Run, capsys: Capture) -> None:
    options = ("--table", "work,income", "--table", "work", "-n", "5000", "--total", "3")
    assert run("plan", "advise", "plan.yaml", *options, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    advice = ds.advise(ds.Plan.load("plan.yaml"), [["work", "income"], ["work"]], 5_000, 3)
    assert document["owners"] == 5_000
    assert document["total"] == 3
    assert document["recommendation"] == advice.recommendation
    assert document["ranking"] == list(advice.ranking)
    assert document["needs"]["bundle"][0] == "the bundle work+income"
    assert document["refused"] == advice.refused
    best, *_ = document["forecasts"]
    assert best["table"] == ["work", "income"]
    assert best["design"] == advice.rows[0].design.name == "bundle"
    assert best["levels"] == {"work+income": 3}
    assert best["squared_error"] == advice.rows[0].squared_error


def test_names_may_have_blanks_around_them(run: Run, capsys: Capture) -> None:
    assert run("plan", "advise", "plan.yaml", "--table", "work, income") == 0
    assert "work x income" in capsys.readouterr().out


def test_of_many_attributes_tables_must_be_named(run: Run, capsys: Capture) -> None:
    questions = [
        {"name": f"q{j}", "kind": "categorical", "values": ["yes", "no"]} for j in range(7)
    ]
    plan = ds.Plan.of({"name": "seven", "attributes": questions, "budget": {"levels": [1, 2]}})
    Path("seven.json").write_bytes(plan.to_bytes())
    assert run("plan", "advise", "seven.json") == 1
    assert "name the tables, such as --table q0,q1" in capsys.readouterr().err
    assert run("plan", "advise", "seven.json", "--table", "q0,q6") == 0


def test_one_attribute_is_a_table(run: Run, capsys: Capture) -> None:
    question = {"name": "q", "kind": "categorical", "values": ["yes", "no"]}
    plan = ds.Plan.of({"name": "one", "attributes": [question], "budget": {"levels": [1, 2]}})
    Path("one.json").write_bytes(plan.to_bytes())
    assert run("plan", "advise", "one.json") == 0
    assert "Splitting (attribute contract) is the one way." in capsys.readouterr().out


@pytest.mark.parametrize(
    "options, message",
    [
        (("--table", "work,sex"), "the plan has no attribute 'sex'"),
        (("-n", "0"), "n must be a whole number of owners, got 0"),
        (("--total", "0.0005"), "whole number of thousandths"),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, capsys: Capture, options: tuple[str, ...], message: str
) -> None:
    assert run("plan", "advise", "plan.yaml", *options) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_mechanisms_are_compared(run: Run, capsys: Capture) -> None:
    assert run("plan", "advise", "plan.yaml", "--mechanisms") == 0
    printed = capsys.readouterr().out
    names = list(ds.Plan.load("plan.yaml").attributes)
    assert all(f"{name}: " in printed for name in names)
    assert printed.count("limit ×") == len(names) + 1
    assert max(map(len, printed.splitlines())) <= 80


def test_a_comparison_as_json(run: Run, capsys: Capture) -> None:
    options = ("--mechanisms", "--table", "work", "-n", "5000", "--json")
    assert run("plan", "advise", "plan.yaml", *options) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document == ds.compare_mechanisms(ds.Plan.load("plan.yaml"), "work", 5_000).document()


@pytest.mark.parametrize("option", [("--total", "3"), ("--contract", "record")])
def test_what_does_not_go_with_mechanisms_is_refused(
    run: Run, capsys: Capture, option: tuple[str, ...]
) -> None:
    assert run("plan", "advise", "plan.yaml", "--mechanisms", *option) == 1
    assert "--mechanisms goes with --table, -n and --json only" in capsys.readouterr().err
