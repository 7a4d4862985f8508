"""Assigned functions from the command line: a plan is checked, and a device has its token."""

import json
from pathlib import Path

import pytest

from discretion.device import State
from tests.plans import assigned_commuters
from tests.scripted import collecting
from tests.unit.cli.conftest import Run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def checked(run: Run) -> Run:
    """Return the command, in a folder with such a plan."""
    Path("plan.json").write_bytes(assigned_commuters().to_bytes())
    return run


def test_plan_check_says_that_functions_are_assigned(checked: Run, capsys: Capture) -> None:
    assert checked("plan", "check", "plan.json") == 0
    assert "olh assigned " in capsys.readouterr().out
    assert checked("plan", "check", "plan.json", "--json") == 0
    mode, home = json.loads(capsys.readouterr().out)["attributes"]
    assert (mode["mechanism"], mode["function"]) == ("olh", "assigned")
    assert (home["mechanism"], home["function"]) == ("hadamard", "assigned")


def test_serve_says_that_such_a_plan_needs_once(checked: Run, capsys: Capture) -> None:
    assert checked("serve", "plan.json", "--port", "0") == 1
    assert "once must be set where a plan assigns hash functions" in capsys.readouterr().err


def test_send_needs_the_token_before_anything_is_drawn(checked: Run, capsys: Capture) -> None:
    with collecting(assigned_commuters()) as collector:
        send = ("send", collector.url, "--yes", "mode=bike", "--state", "owner.db")
        assert checked(*send) == 1
        assert "mode: its hash function comes with a token" in capsys.readouterr().err
        assert checked(*send, "--token", "mine") == 0
    with State("owner.db") as state:
        assert state.spent() == 2000
