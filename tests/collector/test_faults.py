"""Faults: what was acknowledged is there, what was not is told so, and all goes on by itself."""

import json
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from tests.collector import serving
from tests.collector.crowds import assert_problem, counters, eventually, exported, metric
from tests.collector.faults import (
    Many,
    analysts_of,
    id_in,
    runs,
    small_disk,
    stopped,
)
from tests.collector.serving import ANSWER_SECONDS, LOST, Reply, Server, people, sealed

PLAN = people()
COUNT = "/v1/aggregates"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("faults"), PLAN) as running:
        yield running


def test_a_full_disk_is_reported_and_when_there_is_room_it_goes_on(tmp_path: Path) -> None:
    kept: set[str] = set()
    with small_disk(tmp_path / "disk", "8m") as disk:
        ballast = disk / "ballast"
        address = f"sqlite:///{disk}/reports.db"
        with Server(tmp_path, PLAN, store=address, decompressed=500_000) as server:
            ballast.write_bytes(bytes(5_000_000))
            many, reply = Many(PLAN), None
            for _ in range(100):
                batch = many.batch(1000)
                reply = server.upload(*batch)
                if reply.status != 200:
                    break
                kept |= {id_in(body) for body in batch}
            assert reply is not None
            assert_problem(reply, 507, "full")
            assert int(reply.headers["retry-after"]) > 0
            assert kept
            assert_problem(server.upload(*batch), 507, "full")
            assert_problem(server.get("/health"), 507, "full")
            with disk.joinpath("more").open("wb") as more, suppress(OSError):
                more.write(bytes(8_000_000))  # what is left
            assert_problem(server.get("/health"), 507, "full")
            assert server.get(COUNT).status == 200, "what is there can be read"

            disk.joinpath("more").unlink()
            ballast.unlink()
            assert eventually(lambda: server.get("/health").status == 200)
            assert eventually(lambda: server.upload(*batch).status == 200)
            assert server.get("/health").status == 200
            found = {id.hex() for id in exported(server, tmp_path).data["id"].to_pylist()}
            assert kept < found
            assert len(found - kept) == len(batch), "what was not acknowledged was not kept"
            assert counters(server)["kept"] == len(found)


@pytest.mark.slow
def test_a_store_that_another_process_locks_is_reported_and_comes_back(server: Server) -> None:
    outage = 7.0  # longer than a transaction waits
    before, body = counters(server)["kept"], sealed(PLAN, 1).body
    path = server.store.removeprefix("sqlite:///")
    replies: list[Reply] = []
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    sending = threading.Thread(target=lambda: replies.append(server.upload(body)))
    sending.start()
    time.sleep(outage)
    other.execute("ROLLBACK")
    other.close()
    sending.join()
    assert_problem(replies[0], 503, "unavailable")
    assert int(replies[0].headers["retry-after"]) > 0
    assert eventually(lambda: server.upload(body).status in (200, 201))
    assert counters(server)["kept"] == before + 1
    assert server.get("/health").status == 200


@pytest.mark.slow
def test_an_outage_of_postgres_is_reported_and_over_when_it_is_over(
    postgres: str, tmp_path: Path
) -> None:
    database: Any = serving._postgres_server()
    kept = [sealed(PLAN, who) for who in range(20)]
    late = [sealed(PLAN, who) for who in range(20, 40)]
    with Server(tmp_path, PLAN, store=postgres) as server:
        assert server.upload(*(s.body for s in kept)).status == 200
        before = server.get(COUNT).body
        database.stop()
        try:
            reply = server.upload(*(s.body for s in late))
            assert_problem(reply, 503, "unavailable")
            assert int(reply.headers["retry-after"]) > 0
            assert_problem(server.get("/health"), 503, "unavailable")
            assert_problem(server.get(COUNT), 503, "unavailable")
            assert server.get("/v1/plan").status == 200
            shown = server.get("/")
            assert (shown.status, b"Try again" in shown.body) == (503, True), "as people read it"
        finally:
            database.ensure_postgres_running()
        assert eventually(lambda: server.upload(*(s.body for s in late)).status == 200)
        assert counters(server)["kept"] == 40
        assert server.get("/health").status == 200
        assert server.get(COUNT).body != before
        found = set(exported(server, tmp_path).data["id"].to_pylist())
        assert found == {s.id for s in (*kept, *late)}


