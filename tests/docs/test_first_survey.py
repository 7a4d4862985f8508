"""The page for newcomers works as it is written, in an empty folder and against a real server."""

import os
import re
import runpy
import shlex
from pathlib import Path

import pytest

from tests.collector.crowds import eventually
from tests.collector.forked import Forked
from tests.collector.serving import LOST, ask, free_port
from tests.docs.test_snippets import ROOT, blocks, run, write
from tests.unit.web.dashboards import read

PAGE = ROOT / "docs" / "first-survey.md"
NAMED = re.compile(r"# (\w+\.py)\n")
PORT = "8000"  # on the page


def test_the_first_survey_runs_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    port, log = free_port(), tmp_path / "log"
    log.touch()
    server: Forked | None = None
    try:
        for language, _, text in blocks(PAGE):
            body = text.replace(PORT, str(port)).replace("0.0.0.0", "127.0.0.1")
            if language == "yaml":
                write(body)
            elif language == "python":
                found = NAMED.match(body)
                assert found is not None
                Path(found[1]).write_text(body, encoding="utf-8")
            elif body.startswith("discretion serve"):
                words = [*shlex.split(body)[1:], "--port", str(port)]
                server = Forked(words, log)
                assert eventually(lambda: _healthy(port)), log.read_text()
            elif language == "sh":
                _commands(body, monkeypatch)
        printed = capsys.readouterr().out
        assert "400 reports accepted" in printed
        assert "to do" not in printed  # the plan is as good as the page says
        assert "By bike" in printed.rpartition("reports written to reports")[2]
        assert eventually(lambda: b"Most frequent" in ask(port, "GET", "/results").body)
        shown = read(ask(port, "GET", "/results").body.decode())
        assert "401" in shown.said
        assert "By car" in shown.said
    finally:
        if server is not None:
            os.killpg(server.pid, 9)
            server.wait(60)


def test_every_command_of_the_page_is_among_those_that_run() -> None:
    lines = [
        line for language, _, body in blocks(PAGE) if language == "sh" for line in body.split("\n")
    ]
    first = {shlex.split(line)[0] for line in lines if line}
    assert first == {"discretion", "python"}


def _healthy(port: int) -> bool:
    try:
        return ask(port, "GET", "/health").status == 200
    except LOST:
        return False


def _commands(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do what a block of shell says."""
    for line in body.splitlines():
        words = shlex.split(line)
        if words[0] == "python":
            runpy.run_path(words[1], run_name="__main__")
        else:
            run(line, monkeypatch)
