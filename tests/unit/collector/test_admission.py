"""The control of requests under way: who is let in, who gives way, and that all is given back."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from discretion.collector import admission as module
from discretion.collector.admission import AdmissionControl
from discretion.collector.errors import BodyRefused, Overloaded

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


async def upload(
    control: AdmissionControl, sender: Sender, host: str = "10.0.0.1", limit: int = 1000
) -> bytes:
    with control.admit(coming(host)) as admission:
        return await admission.read(sender.receive, limit)


def at_once(body: bytes) -> Sender:
    sender = Sender()
    sender.send(*filter(None, [body]), b"")
    return sender


@asynccontextmanager
async def slow(
    control: AdmissionControl, count: int, part: bytes = b"", host: str = "10.0.0.1"
) -> AsyncIterator[list[asyncio.Task[bytes]]]:
    """Begin bodies that do not end; the first one first."""
    tasks = []
    for _ in range(count):
        sender = Sender()
        if part:
            sender.send(part)
        tasks.append(asyncio.create_task(upload(control, sender, host)))
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


def empty(control: AdmissionControl) -> bool:
    return (control._inside, control._held, dict(control._sources), control.reading) == (
        0,
        0,
        {},
        {},
    )


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def test_who_is_read_for_longest_gives_way_to_a_new_request() -> None:
    async def crowd() -> None:
        control = AdmissionControl(3, 3, 1000)
        async with slow(control, 3) as (first, second, third):
            assert await upload(control, at_once(b"good")) == b"good"
            with pytest.raises(Overloaded):
                await first
            assert not second.done()
            assert not third.done()
        assert empty(control)

    run(crowd())


def test_an_address_displaces_its_own_requests_first() -> None:
    async def crowd() -> None:
        control = AdmissionControl(10, 2, 1000)
        async with (
            slow(control, 1, host="10.0.0.1") as (other,),
            slow(control, 2, host="10.0.0.2") as own,
        ):
            assert await upload(control, at_once(b"good"), "10.0.0.2") == b"good"
            with pytest.raises(Overloaded):
                await own[0]
            assert not other.done()
            assert not own[1].done()
        assert empty(control)

    run(crowd())


def test_neighbours_of_one_network_are_one_address() -> None:
    async def crowd() -> None:
        control = AdmissionControl(10, 1, 1000)
        async with slow(control, 1, host="2001:db8::1") as (first,):
            assert await upload(control, at_once(b"x"), "2001:db8::2") == b"x"
            with pytest.raises(Overloaded):
                await first

    run(crowd())


def test_bytes_that_are_held_by_bodies_without_an_end_are_taken_back() -> None:
    async def crowd() -> None:
        control = AdmissionControl(100, 100, 10 * SIZE)
        async with slow(control, 10, bytes(SIZE)) as (first, *others):
            assert await upload(control, at_once(bytes(SIZE))) == bytes(SIZE)
            with pytest.raises(Overloaded):
                await first
            assert not any(task.done() for task in others)
        assert empty(control)

    run(crowd())


def test_what_was_read_whole_does_not_give_way() -> None:
    async def crowd() -> None:
        control = AdmissionControl(2, 2, 10 * SIZE)
        with control.admit(coming()) as admission, control.admit(coming()):
            assert await admission.read(at_once(bytes(9 * SIZE)).receive, 1000)
            with pytest.raises(Overloaded, match="2 requests"):
                await upload(control, at_once(b"x"))
        with control.admit(coming()) as admission:
            await admission.read(at_once(bytes(9 * SIZE)).receive, 1000)
            with control.admit(coming()) as other, pytest.raises(Overloaded, match="90 bytes"):
                other.take(2 * SIZE)
        assert empty(control)

    run(crowd())


def test_who_fills_the_room_alone_gives_way_itself() -> None:
    async def crowd() -> None:
        control, sender = AdmissionControl(5, 5, 3 * SIZE), Sender()
        sender.send(*[bytes(SIZE)] * 4, b"")
        with pytest.raises(Overloaded):
            await upload(control, sender)
        assert empty(control)

    run(crowd())


def test_headers_are_held_too() -> None:
    control = AdmissionControl(5, 5, 100)
    large = HTTPConnection({"type": "http", "headers": [(b"x", b"y" * 100)], "client": ("1", 1)})
    with pytest.raises(Overloaded):
        control.admit(large)
    assert empty(control)


def test_a_slow_body_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def crowd() -> None:
        control = AdmissionControl(5, 5, 100)
        monkeypatch.setattr(module, "BODY_SECONDS", 0.01)
        with pytest.raises(BodyRefused) as refused:
            await upload(control, Sender())
        assert refused.value.name == "too_slow"
        assert empty(control)

    run(crowd())


def test_the_end_of_the_server_is_not_taken_for_another_reason() -> None:
    async def crowd() -> None:
        control = AdmissionControl(5, 5, 100)
        task = asyncio.create_task(upload(control, Sender()))
        await settled()
        task.cancel("the server ends")
        with pytest.raises(asyncio.CancelledError):
            await task
        assert empty(control)

    run(crowd())


def test_nobody_waits_and_all_is_given_back_whatever_comes_at_once() -> None:
    async def crowd() -> None:
        control = AdmissionControl(20, 5, 50 * SIZE)
        senders = [Sender() for _ in range(200)]
        tasks = [
            asyncio.create_task(upload(control, sender, f"10.0.0.{i % 7}", 30 * SIZE))
            for i, sender in enumerate(senders)
        ]
        for turn in range(6):
            for i, sender in enumerate(senders):
                sender.send(bytes(SIZE * (i % 3)) if turn < i % 6 else b"")
            await settled()
            assert control._held <= 50 * SIZE
            assert control._inside <= 20
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(answer, bytes) for answer in found)
        assert all(isinstance(answer, bytes | Overloaded) for answer in found)
        assert empty(control)

    run(crowd())
