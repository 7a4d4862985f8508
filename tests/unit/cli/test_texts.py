"""Texts from the command line: a plan that asks for one, and candidates in a file."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from discretion.cli.main import main

PLAN = """
name: browsing
attributes:
  - {name: homepage, kind: text, mechanism: {cms: {cells: 64, cohorts: 16}}}
  - {name: sex, kind: categorical, values: [f, m]}
budget: {average: 3, least: 1, most: 6}
"""
Capture = pytest.CaptureFixture[str]
Run = Callable[..., int]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture) -> Run:
    """Call the command in a folder with a plan, reports and candidates."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str) -> int:
        monkeypatch.setattr(sys, "argv", ["discretion", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        return int(end.value.code or 0)

    Path("plan.yaml").write_text(PLAN, encoding="utf-8")
    rows = [f"{page},{sex}" for page in ("a.org", "007", "b.org") for sex in "fm"] * 300
    Path("people.csv").write_text("\n".join(["homepage,sex", *rows, ",f"]), encoding="utf-8")
    Path("pages.txt").write_text("a.org\n007\n\na.org\nnobody.org\n", encoding="utf-8")
    assert call("simulate", "plan.yaml", "people.csv", "--budgets", "dirichlet", "--seed", "1") == 0
    capsys.readouterr()
    return call


def test_a_plan_with_a_text_is_explained(run: Run, capsys: Capture) -> None:
    assert run("plan", "check", "plan.yaml", "people.csv") == 0
    printed = capsys.readouterr().out
    assert "homepage   any text    cms 1/64 x 16      9  (everything fits)" in printed
    assert run("plan", "check", "plan.yaml", "--json") == 0
    stated = json.loads(capsys.readouterr().out)["attributes"][0]
    assert stated["kind"] == "text"
    assert stated["words"] == {"cells": 64, "cohorts": 16}


def test_candidates_are_estimated_each_once(run: Run, capsys: Capture) -> None:
    asked = ("estimate", "reports.parquet", "homepage", "--candidates", "pages.txt", "--json")
    assert run(*asked) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [row["label"] for row in found["frequencies"]] == ["a.org", "007", "nobody.org"]
    assert found["method"] == "regression"
    assert found["frequencies"][1]["value"] == pytest.approx(1 / 3, abs=0.1)


def test_without_candidates_texts_are_left_out_unless_named(run: Run, capsys: Capture) -> None:
    assert run("estimate", "reports.parquet") == 0
    assert "homepage" not in capsys.readouterr().out
    assert run("estimate", "reports.parquet", "homepage") == 1
    assert "name the candidates with --candidates FILE" in capsys.readouterr().err


def test_a_joint_table_alone_asks_for_no_candidates(run: Run, capsys: Capture) -> None:
    more = "  - {name: pet, kind: categorical, values: [cat, dog]}\nbudget"
    Path("pets.yaml").write_text(PLAN.replace("budget", more), encoding="utf-8")
    rows = [f"a.org,{sex},{pet}" for sex in "fm" for pet in ("cat", "dog")] * 50
    Path("pets.csv").write_text("\n".join(["homepage,sex,pet", *rows]), encoding="utf-8")
    assert run("simulate", "pets.yaml", "pets.csv", "--output", "pets.parquet") == 0
    capsys.readouterr()
    assert run("estimate", "pets.parquet", "--joint", "sex,pet") == 0
    assert "--candidates" not in capsys.readouterr().err
    assert run("estimate", "pets.parquet") == 0
    assert "--candidates" in capsys.readouterr().err


@pytest.mark.parametrize(
    "path, said",
    [
        ("nowhere.txt", "nowhere.txt: no such file"),
        ("reports.parquet", "must be a file of candidates, a line each"),
    ],
)
def test_a_file_that_holds_no_lines_is_refused(
    run: Run, capsys: Capture, path: str, said: str
) -> None:
    assert run("estimate", "reports.parquet", "homepage", "--candidates", path) == 1
    assert said in capsys.readouterr().err


def test_methods_of_labels_are_not_for_texts(run: Run, capsys: Capture) -> None:
    asked = ("estimate", "reports.parquet", "homepage", "--candidates", "pages.txt")
    assert run(*asked, "--method", "mle") == 1
    assert "'homepage' is a text: method must be one of" in capsys.readouterr().err
    assert run(*asked, "--method", "weighted") == 0
