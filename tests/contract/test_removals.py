"""Deletions in every order with uploads and counts, on SQLite and PostgreSQL alike."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Never
from unittest.mock import patch

import pytest

from discretion.aggregate import Aggregate
from discretion.collector.errors import StoreUnavailable
from discretion.collector.outcome import Incoming
from discretion.collector.store import Store, open_store, settle, sqlite
from discretion.collector.store import store as stores
from discretion.collector.store.database import Session
from discretion.collector.store.insertion import OPEN, keep
from discretion.collector.store.removals import erase
from discretion.collector.store.shards import heads, unpacked
from discretion.collector.store.snapshot import ALL, Known, Snapshot
from discretion.collector.store.sqlite import LOG_PAGES, PAGE, SETTINGS, SQLiteSession
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.collector.serving import Sealed, people, sealed
from tests.contract.test_stores import (
    _removals,
    _snapshot,
    address,
    assert_holds,
    before_the_next_write,
    bodies,
    counts,
    crowd,
    eager,
    recount,
    sent,
    store,
)

__all__ = ["address", "eager", "store"]  # fixtures
NUMBER = 1  # of the plan
Event = tuple[str, int]  # what happens, and to which report or by which counter
READS = {"read": ALL, "step": 1, "settle": 0}  # how many reports of the tail each counts


class World:
    """A store in one transaction that is rolled back step by step, to try every order of events.

    Each event is what one transaction of the store does. Transactions that write come one after the
    other, and one that reads sees one state, so the orders of these events are all there are.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._live: list[Sealed] = []
        self._seen: dict[int, tuple[Snapshot, Known, str]] = {}  # and its counts; by who read it
        self._orders: dict[object, int] = {}  # in which it may go on, by state
        self._recounts: dict[tuple[Sealed, ...], str] = {}

    def explore(self, threads: Sequence[Sequence[Event]]) -> int:
        """Try all orders in which these threads may run; return how many there are.

        Whatever the order, whoever asks gets a recount of what is there, also from what she counted
        at any moment before. Orders that led to the same state go on in the same ways, and are
        followed once.
        """
        state = self._state(threads)
        if state not in self._orders:
            expected = self._expected(tuple(self._live))
            for known in (None, *(known for _, known, _ in self._seen.values())):
                found = Snapshot.load(self._session, NUMBER, people(), 0, ALL, known)
                assert found.counted().counts.to_json() == expected
            ways = [self._begin(threads, i) for i, thread in enumerate(threads) if thread]
            self._orders[state] = sum(ways) or 1
        return self._orders[state]

    def _expected(self, live: tuple[Sealed, ...]) -> str:
        if live not in self._recounts:
            self._recounts[live] = recount(live)
        return self._recounts[live]

    def _begin(self, threads: Sequence[Sequence[Event]], i: int) -> int:
        """Let one thread do its next event, explore what may follow, and undo all of it."""
        event, *later = threads[i]
        before = self._live, self._seen
        self._session.run("SAVEPOINT event")
        self.act(*event)
        orders = self.explore([*threads[:i], later, *threads[i + 1 :]])
        self._session.run("ROLLBACK TO SAVEPOINT event")
        self._session.run("RELEASE SAVEPOINT event")
        self._live, self._seen = before
        return orders

    def _state(self, threads: Sequence[Sequence[Event]]) -> object:
        tables = ("SELECT * FROM snapshots", "SELECT shard, position FROM removals ORDER BY 1, 2")
        rows = [tuple(self._session.rows(query)) for query in tables]
        seen = [
            (who, known.revision, known.positions, known.without, text)
            for who, (_, known, text) in sorted(self._seen.items())
        ]
        live = tuple(sorted(report.id for report in self._live))
        return *rows, tuple(seen), live, tuple(map(tuple, threads))

    def act(self, kind: str, which: int) -> None:
        if kind == "upload":
            own = crowd()[which]
            keep(self._session, NUMBER, {0: OPEN}, [Incoming(0, own.id, own.body)])
            self._live = [*self._live, own]
        elif kind == "delete":
            erase(self._session, crowd()[which].id, [(NUMBER, 0)])
            self._live = [r for r in self._live if r is not crowd()[which]]
        elif kind in READS:
            known = self._seen[which][1] if which in self._seen else None
            snapshot = Snapshot.load(self._session, NUMBER, people(), 0, READS[kind], known)
            counted = snapshot.counted()
            seen = snapshot, counted, counted.counts.to_json()
            self._seen = {**self._seen, which: seen}
        else:
            snapshot, known, text = self._seen[which]
            if snapshot.replace(self._session, text):
                stored = replace(known, revision=known.revision + 1)
                self._seen = {**self._seen, which: (snapshot, stored, text)}


