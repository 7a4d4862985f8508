"""Limits of connections: what a client may cost before its request is known."""

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
import uvicorn
from structlog.testing import capture_logs
from uvicorn.server import ServerState

from discretion.collector import connections as module
from discretion.collector.connections import (
    ANSWER_SECONDS,
    HEADER_BYTES,
    HEADER_FIELDS,
    HEADER_SECONDS,
    PIPELINED,
    ConnectionLimits,
    LimitedConnection,
)
from discretion.collector.metrics import Metrics

START = b"GET /some/path HTTP/1.1\r\nHost: x\r\n"
WHOLE = START + b"\r\n"


class Transport(asyncio.Transport):
    """A connection that notes what is written to it, and that is closed when it is told to."""

    def __init__(self) -> None:
        super().__init__({"peername": ("10.0.0.1", 5), "sockname": ("10.0.0.9", 80)})
        self.written = b""
        self.closed = ""
        self.protocol: LimitedConnection | None = None

    def write(self, data: Any) -> None:
        self.written += bytes(data)

    def is_closing(self) -> bool:
        return bool(self.closed)

    def close(self) -> None:
        self._close("closed")

    def abort(self) -> None:
        self._close("aborted")

    def _close(self, how: str) -> None:
        if not self.closed:
            self.closed = how
            assert self.protocol is not None
            self.protocol.connection_lost(None)

    def pause_reading(self) -> None: ...
    def resume_reading(self) -> None: ...


class Timer:
    """A call at some time."""

    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.at, self.call, self.cancelled = at, call, False

    def cancel(self) -> None:
        self.cancelled = True


class Clock:
    """A loop in which time goes on when it is told to; tasks run in the real one."""

    def __init__(self) -> None:
        self.now, self._timers = 0.0, list[Timer]()

    def call_later(self, seconds: float, call: Callable[[], None]) -> Timer:
        self._timers.append(Timer(self.now + seconds, call))
        return self._timers[-1]

    def create_task(self, work: Any, **_: Any) -> "asyncio.Task[Any]":
        return asyncio.get_running_loop().create_task(work)

    def advance(self, seconds: float) -> None:
        self.now += seconds
        for timer in sorted(self._timers, key=lambda timer: timer.at):
            if timer.at <= self.now and not timer.cancelled:
                timer.cancelled = True
                timer.call()

    @property
    def pending(self) -> int:
        return sum(not timer.cancelled for timer in self._timers)


class Site:
    """A server without sockets: connections are opened by hand."""

    def __init__(self, most: int = 100) -> None:
        self.clock, self.state, self.metrics = Clock(), ServerState(), Metrics()
        self.limits = ConnectionLimits(most, self.metrics)
        self.asked: list[str] = []
        self.go = asyncio.Event()
        self.go.set()
        self.size = 2
        self.config = uvicorn.Config(
            cast(Any, self.answer),
            http=LimitedConnection,
            interface="asgi3",
            ws="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=30,
        )

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope["path"])
        await self.go.wait()
        length = str(self.size).encode()
        headers = [(b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"x" * self.size})

    def open(self) -> tuple[LimitedConnection, Transport]:
        transport = Transport()
        connection = LimitedConnection(
            self.config, self.state, {}, cast(Any, self.clock), limits=self.limits
        )
        transport.protocol = connection
        connection.connection_made(transport)
        return connection, transport

    def problems(self) -> str:
        return self.metrics.text().decode()


def play(work: Callable[[Site], Any], most: int = 100) -> None:
    async def played() -> None:
        await work(Site(most))

    asyncio.run(played())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def status(transport: Transport) -> int:
    return int(transport.written.split()[1]) if transport.written else 0


def document(transport: Transport) -> dict[str, Any]:
    head, _, body = transport.written.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head
    assert b"connection: close" in head
    found: dict[str, Any] = json.loads(body)
    return found


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


