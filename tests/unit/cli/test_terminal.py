"""What depends on where the output goes: progress, encodings, pipes, completion."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from discretion.cli.estimate import largest
from discretion.cli.progress import each, working
from discretion.render.tables import Table

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]
COMMAND = Path(sys.executable).with_name("discretion")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def work() -> None:
    with working("perturbing 10 records"):
        pass
    assert list(each("estimating", ["age", "sex"])) == ["age", "sex"]


def test_progress_is_shown_on_a_terminal_and_gone_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    work()
    shown = stream.getvalue()
    assert "perturbing 10 records" in shown
    assert "estimating sex" in shown
    assert "2/2" in shown
    assert shown.endswith("\x1b[2K")  # the line is erased


@pytest.mark.parametrize("force", ["FORCE_COLOR", "TTY_COMPATIBLE"])
def test_progress_is_never_shown_in_a_pipe(monkeypatch: pytest.MonkeyPatch, force: str) -> None:
    monkeypatch.setenv(force, "1")
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    work()
    assert stream.getvalue() == ""


def test_commands_in_a_pipe_print_results_only(run: Run, capsys: Capture) -> None:
    assert run("simulate", "plan.yaml", "people.csv", "--seed", "1") == 0
    assert run("estimate", "reports.parquet", "--json") == 0
    assert capsys.readouterr().err == ""


def test_a_label_that_the_terminal_cannot_show_does_not_stop_a_command(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    Path("d.csv").write_text("größe\n" + "klein\ngroß\n" * 20, encoding="utf-8")
    run("plan", "new", "d.csv", "-o", "d.yaml")
    run("simulate", "d.yaml", "d.csv", "-o", "d.parquet")
    for command in (("plan", "check", "d.yaml"), ("estimate", "d.parquet")):
        narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr(sys, "stdout", narrow)
        assert run(*command) == 0
        narrow.seek(0)
        assert "gro?" in narrow.read()


@pytest.mark.parametrize(
    "words, found",
    [
        ("discretion plan ", {"new", "code", "import", "check", "advise", "needed", "focus"}),
        ("discretion estimate r.parquet --method w", {"weighted"}),
        ("discretion estimate r.parquet --target ", {"population", "owners"}),
        ("discretion simulate p d --budgets ", {"even", "dirichlet", "levels"}),
    ],
)
def test_the_shell_completes_commands_and_choices(
    run: Run, capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: str, found: set[str]
) -> None:
    monkeypatch.setenv("_DISCRETION_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert run() == 0
    assert {*capsys.readouterr().out.split()} == found


def test_a_closed_pipe_and_the_completion_script_are_no_errors() -> None:
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    shown = subprocess.run(
        [COMMAND, "--show-completion", "bash"], capture_output=True, text=True, env=environment
    )
    assert "complete -o default -F _discretion_completion discretion" in shown.stdout
    assert shown.returncode == 0
    head = f"'{COMMAND}' --help | head -n 1"
    closed = subprocess.run(["bash", "-c", head], capture_output=True, text=True)
    assert (closed.stdout.count("\n"), closed.stderr) == (1, "")


def rows(shown: list[int]) -> Table:
    return Table(("label", "value"), [(f"label {i}", "") for i in shown])


def test_a_long_attribute_shows_its_largest_and_how_many_more() -> None:
    values = np.arange(1, 41) / 820
    found = largest(values, rows, whole=False)
    assert len(found.rows) == 20
    assert found.rows[0][0] == "label 39"
    assert found.note == f"... and 20 more, {values[:20].sum():.4f} together; --all shows them"
    whole = largest(values, rows, whole=True)
    assert (len(whole.rows), whole.rows[0][0], whole.note) == (40, "label 0", "")


def test_thirty_labels_are_not_long() -> None:
    assert len(largest(np.full(30, 1 / 30), rows, whole=False).rows) == 30
