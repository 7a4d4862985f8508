"""Admission control: how many requests are under way, how many of one address, how many bytes.

Bytes count as they arrive, not as they are announced. At a limit the request that has been read for
longest is evicted in favour of the new one: bodies that never end keep out nobody whose body
arrives at once.
"""

import asyncio
from collections import Counter
from itertools import chain
from typing import Self

from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import Receive

from discretion.collector.errors import BodyRefused, Overloaded
from discretion.collector.rate_limiter import client_address

BODY_SECONDS = 30.0
SLOW, EVICTED = "too slow", "evicted"  # why a task is cancelled
FULL = "the room was needed for others; send it again"


class AdmissionControl:
    """What requests may hold together: so many of them, so many of one address, and bytes."""

    def __init__(self, requests: int, each: int, held: int) -> None:
        self._most, self._each, self._most_held = requests, each, held
        self._sources: Counter[str] = Counter()
        self._inside, self._held = 0, 0
        self.reading: dict[Admission, None] = {}  # the first one for longest

    def admit(self, request: HTTPConnection) -> "Admission":
        """Admit a request; it leaves at the end of its ``with`` block."""
        admission = Admission(self, client_address(request))
        if self._sources[admission.source] >= self._each:
            self._evict_oldest(
                f"{self._each:,} requests of this address are under way", admission.source
            )
        if self._inside >= self._most:
            self._evict_oldest(f"{self._most:,} requests are under way")
        self._sources[admission.source] += 1
        self._inside += 1
        admission.inside = True
        admission.take(sum(map(len, chain.from_iterable(request.scope["headers"]))))
        return admission

    def leave(self, admission: "Admission") -> None:
        """Give back what a request holds, once."""
        if not admission.inside:
            return
        admission.inside = False
        self.reading.pop(admission, None)
        self._held -= admission.size
        self._inside -= 1
        self._sources[admission.source] -= 1
        if not self._sources[admission.source]:
            del self._sources[admission.source]

    def hold(self, admission: "Admission", size: int) -> None:
        """Count bytes of a request."""
        while admission.inside and self._held + size > self._most_held:
            try:
                self._evict_oldest(f"{self._held:,} bytes are under way")
            except Overloaded:
                self.leave(admission)
                raise
        if not admission.inside:
            raise Overloaded(FULL)
        self._held += size
        admission.size += size

    def _evict_oldest(self, rule: str, address: str | None = None) -> None:
        """End the request that has been read for longest; of one address, if it is named."""
        for admission in self.reading:
            if address is None or admission.source == address:
                admission.evict()
                return
        raise Overloaded(rule)


class Admission:
    """One request that was admitted."""

    __slots__ = ("_control", "_task", "inside", "size", "source")

    def __init__(self, control: AdmissionControl, source: str) -> None:
        self._control, self.source = control, source
        self.inside, self.size = False, 0
        self._task: asyncio.Task[object] | None = None  # that reads it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._control.leave(self)

    def take(self, size: int) -> None:
        """Hold so many bytes more."""
        self._control.hold(self, size)

    def evict(self) -> None:
        """Leave at once, and notify whoever reads the body."""
        self._control.leave(self)
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel(EVICTED)

    async def read(self, receive: Receive, limit: int) -> bytes:
        """Read a body, but not for ever: what ``asyncio.timeout`` does, at a fifth of its cost."""
        self._task = task = asyncio.current_task()
        assert task is not None  # a coroutine runs in one
        timer = asyncio.get_running_loop().call_later(BODY_SECONDS, task.cancel, SLOW)
        self._control.reading[self] = None
        try:
            return await self._parts(receive, limit)
        except asyncio.CancelledError as error:
            if error.args not in ((SLOW,), (EVICTED,)):
                raise
            task.uncancel()
            if error.args == (EVICTED,):
                raise Overloaded(FULL) from None
            raise BodyRefused("too_slow", f"a body has {BODY_SECONDS:.0f} seconds") from None
        finally:
            timer.cancel()
            self._control.reading.pop(self, None)

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