READ_REPORTS = ReportTable.from_reports


@cache
def _read(plan: Plan, bodies: tuple[bytes, ...]) -> ReportTable:
    return READ_REPORTS(plan, bodies)


@contextmanager
def world(store: Store) -> Iterator[World]:
    """Three reports, two of them in the snapshot, one behind it.

    The same few are counted again and again: they are read from their bytes once.
    """

    class Undo(Exception):
        pass

    try:
        with (
            store.database.writing(range(store.database.shards)) as session,
            patch.object(ReportTable, "from_reports", lambda p, bodies: _read(p, tuple(bodies))),
        ):
            found = World(session)
            for event in [("upload", 0), ("upload", 1), ("read", 0), ("write", 0), ("upload", 2)]:
                found.act(*event)
            yield found
            raise Undo
    except Undo:
        pass


COUNTS = [("read", 0), ("write", 0)]
SECOND = [("read", 1), ("write", 1)]
STEPS = [("step", 2), ("write", 2)] * 2
SETTLES = [("settle", 3), ("write", 3)]
LATE = [("upload", 3), ("delete", 3)]
CASES = {  # and in how many orders that may happen
    "two counters": ([COUNTS, SECOND, [("delete", 0)], [("delete", 2)]], 180),
    "a counter and a settlement": ([COUNTS, SETTLES, LATE, [("delete", 1)]], 630),
    "a counter by steps and another": ([STEPS, COUNTS, [("upload", 3)], [("delete", 2)]], 840),
}


@pytest.mark.parametrize("case", CASES)
def test_counts_are_a_recount_in_every_order(store: Store, case: str) -> None:
    threads, orders = CASES[case]
    with world(store) as found:
        assert found.explore(threads) == orders


def _stored_though_another_was_quicker(self: Snapshot, session: Session, counts: str) -> bool:
    revision = session.rows("SELECT revision FROM snapshots")[0][0]
    return REPLACE(replace(self, base=replace(self.base, revision=revision)), session, counts)


def _forgotten_though_not_seen(self: Snapshot, session: Session, counts: str) -> bool:
    done = REPLACE(self, session, counts)
    if done:
        session.run("DELETE FROM removals")
    return done


def _never_forgotten(self: Snapshot, session: Session, counts: str) -> bool:
    return REPLACE(replace(self, removals=[]), session, counts)


def _subtracted_from_the_tail(self: Snapshot) -> Known:
    return COUNTED(replace(self, removals=[(s, 0, body) for s, _, body in self.removals]))


def _not_subtracted(self: Snapshot) -> Known:
    return COUNTED(replace(self, removals=[]))


REPLACE, COUNTED = Snapshot.replace, Snapshot.counted
BROKEN: dict[str, Callable[..., object]] = {
    "replace": _stored_though_another_was_quicker,
    "replace ": _forgotten_though_not_seen,
    "replace  ": _never_forgotten,
    "counted": _subtracted_from_the_tail,
    "counted ": _not_subtracted,
}


@pytest.mark.parametrize("name", BROKEN, ids=lambda name: BROKEN[name].__name__)
def test_some_order_would_show_a_broken_snapshot(tmp_path: Path, name: str) -> None:
    def explore(store: Store) -> None:
        with world(store) as found:
            for threads, _ in CASES.values():
                found.explore(threads)

    with (
        closing(open_store(f"sqlite:///{tmp_path}/reports.db", people())) as store,
        patch.object(Snapshot, name.strip(), BROKEN[name]),
        pytest.raises((AssertionError, LookupError)),
    ):
        explore(store)


