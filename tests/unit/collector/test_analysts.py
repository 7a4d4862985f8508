"""What an analyst's process answers, and when it ends."""

import asyncio
import json
import multiprocessing
import os
import signal
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from discretion.aggregate import Aggregate
from discretion.collector.analysts import ONE_THREAD, Analysts, _work
from discretion.collector.problems import Told
from discretion.collector.store import open_store
from discretion.errors import Overloaded
from discretion.plan import Plan
from tests.collector.serving import people
from tests.connections import Opened

PLAN = people()
Question = tuple[str, dict[str, Any]]


def answers(
    address: str, questions: list[Question], monkeypatch: pytest.MonkeyPatch, plan: Plan = PLAN
) -> list[Any]:
    """Return what a process says to questions that wait for it, in this process."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("discretion.collector.log.configure", lambda _: None)
    ours, theirs = Pipe()
    for question in questions:
        ours.send(question)
    monkeypatch.setattr(theirs, "recv", lambda: _next(theirs.__class__.recv, theirs, questions))
    _work(theirs, address, plan.to_bytes())
    theirs.close()
    found = []
    while ours.poll():
        try:
            found.append(ours.recv())
        except EOFError:
            break
    assert found.pop(0) is True, "it says when it is ready"
    return found


def _next(receive: Any, pipe: Any, questions: list[Question]) -> Question:
    if not questions:
        raise EOFError
    questions.pop()
    found: Question = receive(pipe)
    return found


def test_questions_are_answered_or_what_hinders_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{tmp_path}/a.db"
    open_store(address, PLAN).close()
    asked: list[Question] = [
        ("counts", {"round": 0}),
        ("counts", {"round": 5}),
        ("screening", {"round": 0, "attribute": "shoes"}),
        ("nonsense", {"round": 0}),
        ("counts", {"round": 0}),
    ]
    first, never, unknown, failed, again = answers(address, asked, monkeypatch)
    assert first["aggregate"] == Aggregate(PLAN, 0).to_json()
    assert (never.name, unknown.name) == ("round", "not_found")
    assert failed == Told("failed", "the log of the server tells more")
    assert failed.fatal
    assert json.loads(again["aggregate"])["round"] == 0


def test_a_process_closes_its_store_when_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Opened(monkeypatch)
    answers(f"sqlite:///{tmp_path}/a.db", [("counts", {"round": 0})], monkeypatch)
    assert len(opened) > 0
    assert not opened.left_open


def test_a_store_that_cannot_be_used_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Opened(monkeypatch)
    monkeypatch.setattr("discretion.plan.Plan.to_bytes", lambda _: 1 << 100)
    with pytest.raises(OverflowError):
        open_store(f"sqlite:///{tmp_path}/a.db", PLAN)
    assert len(opened) > 0
    assert not opened.left_open


def test_a_store_that_cannot_be_opened_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (found,) = answers(
        f"sqlite:///{tmp_path}/no/such/folder.db", [("counts", {"round": 0})], monkeypatch
    )
    assert found.name == "unavailable"
    assert not found.fatal


@pytest.mark.parametrize("ended", ["before", "after"])
def test_none_is_left_when_the_end_comes_in_the_midst_of_a_question(
    tmp_path: Path, ended: str
) -> None:
    """The interpreter waits for its children, and these do not end when they are asked to."""

    async def asked() -> list[Any]:
        own = Analysts(f"sqlite:///{tmp_path}/a.db", PLAN, 1, 30.0)
        asking = [asyncio.create_task(own.ask("counts", round=0)) for _ in range(3)]
        await asyncio.sleep(0.1)
        if ended == "before":
            own.close()
        for question in asking:
            question.cancel()
        found = await asyncio.gather(*asking, return_exceptions=True)
        own.close()
        with pytest.raises(Overloaded):
            await own.ask("counts", round=0)
        return found

    assert len(asyncio.run(asked())) == 3
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("chosen, expected", [(None, "1"), ("3", "3")])
def test_processes_compute_in_one_thread_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, chosen: str | None, expected: str
) -> None:
    """Two threads on busy cores made quantiles take ten times as long."""
    inherited = list[str | None]()

    class Started:
        def __init__(self, *_: object) -> None:
            inherited.extend(os.environ.get(name) for name in ONE_THREAD)

        def close(self) -> None: ...

    for name in ONE_THREAD:
        monkeypatch.setenv(name, chosen or "")
        if chosen is None:
            monkeypatch.delenv(name)
    monkeypatch.setattr("discretion.collector.analysts.Analyst", Started)
    Analysts("sqlite:///nowhere.db", PLAN, 1, 1.0).close()
    assert inherited == [expected] * 3
