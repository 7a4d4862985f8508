"""Deletions are committed in groups, and each is answered by itself."""

import asyncio
from collections.abc import Collection
from threading import Event
from typing import cast

import pytest

from discretion.collector import commits as module
from discretion.collector.commits import Deletions
from discretion.collector.errors import StoreUnavailable
from discretion.collector.store import Store

SECONDS = 60.0
KNOWN = {b"%d" % i for i in range(100)}


class Held:
    """A store whose commits wait until they may go on."""

    def __init__(self) -> None:
        self.groups: list[set[bytes]] = []
        self.go_on, self.begun = Event(), Event()
        self.error: Exception | None = None

    def delete_many(self, ids: Collection[bytes]) -> set[bytes]:
        self.groups.append(set(ids))
        self.begun.set()
        assert self.go_on.wait(SECONDS)
        if self.error is not None:
            raise self.error
        return KNOWN & set(ids)


async def beside_a_commit(store: Held, ids: Collection[bytes]) -> list[bool | BaseException]:
    """Begin one deletion, let others come while its commit is under way, and wait for all."""
    deletions = Deletions(cast("Store", store))
    first = asyncio.create_task(deletions.delete(b"0"))
    assert await asyncio.to_thread(store.begun.wait, SECONDS)
    others = [asyncio.create_task(deletions.delete(id)) for id in ids]
    await asyncio.sleep(0)  # all of them begin
    store.go_on.set()
    return await asyncio.gather(first, *others, return_exceptions=True)


def test_deletions_that_come_during_a_commit_share_the_next() -> None:
    store = Held()
    found = asyncio.run(beside_a_commit(store, [b"1", b"stranger", b"2", b"1"]))
    assert store.groups == [{b"0"}, {b"1", b"2", b"stranger"}]
    assert found == [True, True, False, True, True]


def test_a_group_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUP", 2)
    store = Held()
    found = asyncio.run(beside_a_commit(store, [b"1", b"2", b"3"]))
    assert store.groups == [{b"0"}, {b"1", b"2"}, {b"3"}]
    assert found == [True] * 4


def test_a_commit_that_fails_is_reported_to_all_who_waited_for_it_and_the_next_is_tried() -> None:
    store = Held()
    store.error = StoreUnavailable("here", "no room")

    async def asked() -> bool:
        found = await beside_a_commit(store, [b"1", b"2"])
        assert [type(each) for each in found] == [StoreUnavailable] * 3
        store.error = None
        deletions = Deletions(cast("Store", store))
        assert await deletions.delete(b"3")
        return await deletions.delete(b"4")  # after one that had nobody behind it

    assert asyncio.run(asked())


def test_whoever_goes_away_keeps_no_other_from_her_answer() -> None:
    store = Held()

    async def asked() -> bool:
        deletions = Deletions(cast("Store", store))
        first = asyncio.create_task(deletions.delete(b"0"))
        assert await asyncio.to_thread(store.begun.wait, SECONDS)
        gone, stays = (asyncio.create_task(deletions.delete(id)) for id in (b"1", b"2"))
        await asyncio.sleep(0)
        gone.cancel()
        store.go_on.set()
        assert await first
        return await stays

    assert asyncio.run(asked())
    assert store.groups[1] == {b"1", b"2"}  # she is not asked twice