def test_a_deletion_leaves_the_snapshot_as_it_is(store: Store) -> None:
    """So it takes as long as the report, and not as the counts."""
    store.put(sent(*crowd()))
    with patch.object(stores, "LONG", 1):
        store.aggregate(0)
    before = _snapshot(store)
    with patch.object(Snapshot, "load", side_effect=AssertionError("it reads the counts")):
        assert store.delete_many([r.id for r in crowd()[:3]]) == {r.id for r in crowd()[:3]}
    assert _snapshot(store) == before
    assert _removals(store) == sorted(r.body for r in crowd()[:3])
    assert_holds(store, crowd()[3:])


def test_many_are_deleted_in_one_transaction_and_strangers_are_named(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    store.delete(crowd()[0].id)
    writing, transactions = store.database.writing, list[int]()

    @contextmanager
    def watched(shards: Iterable[int] = (), *, wait: bool = True) -> Iterator[Session]:
        transactions.append(1)
        with writing(shards, wait=wait) as session:
            yield session

    monkeypatch.setattr(store.database, "writing", watched)
    known = {r.id for r in crowd()[:5]}
    assert store.delete_many([bytes(16), *known]) == known
    assert len(transactions) == 1
    assert store.delete_many([bytes(16)]) == set()
    assert len(transactions) == 1
    assert counts(store) == {"accepted": 12, "deleted": 5}
    assert_holds(store, crowd()[5:])


@pytest.mark.usefixtures("eager")
def test_settling_subtracts_the_deletions_of_all_plans_and_rounds(address: str) -> None:
    one, two = open_store(address, people()), open_store(address, people("others"))
    theirs = [sealed(two.plan, who) for who in range(4)]
    one.open_round(1)
    one.put(sent(*crowd(), *crowd(1)))
    two.put(sent(*theirs))
    for own, round in ((one, 0), (one, 1), (two, 0)):
        own.aggregate(round)
    late = sealed(people(), 40)
    one.put(sent(late))
    assert settle(one.database) == 0
    one.delete_many([crowd()[0].id, crowd()[1].id, crowd(1)[2].id, theirs[3].id, late.id])
    assert len(_removals(one)) == 5
    assert settle(two.database) == 3
    assert _removals(one) == []
    assert settle(one.database) == 0
    assert_holds(one, crowd()[2:])
    assert_holds(one, [r for r in crowd(1) if r is not crowd(1)[2]], round=1)
    assert_holds(two, theirs[:3])
    one.close()
    two.close()


def test_settling_goes_on_where_another_is_quicker(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    store.delete(crowd()[0].id)
    other = open_store(address, people())

    def quicker() -> None:
        other.delete(crowd()[1].id)
        assert settle(other.database) == 1
        other.delete(crowd()[2].id)

    done = before_the_next_write(store, quicker, monkeypatch)
    assert settle(store.database) == 1
    assert done
    assert _removals(store) == []
    assert_holds(store, crowd()[3:])
    other.close()


@pytest.mark.parametrize("step", [1, 3, 11, 12, 13])
def test_a_long_tail_is_counted_in_steps_that_are_stored(
    store: Store, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    store.delete(crowd()[4].id)
    monkeypatch.setattr(stores, "STEP", step)
    assert store.aggregate(0).to_json() == recount([*crowd()[:4], *crowd()[5:]])
    steps = 11 // step  # whole ones, after each of which there may be more
    assert _snapshot(store)[1] == steps
    assert _removals(store) == [] if steps else [crowd()[4].body]


def test_a_long_tail_is_answered_though_no_step_can_be_stored(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    monkeypatch.setattr(stores, "STEP", 2)

    def full(*_: object, **__: object) -> Never:
        raise StoreUnavailable("here", "there is no room left")

    monkeypatch.setattr(store.database, "writing", full)
    assert store.aggregate(0).to_json() == recount(crowd())


def test_counting_holds_no_transaction_open(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader keeps SQLite from starting its log anew."""
    open_now, seen = list[int](), list[int]()
    reading = store.database.reading

    @contextmanager
    def watched() -> Iterator[Session]:
        open_now.append(1)
        with reading() as session:
            yield session
        open_now.pop()

    def counted(self: Snapshot) -> Known:
        seen.append(len(open_now))
        return COUNTED(self)

    store.put(sent(*crowd()))
    monkeypatch.setattr(store.database, "reading", watched)
    monkeypatch.setattr(Snapshot, "counted", counted)
    monkeypatch.setattr(stores, "STEP", 5)
    store.aggregate(0)
    assert seen == [0, 0, 0]


def test_counts_in_memory_are_those_of_the_store_whatever_others_do(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_store(address, people())
    store.put(sent(*crowd()[:6]))
    assert_holds(store, crowd()[:6])
    other.delete_many([crowd()[0].id, crowd()[1].id])
    store.put(sent(*crowd()[6:]))
    with patch.object(Aggregate, "from_json", side_effect=AssertionError("it is in memory")):
        assert store.aggregate(0).to_json() == recount(crowd()[2:])
    monkeypatch.setattr(stores, "LONG", 1)
    assert_holds(other, crowd()[2:])  # and replaces the snapshot
    other.delete(crowd()[2].id)
    assert_holds(store, crowd()[3:])
    settle(other.database)
    assert_holds(store, crowd()[3:])
    other.close()


def test_the_counts_of_a_few_rounds_are_in_memory(store: Store) -> None:
    for round in range(1, 2 * stores.REMEMBERED):
        store.open_round(round)
        store.aggregate(round)
        assert round in store._known
        assert len(store._known) <= stores.REMEMBERED


@pytest.mark.usefixtures("eager")
def test_who_asks_does_not_wait_for_who_writes(store: Store, address: str) -> None:
    """A file has one writer: there, the snapshot is replaced another time."""
    other = open_store(address, people())
    store.put(sent(*crowd()))
    with other.database.writing(range(other.database.shards)):
        assert store.aggregate(0).to_json() == recount(crowd())
    assert _snapshot(store)[1] == (0 if store.database.shards == 1 else 1)
    store.aggregate(0)
    assert _snapshot(store)[:2] == (12, 1)
    other.close()


def test_a_round_without_new_reports_moves_on_with_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise whoever asks about it reads past the reports of all others each time."""
    store.open_round(1)
    store.put(sent(*crowd(1)[:2]))
    store.put(sent(*crowd()))
    monkeypatch.setattr(stores, "LONG", 5)
    store.aggregate(1)
    with store.database.reading() as session:
        ((positions,),) = session.rows("SELECT positions FROM snapshots WHERE round = 1")
        assert unpacked(positions) == heads(session)
    store.put(sent(*crowd(1)))
    assert_holds(store, crowd(1), round=1)


def test_exports_have_no_removals(store: Store) -> None:
    store.put(sent(*crowd()))
    store.delete(crowd()[0].id)
    assert bodies(store) == sorted(r.body for r in crowd()[1:])


def test_a_tail_is_found_by_position_however_many_reports_are_before_it(tmp_path: Path) -> None:
    """SQLite preferred the index of ids, and sorted a whole round at every question."""
    path = tmp_path / "reports.db"
    open_store(f"sqlite:///{path}", people()).close()
    with closing(sqlite3.connect(path)) as connection:
        query = f"EXPLAIN QUERY PLAN {SQLiteSession.TAIL} LIMIT 5"
        plan = connection.execute(query, (1, 0, 0, 7)).fetchall()
    assert [row[3] for row in plan] == ["SEARCH reports USING INTEGER PRIMARY KEY (rowid>?)"]


def test_a_log_that_a_reader_made_longer_is_cut_when_it_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = LOG_PAGES // 512
    shorter = [s.replace(str(LOG_PAGES * PAGE), str(few * PAGE)) for s in SETTINGS]
    shorter = [s.replace(str(LOG_PAGES), str(few)) for s in shorter]
    assert len(set(shorter) - set(SETTINGS)) == 2
    monkeypatch.setattr(sqlite, "SETTINGS", shorter)
    path = tmp_path / "reports.db"
    log = path.with_name("reports.db-wal")
    with closing(open_store(f"sqlite:///{path}", people())) as store:

        def put(number: int) -> None:
            store.put([Incoming(0, number.to_bytes(16, "big"), bytes(PAGE))])

        with store.database.reading() as session:  # an export, say
            session.rows("SELECT 1 FROM reports")
            for number in range(4 * few):
                put(number)
            assert log.stat().st_size > 4 * few * PAGE
        for number in range(4 * few, 6 * few):
            put(number)
            with store.database.reading() as session:  # as those do who ask regularly
                session.rows("SELECT 1 FROM reports")
        assert log.stat().st_size < 2 * few * PAGE
