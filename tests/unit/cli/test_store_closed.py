"""Commands that open a store close it, whether they succeed or not."""

from pathlib import Path

import pytest

from discretion.cli.demo.serving import demo_plan, fill
from tests.connections import Opened
from tests.unit.cli.conftest import Run

STORE = ("--store", "sqlite:///survey.db")


@pytest.mark.parametrize(
    "command, status",
    [
        (("token", "new", "bea", "--role", "analyse"), 0),
        (("token", "new", "ada", "--role", "analyse"), 1),  # she has one
        (("token", "list"), 0),
        (("token", "revoke", "ada"), 0),
        (("token", "revoke", "bea"), 1),
        (("export", "plan.yaml"), 0),
        (("export", "plan.yaml", "--round", "7"), 1),
    ],
)
def test_a_command_closes_the_store(
    command: tuple[str, ...], status: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("token", "new", "ada", "--role", "analyse", *STORE) == 0
    opened = Opened(monkeypatch)
    assert run(*command, *STORE) == status
    assert len(opened) > 0
    assert not opened.left_open


def test_the_demonstration_closes_the_store_that_it_fills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Opened(monkeypatch)
    fill(f"sqlite:///{tmp_path}/demo.db", demo_plan(), 30, 1)
    assert len(opened) > 0
    assert not opened.left_open
