"""Commands that open a store close it, whether they succeed or not."""

from contextlib import closing
from pathlib import Path

import pytest

from discretion.cli.demo.serving import demo_plan, fill
from discretion.collector.outcome import Incoming
from discretion.collector.store import open_store
from discretion.collector.store.backup import export_rounds
from discretion.errors import DiscretionError
from tests.collector.serving import people, sealed
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


def test_an_export_that_fails_half_way_closes_what_it_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Opened(monkeypatch)
    plan, place = people(), str(tmp_path / "out")
    own = sealed(plan, 1)
    with closing(open_store(f"sqlite:///{tmp_path}/survey.db", plan)) as store:
        store.put([Incoming(own.round, own.id, own.body)])
        export_rounds(store, place)
        with pytest.raises(DiscretionError, match="counted twice") as refused:
            export_rounds(store, place)
    assert refused.tb is not None  # which keeps alive what the export was reading
    assert not opened.left_open


def test_the_demonstration_closes_the_store_that_it_fills(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Opened(monkeypatch)
    fill(f"sqlite:///{tmp_path}/demo.db", demo_plan(), 30, 1)
    assert len(opened) > 0
    assert not opened.left_open
