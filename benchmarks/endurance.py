"""A collector under mixed load for half an hour: uploads, deletions, questions, and two kills.

    python -m benchmarks.endurance --minutes 30

Senders behave as devices do: what is not acknowledged is sent again, the same bytes. In the end
the store itself is read: whatever was acknowledged must be there once, whatever was deleted must
be gone, and the counts must be a recount. Exit status 1 if anything is lost, double, or wrong more
often than one request in a thousand outside the kills.
"""

import argparse
import gzip
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread

from benchmarks.collector import AUTHOR, OPEN, WAIT, free_port, reports
from discretion import Plan
from discretion.report import id_of

SINGLE, LINES = "application/json", "application/jsonl"
SENDERS, RATE = 8, 50.0  # threads with single reports, and how many a second each of them sends
BATCH, PAUSE = 200, 1.0  # reports in a batch, and seconds between batches
REGRET = 0.01  # the share of owners who delete
QUESTIONS = (
    "/v1/frequencies?attribute=mode",
    "/v1/means?attribute=age",
    "/v1/quantiles?attribute=age",
    "/v1/counters",
)
SELDOM = "/v1/joints?attributes=mode&attributes=age"  # it reads all reports: once a minute
ASK_SECONDS, SAMPLE_SECONDS = 3.0, 10.0
MOST_WRONG = 0.001  # of the requests outside the kills
LOST = (OSError, HTTPException)


class Collector:
    """``discretion serve`` on one port and one store, killed and started again."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.port, self.store = free_port(), folder / "reports.db"
        self._plan = folder / "plan.json"
        self._plan.write_bytes(plan.to_bytes())
        self._process: subprocess.Popen[bytes] | None = None
        self.down: list[tuple[float, float]] = []  # from each kill until it is healthy again

    def start(self) -> None:
        """Start it, and wait until it is healthy."""
        code = "from discretion.cli.main import main; main()"
        options = ["--store", f"sqlite:///{self.store}", "--port", str(self.port), "--open", OPEN]
        command = [sys.executable, "-c", code, "serve", str(self._plan), "--log", "error", *options]
        self._process = subprocess.Popen(command, start_new_session=True)
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            with suppress(*LOST):
                if self.ask("GET", "/health")[0] == 200:
                    return
            time.sleep(0.05)
        raise SystemExit("the collector did not start")

    def kill(self) -> None:
        """Kill it and what it started with SIGKILL, and start it again."""
        since = time.monotonic()
        self.end(signal.SIGKILL)
        self.start()
        self.down.append((since, time.monotonic()))

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it, and wait for that."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, how)
            self._process.wait()

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes]:
        """Make one request on a connection of its own."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return answer.status, answer.read()

    @property
    def memory(self) -> float:
        """The resident memory of the server process, in megabytes."""
        assert self._process is not None, "it was started"
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024


