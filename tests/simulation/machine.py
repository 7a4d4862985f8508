"""A history: owners and operators act, processes die, clocks step, and nothing is miscounted.

After every step the store is compared with a model in plain dictionaries. Owners have unique values
and as good as no noise, so that a 2 in the counts of ``who`` is a double count and a 0 a loss.
"""

import json
import shutil
import tempfile
from base64 import urlsafe_b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, ClassVar, TypeVar
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from discretion.aggregate import Aggregate
from discretion.collector import commits
from discretion.collector import writer as writers
from discretion.collector.outcome import Incoming, Outcome, Verdict
from discretion.collector.store import Store, audit_log, columns, open_store, settle, shards
from discretion.collector.store import store as stores
from discretion.errors import RoundError
from discretion.family.counts import Tally
from discretion.plan import Plan
from discretion.report import id_of
from discretion.table import ReportTable
from tests.collector.serving import PEOPLE, Sealed, fresh_database, give_back, people, secret_people
from tests.simulation.faults import FAULTS, Crash
from tests.simulation.model import CLEARED, CLOSED, OPEN, Expected, Model
from tests.simulation.owner import Owner
from tests.simulation.process import Job, Process
from tests.tallies import counted_as

T = TypeVar("T")
OWNERS, RETENTION = 16, timedelta(days=3)
NEVER = 1 << 30
QUICK_DISK = "/dev/shm" if Path("/dev/shm").is_dir() else None  # no power is cut here
KEPT = (Outcome.ACCEPTED, Outcome.DUPLICATE)
GARBAGE = (b"", b"{}", b"\xff", b'{"format":1}')
ACTS = ("delete", "delete", "upload", "count", "settle", "close", "clear")

owners = st.integers(0, OWNERS - 1)
rounds = st.sampled_from([0, 0, 0, 0, 1, 1, 2, 3])
ending = st.sampled_from([3, 3, 2, 2, 1, 0])  # rounds that are closed: others go on meanwhile
places = st.integers(0, 1 << 16)  # of one report among those that were kept
letters = st.tuples(owners, rounds, st.sampled_from(["own", "own", "own", "forged"]))
requests = st.tuples(
    st.lists(letters, min_size=1, max_size=5), st.sampled_from([None, None, b"one", b"two"])
)


@dataclass
class Tale:
    """What happened in all histories together, to be sure that there was something to see."""

    happened: Counter[str]

    def note(self, what: str) -> None:
        self.happened[what] += 1


