"""A user's mistake is one line on stderr and status 1; a wrong call is typer's status 2."""

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]

SIMULATE = ("simulate", "plan.yaml", "people.csv")
MISTAKES = {
    "no plan": (("plan", "check", "none.yaml"), "none.yaml: no such file"),
    "no records": (("simulate", "plan.yaml", "none.csv"), "none.csv: no such file"),
    "no reports there": (("estimate", "none.parquet"), "none.parquet: no such file"),
    "no form": (("plan", "import", "none.xlsx", "-o", "p.yaml"), "none.xlsx: no such file"),
    "share": ((*SIMULATE, "--share", "some"), "share must be"),
    "budgets": ((*SIMULATE, "--budgets", "odd"), "budgets must be"),
    "no folder": ((*SIMULATE, "-o", "no/r.parquet"), "no/r.parquet: the folder must exist"),
    "a folder": ((*SIMULATE, "-o", "."), ".: must be a file, not a folder"),
    "an input": ((*SIMULATE, "-o", "people.csv"), "people.csv: must not be a file that is read"),
    "no reports": (("estimate", "people.csv"), "people.csv: must be a Parquet file of reports"),
    "attribute": (("estimate", "r.parquet", "shoes"), "the plan has no attribute 'shoes'"),
    "method": (("estimate", "r.parquet", "--method", "magic"), "method must be one of auto, mle"),
    "columns": (("simulate", "plan.yaml", "other.csv"), "other.csv: must have one column 'work'"),
    "twice": (("simulate", "plan.yaml", "twice.csv"), "twice.csv: must have one column 'work', an"),
    "ragged": (("plan", "check", "plan.yaml", "ragged.csv"), "ragged.csv: must be a CSV or Parq"),
    "no rows": (("plan", "new", "header.csv", "-o", "p.yaml"), "records: there must be at least"),
    "nothing": (("plan", "new", "nothing.csv", "-o", "p.yaml"), "nothing.csv: must be a CSV or P"),
    "one row": (("plan", "new", "row.csv", "-o", "p.yaml"), "records: there must be a column to a"),
    "there": (("plan", "new", "people.csv"), "plan.yaml: is there already; --force overwrites it"),
    "yaml": (("plan", "check", "broken.yaml"), "broken.yaml: line 1: must be valid YAML"),
}
FILES = {
    "other.csv": "a,b\n1,2\n",
    "twice.csv": "work,work,income\nretired,retired,3\n",
    "ragged.csv": "work,income\nretired,3,4\n",
    "header.csv": "work,income\n",
    "nothing.csv": "",
    "row.csv": "work,income\nretired,3\n",
    "broken.yaml": "name: [",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_on_stderr_and_status_1(
    run: Run, capsys: Capture, mistake: str
) -> None:
    arguments, message = MISTAKES[mistake]
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    if "r.parquet" in arguments:
        run(*SIMULATE, "-o", "r.parquet")
        capsys.readouterr()
    assert run(*arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(f"discretion: {message}")
    assert printed.err.count("\n") == 1


def test_an_error_of_the_operating_system_is_one_line(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "p.yaml")

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr("pyarrow.parquet.ParquetWriter", full)
    for arguments in (("plan", "new", "people.csv", "-o", "p.yaml"), SIMULATE):
        assert run(*arguments) == 1
        assert capsys.readouterr().err == "discretion: p.yaml: No space left on device\n"


def test_a_missing_yaml_package_is_named(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    importing = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "yaml":
            raise ModuleNotFoundError("No module named 'yaml'", name="yaml")
        return importing(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert run("plan", "check", "plan.yaml") == 1
    assert capsys.readouterr().err == (
        "discretion: a plan in YAML needs PyYAML: pip install discretion\n"
    )


def test_a_message_of_several_lines_is_printed_as_one(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("first\nsecond")

    monkeypatch.setattr("discretion.table.ReportTable.read", fail)
    assert run("estimate", "r.parquet") == 1
    assert capsys.readouterr().err == "discretion: first second\n"


@pytest.mark.parametrize("other", [("--joint", "a,b"), ("--statistic", "mean")])
def test_applicable_is_for_frequencies_alone(
    run: Run, capsys: Capture, other: tuple[str, ...]
) -> None:
    assert run("estimate", "r.parquet", "--applicable", *other) == 1
    assert "--applicable is for frequencies" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [("estimate",), ("estimate", "r.parquet", "--nope"), ("plan", "nope"), ("nope",)]
)
def test_a_wrong_call_has_status_2(run: Run, capsys: Capture, arguments: tuple[str, ...]) -> None:
    assert run(*arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("Usage: ")


def test_an_interruption_is_one_line_and_status_130(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("discretion.cli.authoring.read_table", interrupted)
    assert run("plan", "new", "people.csv", "-o", "p.yaml") == 130
    assert capsys.readouterr() == ("", "discretion: interrupted\n")
