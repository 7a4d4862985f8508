"""Shards of PostgreSQL: who waits for whom, and what becomes of a round's partitions."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from discretion.collector.errors import StoreUnavailable
from discretion.collector.outcome import ACCEPTED, DUPLICATE, Incoming
from discretion.collector.store import Store, open_store, settle
from discretion.collector.store import store as stores
from discretion.collector.store.postgres import OPTIONS
from discretion.collector.store.shards import heads, shard_of
from tests.collector.serving import Sealed, people, sealed
from tests.contract.test_stores import (
    AFTER,
    DAY,
    _removals,
    assert_holds,
    clock_on_the_day,
    recount,
    sent,
)

__all__ = ["clock_on_the_day"]  # a fixture
PARTITIONS = "SELECT tablename FROM pg_tables WHERE starts_with(tablename, 'reports_') ORDER BY 1"


@pytest.fixture
def store(postgres: str) -> Iterator[Store]:
    with closing(open_store(postgres, people())) as found:
        yield found


@pytest.fixture
def hasty(postgres: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Another process, which does not wait long for what is locked."""
    assert "lock_timeout=5s" in OPTIONS
    quick = OPTIONS.replace("lock_timeout=5s", "lock_timeout=20ms")
    monkeypatch.setattr("discretion.collector.store.postgres.OPTIONS", quick)
    with closing(open_store(postgres, people())) as found:
        yield found


def reports(shard: int, count: int = 1, shards: int = 8) -> list[Sealed]:
    """Return reports that belong to a shard."""
    found, who = list[Sealed](), 0
    while len(found) < count:
        if shard_of((own := sealed(people(), who)).id, shards) == shard:
            found.append(own)
        who += 1
    return found


def test_a_shard_waits_for_nobody_but_itself(store: Store, hasty: Store) -> None:
    (here, gone), (there,) = reports(5, 2), reports(3)
    store.put(sent(gone))
    with store.database.writing([3]):
        assert hasty.put(sent(here)) == [ACCEPTED]
        assert hasty.delete(gone.id)
        with pytest.raises(StoreUnavailable, match="lock timeout"):
            hasty.put(sent(there))
    assert hasty.put(sent(there)) == [ACCEPTED]
    assert_holds(store, [here, there])


def test_counting_and_settling_wait_for_no_shard(
    store: Store, hasty: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "LONG", 1)
    kept, gone = reports(1, 2)
    store.put(sent(kept, gone))
    store.delete(gone.id)
    with store.database.writing(range(store.database.shards)):
        assert settle(hasty.database) == 1
        assert hasty.aggregate(0).to_json() == recount([kept])
        assert hasty.lag() == 0
        assert _removals(hasty) == []


def test_a_round_is_closed_when_nobody_writes_in_any_shard(store: Store, hasty: Store) -> None:
    """So no report enters a round that is closed."""
    for shard in (0, 7):
        waiting = pytest.raises(StoreUnavailable, match="lock timeout")
        with store.database.writing([shard]), waiting:
            hasty.close_round(0, DAY)
    hasty.close_round(0, DAY)
    assert [v.outcome for v in store.put(sent(*reports(2)))] == ["refused"]


def test_positions_of_a_shard_are_its_own(store: Store) -> None:
    store.put(sent(*reports(6, 3), *reports(0, 2)))
    with store.database.reading() as session:
        assert heads(session) == (2, 0, 0, 0, 0, 0, 3, 0)
        rows = session.rows("SELECT shard, position FROM reports ORDER BY 1, 2")
    assert rows == [(0, 1), (0, 2), (6, 1), (6, 2), (6, 3)]


def test_a_snapshot_counts_each_shard_up_to_its_own_position(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one shard counts already may be behind what another one does."""
    monkeypatch.setattr(stores, "LONG", 1)
    early, late = reports(6, 3), reports(0, 3)
    store.put(sent(*early))
    store.aggregate(0)
    store.put(sent(*late))
    assert_holds(store, [*early, *late])
    for gone in (early[0], late[2]):
        store.delete(gone.id)
    assert_holds(store, [*early[1:], *late[:2]])


def _partitions(store: Store) -> list[str]:
    with store.database.reading() as session:
        return [name for (name,) in session.rows(PARTITIONS)]


def test_a_round_has_its_partitions_until_it_is_cleared(store: Store) -> None:
    store.open_round(7)
    of_round = {r: [f"reports_1_{r}_{shard}" for shard in range(8)] for r in (0, 7)}
    assert _partitions(store) == of_round[0] + of_round[7]
    own = reports(4)
    store.put(sent(*own))
    store.close_round(0, DAY)
    assert store.clear(before=AFTER) == [0]
    assert _partitions(store) == of_round[7]
    assert store.aggregate(0).to_json() == recount(own)


def test_what_is_being_read_is_dropped_by_the_next_sweep(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("discretion.collector.store.postgres.DROP_SECONDS", 0.02)
    own = reports(4, 2)
    store.put(sent(*own))
    store.close_round(0, DAY)
    reading = store.reports(0)
    found = next(reading)
    assert store.clear(before=AFTER) == [0]
    assert len(_partitions(store)) == 8
    assert sorted(found) == sorted(r.body for r in own)
    reading.close()
    assert store.clear(before=AFTER) == []
    assert _partitions(store) == []


def test_a_round_is_opened_while_another_is_read_and_written(store: Store, hasty: Store) -> None:
    (own,) = reports(4)
    store.put(sent(own))
    reading = store.reports(0)
    next(reading)
    hasty.open_round(1)
    assert len(_partitions(hasty)) == 16
    reading.close()


def test_what_many_processes_send_at_once_is_there_once(store: Store, postgres: str) -> None:
    many = [Incoming(0, bytes([i % 256]) + i.to_bytes(15, "big"), b"%d" % i) for i in range(400)]
    with closing(open_store(postgres, people())) as other:
        assert store.put(many) == [ACCEPTED] * 400
        assert other.put(many[::-1]) == [DUPLICATE] * 400
    with store.database.reading() as session:
        assert sum(heads(session)) >= 400
        assert session.rows("SELECT count(*), count(DISTINCT (shard, position)) FROM reports") == [
            (400, 400)
        ]
