"""What an analyst's process answers, and when it ends."""

import asyncio
import json
import multiprocessing
import os
import signal
import threading
from contextlib import closing
from multiprocessing import Pipe
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from discretion.aggregate import Aggregate
from discretion.collector.errors import Overloaded
from discretion.collector.metrics import Metrics
from discretion.collector.problems import ProblemDetail, ReportedProblem
from discretion.collector.store import open_store
from discretion.collector.worker import ONE_THREAD, Stores, _work, end_with_parent
from discretion.collector.worker_pool import PoolClient, WorkerPool
from discretion.plan import Plan
from tests.collector.crowds import eventually
from tests.collector.faults import runs
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
    monkeypatch.setattr("discretion.collector.worker.IDLE_SECONDS", 0.0)
    ours, theirs = Pipe()
    for question in questions:
        ours.send((plan.id, *question))
    monkeypatch.setattr(theirs, "recv", lambda: _next(theirs.__class__.recv, theirs, questions))
    _work(theirs, address, {plan.id: plan.to_bytes()})
    theirs.close()
    found = []
    while ours.poll():
        try:
            found.append(ours.recv())
        except EOFError:
            break
    assert found.pop(0) is True, "it says when it is ready"
    return found


def _next(receive: Any, pipe: Any, questions: list[Question]) -> Any:
    if not questions:
        raise EOFError
    questions.pop()
    return receive(pipe)


def test_questions_are_answered_or_the_problem_is_reported(
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
    assert (never.name, unknown.name) == ("not_found", "not_found")
    assert failed == ProblemDetail("failed", "the server log has the details")
    assert failed.fatal
    assert json.loads(again["aggregate"])["round"] == 0


def test_a_process_answers_about_every_plan_from_one_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, other = f"sqlite:///{tmp_path}/a.db", people("others")
    for plan in (PLAN, other):
        open_store(address, plan).close()
    opened = Opened(monkeypatch)
    with closing(Stores(address, {p.id: p.to_bytes() for p in (PLAN, other)})) as stores:
        for plan in (PLAN, other, PLAN):
            assert stores.of(plan.id).plan == plan
            assert stores.of(plan.id).aggregate(0).to_json() == Aggregate(plan, 0).to_json()
        assert stores.of(PLAN.id) is stores.of(PLAN.id)
        assert stores.of(PLAN.id).database is stores.of(other.id).database
    assert len(opened) > 0
    assert not opened.left_open


def test_a_process_closes_its_store_when_the_server_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(f"sqlite:///{tmp_path}/a.db", PLAN).close()
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


def test_a_store_that_cannot_be_opened_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (found,) = answers(
        f"sqlite:///{tmp_path}/no/such/folder.db", [("counts", {"round": 0})], monkeypatch
    )
    assert found.name == "unavailable"
    assert not found.fatal


@pytest.mark.parametrize("there", ["nothing", "an empty file", "the store of another plan"])
def test_a_process_never_makes_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: str
) -> None:
    """Found: it made an empty one where the server's had been, and answered from that."""
    path = tmp_path / "a.db"
    if there == "an empty file":
        path.touch()
    elif there != "nothing":
        open_store(f"sqlite:///{path}", people("others")).close()
    before = path.exists() and path.read_bytes()
    (found,) = answers(f"sqlite:///{path}", [("counts", {"round": 0})], monkeypatch)
    assert found.name == "unavailable"
    assert (path.exists() and path.read_bytes()) == before


def work_for_ever(started: Any) -> None:
    """Work in Python, without the signal that Linux sends, until the process is ended."""
    with patch("discretion.collector.worker.sys.platform", "another"):
        end_with_parent()
    started.send(os.getpid())
    threading.Event().wait()


def start_one(started: Any) -> None:
    """Start a process that works, and wait, as a server does."""
    context = multiprocessing.get_context("spawn")
    context.Process(target=work_for_ever, args=[started], daemon=True).start()
    threading.Event().wait()


def test_a_process_at_work_ends_when_its_server_is_killed() -> None:
    """Without any help of Linux; test_faults.py has the process that is stopped."""
    ours, theirs = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=start_one, args=[theirs])
    server.start()
    worker = ours.recv()
    assert runs(worker)
    server.kill()
    server.join()
    assert eventually(lambda: not runs(worker))


def test_analysts_that_are_replaced_and_questions_are_counted(tmp_path: Path) -> None:
    metrics = Metrics()
    address = f"sqlite:///{tmp_path}/a.db"
    open_store(address, PLAN).close()

    async def asked() -> None:
        pool = WorkerPool(address, [PLAN], 1, 30.0, metrics)
        own = PoolClient(pool, PLAN, metrics)
        try:
            questions = [asyncio.create_task(own.ask("counts", round=0)) for _ in range(3)]
            await asyncio.sleep(0)
            assert own.waiting == 2
            await asyncio.gather(*questions)
            with pytest.raises(ReportedProblem):
                await own.ask("nonsense", round=0)
            assert own.waiting == 0
        finally:
            await asyncio.to_thread(pool.close)

    asyncio.run(asked())
    text = metrics.text().decode()
    assert 'discretion_question_seconds_count{plan="",question="counts"} 3.0' in text
    assert 'discretion_question_seconds_count{plan="",question="nonsense"} 1.0' in text
    assert "discretion_analysts_replaced_total 1.0" in text


@pytest.mark.parametrize("ended", ["before", "after"])
def test_none_is_left_when_the_end_comes_in_the_midst_of_a_question(
    tmp_path: Path, ended: str
) -> None:
    """The interpreter waits for its children, and these do not end when they are asked to."""

    async def asked() -> list[Any]:
        pool = WorkerPool(f"sqlite:///{tmp_path}/a.db", [PLAN], 1, 30.0, Metrics())
        own = PoolClient(pool, PLAN, Metrics())
        asking = [asyncio.create_task(own.ask("counts", round=0)) for _ in range(3)]
        await asyncio.sleep(0.1)
        if ended == "before":
            pool.close()
        for question in asking:
            question.cancel()
        found = await asyncio.gather(*asking, return_exceptions=True)
        pool.close()
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

        def ask(self, *_: object) -> None: ...

        def close(self) -> None: ...

    async def asked() -> None:
        pool = WorkerPool("sqlite:///nowhere.db", [PLAN], 1, 1.0, Metrics())
        assert inherited == [], "none is started before there is a question"
        await pool.ask(PLAN.id, "counts", {}, Metrics())
        pool.close()

    for name in ONE_THREAD:
        monkeypatch.setenv(name, chosen or "")
        if chosen is None:
            monkeypatch.delenv(name)
    monkeypatch.setattr("discretion.collector.worker_pool.Worker", Started)
    asyncio.run(asked())
    assert inherited == [expected] * 3
