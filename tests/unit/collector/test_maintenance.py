"""What a server does by itself: it counts ahead of questions, and settles deletions."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, cast

import pytest

from discretion.collector import maintenance
from discretion.collector.errors import Overloaded, StoreUnavailable
from discretion.collector.maintenance import (
    AGAIN_SECONDS,
    BURST_SECONDS,
    POLL_SECONDS,
    SETTLE_SECONDS,
)
from discretion.collector.questions import answer
from discretion.collector.store import Store, open_store
from discretion.collector.store import store as stores
from discretion.collector.worker_pool import PoolClient
from tests.collector.serving import people
from tests.contract.test_stores import DAY, _removals, _snapshot, crowd, recount, sent


class Over(Exception):
    """The end of a test."""


class Clock:
    """Time that passes as soon as somebody sleeps; before each sleep something may happen."""

    def __init__(self, *happens: Callable[[], object]) -> None:
        self._happens = list(happens)
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if not self._happens:
            raise Over
        self._happens.pop(0)()


class Answering:
    """Analysts that answer in this process, if they are free."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.asked: list[tuple[str, int]] = []
        self.busy = False

    async def ask(self, question: str, **values: Any) -> dict[str, Any]:
        if self.busy:
            raise Overloaded("8 questions wait to be answered")
        self.asked.append((question, values["round"]))
        return answer(self._store, question, values)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(stores, "LONG", 5)
    monkeypatch.setattr(maintenance, "AHEAD", 5)
    monkeypatch.setattr(maintenance, "monotonic", lambda: 0.0)
    found = open_store(f"sqlite:///{tmp_path}/reports.db", people())
    yield found
    found.close()


def until_over(work: Coroutine[Any, Any, None]) -> None:
    with pytest.raises(Over):
        asyncio.run(work)


def test_new_reports_are_counted_before_anybody_asks(store: Store) -> None:
    analysts = Answering(store)
    store.put(sent(*crowd()[:6]))  # before the server started
    clock = Clock(
        lambda: store.put(sent(*crowd()[6:8])),
        lambda: store.put(sent(*crowd()[8:])),
        lambda: None,
    )
    until_over(maintenance.count_ahead([(store, cast("PoolClient", analysts))], clock.sleep))
    assert analysts.asked == [("count", 0), ("count", 0)]
    assert _snapshot(store) == (12, 2, recount(crowd()))
    assert clock.slept == [BURST_SECONDS, POLL_SECONDS, BURST_SECONDS, POLL_SECONDS]


def test_few_reports_are_counted_when_somebody_asks(store: Store) -> None:
    """So a server that only collects starts no worker."""
    analysts = Answering(store)
    store.put(sent(*crowd()[:4]))
    until_over(maintenance.count_ahead([(store, cast("PoolClient", analysts))], Clock().sleep))
    assert analysts.asked == []


def test_only_open_rounds_are_counted_ahead(store: Store) -> None:
    analysts = Answering(store)
    store.open_round(1)
    store.put(sent(*crowd(1)))
    store.close_round(0, DAY)
    until_over(maintenance.count_ahead([(store, cast("PoolClient", analysts))], Clock().sleep))
    assert analysts.asked == [("count", 1)]


def test_an_analyst_that_counts_long_is_free_as_long(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    times = iter([0.0, 3.0])
    monkeypatch.setattr(maintenance, "monotonic", lambda: next(times))
    clock = Clock()
    until_over(
        maintenance.count_ahead([(store, cast("PoolClient", Answering(store)))], clock.sleep)
    )
    assert clock.slept == [3.0]


def test_counting_ahead_waits_while_all_analysts_are_busy(store: Store) -> None:
    analysts = Answering(store)
    analysts.busy = True
    store.put(sent(*crowd()))
    clock = Clock(lambda: setattr(analysts, "busy", False))
    until_over(maintenance.count_ahead([(store, cast("PoolClient", analysts))], clock.sleep))
    assert clock.slept == [AGAIN_SECONDS, BURST_SECONDS]
    assert _snapshot(store)[0] == 12


def test_a_plan_that_cannot_be_counted_keeps_no_other_from_it(store: Store) -> None:
    other = Store(store.database, people("other"))
    busy, free = Answering(other), Answering(store)
    busy.busy = True
    store.put(sent(*crowd()))
    plans = [(other, cast("PoolClient", busy)), (store, cast("PoolClient", free))]
    until_over(maintenance.count_ahead(plans, Clock().sleep))
    assert free.asked == [("count", 0)]
    assert _snapshot(store)[0] == 12


def test_deletions_are_settled_at_the_start_and_within_a_minute(store: Store) -> None:
    store.put(sent(*crowd()))
    store.aggregate(0)
    store.delete(crowd()[0].id)
    left = list[list[bytes]]()

    def deleted() -> None:
        left.append(_removals(store))
        store.delete(crowd()[1].id)

    clock = Clock(deleted, lambda: left.append(_removals(store)))
    until_over(maintenance.settle_regularly(store.database, clock.sleep))
    assert left == [[], []]
    assert _snapshot(store)[2] == recount(crowd()[2:])
    assert clock.slept == [SETTLE_SECONDS] * 3
    assert SETTLE_SECONDS * 2 < 60  # one may fail


def test_a_settlement_that_fails_is_tried_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()))
    store.delete(crowd()[0].id)
    real = store.database.writing

    def full() -> Any:
        raise StoreUnavailable("here", "no room")

    monkeypatch.setattr(store.database, "writing", full)
    clock = Clock(lambda: monkeypatch.setattr(store.database, "writing", real))
    until_over(maintenance.settle_regularly(store.database, clock.sleep))
    assert _removals(store) == []