@pytest.mark.parametrize("size", [1000, 40_000, HEADER_BYTES, 10 * HEADER_BYTES])
def test_a_header_has_so_many_bytes(size: int) -> None:
    async def work(site: Site) -> None:
        for bytes_of_header, expected in ((HEADER_BYTES, 200), (HEADER_BYTES + 1, 431)):
            connection, transport = site.open()
            filling = bytes_of_header - len(START + b"X: \r\n\r\n")
            for part in chunks(START + b"X: " + b"a" * filling + b"\r\n\r\n", size):
                connection.data_received(part)
            await settled()
            assert status(transport) == expected
        assert document(transport)["type"] == "urn:discretion:problem:header_too_large"
        assert 'name="header_too_large",plan=""} 1.0' in site.problems()

    play(work)


def test_a_path_without_an_end_is_refused_like_a_header() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(b"GET /" + b"a" * 10_000_000)
        assert (status(transport), transport.closed) == (431, "closed")
        assert site.asked == []

    play(work)


def test_a_header_has_so_many_fields() -> None:
    async def work(site: Site) -> None:
        for fields, end, expected in (
            (HEADER_FIELDS, b"\r\n", 200),
            (HEADER_FIELDS + 1, b"\r\n", 431),
            (HEADER_FIELDS + 2, b"", 431),
        ):
            connection, transport = site.open()
            connection.data_received(b"GET /p HTTP/1.1\r\n" + b"a: b\r\n" * fields + end)
            await settled()
            assert status(transport) == expected
        assert site.asked == ["/p"]

    play(work)


@pytest.mark.parametrize(
    "filling",
    [b"4;" + b"x" * 100_000, b"0\r\nX: " + b"x" * 100_000, b"0\r\n" + b"a: b\r\n" * 20_000],
    ids=["extension", "trailer", "trailers"],
)
def test_what_stands_between_the_parts_of_a_body_is_bounded(filling: bytes) -> None:
    async def work(site: Site) -> None:
        site.go.clear()
        connection, transport = site.open()
        head = b"POST /p HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        for part in (head, b"4\r\nabcd\r\n", *chunks(filling, 1000)):
            connection.data_received(part)
        assert transport.closed == "aborted"
        site.go.set()
        await settled()

    play(work)


