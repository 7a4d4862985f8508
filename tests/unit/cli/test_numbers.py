"""``discretion estimate`` on numbers: means and quantiles, for people and for machines."""

import io
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from rich.console import Console

import discretion as ds
from discretion.cli.numbers import NumberSummary, summarised, table
from discretion.errors import DependenceWarning
from discretion.render.tables import Table

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-c"]  # with few redraws, as ``run`` has them
COMMAND += ["from discretion.numbers import lens; lens.DRAWS = 6"]
COMMAND[-1] += "\nfrom discretion.cli.entry import main; main()"
HOURS = {"kind": "numeric", "range": [0, 80], "step": 1}
INCOME = {"kind": "numeric", "range": [-50000, 150000], "step": 500}


@pytest.fixture
def reports(run: Run, survey: tuple[Path, dict[str, Any]]) -> dict[str, Any]:
    """Have reports in the folder that ``run`` made; return the true numbers."""
    del run
    file, truth = survey
    shutil.copy(file, "r.parquet")
    return truth


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Write reports about a label, numbers alone, in ranges, by a bit, and only in a bundle.

    Return the file, and the true numbers.
    """
    plan = ds.Plan.of(
        {
            "name": "work",
            "attributes": [
                {"name": "work", "kind": "categorical", "values": ["yes", "no"]},
                {"name": "income", **INCOME, "mechanism": "sw"},
                {"name": "hours", **HOURS, "ranges": [[0, 40], [20, 60]]},
                {"name": "age", "kind": "numeric", "range": [0, 100], "step": 1}
                | {"mechanism": "duchi"},
                {"name": "rent", **HOURS},
                {"name": "food", **HOURS},
            ],
            "bundles": [{"attributes": ["rent", "food"], "levels": 3}],
            "budget": {"levels": [0.5, 1, 3]},
        }
    )
    rng, n = np.random.default_rng(1), 6_000
    truth = {
        "income": rng.normal(30_000, 20_000, n).clip(-50_000, 150_000),
        "hours": rng.gamma(4, 8, n).clip(0, 80),
        "age": rng.uniform(18, 90, n),
        "rent": rng.uniform(10, 40, n),
        "food": rng.uniform(5, 20, n),
    }
    frame = {"work": rng.choice(["yes", "no"], n, p=[0.7, 0.3]), **truth}
    file = tmp_path_factory.mktemp("survey") / "r.parquet"
    ds.simulate(plan, frame, budgets="levels", ranges="menu", seed=1).write(file)
    return file, truth


def documents(run: Run, capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert run("estimate", "r.parquet", *arguments, "--json") == 0
    return {each["attribute"]: each for each in json.loads(capsys.readouterr().out)}


def test_everything_that_was_reported_is_shown(
    run: Run, capsys: Capture, reports: dict[str, Any]
) -> None:
    assert run("estimate", "r.parquet") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    blocks = captured.out.split("\n\n")
    heads = [block.splitlines()[0] for block in blocks]
    assert [head.split(":")[0] for head in heads] == ["work", *reports]
    assert heads[1].startswith(
        "income: weighted estimate for the population; 6,000 reports; levels"
    )
    assert heads[2] == "hours: likelihood estimate for the population; 6,000 reports"
    rows = {block.split(":")[0]: [r.split()[0] for r in block.splitlines()[2:]] for block in blocks}
    assert rows["income"] == ["mean", "10%", "25%", "median", "75%", "90%"]
    assert rows["age"] == ["mean"]  # two points tell no quantile
    assert rows["rent"][0] == "mean"
    assert max(map(len, captured.out.splitlines())) <= 120  # a pipe's lines are not broken


def test_json_holds_means_and_quantiles_in_the_numbers_units(
    run: Run, capsys: Capture, reports: dict[str, Any]
) -> None:
    found = documents(run, capsys)
    assert list(found) == ["work", *reports]
    assert "frequencies" in found["work"]
    for name, x in reports.items():
        mean = found[name]["mean"]
        assert abs(mean["value"] - x.mean()) < 4.5 * mean["stderr"]
        assert mean["low"] < mean["value"] < mean["high"]
        assert found[name]["reports"] == 6_000
        assert found[name]["target"] == "population"
        if name == "age":
            assert found[name]["quantiles"] is None
        else:
            levels = [row["level"] for row in found[name]["quantiles"]]
            assert levels == [0.1, 0.25, 0.5, 0.75, 0.9]
            values = [row["value"] for row in found[name]["quantiles"]]
            assert values == sorted(values)
            assert all(r["low"] <= r["value"] <= r["high"] for r in found[name]["quantiles"])
    assert found["hours"]["homogeneity_p"] is None
    assert 0 <= found["income"]["homogeneity_p"] <= 1


@pytest.mark.parametrize(
    "method, label, number",
    [
        ("auto", "mle", "weighted"),
        ("weighted", "weighted", "weighted"),
        ("unweighted", "mle", "unweighted"),
        ("likelihood", "mle", "likelihood"),
        ("mle", "mle", "weighted"),
        ("stratified", "stratified", "weighted"),
    ],
)
def test_of_all_attributes_a_method_is_for_those_that_have_it(
    run: Run, capsys: Capture, method: str, label: str, number: str
) -> None:
    x = {"name": "x", **HOURS}
    z = {"name": "z", "kind": "categorical", "values": ["no", "yes"]}
    plan = ds.Plan.of({"name": "m", "attributes": [z, x], "budget": {"levels": [1, 3]}})
    rng = np.random.default_rng(2)
    frame = {"z": rng.choice(["no", "yes"], 900), "x": rng.uniform(0, 80, 900)}
    ds.simulate(plan, frame, budgets="levels", seed=2).write("r.parquet")
    found = documents(run, capsys, "--method", method)
    assert (found["z"]["method"], found["x"]["method"]) == (label, number)


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    "arguments, message",
    [
        (("hours", "--method", "weighted"), "use method='likelihood'"),
        (("income", "--method", "pena"), "method='pena' needs reports by duchi"),
        (("income", "--method", "magic"), "method must be one of auto, weighted"),
        (("income", "--target", "me"), "target must be one of population, owners, got 'me'"),
        (("incme",), "the plan has no attribute 'incme'"),
        (("--joint", "work,age"), "duchi reveals too little about 'age'"),
        (("--joint", "work,rent"), "'rent' is reported in bundles of numbers alone"),
        (("--joint", "work,income", "--method", "lasso"), "lasso takes labels, and 'income' is a"),
        (("income", "--method", "mle"), "'income' is a number: method must be one of weighted"),
        (("work", "--method", "unweighted"), "'work' is a label: method must be one of"),
        (("rent+food",), "'rent+food' must be reported as a number"),
    ],
)
def test_what_cannot_be_had_is_one_line(
    run: Run, capsys: Capture, arguments: tuple[str, ...], message: str
) -> None:
    assert run("estimate", "r.parquet", *arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.usefixtures("reports")
def test_owners_can_be_the_target(run: Run, capsys: Capture) -> None:
    people = documents(run, capsys, "income")["income"]
    owners = documents(run, capsys, "income", "--target", "owners")["income"]
    assert owners["target"] == "owners"
    assert owners["mean"]["stderr"] < people["mean"]["stderr"]


@pytest.mark.usefixtures("reports")
def test_pena_prints_its_average_of_a_number_by_duchi(run: Run, capsys: Capture) -> None:
    plain = documents(run, capsys, "age", "--method", "unweighted")["age"]["mean"]["value"]
    printed = documents(run, capsys, "age", "--method", "pena")["age"]["mean"]["value"]
    assert printed == pytest.approx(2 * plain - 100)


@pytest.mark.usefixtures("reports")
def test_a_joint_table_has_bins_of_a_number(run: Run, capsys: Capture) -> None:
    assert run("estimate", "r.parquet", "--joint", "work,income", "--json") == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document["method"] == "adaptive"
    bins = {cell["income"] for cell in document["cells"]}
    assert 2 <= len(bins) <= 8
    assert any(label.startswith("[-50000, ") for label in bins)
    assert any(label.endswith(", 150000]") for label in bins)
    assert run("estimate", "r.parquet", "--joint", "work,income") == 0
    assert "[-50000, " in capsys.readouterr().out


def test_budgets_that_depend_on_numbers_warn_in_one_line(run: Run, capsys: Capture) -> None:
    x = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 1}
    plan = ds.Plan.of({"name": "d", "attributes": [x], "budget": {"levels": [1, 3]}})
    values = np.random.default_rng(1).integers(0, 11, 4_000).astype(float)
    budgets = {"x": np.where(values > 5, 1.0, 3.0)}
    ds.simulate(plan, {"x": values}, budgets=budgets, seed=1).write("d.parquet")
    with pytest.warns(DependenceWarning, match="compare method='unweighted'"):
        ds.mean(ds.ReportTable.read("d.parquet"), "x")
    ran = subprocess.run(
        [*COMMAND, "estimate", "d.parquet"], capture_output=True, text=True, check=True
    )
    lines = ran.stderr.splitlines()
    assert lines
    assert all("method='unweighted'" in line for line in lines)
    assert "x: weighted estimate" in ran.stdout
    assert run("estimate", "d.parquet", "--method", "unweighted") == 0
    captured = capsys.readouterr()
    assert "x: unweighted estimate" in captured.out
    assert captured.err.count("\n") <= 1  # about the quantiles, which pool all levels


# How it looks


def printed(thing: object, width: int = 80, encoding: str = "utf-8") -> list[str]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    Console(file=file, width=width).print(thing)
    file.seek(0)
    return file.read().splitlines()


def summary_of(name: str) -> NumberSummary:
    return summarised(ds.ReportTable.read("r.parquet"), name, "auto", "population")


def table_of(name: str) -> Table:
    return table(summary_of(name))


@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
@pytest.mark.parametrize("name, rows", [("income", 6), ("hours", 6), ("age", 1)])
def test_a_table_fits_the_terminal_with_one_line_a_row(width: int, name: str, rows: int) -> None:
    found = summary_of(name)
    lines = printed(table(found), width)
    assert len(lines) == 1 + rows
    assert max(map(len, lines)) <= width
    e = found.mean
    assert lines[1].startswith("mean")
    assert number(e.value) in lines[1]
    if width >= 60:
        low, high = map(number, e.interval())
        assert f"{low} to {high}" in lines[1]


def number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


@pytest.mark.usefixtures("reports")
def test_intervals_are_drawn_between_the_ends_of_the_grid() -> None:
    lines = printed(table_of("income"), 100)
    assert lines[0].split()[-2:] == ["-50,000", "150,000"]
    places = [line.index("●") for line in lines[1:]]
    assert places[1:] == sorted(places[1:])
    assert places[1] < places[-1]
    start = lines[0].index("-50,000")
    assert all(start <= place < len(lines[0]) for place in places)


@pytest.mark.usefixtures("reports")
def test_nothing_outside_ascii_is_drawn_where_it_cannot_be_shown() -> None:
    lines = printed(table_of("income"), encoding="ascii")
    assert all(line.isascii() for line in lines)
    assert all("o" in line for line in lines[1:])


def test_few_reports_are_drawn_to_the_ends(run: Run, capsys: Capture) -> None:
    """Means and intervals beyond the range are drawn at its ends."""
    x = {"name": "größe", "kind": "numeric", "range": [0, 1], "step": 0.1, "mechanism": "duchi"}
    y = {"name": "y", "kind": "numeric", "range": [0, 1], "step": 0.1}
    plan = ds.Plan.of({"name": "d", "attributes": [x, y], "budget": {"levels": [0.1]}})
    frame = {"größe": pa.array([0.5]), "y": pa.array([1.0])}
    ds.simulate(plan, frame, budgets="levels", seed=1).write("d.parquet")
    assert run("estimate", "d.parquet") == 0
    lines: Sequence[str] = capsys.readouterr().out.splitlines()
    assert any(line.startswith("mean") for line in lines)
    assert run("estimate", "d.parquet", "--json") == 0
    assert "NaN" not in capsys.readouterr().out


def test_a_pipe_gets_whole_lines_and_a_narrow_terminal_broken_ones(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch, reports: dict[str, Any]
) -> None:
    assert len(reports) == 5
    monkeypatch.setenv("COLUMNS", "40")
    assert run("estimate", "r.parquet", "income") == 0
    first = capsys.readouterr().out.splitlines()[0]
    assert first.startswith("income: weighted estimate for the population; 6,000 reports; levels")
    ran = subprocess.run(
        f"{shlex.join(COMMAND)} estimate r.parquet income | head -n 1",
        shell=True, capture_output=True, text=True,
    )  # fmt: skip
    assert (ran.stdout.splitlines()[0], ran.stderr) == (first, "")


@pytest.mark.usefixtures("reports")
def test_post_processing_is_for_labels_and_passes_numbers_by(run: Run, capsys: Capture) -> None:
    assert run("estimate", "r.parquet", "income", "--post", "norm-sub") == 1
    assert "'income' is a number: --post is for frequencies" in capsys.readouterr().err
    assert run("estimate", "r.parquet", "work", "income", "--post", "norm-sub", "--json") == 0
    work, income = json.loads(capsys.readouterr().out)
    assert work["post"] == ["norm-sub"]
    assert "post" not in income


@pytest.mark.parametrize(
    "command",
    [("estimate", "--joint", "a,x"), ("dependence",), ("publish", "--seed", "1")],
    ids=str,
)
def test_tables_and_models_warn_of_such_budgets_too(
    command: tuple[str, ...], run: Run, capsys: Capture
) -> None:
    x = {"name": "x", "kind": "numeric", "range": [0, 10], "step": 1, "mechanism": "window"}
    a = {"name": "a", "kind": "categorical", "values": ["yes", "no"]}
    plan = ds.Plan.of({"name": "d", "attributes": [a, x], "budget": {"levels": [1, 4]}})
    values = np.random.default_rng(1).integers(0, 11, 2_000)
    frame = pa.table({"a": np.where(values % 2, "yes", "no"), "x": values.astype(float)})
    budgets = pa.table(dict.fromkeys("ax", pa.array(np.where(values > 5, 1.0, 4.0))))
    ds.simulate(plan, frame, budgets=budgets, seed=1).write("d.parquet")
    name, *options = command
    assert run(name, "d.parquet", *options) == 0
    assert "x: owners' budgets and values look dependent" in capsys.readouterr().err
