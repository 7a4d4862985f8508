"""A load generator: so many connections, each sending its next request when it has its answer.

Run as a process of its own, so that it takes nothing from the server but the machine.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from time import perf_counter

CONNECTIONS = 64


@dataclass
class Load:
    """What was sent and how it was answered."""

    rate: float = inf  # requests a second that are sent at most
    latencies: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)
    due: float = 0.0  # when the next one may go

    def wait(self, now: float) -> float:
        """Return how long the next request has to wait."""
        self.due = max(self.due, now - 1.0) + 1 / self.rate  # what stood still is not made up for
        return self.due - now


class Connection(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self, requests: Iterator[bytes], load: Load, done: asyncio.Future[None]) -> None:
        self._requests, self._load, self._done = requests, load, done
        self._received, self._sent_at = b"", 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._next()

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, gap, rest = self._received.partition(b"\r\n\r\n")
        if not gap:
            return
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
        if len(rest) < int(length or b"0"):
            return
        status = int(head[9:12])
        self._load.latencies.append(perf_counter() - self._sent_at)
        self._load.statuses[status] = self._load.statuses.get(status, 0) + 1
        self._received = b""
        self._next()

    def connection_lost(self, error: Exception | None) -> None:
        if not self._done.done():
            self._done.set_result(None)

    def _next(self) -> None:
        request = next(self._requests, None)
        wait = self._load.wait(perf_counter())
        if request is None:
            self._transport.close()
        elif wait > 0:
            asyncio.get_running_loop().call_later(wait, self._send, request)
        else:
            self._send(request)

    def _send(self, request: bytes) -> None:
        self._sent_at = perf_counter()
        self._transport.write(request)


def request(path: str, kind: str, body: bytes) -> bytes:
    """Return the bytes of a request."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def send(port: int, requests: Iterator[bytes], connections: int, rate: float = inf) -> Load:
    """Send all requests, and return how they were answered."""
    loop, load = asyncio.get_running_loop(), Load(rate)
    ends = [loop.create_future() for _ in range(connections)]
    for end in ends:
        await loop.create_connection(
            lambda end=end: Connection(requests, load, end),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
    await asyncio.gather(*ends)
    return load


def main() -> None:
    """Send the lines of a file: PORT PATH FILE REPORTS-IN-A-REQUEST CONNECTIONS."""
    port, path, file, together, connections = sys.argv[1:]
    with open(file, "rb") as lines:
        reports = [line.rstrip(b"\n") for line in lines]
    size = int(together)
    kind = "application/json" if size == 1 else "application/jsonl"
    stream = iter(reports)
    bodies = iter(lambda: b"\n".join(islice(stream, size)), b"")
    requests = [request(path, kind, body) for body in bodies]
    start = perf_counter()
    load = asyncio.run(send(int(port), iter(requests), int(connections)))
    seconds = perf_counter() - start
    latencies = sorted(load.latencies)
    told = {
        "seconds": seconds,
        "requests": len(latencies),
        "reports": len(reports),
        "statuses": load.statuses,
        "median": latencies[len(latencies) // 2],
        "p99": latencies[int(0.99 * (len(latencies) - 1))],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
