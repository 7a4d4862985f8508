"""A collector on this machine that keeps what it gets, and misbehaves as a test tells it to.

It answers as the contract says. Each request takes the next step of the script for its path, if
there is one; what it does then is up to the step.
"""

import hashlib
import json
import socket
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from discretion.device import RetryPolicy
from discretion.plan import Plan
from discretion.report import id_of

PLAN, REPORTS, DELETIONS = "/v1/plan", "/v1/reports", "/v1/deletions"


class Time:
    """A clock that only sleeping moves, and dice that always fall on the longest wait."""

    def __init__(self) -> None:
        self.seconds, self.slept = 0.0, list[float]()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def retry_policy(self, **changes: Any) -> RetryPolicy:
        now = {"sleep": self.sleep, "clock": lambda: self.seconds, "now": lambda: 1e9}
        return RetryPolicy(**{"dice": lambda: 1.0, **now, **changes})


@dataclass(frozen=True)
class Got:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Answer:
    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


Step = Callable[["Handler"], None]


def outcome(status: int, name: str) -> Answer:
    return Answer(
        status, json.dumps({"outcome": name}).encode(), {"Content-Type": "application/json"}
    )


PROBLEMS = {
    400: "malformed",
    404: "not_found",
    409: "conflict",
    410: "deleted",
    413: "too_large",
    415: "unsupported_type",
    422: "refused",
    425: "too_early",
}


def problem(status: int, **members: str) -> Answer:
    """Return a collector's own problem document."""
    kind = {"type": f"urn:discretion:problem:{PROBLEMS[status]}", "title": "A problem"}
    document = {**kind, "status": status, **members}
    return Answer(
        status, json.dumps(document).encode(), {"Content-Type": "application/problem+json"}
    )


class Collector:
    """The contract, in memory."""

    def __init__(self, plan: Plan) -> None:
        self.document = plan.to_bytes()
        self.kept: dict[str, bytes] = {}
        self.deleted: set[str] = set()
        self.got: list[Got] = []
        self.script: defaultdict[str, list[Step]] = defaultdict(list)
        self.url = ""

    def posted(self, path: str = REPORTS) -> list[bytes]:
        return [got.body for got in self.got if got.path == path]

    def answer(self, got: Got) -> Answer:
        match got.method, got.path:
            case "GET", "/v1/plan":
                return self.plan(got.headers.get("if-none-match"))
            case "POST", "/v1/reports":
                return self.report(got.body)
            case "POST", "/v1/deletions":
                return self.deletion(got.body)
        return problem(404)

    def plan(self, known: str | None) -> Answer:
        tag = f'"{hashlib.sha256(self.document).hexdigest()}"'
        if known == tag:
            return Answer(304, headers={"ETag": tag})
        return Answer(200, self.document, {"ETag": tag, "Content-Type": "application/json"})

    def report(self, body: bytes) -> Answer:
        key = json.loads(body)["id"]
        if key in self.deleted:
            return problem(410, detail="this report was deleted")
        if key in self.kept:
            return outcome(200, "duplicate") if self.kept[key] == body else problem(409)
        self.kept[key] = body
        return outcome(201, "accepted")

    def deletion(self, body: bytes) -> Answer:
        key = id_of(bytes.fromhex(json.loads(body)["receipt"]))
        if key not in self.kept and key not in self.deleted:
            kind = "urn:discretion:problem:unknown_receipt"
            return problem(404, type=kind, detail="no such report")
        self.kept.pop(key, None)
        self.deleted.add(key)
        return outcome(200, "deleted")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    collector: Collector
    got: Got

    def handle_any(self) -> None:
        steps = self.collector.script[self.path]
        step = steps.pop(0) if steps else honest
        if step is not hang_up:
            self.take()
        step(self)

    do_GET = do_POST = handle_any  # noqa: N815

    def take(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.got = Got(self.command, self.path, headers, body)
        self.collector.got.append(self.got)

    def reply(self, answer: Answer) -> None:
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)

    def break_off(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


def honest(handler: Handler) -> None:
    handler.reply(handler.collector.answer(handler.got))


def hang_up(handler: Handler) -> None:
    """Close before anything was read."""
    handler.break_off()


def read_and_hang_up(handler: Handler) -> None:
    """Close after all was read, and nothing done."""
    handler.break_off()


def lose_the_answer(handler: Handler) -> None:
    """Do all that was asked, and close."""
    handler.collector.answer(handler.got)
    handler.break_off()


def half_the_answer(handler: Handler) -> None:
    answer = handler.collector.answer(handler.got)
    handler.wfile.write(b"HTTP/1.1 %d OK\r\nContent-Length: 99\r\n\r\n{" % answer.status)
    handler.break_off()


def nonsense(handler: Handler) -> None:
    handler.wfile.write(b"\x00\x01 this is not HTTP\r\n\r\n")
    handler.break_off()


def stall(handler: Handler) -> None:
    """Never answer, as long as the other side waits."""
    handler.connection.settimeout(60)
    handler.connection.recv(1)
    handler.close_connection = True


def drip(handler: Handler) -> None:
    """Answer a byte at a time, for ever."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    try:
        while True:
            handler.wfile.write(b" ")
            time.sleep(0.02)
    except OSError:
        handler.close_connection = True


def say(status: int, **headers: str) -> Step:
    """Answer with a bare status, and headers written with underscores."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.reply(Answer(status, b"", named))


def content(status: int, body: object, kind: str = "application/json") -> Step:
    """Answer with a document, or with bytes as they are."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return lambda handler: handler.reply(Answer(status, data, {"Content-Type": kind}))


def refuse(status: int, **members: str) -> Step:
    return lambda handler: handler.reply(problem(status, **members))


def serve_document(document: bytes, tag: str) -> Step:
    return lambda handler: handler.reply(Answer(200, document, {"ETag": tag}))


@contextmanager
def collecting(plan: Plan, secure: ssl.SSLContext | None = None) -> Iterator[Collector]:
    """Run a collector of a plan as long as the context lasts, by TLS if that is given."""
    collector = Collector(plan)
    handler = type("Bound", (Handler,), {"collector": collector})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        collector.url = f"http://127.0.0.1:{server.server_port}"
        if secure:
            server.socket = secure.wrap_socket(server.socket, server_side=True)
            collector.url = f"https://localhost:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield collector
        server.shutdown()
        thread.join()
