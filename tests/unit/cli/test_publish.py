"""``discretion dependence`` and ``discretion publish`` as a shell calls them."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.csv as csv
import pyarrow.parquet as pq
import pytest

from discretion.synthesis.file import load

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def crowd(run: Run, capsys: Capture) -> Run:
    """Simulate reports of the folder's records, with budgets and gaps of their own."""
    options = ("--budgets", "dirichlet", "--share", "1-2", "--seed", "3")
    assert run("simulate", "plan.yaml", "people.csv", *options) == 0
    capsys.readouterr()
    return run


def test_dependence_prints_the_edges(crowd: Run, capsys: Capture) -> None:
    assert crowd("dependence", "reports.parquet") == 0
    printed = capsys.readouterr().out
    assert "1 of 1 pairs depend on each other (false discovery rate 0.05" in printed
    assert "work" in printed.splitlines()[3]


def test_dependence_gives_json(crowd: Run, capsys: Capture) -> None:
    assert crowd("dependence", "reports.parquet", "--json") == 0
    (pair,) = json.loads(capsys.readouterr().out)
    assert (pair["one"], pair["other"], pair["edge"]) == ("work", "income", True)
    assert pair["p"] <= pair["adjusted"] < 0.05


def test_all_shows_pairs_that_are_no_edges(crowd: Run, capsys: Capture) -> None:
    rate = ("--rate", "1e-300")
    assert crowd("dependence", "reports.parquet", *rate) == 0
    assert "income" not in capsys.readouterr().out
    assert crowd("dependence", "reports.parquet", *rate, "--all") == 0
    assert "income" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["rows.parquet", "rows.csv", "rows.arrow"])
def test_publish_writes_rows_of_the_schema(crowd: Run, capsys: Capture, name: str) -> None:
    assert crowd("publish", "reports.parquet", "--rows", "500", "-o", name, "--seed", "1") == 0
    assert f"500 synthetic rows written to {name}" in capsys.readouterr().out
    assert Path(name).stat().st_size > 0
    if name.endswith(".csv"):
        rows = csv.read_csv(name)
        assert rows.column_names == ["work", "income"]
        assert rows.num_rows == 500
        assert all(income % 100 == 0 for income in rows["income"].to_pylist())


def test_publish_repeats_rows_with_a_seed(crowd: Run) -> None:
    for name in ("one.parquet", "two.parquet"):
        assert crowd("publish", "reports.parquet", "-o", name, "--seed", "5") == 0
    assert pq.read_table("one.parquet") == pq.read_table("two.parquet")
    assert pq.read_table("one.parquet").num_rows == 2_000


def test_publish_keeps_the_model_and_writes_a_report(crowd: Run, capsys: Capture) -> None:
    files = ("--model", "model.npz", "--report", "quality.html", "--truth", "people.csv")
    assert crowd("publish", "reports.parquet", *files) == 0
    printed = capsys.readouterr().out
    assert "model.npz" in printed
    assert "quality.html" in printed
    assert load("model.npz").names == ("work", "income")
    assert Path("quality.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("reports.parquet", "-o", "rows.xlsx"), "rows.xlsx"),
        (("reports.parquet", "--report", "quality.pdf"), "must end in .html or .json"),
        (("reports.parquet", "--model", "synthetic.parquet"), "must end in .npz"),
        (("reports.parquet", "--truth", "people.csv"), "--report"),
        (("reports.parquet", "--rows", "0"), "rows"),
        (("reports.parquet", "-o", "reports.parquet"), "must not be a file that is read"),
        (("reports.parquet", "--rate", "2"), "false discovery rate"),
        (("reports.parquet", "work"), "two attributes"),
        (("reports.parquet", "work", "wrk"), "no attribute 'wrk'"),
        (("reports.parquet", "--round", "3"), "round 3"),
        (("missing.parquet",), "no such file"),
    ],
)
def test_publish_says_what_is_wrong(
    crowd: Run, capsys: Capture, arguments: tuple[str, ...], said: str
) -> None:
    assert crowd("publish", *arguments) == 1
    assert said in capsys.readouterr().err
    assert not Path("synthetic.parquet").exists()
