"""An audit as a page, as JSON, and as a command."""

import json
import sys
from math import inf
from pathlib import Path
from xml.etree import ElementTree

import pytest

from discretion.auditing import Audit, Finding, Part, audit
from discretion.auditing.page import page
from discretion.cli.main import main
from discretion.errors import DiscretionError
from discretion.render.page import write_page
from tests import plans

PLAN = """
name: small
attributes:
- {name: mode, kind: categorical, values: [car, bus, bike]}
budget: {levels: [1, 2]}
"""
BROKEN = Audit(
    "<mine> & yours",
    (
        Finding(Part.LAW, "x <b>", 1.0, inf, False, "an output is never given"),
        Finding(Part.SAMPLES, "y", 1.0, 0.5, True, "the whole = 01: 5 against 3 of 10"),
    ),
    ("a note",),
)


def test_the_page_needs_nothing_and_reads_as_xml() -> None:
    for found in (BROKEN, audit(plans.coded_commuters(), samples=200)):
        html = page(found)
        assert "<script" not in html
        assert "http" not in html
        assert " style=" not in html
        ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>\n"))


def test_the_page_says_first_what_is_broken() -> None:
    html = page(BROKEN)
    assert "&lt;mine&gt; &amp; yours: 1 of 2 claims is broken." in html
    assert html.index("What is broken") < html.index("The laws, exactly")
    assert "no bound" in html
    assert "What is broken" not in page(Audit("mine", BROKEN.findings[1:]))


def test_json_has_no_infinity() -> None:
    document = json.loads(json.dumps(BROKEN.document(), allow_nan=False))
    assert document["passes"] is False
    assert document["findings"][0]["loss"] is None
    assert [finding["part"] for finding in document["findings"]] == ["law", "samples"]


def test_a_page_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DiscretionError, match="can be written"):
        write_page(tmp_path / "no" / "page.html", page(BROKEN))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["discretion", "audit", *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("plan.yaml").write_text(PLAN, encoding="utf-8")
    return "plan.yaml"


def test_the_command_prints_and_writes_a_page(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, path, "--samples", "500", "--page", "audit.html") == 0
    printed = capsys.readouterr().out
    assert "plan small: all 15 claims hold as far as they were checked." in printed
    assert "The page is audit.html." in printed
    assert Path("audit.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run(monkeypatch, path, "--samples", "500", "--json") == 0
    assert json.loads(capsys.readouterr().out)["passes"] is True


def test_a_broken_claim_is_an_exit_status(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("discretion.cli.audit.audited", lambda *_: BROKEN)
    assert run(monkeypatch, path) == 1
    assert "claims 1, found no bound" in capsys.readouterr().out


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    "arguments, rule",
    [
        ([], "a plan or --all"),
        (["plan.yaml", "--all"], "a plan or --all"),
        (["plan.yaml", "--samples", "10"], "samples must be 100 or more"),
        (["plan.yaml", "--page", "audit.pdf"], "must end in .html"),
        (["plan.yaml", "--device", ""], "device must be a command"),
        (["--all", "--device", "node"], "must have a plan"),
    ],
)
def test_a_wrong_call_is_one_line(
    arguments: list[str],
    rule: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, *arguments) == 1
    error = capsys.readouterr().err
    assert rule in error
    assert error.count("\n") == 1
