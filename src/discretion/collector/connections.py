"""Limits of connections: what a client may cost before its request is known, and while it waits.

uvicorn bounds neither the bytes of a header, nor the time until it is complete, nor how many
connections are open. Here a connection that waits for its client is closed after a while, and
earlier where others need its place: first the one that has waited longest.
"""

import asyncio
from time import monotonic
from typing import Any

from starlette.responses import Response
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.problems import BAD_REQUEST, HEADER_TOO_LARGE, Problem

HEADER_BYTES, HEADER_FIELDS = 64 << 10, 100
HEADER_SECONDS = 10.0  # from the opening of a connection, or the first byte after an answer
ANSWER_SECONDS = 30.0  # that a client may read nothing of an answer
HELD = 16 << 20  # bytes of headers that are not complete, of all connections
PIPELINED = 16  # requests of one connection that wait for an answer
CONNECTIONS = 4096
QUIET_SECONDS = 60.0  # between two lines in the log about it
TOO_LARGE = f"a header must have at most {HEADER_BYTES:,} bytes and {HEADER_FIELDS} fields"


class ConnectionLimits:
    """All connections of a server."""

    def __init__(self, connections: int, metrics: Metrics) -> None:
        self.most, self._metrics = connections, metrics
        self._waiting: dict[LimitedConnection, None] = {}  # for clients; the first for longest
        self._held, self._logged = 0, -QUIET_SECONDS

    def opened(self, connection: "LimitedConnection", count: int) -> None:
        """Take a connection as the newest; where it is one too many, another is closed."""
        self.wait(connection)
        if count > self.most:
            oldest = next(iter(self._waiting))  # itself, if all others are at work
            self._evict(oldest, "connections_full", connections=self.most)

    def wait(self, connection: "LimitedConnection") -> None:
        """Note that a connection waits for its client from now on."""
        self._waiting.pop(connection, None)
        self._waiting[connection] = None

    def work(self, connection: "LimitedConnection") -> None:
        """Note that a connection waits for the server."""
        self._waiting.pop(connection, None)

    def hold(self, size: int) -> None:
        """Count bytes of headers that are not complete, or give them back."""
        self._held += size
        if self._held <= HELD:
            return
        holding = (connection for connection in list(self._waiting) if connection.held)
        while self._held > HELD and (oldest := next(holding, None)) is not None:
            self._evict(oldest, "headers_full", bytes=self._held)

    def problem(self, problem: Problem, detail: str) -> Response:
        """Return the answer to what is no request."""
        self._metrics.problem(problem.name)
        return problem.response(detail)

    def _evict(self, oldest: "LimitedConnection", event: str, **values: int) -> None:
        """Close a connection, and say now and then that it is done."""
        if monotonic() - self._logged >= QUIET_SECONDS:
            self._logged = monotonic()
            log.warning(event, **values)
        self._waiting.pop(oldest)
        oldest.end()


class LimitedConnection(HttpToolsProtocol):
    """One connection."""

    def __init__(self, *args: Any, limits: ConnectionLimits, **named: Any) -> None:
        super().__init__(*args, **named)
        self._limits = limits
        self._pending = 0  # bytes since a header, a part of a body or a request was complete
        self.held = 0  # of these, what the limits count
        self._refused = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect(HEADER_SECONDS)
        self._limits.opened(self, len(self.connections))

    def connection_lost(self, exc: Exception | None) -> None:
        self._complete()
        self._expect(None)
        self._limits.work(self)
        super().connection_lost(exc)

    def end(self) -> None:
        """Close the connection at once."""
        self._complete()
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Parse what comes, at most as much of it as may come before something is complete."""
        while data and not self.transport.is_closing():
            room = HEADER_BYTES - self._pending
            part, data = data[:room], data[room:]
            self._pending += len(part)
            super().data_received(part)
            if self._pending:
                self._check(len(part))
            if self._refused:
                self._refuse()
        self._expect_more()

    def on_headers_complete(self) -> None:
        self._complete()
        if len(self.headers) > HEADER_FIELDS or len(self.pipeline) >= PIPELINED:
            self._refused = True
            raise ValueError(TOO_LARGE)  # so that the parser stops here
        self._expect(None)
        self._limits.work(self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._complete()
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._complete()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._idle:
            self._limits.wait(self)

    def pause_writing(self) -> None:
        """Wait for a client that does not read its answer, but not for ever."""
        super().pause_writing()
        self._limits.wait(self)
        self._expect(ANSWER_SECONDS)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._expect(None)
        if self._idle:
            self._expect_more()
        else:
            self._limits.work(self)

    def send_400_response(self, msg: str) -> None:
        """Answer where the parser has stopped."""
        if self._refused:
            self._refuse()
        else:
            self._answer(self._limits.problem(BAD_REQUEST, msg))

    @property
    def _idle(self) -> bool:
        """Whether no request of the connection is under way."""
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]

    def _complete(self) -> None:
        self._pending = 0
        if self.held:
            self._limits.hold(-self.held)
            self.held = 0

    def _check(self, size: int) -> None:
        """Count what came of something that is not complete yet."""
        self.held += size
        fields = len(self.headers) if self.headers else 0
        self._refused |= self._pending >= HEADER_BYTES or fields > HEADER_FIELDS
        self._limits.hold(size)

    def _refuse(self) -> None:
        """Say that a header is too large; where an answer is under way, there is nothing to say."""
        if self.transport.is_closing():
            return
        if self._idle:
            self._answer(self._limits.problem(HEADER_TOO_LARGE, TOO_LARGE))
        else:
            self.end()

    def _answer(self, response: Response) -> None:
        fields = (name + b": " + value for name, value in response.raw_headers)
        head = b"\r\n".join((*fields, b"connection: close", b"", b""))
        self.transport.write(STATUS_LINE[response.status_code] + head + bytes(response.body))
        self.transport.close()

    def _expect_more(self) -> None:
        """Give a client that has begun to send something its time to complete it."""
        if self._idle and self._deadline is None:
            self._expect(HEADER_SECONDS)

    def _expect(self, seconds: float | None) -> None:
        """End the connection after some time, or not for now."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.end)
