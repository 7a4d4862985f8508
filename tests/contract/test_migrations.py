"""Stores of earlier versions, with all that may be in them, on SQLite and PostgreSQL alike."""

import sqlite3
from contextlib import closing

import psycopg
import pytest

from discretion.collector.outcome import ACCEPTED, DELETED, DUPLICATE
from discretion.collector.store import Round, Store, open_store, settle
from discretion.collector.store.database import migrations
from discretion.collector.store.shards import heads
from discretion.collector.store.sqlite import APPLICATION
from tests.collector.serving import Sealed, people
from tests.contract.test_stores import (
    AFTER,
    CLOSED,
    DAY,
    _removals,
    address,
    assert_holds,
    bodies,
    clock_on_the_day,
    counts,
    crowd,
    recount,
    sent,
)

__all__ = ["address", "clock_on_the_day"]  # fixtures
VERSIONS = range(1, 4)  # before there were shards
COUNTED = 7  # reports of a round that are in its snapshot
Statement = tuple[str, *tuple[object, ...]]


def _statements(version: int) -> list[Statement]:
    """An open round, a closed one, and one that was cleared but not swept to its end.

    In rounds 0 and 1, report 2 (in the snapshot) and report 9 (behind it) are deleted. Before
    version 3 that changed the snapshot at once; since then there are removals.
    """
    plan = people()
    found: list[Statement] = [
        ("INSERT INTO plans (id, bytes) VALUES (?, ?)", plan.id, plan.to_bytes()),
        ("INSERT INTO rounds VALUES (1, 0, 'open', NULL)",),
        ("INSERT INTO rounds VALUES (1, 1, 'closed', ?)", DAY.isoformat()),
        ("INSERT INTO rounds VALUES (1, 2, 'cleared', ?)", DAY.isoformat()),
        ("INSERT INTO counters VALUES (1, 'accepted', '', 36)",),
        ("INSERT INTO counters VALUES (1, 'deleted', '', 5)",),
    ]
    insert = "INSERT INTO reports (plan, round, id, body) VALUES (1, ?, ?, ?)"
    for i in range(12):
        gone = i in (2, 9)
        found += [(insert, r, crowd(r)[i].id, None if gone else crowd(r)[i].body) for r in (0, 1)]
    found += [(insert, 2, r.id, r.body) for r in crowd(2)[10:]]
    for round in (0, 1):
        own = [r for i, r in enumerate(crowd(round)[:COUNTED]) if version >= 3 or i != 2]
        found.append(_snapshot(round, 2 * COUNTED, own))
    found.append(_snapshot(2, 26, [r for r in crowd(2) if version >= 3 or r is not crowd(2)[4]]))
    if version >= 2:
        arrived = "INSERT INTO arrivals VALUES (1, ?, ?, 12)"
        found += [(arrived, round, DAY.isoformat()) for round in (0, 1, 2)]
    if version >= 3:
        remove = "INSERT INTO removals VALUES (1, ?, ?, ?)"
        found += [(remove, r, 2 * i + 1 + r, crowd(r)[i].body) for r in (0, 1) for i in (2, 9)]
        found.append((remove, 2, 3, crowd(2)[4].body))  # its row is swept
    return found


def _snapshot(round: int, position: int, reports: list[Sealed]) -> Statement:
    values = round, position, recount(reports, round=round)
    return "INSERT INTO snapshots VALUES (1, ?, ?, 3, ?)", *values


def _make(address: str, version: int) -> None:
    scripts = migrations("sqlite" if address.startswith("sqlite") else "postgres")[:version]
    if address.startswith("sqlite"):
        with closing(sqlite3.connect(address.removeprefix("sqlite:///"))) as connection:
            for script in scripts:
                connection.executescript(script)
            for statement, *values in _statements(version):
                connection.execute(statement, values)
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={version}")
            connection.commit()
        return
    with psycopg.connect(address) as there:
        there.execute("CREATE SCHEMA discretion")
        there.execute("SET search_path = discretion")
        for script in scripts:
            there.execute(script.encode())
        for statement, *values in _statements(version):
            there.execute(statement.replace("?", "%s").encode(), values)
        there.execute(f"CREATE TABLE version AS SELECT {version} AS version".encode())


def _left(round: int, *gone: int) -> list[Sealed]:
    return [r for i, r in enumerate(crowd(round)) if i not in (2, 9, *gone)]


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def test_all_that_an_earlier_store_holds_is_there(address: str, version: int) -> None:
    _make(address, version)
    with closing(open_store(address, people())) as store:
        days = DAY.isoformat()
        states = [Round(0, "open", None), Round(1, "closed", days), Round(2, "cleared", days)]
        assert store.rounds() == states
        for round in (0, 1):
            assert_holds(store, _left(round), round)
        assert store.aggregate(2).to_json() == recount(_cleared(), round=2)
        assert counts(store) == {"accepted": 36, "deleted": 5}
        assert store.arrivals(1) == ({} if version == 1 else {DAY: 12})


def test_an_earlier_store_goes_on(address: str, version: int) -> None:
    _make(address, version)
    with closing(open_store(address, people())) as store:
        again = [DUPLICATE if i not in (2, 9) else DELETED for i in range(12)]
        for round in (0, 1):
            assert store.put(sent(*crowd(round))) == again
        assert [v.reason for v in store.put(sent(crowd(2)[0]))] == [CLOSED.reason]
        for round in (0, 1):  # in the snapshot, and behind it
            for i in (3, 11):
                assert store.delete(crowd(round)[i].id)
            assert_holds(store, _left(round, 3, 11), round)
        assert settle(store.database) == (3 if version >= 3 else 2)
        assert _removals(store) == []
        assert store.clear(before=AFTER) == [1]
        assert bodies(store, 1) == bodies(store, 2) == []
        assert_holds(store, _left(0, 3, 11))
        assert store.aggregate(1).to_json() == recount(_left(1, 3, 11), round=1)
        assert store.aggregate(2).to_json() == recount(_cleared(), round=2)


def test_new_reports_have_positions_behind_those_of_an_earlier_store(
    address: str, version: int
) -> None:
    """Even of rounds whose reports are gone: a snapshot has counted up to there."""
    _make(address, version)
    with closing(open_store(address, people())) as store:
        assert min(_heads(store)) >= 26
        store.open_round(3)
        assert store.put(sent(*crowd(3))) == [ACCEPTED] * 12
        assert_holds(store, crowd(3), 3)


def _heads(store: Store) -> tuple[int, ...]:
    with store.database.reading() as session:
        return heads(session)


def _cleared() -> list[Sealed]:
    return [r for r in crowd(2) if r is not crowd(2)[4]]
