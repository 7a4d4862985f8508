"""A crowd that talks to real servers while these are killed, and what it knows in the end."""

import json
import random
import time
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Callable, Sequence
from threading import Event, Lock, Thread
from typing import Any, Self

from discretion.aggregate import Aggregate
from discretion.collector.store import open_store
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.collector.serving import LOST, Reply, Sealed, Server, sealed

ROUNDS = (0, 1)
SENDERS = 4
GIVEN_UP = 0.15  # of the reports are deleted by their owners
BATCH = 12
LATER = (429, 503)
KEPT = {"accepted", "duplicate"}
QUESTIONS = ("/v1/frequencies?attribute=pet&round=%d", "/v1/screenings?attribute=pet&round=%d")
SECONDS = 120.0


class Crowd:
    """Owners with unequal budgets and unique values, and the answers that they got.

    They send what is not acknowledged as well as what is, alone or together, to any server, and
    the same report at the same time.
    """

    def __init__(self, plan: Plan, servers: Sequence[Server], seed: int) -> None:
        self._plan, self._servers, self._random = plan, servers, random.Random(seed)
        self._sealed: list[Sealed] = []
        self._given_up: set[bytes] = set()  # what will be deleted, or is
        self._unsure: dict[bytes, Sealed] = {}  # sent or not, but never acknowledged
        self._acknowledged: dict[bytes, Sealed] = {}
        self._withdrawn: set[bytes] = set()
        self._lock, self._stop = Lock(), Event()
        self._threads: list[Thread] = []
        self._failures: list[BaseException] = []
        self.accepted: Counter[bytes] = Counter()  # how often that was answered, by id
        self.answers: Counter[str] = Counter()

    def grow(self, owners: int) -> None:
        """Let more owners take part, each with a value that nobody has."""
        first = len(self._sealed) // len(ROUNDS)
        more = [sealed(self._plan, who, r) for who in range(first, first + owners) for r in ROUNDS]
        with self._lock:
            self._sealed += more
            self._unsure |= {report.id: report for report in more}
            self._given_up |= {r.id for r in more if self._random.random() < GIVEN_UP}

    def __enter__(self) -> Self:
        """Begin to talk."""
        acts = [self._send_one, self._send_many] * (SENDERS // 2) + [self._withdraw, self._ask]
        self._threads = [Thread(target=self._keep_doing, args=[act]) for act in acts]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Fall silent; what a thread has seen is more than what this one has."""
        self._stop.set()
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]

    def finish(self) -> None:
        """Wait until everything is acknowledged."""
        until = time.monotonic() + SECONDS
        while self._busy() and not self._failures:
            assert time.monotonic() < until, f"not all was acknowledged in {SECONDS} seconds"
            time.sleep(0.02)

    @property
    def unsure(self) -> int:
        """How many reports are not acknowledged."""
        return len(self._unsure)

    @property
    def reports(self) -> int:
        return len(self._sealed)

    def check(self) -> None:
        """Compare what the servers have with what the crowd knows, to the last report."""
        assert set(self.accepted.values()) <= {1}, "a report was accepted twice"
        left = [r for r in self._sealed if r.id not in self._withdrawn]
        store = open_store(self._servers[0].store, self._plan)
        for round in ROUNDS:
            bodies = sorted(r.body for r in left if r.round == round)
            assert sorted(b for part in store.reports(round) for b in part) == bodies
            expected = self._recount(round, bodies)
            assert store.aggregate(round).to_json() == expected
            for server in self._servers:
                assert server.get(f"/v1/aggregates?round={round}").body.decode() == expected
        store.close()
        for server in self._servers:
            counters = server.get("/v1/counters").json()
            assert counters["accepted"] == len(self._sealed)
            assert counters["deleted"] == len(self._withdrawn)
            assert counters["kept"] == len(left)
            assert counters["conflict"] == 0
            assert counters["refused"].keys() <= {"deleted"}

    def _recount(self, round: int, bodies: Sequence[bytes]) -> str:
        whole = Aggregate(self._plan, round)
        whole.add(ReportTable.from_reports(self._plan, bodies))
        return whole.to_json()

    def _busy(self) -> bool:
        with self._lock:
            return bool(self._unsure) or self._given_up != self._withdrawn

    def _keep_doing(self, act: Callable[[random.Random, Server], None]) -> None:
        with self._lock:
            own = random.Random(self._random.random())
        while not self._stop.is_set():
            try:
                act(own, own.choice(self._servers))
            except LOST:  # no answer: nothing is known
                self.answers["lost"] += 1
                time.sleep(0.1)
            except BaseException as error:
                self._failures.append(error)
                return

    def _chosen(self, own: random.Random, count: int) -> list[Sealed]:
        """Choose reports that are not acknowledged, if there are any, and some that are."""
        with self._lock:
            unsure, known = list(self._unsure.values()), list(self._acknowledged.values())
        old = own.sample(known, min(len(known), count // 4 or (not unsure)))
        new = own.sample(unsure, min(len(unsure), count - len(old)))
        chosen = old + new
        own.shuffle(chosen)
        return chosen

    def _send_one(self, own: random.Random, server: Server) -> None:
        for report in self._chosen(own, 1):
            reply = server.upload(report.body)
            if self._answered(reply, 200, 201, 410):
                outcomes = "deleted" if reply.status == 410 else reply.json()["outcome"]
                self._note([report], [outcomes])

    def _send_many(self, own: random.Random, server: Server) -> None:
        chosen = self._chosen(own, own.randint(2, BATCH))
        if len(chosen) > 1:
            reply = server.upload(*(report.body for report in chosen))
            if self._answered(reply, 200):
                document = reply.json()
                assert document["refused"] == []
                self._note(chosen, document["outcomes"])

    def _note(self, reports: Sequence[Sealed], outcomes: Sequence[str]) -> None:
        """Note answers; only who deleted her report may hear that it is deleted."""
        with self._lock:
            for report, outcome in zip(reports, outcomes, strict=True):
                self.answers[outcome] += 1
                if outcome == "accepted":
                    self.accepted[report.id] += 1
                gone = outcome == "deleted" and report.id in self._given_up
                assert outcome in KEPT or gone, outcome
                self._unsure.pop(report.id, None)
                self._acknowledged[report.id] = report

    def _withdraw(self, own: random.Random, server: Server) -> None:
        with self._lock:
            due = [self._acknowledged.get(id) for id in self._given_up - self._withdrawn]
        ready = [report for report in due if report is not None]
        if not ready:
            time.sleep(0.02)
            return
        report = own.choice(ready)
        if self._answered(server.withdraw(report.receipt), 200):  # 404 would be a loss
            with self._lock:
                self.answers["withdrawn"] += 1
                self._withdrawn.add(report.id)

    def _ask(self, own: random.Random, server: Server) -> None:
        """Ask as an analyst does; what was acknowledged before must be counted, and once."""
        round = own.choice(ROUNDS)
        if own.random() < 0.5:
            self._answered(server.get(own.choice(QUESTIONS) % round), 200, 422)
            return
        with self._lock:
            known = [r for r in self._acknowledged.values() if r.round == round]
            staying = [r for r in known if r.id not in self._given_up]
        reply = server.get(f"/v1/aggregates?round={round}")
        if self._answered(reply, 200):
            self.answers["counted"] += 1
            counts = _supports(reply.json(), self._plan)
            with self._lock:
                most = Counter(value_of(r) for r in self._sealed if r.round == round)
            assert all(counts[value_of(report)] >= 1 for report in staying), "a loss"
            assert all(count <= most[y] for y, count in enumerate(counts)), "a double count"

    def _answered(self, reply: Reply, *statuses: int) -> bool:
        if reply.status in LATER:
            self.answers["later"] += 1
            time.sleep(0.05)
            return False
        assert reply.status in statuses, (reply.status, reply.body)
        return True


def value_of(report: Sealed) -> int:
    """Return what a report says of ``who``, read by nothing of ours."""
    y = json.loads(report.body)["answers"]["who"]["y"]
    return int.from_bytes(urlsafe_b64decode(y + "=="), "little")


def _supports(aggregate: Any, plan: Plan) -> list[int]:
    whole = [0] * plan.questions["who"].attribute.size
    for tally in aggregate["attributes"]["who"].values():
        whole = [a + b for a, b in zip(whole, tally["supports"], strict=True)]
    return whole
