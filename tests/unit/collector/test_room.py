"""The room of requests under way: who is let in, who gives way, and that all is given back."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from discretion.collector import room as module
from discretion.collector.room import Room
from discretion.errors import BodyRefused, Overloaded

SIZE = 10  # bytes that come at once


def coming(host: str = "10.0.0.1") -> HTTPConnection:
    return HTTPConnection({"type": "http", "headers": [], "client": (host, 5)})


class Sender:
    """Sends a body part by part, each when it is told to; it ends with an empty one."""

    def __init__(self) -> None:
        self.parts: asyncio.Queue[bytes] = asyncio.Queue()

    async def receive(self) -> dict[str, Any]:
        part = await self.parts.get()
        return {"type": "http.request", "body": part, "more_body": bool(part)}

    def send(self, *parts: bytes) -> None:
        for part in parts:
            self.parts.put_nowait(part)


async def upload(room: Room, sender: Sender, host: str = "10.0.0.1", limit: int = 1000) -> bytes:
    with room.enter(coming(host)) as stay:
        return await stay.read(sender.receive, limit)


def at_once(body: bytes) -> Sender:
    sender = Sender()
    sender.send(*filter(None, [body]), b"")
    return sender


@asynccontextmanager
async def slow(
    room: Room, count: int, part: bytes = b"", host: str = "10.0.0.1"
) -> AsyncIterator[list[asyncio.Task[bytes]]]:
    """Begin bodies that do not end; the first one first."""
    tasks = []
    for _ in range(count):
        sender = Sender()
        if part:
            sender.send(part)
        tasks.append(asyncio.create_task(upload(room, sender, host)))
        await settled()
    try:
        yield tasks
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def settled() -> None:
    """Let all tasks go on as far as they can."""
    for _ in range(10):
        await asyncio.sleep(0)


def empty(room: Room) -> bool:
    return (room._inside, room._held, dict(room._sources), room.reading) == (0, 0, {}, {})


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_who_is_read_for_longest_gives_way_to_a_new_request() -> None:
    async def crowd() -> None:
        room = Room(3, 3, 1000)
        async with slow(room, 3) as (first, second, third):
            assert await upload(room, at_once(b"good")) == b"good"
            with pytest.raises(Overloaded):
                await first
            assert not second.done()
            assert not third.done()
        assert empty(room)

    run(crowd())


def test_an_address_displaces_its_own_requests_first() -> None:
    async def crowd() -> None:
        room = Room(10, 2, 1000)
        async with (
            slow(room, 1, host="10.0.0.1") as (other,),
            slow(room, 2, host="10.0.0.2") as own,
        ):
            assert await upload(room, at_once(b"good"), "10.0.0.2") == b"good"
            with pytest.raises(Overloaded):
                await own[0]
            assert not other.done()
            assert not own[1].done()
        assert empty(room)

    run(crowd())


def test_neighbours_of_one_network_are_one_address() -> None:
    async def crowd() -> None:
        room = Room(10, 1, 1000)
        async with slow(room, 1, host="2001:db8::1") as (first,):
            assert await upload(room, at_once(b"x"), "2001:db8::2") == b"x"
            with pytest.raises(Overloaded):
                await first

    run(crowd())


def test_bytes_that_are_held_by_bodies_without_an_end_are_taken_back() -> None:
    async def crowd() -> None:
        room = Room(100, 100, 10 * SIZE)
        async with slow(room, 10, bytes(SIZE)) as (first, *others):
            assert await upload(room, at_once(bytes(SIZE))) == bytes(SIZE)
            with pytest.raises(Overloaded):
                await first
            assert not any(task.done() for task in others)
        assert empty(room)

    run(crowd())


def test_what_was_read_whole_does_not_give_way() -> None:
    async def crowd() -> None:
        room = Room(2, 2, 10 * SIZE)
        with room.enter(coming()) as stay, room.enter(coming()):
            assert await stay.read(at_once(bytes(9 * SIZE)).receive, 1000)
            with pytest.raises(Overloaded, match="2 requests"):
                await upload(room, at_once(b"x"))
        with room.enter(coming()) as stay:
            await stay.read(at_once(bytes(9 * SIZE)).receive, 1000)
            with room.enter(coming()) as other, pytest.raises(Overloaded, match="90 bytes"):
                other.take(2 * SIZE)
        assert empty(room)

    run(crowd())


def test_who_fills_the_room_alone_gives_way_itself() -> None:
    async def crowd() -> None:
        room, sender = Room(5, 5, 3 * SIZE), Sender()
        sender.send(*[bytes(SIZE)] * 4, b"")
        with pytest.raises(Overloaded):
            await upload(room, sender)
        assert empty(room)

    run(crowd())


def test_headers_are_held_too() -> None:
    room = Room(5, 5, 100)
    large = HTTPConnection({"type": "http", "headers": [(b"x", b"y" * 100)], "client": ("1", 1)})
    with pytest.raises(Overloaded):
        room.enter(large)
    assert empty(room)


def test_a_slow_body_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd() -> None:
        room = Room(5, 5, 100)
        monkeypatch.setattr(module, "BODY_SECONDS", 0.01)
        with pytest.raises(BodyRefused) as refused:
            await upload(room, Sender())
        assert refused.value.name == "too_slow"
        assert empty(room)

    run(crowd())


def test_the_end_of_the_server_is_not_taken_for_another_reason() -> None:
    async def crowd() -> None:
        room = Room(5, 5, 100)
        task = asyncio.create_task(upload(room, Sender()))
        await settled()
        task.cancel("the server ends")
        with pytest.raises(asyncio.CancelledError):
            await task
        assert empty(room)

    run(crowd())


def test_nobody_waits_and_all_is_given_back_whatever_comes_at_once() -> None:
    async def crowd() -> None:
        room = Room(20, 5, 50 * SIZE)
        senders = [Sender() for _ in range(200)]
        tasks = [
            asyncio.create_task(upload(room, sender, f"10.0.0.{i % 7}", 30 * SIZE))
            for i, sender in enumerate(senders)
        ]
        for turn in range(6):
            for i, sender in enumerate(senders):
                sender.send(bytes(SIZE * (i % 3)) if turn < i % 6 else b"")
            await settled()
            assert room._held <= 50 * SIZE
            assert room._inside <= 20
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(answer, bytes) for answer in found)
        assert all(isinstance(answer, bytes | Overloaded) for answer in found)
        assert empty(room)

    run(crowd())