def test_a_store_that_is_moved_away_is_reported_and_comes_back(server: Server) -> None:
    """Found: uploads were acknowledged, and an analyst made an empty store in its place."""
    path = Path(server.store.removeprefix("sqlite:///"))
    elsewhere = path.parent / "elsewhere"
    elsewhere.mkdir()
    one, two = sealed(PLAN, 101).body, sealed(PLAN, 102).body
    assert server.upload(one).status == 201
    assert server.get(COUNT).status == 200
    for file in path.parent.glob(f"{path.name}*"):
        file.rename(elsewhere / file.name)
    assert_problem(server.upload(two), 503, "unavailable")
    assert_problem(server.get("/health"), 503, "unavailable")
    assert_problem(server.get(COUNT), 503, "unavailable")
    assert list(path.parent.glob(f"{path.name}*")) == []
    assert "moved, replaced or removed" in server.stderr
    for file in elsewhere.iterdir():
        file.rename(path.parent / file.name)
    assert server.upload(two).status == 201
    assert server.get("/health").status == 200
    assert server.get(COUNT).status == 200


def test_metrics_say_how_the_server_and_its_store_stand(server: Server) -> None:
    own = sealed(PLAN, 103)
    server.upload(own.body)
    server.withdraw(own.receipt)
    server.get(COUNT)
    assert metric(server, "discretion_kept_reports") == counters(server)["kept"]
    assert metric(server, "discretion_snapshot_lag_reports") > 0
    for route in ("/v1/reports", "/v1/deletions", "/v1/aggregates"):
        assert metric(server, "discretion_answer_seconds_count", route=route) > 0
    assert metric(server, "discretion_question_seconds_count", question="counts") > 0
    assert metric(server, "discretion_waiting_questions") == 0
    for size in ("store_bytes", "log_bytes", "free_bytes"):
        assert metric(server, f"discretion_{size}") > 4096
    assert metric(server, "process_resident_memory_bytes") > 1e7
    assert metric(server, "process_open_fds") > 5


def test_an_analyst_that_is_killed_is_replaced(server: Server) -> None:
    server.upload(sealed(PLAN, 7).body)
    assert server.get(COUNT).status == 200
    (first,) = analysts_of(server)
    os.kill(first, signal.SIGKILL)  # while it has nothing to do
    assert eventually(lambda: not runs(first))
    assert server.get(COUNT).status == 200

    (second,) = analysts_of(server)
    assert second != first
    waiting = HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_SECONDS)
    with closing(waiting) as asking, stopped(second):  # in the midst of its work
        asking.request("GET", COUNT)
        assert server.upload(sealed(PLAN, 8).body).status == 201, "uploads do not wait for it"
        os.kill(second, signal.SIGKILL)
        shown = asking.getresponse()
        assert shown.status == 500
        assert json.loads(shown.read())["type"].endswith(":failed")
    assert server.get(COUNT).status == 200
    assert len(analysts_of(server)) == 1
    assert metric(server, "discretion_analysts_replaced_total") >= 2


def test_too_many_questions_are_asked_to_come_again(server: Server) -> None:
    server.get(COUNT)
    (analyst,) = analysts_of(server)
    replies: list[Reply] = []
    with stopped(analyst):
        asking = [
            threading.Thread(target=lambda: replies.append(server.get(COUNT))) for _ in range(10)
        ]
        for thread in asking:
            thread.start()
        assert eventually(lambda: bool(replies))
        assert_problem(replies[0], 429, "overloaded")
        assert int(replies[0].headers["retry-after"]) > 0
    for thread in asking:
        thread.join()
    assert [reply.status for reply in replies[1:]] == [200] * 9


@pytest.mark.slow
def test_an_answer_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with Server(tmp_path, PLAN, patience=2, analysts=2) as patient:
        patient.upload(sealed(PLAN, 9).body)
        assert patient.get(COUNT).status == patient.get(COUNT).status == 200
        for pid in analysts_of(patient):
            os.kill(pid, signal.SIGSTOP)
        assert_problem(patient.get(COUNT), 504, "too_long")
        assert_problem(patient.get(COUNT), 504, "too_long")
        assert patient.get(COUNT).status == 200, "new ones have time to start"
        assert len(analysts_of(patient)) == 2


def test_an_analyst_at_work_does_not_outlive_a_server_that_is_killed(server: Server) -> None:
    """The last test of this server. Found: it worked on, at 100 % of a core, for minutes."""
    assert server.get(COUNT).status == 200
    (own,) = analysts_of(server)
    waiting = HTTPConnection("127.0.0.1", server.port, timeout=ANSWER_SECONDS)
    with closing(waiting) as asking, stopped(own):  # in the midst of its work
        asking.request("GET", COUNT)
        assert server.upload(sealed(PLAN, 104).body).status == 201
        server.kill(alone=True)
        assert eventually(lambda: not runs(own))
    with pytest.raises(LOST):
        server.get("/health")
