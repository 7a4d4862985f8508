"""The commands as a shell calls them: what they print, what they write, how they fail."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv as csv
import pytest

import discretion as ds
from discretion.cli.main import main

PLAN = """
name: census
attributes:
  - {name: work, kind: categorical, values: [employed, self-employed, seeking, retired, student]}
  - {name: income, kind: numeric, range: [0, 150000], step: 100, bins: [0, 20000, 60000, 150000]}
budget: {average: 2, least: 0.25, most: 6}
"""

Run = Callable[..., int]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Call the command in a folder with a plan and records; return its exit status."""
    monkeypatch.chdir(tmp_path)
    Path("plan.yaml").write_text(PLAN, encoding="utf-8")
    csv.write_csv(ds.census(2_000, seed=1), "people.csv")

    def call(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["discretion", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

    return call


def test_plan_check_says_what_a_plan_means(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("plan", "check", "plan.yaml", "people.csv") == 0
    printed = capsys.readouterr().out
    assert ds.Plan.load("plan.yaml").id in printed
    assert "subset" in printed
    assert "2,000 fit the plan" in printed


def test_simulate_and_estimate_give_frequencies_of_every_attribute(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--budgets", "dirichlet", "--share", "1-2", "--seed", "3")
    assert run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", *options) == 0
    assert "2,000 simulated reports" in capsys.readouterr().out
    assert run("estimate", "r.parquet") == 0
    printed = capsys.readouterr().out
    assert all(label in printed for label in ("self-employed", "[60000, 150000]", "95 % interval"))


def test_json_holds_what_the_library_gives(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet", "--seed", "3")
    capsys.readouterr()
    assert run("estimate", "r.parquet", "work", "--method", "weighted", "--json") == 0
    (document,) = json.loads(capsys.readouterr().out)
    estimate = ds.frequencies(ds.ReportTable.read("r.parquet"), "work", "weighted")
    assert document["frequencies"] == estimate.to_frame().to_pylist()
    assert document["reports"] == estimate.n == 2_000


@pytest.mark.parametrize("share", ["all", "1", "1-2", "0.5"])
def test_every_way_to_share_is_understood(run: Run, share: str) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "--share", share) == 0
    assert len(ds.ReportTable.read("reports.parquet")) == 2_000


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("plan", "check", "none.yaml"), "none.yaml: file: must be readable text"),
        (("simulate", "plan.yaml", "none.csv"), "none.csv: must be a CSV or Parquet file"),
        (("simulate", "plan.yaml", "people.csv", "--share", "some"), "share must be"),
        (("simulate", "plan.yaml", "people.csv", "--budgets", "odd"), "budgets must be"),
        (("estimate", "people.csv"), "people.csv: must be a whole Parquet file"),
        (("estimate", "r.parquet", "shoes"), "the plan has no attribute 'shoes'"),
        (("estimate", "r.parquet", "--method", "magic"), "must be one of auto, mle"),
    ],
)
def test_a_deliberate_error_is_one_line_on_stderr_and_status_1(
    run: Run, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    run("simulate", "plan.yaml", "people.csv", "-o", "r.parquet")
    capsys.readouterr()
    assert run(*arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"discretion: {message}")
    assert printed.err.count("\n") == 1


def test_dependent_budgets_are_told_on_stderr(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    people = ds.census(20_000, seed=1)
    cautious = [1.0 if work == "seeking" else 2.0 for work in people["work"].to_pylist()]
    plan = ds.Plan.load("plan.yaml")
    ds.simulate(plan, people, budgets={"work": cautious}, seed=2).write("r.parquet")
    assert run("estimate", "r.parquet", "work") == 0
    assert "warning: work: owners' budgets and values look dependent" in capsys.readouterr().err


def test_the_demo_shows_truth_and_estimate_and_is_repeatable(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("demo", "--seed", "7") == 0
    first = capsys.readouterr().out
    assert "intervals hold the truth" in first
    run("demo", "--seed", "7")
    assert capsys.readouterr().out == first


def test_the_version_is_printed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--version") == 0
    assert capsys.readouterr().out == f"discretion {ds.__version__}\n"
