"""``discretion plan new``: from a file of records as it comes to a plan that fits it."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import discretion as ds

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_plan_new_simulate_and_estimate_need_no_options(run: Run, capsys: Capture) -> None:
    Path("plan.yaml").unlink()
    assert run("plan", "new", "people.csv") == 0
    assert capsys.readouterr().out == "plan.yaml: asks for 5 of 5 columns\n"
    assert run("plan", "check", "plan.yaml", "people.csv") == 0
    assert "2,000 fit the plan" in capsys.readouterr().out
    assert run("simulate", "plan.yaml", "people.csv") == 0
    assert run("estimate", "reports.parquet") == 0
    printed = capsys.readouterr().out
    assert all(f"{name}: mle estimate" in printed for name in ds.census_plan().names)


def test_csv_gzip_and_parquet_give_the_same_plan(run: Run) -> None:
    Path("people.csv.gz").write_bytes(gzip.compress(Path("people.csv").read_bytes()))
    pq.write_table(ds.census(2_000, seed=1), "people.parquet")
    for name in ("people.csv", "people.csv.gz", "people.parquet"):
        assert run("plan", "new", name, "-o", "p.yaml", "--force") == 0
        plan = ds.Plan.load("p.yaml")
        assert plan.name == "people"
        assert run("plan", "check", "p.yaml", name) == 0
        Path(f"{name}.id").write_text(plan.id)
    assert len({path.read_text() for path in Path().glob("*.id")}) == 1


def test_plan_check_shows_who_asks_and_which_texts_are_missing(run: Run, capsys: Capture) -> None:
    said = "title: {en: Work, de: Arbeit, fr: Travail}\nasker: {en: The city}\n"
    Path("worded.yaml").write_text(said + Path("plan.yaml").read_text())
    assert run("plan", "check", "worded.yaml") == 0
    printed = capsys.readouterr().out
    assert "title       Work\nasked by    The city\n" in printed
    assert "languages   en, de (1 text missing), fr (1 text missing)\n" in printed
    assert run("plan", "check", "plan.yaml") == 0
    assert "languages" not in capsys.readouterr().out


def test_a_dash_prints_the_plan_and_nothing_else(run: Run, capsys: Capture) -> None:
    assert run("plan", "new", "people.csv", "-o", "-") == 0
    printed = capsys.readouterr()
    Path("p.yaml").write_text(printed.out, encoding="utf-8")
    assert len(ds.Plan.load("p.yaml").names) == 5
    assert printed.err == ""


def test_a_plan_is_overwritten_by_force_only(run: Run, capsys: Capture) -> None:
    before = Path("plan.yaml").read_text()
    assert run("plan", "new", "people.csv") == 1
    assert Path("plan.yaml").read_text() == before
    assert run("plan", "new", "people.csv", "--force") == 0
    assert Path("plan.yaml").read_text() != before
    capsys.readouterr()
    assert run("plan", "new", "people.csv", "-o", "people.csv", "--force") == 1
    assert "must not be a file that is read" in capsys.readouterr().err


def test_what_is_left_out_is_named(run: Run, capsys: Capture) -> None:
    rows = "".join(f"{i},person {i},{'yn'[i % 2]}\n" for i in range(50))
    Path("d.csv").write_text(f"id,name,answer\n{rows}", encoding="utf-8")
    assert run("plan", "new", "d.csv", "-o", "d.yaml") == 0
    assert capsys.readouterr().out.splitlines() == [
        "d.yaml: asks for 1 of 3 columns",
        "left out, for the reasons stated there: id, name",
    ]
