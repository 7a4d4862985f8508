"""From a request to the reports in it: limits first, then bytes, then lines."""

import asyncio
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.requests import ClientDisconnect, Request
from starlette.types import Receive

from discretion.errors import BodyRefused, Overloaded

ONE, MANY = "application/json", ("application/jsonl", "application/x-ndjson")
BODY_SECONDS = 30.0
SLOW = "too slow"  # why a task is cancelled
MOST_REPORTS = 10_000  # in one request


class Intake:
    """Reads bodies; those of requests under way have only so many bytes together."""

    def __init__(self, body: int, decompressed: int, held: int) -> None:
        self._body, self._decompressed, self._most = body, decompressed, held
        self._held = 0

    @contextmanager
    def room(self) -> Iterator["Room"]:
        """Hold room for what a request brings, until it is answered."""
        room = Room(self)
        try:
            yield room
        finally:
            room.leave()

    async def reports(self, request: Request, room: "Room") -> tuple[list[bytes], bool]:
        """Return the reports of a request, and whether it is of the kind that has many."""
        stated = dict(request.scope["headers"]).get(b"content-type", b"")
        kind = stated.partition(b";")[0].strip().lower().decode("latin-1")
        if kind != ONE and kind not in MANY:
            detail = f"Content-Type must be {ONE} (one report) or {MANY[0]} (one on each line)"
            raise BodyRefused("unsupported_type", detail)
        body = await self.body(request, room)
        if kind == ONE:
            return [body], False
        lines = body.split(b"\n", MOST_REPORTS + 1)  # and what may follow the last
        reports = [line for line in lines if line]
        if len(lines) > MOST_REPORTS + 1 or len(reports) > MOST_REPORTS:
            raise BodyRefused("too_large", f"a request must have at most {MOST_REPORTS:,} reports")
        return reports, True

    async def body(self, request: Request, room: "Room") -> bytes:
        """Read a body, and decompress it; what is too large is refused as soon as that is seen."""
        headers = dict(request.scope["headers"])
        encoding = headers.get(b"content-encoding", b"identity").strip().lower()
        if encoding not in (b"identity", b"gzip"):
            raise BodyRefused("unsupported_encoding", "Content-Encoding must be gzip or none")
        announced = headers.get(b"content-length", b"")
        size = int(announced) if announced.isdigit() else self._body
        if size > self._body:
            raise self._too_large(self._body)
        room.take(size)
        body = await self._read_in_time(request.receive)
        if encoding == b"identity":
            return body
        room.take(self._decompressed)
        return self._inflated(body)

    async def _read_in_time(self, receive: Receive) -> bytes:
        """Read a body, but not for ever: what ``asyncio.timeout`` does, at a fifth of its cost."""
        task = asyncio.current_task()
        assert task is not None  # a coroutine runs in one
        loop = asyncio.get_running_loop()
        timer = loop.call_later(BODY_SECONDS, task.cancel, SLOW)
        try:
            return await self._read(receive)
        except asyncio.CancelledError as error:
            if error.args != (SLOW,):
                raise
            task.uncancel()
            raise BodyRefused("too_slow", f"a body has {BODY_SECONDS:.0f} seconds") from None
        finally:
            timer.cancel()

    async def _read(self, receive: Receive) -> bytes:
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            parts.append(message.get("body", b""))
            size, more = size + len(parts[-1]), message.get("more_body", False)
            if size > self._body:
                raise self._too_large(self._body)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _inflated(self, body: bytes) -> bytes:
        inflater = zlib.decompressobj(wbits=31)
        try:
            whole = inflater.decompress(body, self._decompressed)
        except zlib.error as error:
            raise BodyRefused("not_gzip", f"the body is not gzip ({error})") from None
        if inflater.unconsumed_tail:
            raise self._too_large(self._decompressed)
        if not inflater.eof or inflater.unused_data:
            raise BodyRefused("not_gzip", "the body is not one whole gzip stream")
        return whole

    def hold(self, size: int) -> None:
        """Count bytes that are under way; refuse more than are held at a time."""
        if size > 0 and self._held + size > self._most:
            raise Overloaded(f"{self._held:,} bytes are under way")
        self._held += size

    def _too_large(self, limit: int) -> BodyRefused:
        return BodyRefused("too_large", f"a body must have at most {limit:,} bytes")


class Room:
    """The bytes that one request holds of those that all may hold together."""

    def __init__(self, intake: Intake) -> None:
        self._intake, self._size = intake, 0

    def take(self, size: int) -> None:
        """Hold so many more."""
        self._intake.hold(size)
        self._size += size

    def leave(self) -> None:
        self._intake.hold(-self._size)