class Load:
    """Threads that send, delete and ask, and what became of it."""

    def __init__(self, collector: Collector, base: list[bytes]) -> None:
        self._collector, self._base = collector, base
        self._place = base[0].index(b'"id":"') + 6
        self._stop, self._lock = Event(), Lock()
        self.kept: set[bytes] = set()  # ids that were acknowledged
        self.deleted: set[bytes] = set()
        self.receipts: list[bytes] = []  # of owners who will delete
        self.requests: Counter[str] = Counter()
        self.wrong: list[tuple[float, str, str]] = []  # when, what, why
        self.memory: list[tuple[float, float]] = []
        works = [self._send] * SENDERS + [self._send_many, self._delete, self._ask, self._sample]
        self._threads = [Thread(target=work, name=work.__name__) for work in works]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run all threads; at the end each finishes what it has begun."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            for thread in self._threads:
                thread.join()

    def _new(self) -> tuple[bytes, bytes, bytes]:
        """Return a receipt, its id, and a report with that id."""
        receipt = os.urandom(32)
        id, report = id_of(receipt), random.choice(self._base)
        body = report[: self._place] + id.encode() + report[self._place + 32 :]
        return receipt, bytes.fromhex(id), body

    def _send(self) -> None:
        while not self._stop.wait(random.expovariate(RATE)):
            receipt, id, body = self._new()
            self._until_done("upload", "/v1/reports", body, Content_Type=SINGLE)
            self._acknowledged([(receipt, id)])

    def _send_many(self) -> None:
        while not self._stop.wait(PAUSE):
            owners = [self._new() for _ in range(BATCH)]
            body = gzip.compress(b"\n".join(body for _, _, body in owners), 1)
            how = {"Content_Type": LINES, "Content_Encoding": "gzip"}
            self._until_done("batch", "/v1/reports", body, **how)
            self._acknowledged([(receipt, id) for receipt, id, _ in owners])

    def _delete(self) -> None:
        while not self._stop.wait(0.05):
            with self._lock:
                due, self.receipts = self.receipts, []
            for receipt in due:
                body = json.dumps({"receipt": receipt.hex()}).encode()
                self._until_done("deletion", "/v1/deletions", body, Content_Type=SINGLE)
                self.deleted.add(bytes.fromhex(id_of(receipt)))

    def _ask(self) -> None:
        asked = 0
        while not self._stop.wait(ASK_SECONDS):
            asked += 1
            path = SELDOM if asked % 20 == 0 else QUESTIONS[asked % len(QUESTIONS)]
            self._tried("question", partial(self._collector.ask, "GET", path))

    def _sample(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            with suppress(OSError, IndexError):  # it is down
                self.memory.append((time.monotonic(), self._collector.memory))

    def _acknowledged(self, owners: list[tuple[bytes, bytes]]) -> None:
        with self._lock:
            self.kept.update(id for _, id in owners)
            self.receipts += [receipt for receipt, _ in owners if random.random() < REGRET]

    def _until_done(self, kind: str, path: str, body: bytes, **headers: str) -> None:
        """Send the same bytes again and again until they are acknowledged, as devices do."""
        post = partial(self._collector.ask, "POST", path, body, **headers)
        while not self._tried(kind, post):
            time.sleep(0.2)

    def _tried(self, kind: str, request: Callable[[], tuple[int, bytes]]) -> bool:
        with self._lock:
            self.requests[kind] += 1
        try:
            status, answer = request()
        except LOST as error:
            why = repr(error)
        else:
            if status in (200, 201) and b'"refused":[{' not in answer:
                return True
            why = f"{status} {answer[:200].decode(errors='replace')}"
        with self._lock:
            self.wrong.append((time.monotonic(), kind, why))
        return False


def outside(load: Load, collector: Collector) -> list[tuple[float, str, str]]:
    """Return what went wrong while the collector was up."""
    slack = 1.0  # seconds: what was under way at a kill is noticed a little later
    return [
        each
        for each in load.wrong
        if not any(since <= each[0] <= until + slack for since, until in collector.down)
    ]


def check(load: Load, collector: Collector) -> list[str]:
    """Compare what was acknowledged with what the store has."""
    with closing(sqlite3.connect(collector.store)) as store:
        rows = store.execute("SELECT id, body IS NULL FROM reports").fetchall()
        whole = store.execute("PRAGMA integrity_check").fetchone()[0]
    there = dict(rows)
    live = sum(not gone for _, gone in rows)
    counted = json.loads(collector.ask("GET", "/v1/aggregates")[1])["reports"]
    counters = json.loads(collector.ask("GET", "/v1/counters")[1])
    found = {
        "acknowledged and lost": len(load.kept - there.keys()),
        "there and never acknowledged": len(there.keys() - load.kept),
        "twice": len(rows) - len(there),
        "deleted and still there": sum(not there.get(id, 1) for id in load.deleted),
        "gone and never deleted": sum(gone and id not in load.deleted for id, gone in rows),
        "counted more or less than there are": counted - live,
        "counters differ from rows": counters["kept"] - live,
        "damage in the file": int(whole != "ok"),
    }
    return [f"{what}: {count:,}" for what, count in found.items() if count]


def flat(load: Load, collector: Collector) -> list[str]:
    """Return the memory of the server between kills: a minute after each start, and at the end."""
    starts = [load.memory[0][0], *(until for _, until in collector.down)]
    ends = [*(since for since, _ in collector.down), float("inf")]
    lines = []
    for start, end in zip(starts, ends, strict=True):
        own = [mb for at, mb in load.memory if start + 60 <= at < end]
        if own:
            lines.append(f"{own[0]:.0f} MB, {max(own):.0f} at most, {own[-1]:.0f} at the end")
    return lines


def main() -> None:
    """Run the load, and print what became of it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    seconds = parser.parse_args().minutes * 60
    plan = Plan.of(AUTHOR)
    with TemporaryDirectory() as name:
        collector = Collector(Path(name), plan)
        load = Load(collector, reports(plan, 2000, seed=7))
        collector.start()
        try:
            with load.running():
                for _ in range(2):
                    time.sleep(seconds / 3)
                    collector.kill()
                time.sleep(seconds / 3)
            wrong = outside(load, collector)
            faults = check(load, collector)
            memory = flat(load, collector)
        finally:
            collector.end()
    total = sum(load.requests.values())
    print(f"{seconds / 60:g} minutes, 2 kills: {len(load.kept):,} reports acknowledged,", end=" ")
    print(f"{len(load.deleted):,} deleted; requests: {dict(load.requests)}")
    print(f"wrong outside the kills: {len(wrong)} of {total:,} ({len(wrong) / total:.3%})", end=" ")
    print(Counter((kind, why[:60]) for _, kind, why in wrong).most_common(5) or "")
    print(f"memory of the server: {'; '.join(memory)}")
    print("; ".join(faults) or "nothing lost, nothing twice, deleted is deleted, counts agree")
    if faults or len(wrong) > MOST_WRONG * total:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