def test_a_body_in_many_parts_is_no_header() -> None:
    async def work(site: Site) -> None:
        site.go.clear()
        connection, transport = site.open()
        connection.data_received(b"POST /p HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(30_000):
            connection.data_received(b"1\r\nx\r\n")
        connection.data_received(b"0\r\n\r\n")
        assert not transport.closed
        site.go.set()
        await settled()
        assert status(transport) == 200

    play(work)


@pytest.mark.parametrize("sent", [b"", b"G", START], ids=["silent", "a byte", "half"])
def test_a_connection_without_a_whole_header_is_closed(sent: bytes) -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        if sent:
            connection.data_received(sent)
        site.clock.advance(HEADER_SECONDS - 1)
        assert not transport.closed
        if sent == b"G":
            connection.data_received(b"E")  # another byte is no more time
        site.clock.advance(1)
        assert transport.closed
        assert site.state.connections == set()
        assert site.clock.pending == 0

    play(work)


def test_a_second_header_has_as_long_from_its_first_byte_on() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(WHOLE)
        await settled()
        assert status(transport) == 200
        site.clock.advance(HEADER_SECONDS + 5)
        assert not transport.closed, "it may be idle for longer"
        connection.data_received(START)
        site.clock.advance(HEADER_SECONDS)
        assert transport.closed

    play(work)


def test_an_idle_connection_is_closed_after_an_answer() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(WHOLE)
        await settled()
        site.clock.advance(30)
        assert transport.closed

    play(work)


def test_who_goes_on_sending_what_was_answered_already_is_closed() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(b"POST /p HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n")
        await settled()
        assert status(transport) == 200
        for _ in range(int(HEADER_SECONDS)):
            assert not transport.closed
            connection.data_received(b"x" * 100)
            site.clock.advance(1)
        assert transport.closed

    play(work)


def test_a_request_under_way_has_no_deadline_here() -> None:
    async def work(site: Site) -> None:
        site.go.clear()
        connection, transport = site.open()
        connection.data_received(WHOLE)
        await settled()
        site.clock.advance(1000)
        assert not transport.closed
        site.go.set()
        await settled()
        assert status(transport) == 200

    play(work)


def test_who_does_not_read_an_answer_is_closed() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(WHOLE)
        connection.pause_writing()
        await settled()
        site.clock.advance(ANSWER_SECONDS - 1)
        connection.resume_writing()
        connection.pause_writing()
        site.clock.advance(ANSWER_SECONDS - 1)
        assert not transport.closed, "it reads slowly"
        site.clock.advance(1)
        assert transport.is_closing()

    play(work)


def test_who_has_read_the_answer_has_the_time_of_a_header_again() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(WHOLE)
        await settled()
        connection.pause_writing()
        connection.data_received(b"G")
        connection.resume_writing()
        site.clock.advance(HEADER_SECONDS)
        assert transport.closed

    play(work)


def test_only_so_many_requests_wait_on_one_connection() -> None:
    async def work(site: Site) -> None:
        site.go.clear()
        connection, transport = site.open()
        connection.data_received(WHOLE * (PIPELINED + 1))
        await settled()
        assert not transport.closed
        other, closed = site.open()
        other.data_received(WHOLE * 4000)
        assert closed.closed
        assert len(other.pipeline) <= PIPELINED
        site.go.set()
        for _ in range(PIPELINED):
            await settled()
        assert transport.written.count(b"HTTP/1.1 200") == PIPELINED + 1

    play(work)


def test_what_is_no_request_is_a_problem() -> None:
    async def work(site: Site) -> None:
        connection, transport = site.open()
        connection.data_received(b"\x16\x03\x01 hello\r\n\r\n")
        assert document(transport)["type"] == "urn:discretion:problem:bad_request"
        assert status(transport) == 400

    play(work)


def test_the_connection_that_waits_longest_is_closed_for_a_new_one() -> None:
    async def work(site: Site) -> None:
        site.go.clear()
        working, answered = site.open()
        working.data_received(WHOLE)
        (_, first), (_, second) = site.open(), site.open()
        with capture_logs() as logged:
            _, third = site.open()
            assert [t.closed for t in (answered, first, second, third)] == ["", "aborted", "", ""]
            for _ in range(50):
                _, last = site.open()
        assert second.closed
        assert third.closed
        assert not answered.closed
        assert not last.closed
        assert len(site.state.connections) == 3
        assert [line["event"] for line in logged] == ["connections_full"], "once in a while"
        site.go.set()
        await settled()
        assert status(answered) == 200

    play(work, most=3)


def test_where_all_connections_are_at_work_the_new_one_is_closed() -> None:
    async def work(site: Site) -> None:
        site.go.clear()
        for _ in range(3):
            site.open()[0].data_received(WHOLE)
        _, new = site.open()
        assert new.closed
        site.go.set()
        await settled()
        assert not site.open()[1].closed, "those that were answered wait again"

    play(work, most=3)


def test_who_does_not_read_may_have_to_go_too() -> None:
    async def work(site: Site) -> None:
        stalled, transport = site.open()
        stalled.data_received(WHOLE)
        stalled.pause_writing()
        for _ in range(2):
            site.open()[0].data_received(START)
        site.open()
        assert [stalled in site.state.connections, transport.closed] == [False, "aborted"]

    play(work, most=2)


def test_halves_of_headers_have_only_so_many_bytes_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "HELD", 100_000)

    async def work(site: Site) -> None:
        silent = [site.open()[1] for _ in range(20)]
        opened = [site.open() for _ in range(20)]
        for connection, _ in opened:
            connection.data_received(START + b"X: " + b"a" * 10_000)
            assert site.limits._held <= 100_000
        assert not any(transport.closed for transport in silent), "they hold nothing"
        alive = [transport for _, transport in opened if not transport.closed]
        assert 5 < len(alive) < 12
        assert not opened[-1][1].closed
        for connection, transport in opened:
            if not transport.closed:
                connection.data_received(b"\r\n\r\n")
        await settled()
        assert site.limits._held == 0
        assert len(site.asked) == len(alive)

    play(work)
