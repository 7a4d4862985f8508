"""Rounds from the command line: of the store that a server may be using."""

from contextlib import closing
from datetime import date
from io import StringIO
from pathlib import Path

import pytest

from discretion.cli.serve import _unsaid
from discretion.collector.settings import Settings
from discretion.collector.store import open_store
from discretion.plan import Plan
from tests.plans import author
from tests.unit.cli.conftest import Run

STORE = ("--store", "sqlite:///survey.db")


def rows(capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    return [line.split() for line in capsys.readouterr().out.splitlines()[1:]]


def test_rounds_are_opened_closed_and_listed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    open_store("sqlite:///survey.db", Plan.load("plan.yaml")).close()
    assert run("rounds", "open", "plan.yaml", "3", *STORE) == 0
    assert rows(capsys) == [["0", "open", "0"], ["3", "open", "0"]]
    end = ("rounds", "close", "plan.yaml", "0")
    assert run(*end, "--yes", "--on", "2030-01-31", *STORE) == 0
    assert rows(capsys) == [["0", "closed", "2030-01-31", "0"], ["3", "open", "0"]]
    assert run("rounds", "list", "plan.yaml", *STORE) == 0
    assert rows(capsys)[0] == ["0", "closed", "2030-01-31", "0"]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("open", "plan.yaml", "0"), "a closed round is never opened again"),
        (("close", "plan.yaml", "7", "--yes"), "round 7 was never opened"),
        (("list", "other.yaml"), "was never collected there"),
        (("open", "plan.yaml", "-1"), ""),
    ],
)
def test_what_cannot_be_done_is_one_line(
    run: Run, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    store = open_store("sqlite:///survey.db", Plan.load("plan.yaml"))
    store.close_round(0, date(2030, 1, 1), confirmed=True)
    store.close()
    text = Path("plan.yaml").read_text(encoding="utf-8")
    Path("other.yaml").write_text(text.replace("census", "others"), encoding="utf-8")
    assert run("rounds", *arguments, *STORE) != 0
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("said, state", [("n\n", "open"), ("", "open"), ("y\n", "closed")])
def test_closing_asks_first(
    run: Run, monkeypatch: pytest.MonkeyPatch, said: str, state: str
) -> None:
    with closing(open_store("sqlite:///survey.db", Plan.load("plan.yaml"))) as store:
        monkeypatch.setattr("sys.stdin", StringIO(said))
        assert run("rounds", "close", "plan.yaml", "0", *STORE) == (state == "open")
        assert [each.state for each in store.rounds()] == [state]


def test_what_owners_do_not_learn_is_named() -> None:
    plain, asked = Plan.of(author()), Plan.of(author(asker="City", purpose="Buses"))
    assert _unsaid(plain, Settings.of()) == "who asks and what for"
    assert _unsaid(plain, Settings.of(asker="City")) == "what for"
    assert _unsaid(asked, Settings.of()) == ""
