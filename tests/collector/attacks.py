"""Attacks on a collector over loopback, all bounded; beside each, what a good report waits.

    python -m tests.collector.attacks [NAME ...]

Attackers and owners have one address, which is the worst case: limits by address do not tell them
apart. Durations are printed and never asserted; that all is acknowledged, and the memory, are.
"""

import gzip
import resource
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from discretion.report import longest
from tests.collector.serving import LINES, LOST, Sealed, Server, ask, people, sealed

PLAN = people()
FLOOD_SECONDS, PROBES = 6.0, 15
UPLOAD = b"POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
FORM = "application/x-www-form-urlencoded"
DEEP = b'{"format":' + b"[" * 300 + b"]" * 300 + b',"plan":1,"round":1,"id":1,"answers":1}'
GZIP = {"Content-Encoding": "gzip"}


@dataclass
class Site:
    """A server under attack, and what is measured meanwhile."""

    server: Server
    waits: list[float] = field(default_factory=list)
    sent: int = 0

    def good(self) -> Sealed:
        """Send a report that must be acknowledged, and note how long that takes."""
        self.sent += 1
        own = sealed(PLAN, self.sent)
        start = time.perf_counter()
        reply = self.server.upload(own.body)
        self.waits.append(time.perf_counter() - start)
        assert reply.status == 201, reply
        return own

    def probe(self) -> None:
        """Do what owners and analysts do."""
        own = [self.good() for _ in range(PROBES)]
        assert self.server.withdraw(own[0].receipt).status == 200
        signed = self.server.post("/dashboard/session", b"token=" + b"x" * 43, FORM)
        assert signed.status == 401, signed

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.server.port), timeout=30)

    def memory(self, name: str) -> int:
        """Return how much memory the server has, or had at most, in MB."""
        lines = Path(f"/proc/{self.server.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(name))

    def forget_peak(self) -> None:
        Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5")


Attack = Callable[[Site], None]


@contextmanager
def flooding(site: Site, body: bytes, kind: str, senders: int = 4) -> Iterator[list[int]]:
    """Send one body again and again from several threads."""
    stop, statuses = threading.Event(), list[int]()
    headers = {"Content-Type": kind, **GZIP}

    def send() -> None:
        while not stop.is_set():
            with suppress(*LOST):
                statuses.append(ask(site.server.port, "POST", "/v1/reports", body, headers).status)

    threads = [threading.Thread(target=send) for _ in range(senders)]
    for thread in threads:
        thread.start()
    try:
        yield statuses
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def flood(site: Site, body: bytes, kind: str = LINES) -> None:
    until = time.monotonic() + FLOOD_SECONDS
    with flooding(site, gzip.compress(body, 9), kind):
        while time.monotonic() < until:
            site.probe()


def held(site: Site, count: int, *parts: bytes) -> None:
    """Hold connections open that have sent some bytes, and no more."""
    with ExitStack() as opened:
        for _ in range(count):
            with suppress(OSError):  # it was closed for another
                one = opened.enter_context(site.connect())
                for part in parts:
                    one.sendall(part)
        site.probe()


def endless(site: Site, start: bytes, part: bytes, count: int) -> None:
    """Send without an end on one connection, while others send reports."""

    def send() -> None:
        with suppress(OSError), site.connect() as one:
            one.sendall(start)
            for _ in range(count):
                one.sendall(part)

    thread = threading.Thread(target=send)
    thread.start()
    while True:
        site.probe()
        if not thread.is_alive():
            break


def nested_lines(site: Site) -> None:
    """10,000 lines, each a list nested 300 deep: 28 kB on the wire, four senders."""
    flood(site, b"\n".join([DEEP] * 10_000))


def nested_reports(site: Site) -> None:
    """10,000 lines as long as a report may be, nested as deep as that allows."""
    line = b"[" * (longest(PLAN) // 2) + b"]" * (longest(PLAN) // 2)
    flood(site, b"\n".join([line] * 10_000))


def bad_lines(site: Site) -> None:
    """10,000 lines with an unknown field."""
    bad = sealed(PLAN, 0).body[:-1] + b',"x":1}'
    flood(site, b"\n".join([bad] * 10_000))


def repeated_reports(site: Site) -> None:
    """10,000 lines that are one valid report."""
    flood(site, b"\n".join([sealed(PLAN, 0).body] * 10_000))


def large_report(site: Site) -> None:
    """One report of 8 MB, [[],[],...]: 8 kB on the wire, four senders."""
    flood(site, b"[" + b"[]," * 2_600_000 + b"[]]", "application/json")


def announced_bodies(site: Site) -> None:
    """269 connections that announce a megabyte each, and send nothing of it."""
    held(site, 269, UPLOAD + b"Content-Length: 999999\r\n\r\n")


def slow_bodies(site: Site) -> None:
    """1,001 uploads of which one byte has come."""
    held(site, 1001, UPLOAD + b"Content-Length: 200\r\n\r\n{")


def slow_deletions(site: Site) -> None:
    """500 deletions and 500 sign-ins of which one byte has come."""
    for path in (b"/v1/deletions", b"/dashboard/session"):
        held(site, 500, UPLOAD.replace(b"/v1/reports", path) + b"Content-Length: 200\r\n\r\n{")


def full_room(site: Site) -> None:
    """200 uploads that have sent all of a megabyte but the end."""
    head = UPLOAD.replace(b"/json", b"/jsonl") + b"Content-Length: 1000000\r\n\r\n"
    held(site, 200, head, b"x" * 990_000)


def large_header(site: Site) -> None:
    """One header of 200 MB."""
    endless(site, b"GET /v1/plan HTTP/1.1\r\nHost: x\r\nX: ", b"a" * 1_000_000, 200)


def many_fields(site: Site) -> None:
    """2,000,000 fields in one header."""
    endless(site, b"GET /v1/plan HTTP/1.1\r\nHost: x\r\n", b"X-Y: z\r\n" * 20_000, 100)


def trailers(site: Site) -> None:
    """A field of 200 MB behind the last chunk of a body."""
    start = UPLOAD + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\nX: "
    endless(site, start, b"a" * 1_000_000, 200)


def large_path(site: Site) -> None:
    """A path of 200 MB."""
    endless(site, b"GET /", b"a" * 1_000_000, 200)


def idle_connections(site: Site) -> None:
    """400 silent connections."""
    held(site, 400)


def half_headers(site: Site) -> None:
    """400 connections with half a header."""
    held(site, 400, UPLOAD)


def many_connections(site: Site) -> None:
    """6,000 connections with half a header each: more than are kept."""
    held(site, 6000, UPLOAD)


def long_half_headers(site: Site) -> None:
    """2,000 connections with 60 kB of a header each."""
    held(site, 2000, UPLOAD + b"X: " + b"a" * 60_000)


def long_headers_of_slow_bodies(site: Site) -> None:
    """1,001 slow uploads with a header of 60 kB each."""
    held(site, 1001, UPLOAD + b"X: " + b"a" * 60_000 + b"\r\nContent-Length: 200\r\n\r\n{")


def pipelined_requests(site: Site) -> None:
    """200 connections with 3,000 requests each, sent at once."""
    held(site, 200, b"GET /v1/plan HTTP/1.1\r\n\r\n" * 3000)


def unread_answers(site: Site) -> None:
    """200 connections that ask for 16 MB each, and read nothing."""
    held(site, 200, b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n" * 10)


ATTACKS: tuple[Attack, ...] = (
    *(nested_lines, nested_reports, bad_lines, repeated_reports, large_report),
    *(
        announced_bodies,
        slow_bodies,
        slow_deletions,
        full_room,
        large_header,
        many_fields,
        trailers,
        large_path,
    ),
    *(idle_connections, half_headers, many_connections, long_half_headers),
    *(long_headers_of_slow_bodies, pipelined_requests, unread_answers),
)


@dataclass(frozen=True)
class Figures:
    """What an attack cost others: seconds that good reports waited, and memory in MB."""

    name: str
    median: float
    worst: float
    grown: int

    def __str__(self) -> str:
        waits = f"median {1000 * self.median:7.1f} ms, worst {1000 * self.worst:7.1f} ms"
        return f"{self.name:28} {waits}, memory {self.grown:+5d} MB"


def measured(site: Site, attack: Attack) -> Figures:
    """Attack, and return what was measured."""
    site.waits.clear()
    before = site.memory("VmRSS")
    site.forget_peak()
    attack(site)
    waits = sorted(site.waits)
    grown = site.memory("VmHWM") - before
    return Figures(attack.__name__, waits[len(waits) // 2], waits[-1], grown)


@contextmanager
def attacked(folder: Path) -> Iterator[Site]:
    """A server that has been warmed up, and a process that may have many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        with Server(folder, PLAN, open="upload") as server:
            site = Site(server)
            for _ in range(5):
                site.probe()
            yield site
            assert "Traceback" not in server.stderr
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


if __name__ == "__main__":
    with TemporaryDirectory() as made, attacked(Path(made)) as running:
        for each in ATTACKS:
            if not sys.argv[1:] or each.__name__ in sys.argv[1:]:
                print(measured(running, each), flush=True)
