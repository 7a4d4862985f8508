"""The room for requests under way: how many, how many of one address, how many bytes they hold.

Bytes count as they arrive, not as they are announced. Where the room is full, the request that has
been read for longest gives way to the new one: bodies that never end keep out nobody whose body
arrives at once.
"""

import asyncio
from collections import Counter
from itertools import chain
from typing import Self

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Receive

from discretion.collector.address import source
from discretion.errors import BodyRefused, Overloaded

BODY_SECONDS = 30.0
SLOW, GAVE_WAY = "too slow", "gave way"  # why a task is cancelled
FULL = "the room was needed for others; send it again"


class Room:
    """What requests may hold together: so many of them, so many of one address, and bytes."""

    def __init__(self, requests: int, each: int, held: int) -> None:
        self._most, self._each, self._most_held = requests, each, held
        self._sources: Counter[str] = Counter()
        self._inside, self._held = 0, 0
        self.reading: dict[Stay, None] = {}  # the first one for longest

    def enter(self, request: HTTPConnection) -> "Stay":
        """Let a request in; it leaves at the end of its ``with`` block."""
        stay = Stay(self, source(request))
        if self._sources[stay.source] >= self._each:
            self._make_way(f"{self._each:,} requests of this address are under way", stay.source)
        if self._inside >= self._most:
            self._make_way(f"{self._most:,} requests are under way")
        self._sources[stay.source] += 1
        self._inside += 1
        stay.inside = True
        stay.take(sum(map(len, chain.from_iterable(request.scope["headers"]))))
        return stay

    def leave(self, stay: "Stay") -> None:
        """Give back what a request holds, once."""
        if not stay.inside:
            return
        stay.inside = False
        self.reading.pop(stay, None)
        self._held -= stay.size
        self._inside -= 1
        self._sources[stay.source] -= 1
        if not self._sources[stay.source]:
            del self._sources[stay.source]

    def hold(self, stay: "Stay", size: int) -> None:
        """Count bytes of a request."""
        while stay.inside and self._held + size > self._most_held:
            try:
                self._make_way(f"{self._held:,} bytes are under way")
            except Overloaded:
                self.leave(stay)
                raise
        if not stay.inside:
            raise Overloaded(FULL)
        self._held += size
        stay.size += size

    def _make_way(self, rule: str, address: str | None = None) -> None:
        """End the request that has been read for longest; of one address, if it is named."""
        for stay in self.reading:
            if address is None or stay.source == address:
                stay.give_way()
                return
        raise Overloaded(rule)


class Stay:
    """One request in a room."""

    __slots__ = ("_room", "_task", "inside", "size", "source")

    def __init__(self, room: Room, source: str) -> None:
        self._room, self.source = room, source
        self.inside, self.size = False, 0
        self._task: asyncio.Task[object] | None = None  # that reads it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._room.leave(self)

    def take(self, size: int) -> None:
        """Hold so many bytes more."""
        self._room.hold(self, size)

    def give_way(self) -> None:
        """Leave at once; whoever reads it is told so."""
        self._room.leave(self)
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel(GAVE_WAY)

    async def read(self, receive: Receive, limit: int) -> bytes:
        """Read a body, but not for ever: what ``asyncio.timeout`` does, at a fifth of its cost."""
        self._task = task = asyncio.current_task()
        assert task is not None  # a coroutine runs in one
        timer = asyncio.get_running_loop().call_later(BODY_SECONDS, task.cancel, SLOW)
        self._room.reading[self] = None
        try:
            return await self._parts(receive, limit)
        except asyncio.CancelledError as error:
            if error.args not in ((SLOW,), (GAVE_WAY,)):
                raise
            task.uncancel()
            if error.args == (GAVE_WAY,):
                raise Overloaded(FULL) from None
            raise BodyRefused("too_slow", f"a body has {BODY_SECONDS:.0f} seconds") from None
        finally:
            timer.cancel()
            self._room.reading.pop(self, None)

    async def _parts(self, receive: Receive, limit: int) -> bytes:
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            part, more = message.get("body", b""), message.get("more_body", False)
            size += len(part)
            if size > limit:
                raise too_large(limit)
            self.take(len(part))
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


def too_large(limit: int) -> BodyRefused:
    """Return the refusal of a body above a limit."""
    return BodyRefused("too_large", f"a body must have at most {limit:,} bytes")