class History(RuleBasedStateMachine):
    """Everything that may happen to a collector, over SQLite."""

    plan: ClassVar[Plan] = people()
    tale: ClassVar[Tale] = Tale(Counter())

    def __init__(self) -> None:
        super().__init__()
        self._patches: list[Any] = [
            patch.object(stores, "LONG", 2),
            patch.object(stores, "CHUNK", 2),
            patch.object(stores, "STEP", 2),
            patch.object(shards, "LEAST", 1),
            patch.object(commits, "AT_ONCE", 1),  # one after the other: which dies is plain
            patch.object(columns, "BATCH", 2),
            patch.object(audit_log, "now", self._now),
            patch.object(writers, "log"),  # every death is told there
            patch.object(
                writers, "FLUSH_SECONDS", 3600.0
            ),  # what is refused waits for the next commit
        ]
        for change in self._patches:
            change.start()
        self._folder = Path(tempfile.mkdtemp(prefix="discretion-history-", dir=QUICK_DISK))
        self._address, self._model = self._place(), Model()
        self._owners = [Owner(self._folder, self.plan, who) for who in range(OWNERS)]
        self._process = Process(self._address, self.plan)
        self._acknowledged: set[tuple[int, bytes]] = set()
        self._recounts: dict[frozenset[bytes], str] = {}
        self.tale.note("history")

    def _place(self) -> str:
        return f"sqlite:///{self._folder}/reports.db"

    def _now(self) -> datetime:
        return datetime.combine(self._model.today, time(12), UTC)

    def teardown(self) -> None:
        self._process.end()
        for owner in self._owners:
            owner.close()
        for change in self._patches:
            change.stop()
        shutil.rmtree(self._folder)

    # What owners do

    @initialize(count=st.integers(0, 5), more=st.integers(0, 3))
    def begin(self, count: int, more: int) -> None:
        """Start with some reports, as a rule, and with more rounds."""
        for round in range(1 + more):
            self.open_round(round)
            self.upload_together(round, count, round)

    @rule(first=owners, count=st.integers(1, 5), round=rounds)
    def upload_together(self, first: int, count: int, round: int) -> None:
        """Send the reports of several owners in one request."""
        together = [self._owners[(first + i) % OWNERS] for i in range(count)]
        self._send([([(owner, owner.report(round)) for owner in together], None)])

    @rule(sent=st.lists(requests, min_size=1, max_size=3))
    def upload(self, sent: Sequence[tuple[Sequence[tuple[int, int, str]], bytes | None]]) -> None:
        """Send new reports, retries, replays and forgeries, in requests at the same moment."""
        self._send([([self._letter(*letter) for letter in part], key) for part, key in sent])

    @rule(who=owners, again=st.booleans())
    def retry(self, who: int, again: bool) -> None:
        """Send what a device, perhaps started again, has no answer about."""
        if again:
            self._owners[who].restart()
        unsent = self._owners[who].outbox()
        self._send([([(self._owners[who], report)], None) for report in unsent])

    @rule(place=places)
    def withdraw(self, place: int) -> None:
        """Delete a report that was kept once, or delete it again."""
        id = self._chosen(place)
        found = self._attempt(
            lambda: self._process.store.delete(id), lambda: self._model.delete(id)
        )
        self.tale.note(f"withdraw {found}")

    @rule(who=owners, round=rounds)
    def replay_after_withdrawal(self, who: int, round: int) -> None:
        """Delete a report by the owner's receipt, and send it again."""
        owner = self._owners[who]
        own = owner.report(round)
        id = bytes.fromhex(id_of(own.receipt))
        assert id == own.id
        self._attempt(lambda: self._process.store.delete(id), lambda: self._model.delete(id))
        self._send([([(owner, own)], None)])

    @rule(stranger=st.binary(min_size=16, max_size=16))
    def withdraw_what_is_not_there(self, stranger: bytes) -> None:
        self._attempt(lambda: self._process.store.delete(stranger), lambda: False)

    @rule(body=st.sampled_from(GARBAGE), who=owners, round=rounds)
    def upload_garbage(self, body: bytes, who: int, round: int) -> None:
        """What is refused is not kept, and what stands beside it in the request is."""
        own = self._owners[who].report(round)
        sent = Incoming(round, own.id, own.body)
        answer = self._process.keep([Job([body, own.body, own.body[:-1]], None)])[0]
        if isinstance(answer, Crash):
            for one in self._process.kept([sent]):
                self._model.put(one)
            self._recover()
            return
        assert [v.outcome for v in (answer[0], answer[2])] == [Outcome.REFUSED] * 2
        self._check_verdict(self._owners[who], own, answer[1], self._model.put(sent))

    # What operators and analysts do

    @rule(round=rounds)
    def open_round(self, round: int) -> None:
        self._attempt(
            lambda: _allowed(lambda: self._process.store.open_round(round)),
            lambda: self._model.open_round(round),
        )

    @rule(round=ending)
    def close_round(self, round: int, confirmed: bool = False) -> None:
        today = self._model.today
        close = self._process.store.close_round
        self._attempt(
            lambda: _allowed(lambda: close(round, today, confirmed=confirmed)),
            lambda: self._model.close_round(round, confirmed=confirmed),
        )
        if round in self._model.closed_on and self._model.closed_on[round] is None:
            self.tale.note("closed by a wrong clock")

    @rule(round=ending)
    def confirm_the_day(self, round: int) -> None:
        """Close a round, perhaps again, on a day that an operator names."""
        self.close_round(round, confirmed=True)

    @rule(round=ending)
    def close_by_a_wrong_clock(self, round: int) -> None:
        self.step_the_clock(-400)
        self.close_round(round)
        self.step_the_clock(400)

    @rule(days=st.sampled_from([-20, -3, -1, 1, 3, 20]))
    def step_the_clock(self, days: int) -> None:
        self._model.today += timedelta(days=days)

    @precondition(lambda self: set(self._model.states.values()) != {OPEN})
    @rule()
    def collect_garbage(self) -> None:
        """Clear rounds whose time is up; a process that dies at it leaves some of the work."""
        before = self._model.today - RETENTION
        due = self._model.due(before)
        try:
            found = self._process.store.clear(before)
        except Crash:
            self.tale.note("death at a sweep")
            self._recover()
            self._see_what_was_cleared(due)
            return
        assert found == [r for r in due if self._model.states[r] == CLOSED]  # nobody was quicker
        self._model.clear(due)
        self.tale.note("cleared" if found else "nothing to clear")

    @rule(round=ending)
    def close_and_clear(self, round: int) -> None:
        self.close_round(round)
        self.step_the_clock(20)
        self.collect_garbage()

    @rule(fault=st.sampled_from(FAULTS), nth=st.integers(1, 4), round=ending)
    def die_at_a_sweep(self, fault: str, nth: int, round: int) -> None:
        """Die when a round is cleared, or when some of its rows are gone."""
        self.close_round(round)
        self.step_the_clock(20)
        self.die_soon(fault, nth)
        self.collect_garbage()

    @rule(round=rounds)
    def count(self, round: int) -> None:
        """Ask for the counts; where the tail is long, that also moves the snapshot.

        They are of a moment between question and answer: another process may write once meanwhile.
        """
        if round not in self._model.states:
            return
        expected, before = self._recounted(round), self._position(round)
        try:
            found = self._process.store.aggregate(round).to_json()
            assert found in (expected, self._recounted(round))
        except Crash:
            self.tale.note("death at a snapshot")
            self._recover()
        if self._position(round) > before:
            self.tale.note("snapshot")

    @rule()
    def settle(self) -> None:
        """Subtract what was deleted; then nothing of it is left."""
        try:
            settle(self._process.database)
        except Crash:
            self.tale.note("death at a settlement")
            self._recover()
            return
        with self._process.database.reading() as session:
            assert session.rows("SELECT 1 FROM removals") == []
        self.tale.note("settled")

    @rule(fault=st.sampled_from(FAULTS), place=places, round=rounds)
    def die_at_a_settlement(self, fault: str, place: int, round: int) -> None:
        self.withdraw_what_is_in_the_snapshot(place, round)
        self.die_soon(fault, 1)
        self.settle()

    @rule(fault=st.sampled_from(FAULTS), who=owners, round=rounds)
    def die_at_a_snapshot(self, fault: str, who: int, round: int) -> None:
        self.upload_together(who, 3, round)
        self.die_soon(fault, 1)
        self.count(round)

    @rule(place=places, round=rounds)
    def withdraw_what_is_in_the_snapshot(self, place: int, round: int) -> None:
        self.count(round)
        self.withdraw(place)

    @rule(act=st.sampled_from(ACTS), who=owners, place=places, round=rounds)
    def count_beside(self, act: str, who: int, place: int, round: int) -> None:
        """Let owners report, and another process write while the counts are made.

        If that deletes a report which is being counted, it is subtracted later.
        """
        self.upload_together(who, 3, round)
        self.meanwhile(act, who, place % 3, round)
        self.count(round)

    # What happens by itself

    @rule(fault=st.sampled_from(FAULTS), nth=st.sampled_from([1, 1, 1, 2, 3]))
    def die_soon(self, fault: str, nth: int) -> None:
        """Let the process die at one of its next commits."""
        self._process.database.fault, self._process.database.countdown = fault, nth

    @rule(act=st.sampled_from(ACTS), who=owners, place=places, round=rounds)
    def meanwhile(self, act: str, who: int, place: int, round: int) -> None:
        """Let another process write just before the next transaction of this one."""
        own = self._owners[who].report(round)  # here: a device belongs to one thread
        self._process.database.first = lambda: self._quicker(act, own, place)

    @rule()
    def restart(self) -> None:
        self._process.end()
        self._process = Process(self._address, self.plan)

    # What must hold after every step

    @invariant()
    def rounds_are_as_they_ought_to_be(self) -> None:
        found = self._seen().rounds()
        assert {r.round: r.state for r in found} == self._model.states
        days = {r: day and day.isoformat() for r, day in self._model.closed_on.items()}
        assert {r.round: r.closed_on for r in found if r.state != OPEN} == days

    @invariant()
    def nothing_is_lost_and_nothing_is_double(self) -> None:
        store = self._seen()
        for round in self._model.states:
            rows = [body for part in store.reports(round) for body in part]
            parsed = store.table(round).to_reports()
            assert sorted(report.to_bytes() for report in parsed) == sorted(rows)
            assert sorted(rows) == sorted(self._model.kept(round))
            with patch.multiple(stores, LONG=NEVER, STEP=NEVER):  # who only looks writes nothing
                counted = store.aggregate(round)
            assert counted.to_json() == self._recounted(round)
            self._compare_one_by_one(round, counted)

    @invariant()
    def what_was_acknowledged_is_there(self) -> None:
        for round, id in self._acknowledged - self._model.deleted:
            assert id in self._model.counted[round], "an acknowledged report is lost"

    @invariant()
    def counters_agree(self) -> None:
        found = self._seen().counters()
        plain = {
            (outcome, reason): count
            for outcome, reasons in found.items()
            for reason, count in reasons.items()
            if (outcome, reason) in self._model.counters or outcome is not Outcome.REFUSED
        }
        assert plain == dict(self._model.counters)
        kept = plain.get((Outcome.ACCEPTED, ""), 0) - plain.get((Outcome.DELETED, ""), 0)
        assert kept == sum(map(len, self._model.counted.values()))
        arrived = [sum(self._seen().arrivals(round).values()) for round in self._model.states]
        assert sum(arrived) == plain.get((Outcome.ACCEPTED, ""), 0)

    # How it is done

    def _letter(self, who: int, round: int, kind: str) -> tuple[Owner | None, Sealed]:
        owner = self._owners[who]
        return (owner, owner.report(round)) if kind == "own" else (None, owner.forged(round))

    def _send(
        self, sent: Sequence[tuple[Sequence[tuple[Owner | None, Sealed]], bytes | None]]
    ) -> None:
        jobs = [Job([report.body for _, report in part], key) for part, key in sent]
        answers = self._process.keep(jobs)
        for (part, key), answer in zip(sent, answers, strict=True):
            incoming = [Incoming(r.round, r.id, r.body, key) for _, r in part]
            kept = self._process.kept(incoming)
            if isinstance(answer, Crash):
                for one in kept:
                    self._model.put(one)
                continue
            assert kept == incoming, "it was answered before its commit"
            for (owner, report), verdict, one in zip(part, answer, incoming, strict=True):
                self._check_verdict(owner, report, verdict, self._model.put(one))
        if any(isinstance(answer, Crash) for answer in answers):
            self._recover()

    def _check_verdict(
        self, owner: Owner | None, report: Sealed, verdict: Verdict, expected: Expected
    ) -> None:
        """Compare an answer with what it ought to be; a device notes that its report arrived."""
        assert (verdict.outcome, str(verdict.reason or "")) == expected
        self.tale.note(f"{verdict.outcome} {verdict.reason or ''}".strip())
        if verdict.outcome in KEPT and owner is not None:
            owner.acknowledge(report.round)
            self._acknowledged.add((report.round, report.id))

    def _attempt(self, act: Callable[[], T], expected: Callable[[], T]) -> T | None:
        """Do something in one transaction, and compare; None where the process died at it."""
        try:
            found = act()
        except Crash as crash:
            if crash.kept:
                expected()
            self._recover()
            return None
        ought = expected()
        assert found == ought
        return found

    def _recover(self) -> None:
        """Go on with another process, from what is on the disk."""
        fragile = self._process.database
        self.tale.note(f"death {fragile.fault}")
        self._process.end()
        if fragile.remains is not None:
            self._address = f"sqlite:///{fragile.remains}"
        self._process = Process(self._address, self.plan)

    def _see_what_was_cleared(self, due: Sequence[int]) -> None:
        store = self._process.store
        query = "SELECT reports.id FROM reports WHERE round = ?"
        for round in store.rounds():
            was = self._model.states[round.round]
            if round.state != CLEARED:
                assert round.state == was
                continue
            assert was == CLEARED or (was == CLOSED and round.round in due)
            with store.database.reading() as session:
                left = {bytes(row[0]) for row in session.rows(query, round.round)}
            self._model.begin_clearing(round.round, left)

    def _quicker(self, act: str, own: Sealed, place: int) -> None:
        """Do something as another process, which has the store for itself for a moment."""
        self.tale.note(f"meanwhile {act}")
        other, round = open_store(self._address, self.plan), own.round
        try:
            if act == "upload":
                sent = Incoming(own.round, own.id, own.body)
                (verdict,) = other.put([sent])
                assert (verdict.outcome, str(verdict.reason or "")) == self._model.put(sent)
            elif act == "delete":
                id = self._chosen(place, round)
                assert other.delete(id) == self._model.delete(id)
            elif act == "count" and round in self._model.states:
                assert other.aggregate(round).to_json() == self._recounted(round)
            elif act == "settle":
                settle(other.database)
            elif act == "close":
                found = _allowed(lambda: other.close_round(round, self._model.today))
                assert found == self._model.close_round(round)
            elif act == "clear":
                due = self._model.due(self._model.today - RETENTION)
                assert other.clear(self._model.today - RETENTION) == due
                self._model.clear(due)
        finally:
            other.close()

    def _chosen(self, place: int, round: int | None = None) -> bytes:
        """Return the id of a report that was kept, deleted or not; the last ones first."""
        ids = [id for own, id in self._model.rows if round in (None, own)] or [bytes(16)]
        return ids[-1 - place % len(ids)]

    def _position(self, round: int) -> int:
        query = "SELECT positions FROM snapshots WHERE round = ?"
        with self._process.store.database.reading() as session:
            return sum(shards.unpacked(session.rows(query, round)[0][0]))

    def _seen(self) -> Store:
        return self._process.store

    def _recounted(self, round: int) -> str:
        """Return the aggregate of what ought to be counted, made from the bytes."""
        bodies = self._model.counted[round].values()
        key = frozenset((*bodies, b"%d" % round))
        if key not in self._recounts:
            whole, table = Aggregate(self.plan, round), ReportTable.from_reports(self.plan, bodies)
            assert len(table) == len(bodies)
            whole.add(table)
            self._recounts[key] = whole.to_json()
        return self._recounts[key]

    def _compare_one_by_one(self, round: int, counted: Aggregate) -> None:
        """Compare the counts of ``who`` with what each report says, read by nothing of ours."""
        expected = [0] * PEOPLE
        for body in self._model.counted[round].values():
            y = json.loads(body)["answers"]["who"]["y"]
            expected[int.from_bytes(urlsafe_b64decode(y + "=="), "little")] += 1
        found = [0] * PEOPLE
        for tally in counted_as(counted, "who", Tally).values():
            found = [a + b for a, b in zip(found, tally.supports.tolist(), strict=True)]
        assert found == expected


def _allowed(act: Callable[[], None]) -> bool:
    try:
        act()
    except RoundError:
        return False
    return True


class SecretHistory(History):
    """The same under a plan whose levels are secret; its reports have nothing unique but bytes."""

    plan = secret_people()

    def _compare_one_by_one(self, round: int, counted: Aggregate) -> None:
        """There is nothing to tell owners apart."""


class PostgresHistory(History):
    """The same over PostgreSQL."""

    def _place(self) -> str:
        return fresh_database()

    def teardown(self) -> None:
        super().teardown()
        give_back(self._address)


@contextmanager
def driven_by_hand(kind: type[History] = History) -> Iterator[History]:
    """A history whose steps are written down; what must hold is checked at the end too."""
    history = kind()
    try:
        yield history
        check(history)
    finally:
        history.teardown()


def check(history: History) -> None:
    history.rounds_are_as_they_ought_to_be()
    history.nothing_is_lost_and_nothing_is_double()
    history.what_was_acknowledged_is_there()
    history.counters_agree()
