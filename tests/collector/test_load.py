"""Load: more than can be done at once, and an end in the midst of it."""

import json
import socket
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

from discretion.collector.outcome import Outcome
from discretion.collector.store import open_store
from tests.collector.crowds import counters, eventually, exported
from tests.collector.faults import Storm, analysts_of, id_in, largest, runs, stopped
from tests.collector.serving import Reply, Server, people

PLAN = people()
MEMORY = 700 << 20  # bytes: what is loaded, 64 MB of bodies, and all that is made of them


def kept_in(server: Server) -> set[str]:
    """Return the ids in the store of a server that has ended."""
    store = open_store(server.store, server.plan)
    try:
        counts = store.counters()
        ids = {id_in(body) for bodies in store.reports(0) for body in bodies}
        assert sum(counts[Outcome.ACCEPTED].values()) == len(ids)
        return ids
    finally:
        store.close()


def test_a_server_that_is_asked_to_end_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    with Server(tmp_path, PLAN, queue=100_000) as server:
        with Storm(server, clients=16, size=100) as storm:
            assert eventually(lambda: len(storm.acknowledged) > 500)
            code = server.terminate()
        assert code == 0, server.stderr
        assert set(storm.statuses) <= {200, 429}, storm.statuses
        assert storm.acknowledged <= kept_in(server)
        path = Path(server.store.removeprefix("sqlite:///"))
        assert not path.with_name(f"{path.name}-wal").exists(), "all is in the one file"


@pytest.mark.slow
def test_neither_slow_clients_nor_long_answers_hold_up_the_end(tmp_path: Path) -> None:
    with Server(tmp_path, PLAN, queue=100_000) as server:
        server.get("/v1/aggregates")
        (analyst,) = analysts_of(server)
        idle = HTTPConnection("127.0.0.1", server.port)
        idle.request("GET", "/v1/plan")
        idle.getresponse().read()
        with (
            socket.create_connection(("127.0.0.1", server.port)) as slow,
            stopped(analyst),
            Storm(server, clients=16, size=100) as storm,
        ):
            head = b"POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            slow.sendall(head + b"Content-Length: 200\r\n\r\n{")
            shown: list[Reply] = []
            asking = threading.Thread(target=lambda: shown.append(server.get("/v1/aggregates")))
            asking.start()
            assert eventually(lambda: len(storm.acknowledged) > 500)
            code = server.terminate()
            asking.join()
            assert slow.recv(1000).startswith(b"HTTP/1.1 503 ")
        idle.close()
        assert [reply.status for reply in shown] == [503]
        assert code == 0, server.stderr
        assert not runs(analyst)
        assert storm.acknowledged <= kept_in(server)
        assert "Traceback" not in server.stderr


@pytest.mark.slow
def test_under_ten_times_the_load_memory_is_bounded_and_refusals_are_answered(
    tmp_path: Path,
) -> None:
    with Server(tmp_path, PLAN, queue=3000) as server:
        with Storm(server, clients=300, size=300) as storm:
            for _ in range(20):
                time.sleep(0.5)
                assert largest(server) < MEMORY
        assert storm.statuses.keys() == {200, 429}, (storm.statuses, storm.lost)
        assert storm.lost == 0
        assert None not in storm.waits
        assert all(int(wait) > 0 for wait in storm.waits if wait)
        print(f"{dict(storm.statuses)}, at most {largest(server) / 2**20:.0f} MB")
        assert largest(server) < MEMORY
        assert server.get("/health").status == 200
        found = counters(server)
        assert found["accepted"] == found["kept"] == len(storm.acknowledged)
        assert found["duplicate"] == found["conflict"] == 0
        assert found["refused"] == {}
        table = exported(server, tmp_path)
        assert {id.hex() for id in table.data["id"].to_pylist()} == storm.acknowledged
        counted = json.loads(server.get("/v1/aggregates").body)
        assert counted["plan"] == PLAN.id
