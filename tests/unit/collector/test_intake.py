"""Bodies: limits hold while they are read, whatever is announced."""

import asyncio
import gzip
import zlib
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from discretion.collector import intake
from discretion.collector.intake import MOST_REPORTS, Intake
from discretion.errors import BodyRefused, Overloaded

JSON, LINES = b"application/json", b"application/jsonl"


def request(
    parts: Sequence[bytes], kind: bytes = JSON, *, stall: bool = False, **headers: str
) -> tuple[Request, list[int]]:
    """Return a request whose body comes in parts, and how many of them have been read."""
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", kind), *named]}
    read: list[int] = [0]

    async def receive() -> dict[str, Any]:
        at, read[0] = read[0], read[0] + 1
        if at == len(parts):
            if stall:
                await asyncio.sleep(60)
            return {"type": "http.disconnect"}
        more = stall or at + 1 < len(parts)
        return {"type": "http.request", "body": parts[at], "more_body": more}

    return Request(scope, receive), read


def made(body: int = 1000, decompressed: int = 4000, held: int = 10_000) -> Intake:
    return Intake(body, decompressed, held)


def reports(taken: Intake, asked: Request) -> tuple[list[bytes], bool]:
    with taken.room() as room:
        return asyncio.run(taken.reports(asked, room))


def body(taken: Intake, asked: Request) -> bytes:
    with taken.room() as room:
        return asyncio.run(taken.body(asked, room))


def refusal(taken: Intake, asked: Request) -> str:
    with pytest.raises(BodyRefused) as refused:
        reports(taken, asked)
    return refused.value.name


def test_one_body_is_one_report_and_lines_are_many() -> None:
    one, _ = request([b"a\n", b"b"])
    assert reports(made(), one) == ([b"a\nb"], False)
    many, _ = request([b"a\n\nb", b"c\n"], LINES)
    assert reports(made(), many) == ([b"a", b"bc"], True)
    same, _ = request([b"a"], b"Application/X-NDJSON ; charset=utf-8")
    assert reports(made(), same) == ([b"a"], True)


def test_what_is_announced_too_large_is_not_read() -> None:
    asked, read = request([b"x"], content_length="1001")
    with pytest.raises(BodyRefused, match="at most 1,000 bytes"):
        body(made(), asked)
    assert read == [0]


def test_what_grows_too_large_is_not_read_to_its_end() -> None:
    asked, read = request([b"x" * 400] * 100)
    assert refusal(made(), asked) == "too_large"
    assert read == [3]
    asked, _ = request([b"x" * 500] * 2)
    assert len(body(made(), asked)) == 1000


def test_a_bomb_is_not_inflated() -> None:
    asked, _ = request([gzip.compress(bytes(500_000))], content_encoding="gzip")
    assert refusal(made(), asked) == "too_large"
    asked, _ = request([gzip.compress(bytes(4000))], content_encoding="GZIP")
    assert body(made(), asked) == bytes(4000)
    asked, _ = request([gzip.compress(bytes(4001))], content_encoding="gzip")
    assert refusal(made(), asked) == "too_large"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"plain",
        gzip.compress(b"x", mtime=0)[:-1],
        gzip.compress(b"x", mtime=0) + b"y",
        gzip.compress(b"x", mtime=0) + gzip.compress(b"y", mtime=0),
        zlib.compress(b"x"),
        gzip.compress(b"x" * 99, mtime=0)[:-8] + bytes(8),
    ],
    ids=["empty", "plain", "cut", "more", "two", "zlib", "wrong sum"],
)
def test_what_is_not_one_whole_gzip_stream_is_refused(body: bytes) -> None:
    asked, _ = request([body], content_encoding="gzip")
    assert refusal(made(), asked) == "not_gzip"


@pytest.mark.parametrize("kind", [b"", b"text/plain", b"application/json+x", b"\xff"])
def test_other_kinds_are_refused_unread(kind: bytes) -> None:
    asked, read = request([b"x"], kind)
    assert refusal(made(), asked) == "unsupported_type"
    assert read == [0]


@pytest.mark.parametrize("encoding", ["br", "gzip, gzip", "deflate", ""])
def test_other_encodings_are_refused(encoding: str) -> None:
    asked, _ = request([b"x"], content_encoding=encoding)
    assert refusal(made(), asked) == "unsupported_encoding"


def test_too_many_lines_are_refused() -> None:
    lines = b"x\n" * MOST_REPORTS
    asked, _ = request([lines], LINES)
    assert len(reports(made(1 << 20, held=1 << 20), asked)[0]) == MOST_REPORTS
    asked, _ = request([lines + b"x"], LINES)
    assert refusal(made(1 << 20, held=1 << 20), asked) == "too_large"
    asked, _ = request([b"\n" * (MOST_REPORTS + 5) + b"x\nx"], LINES)
    assert refusal(made(1 << 20, held=1 << 20), asked) == "too_large"


def test_a_slow_body_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "BODY_SECONDS", 0.05)
    asked, _ = request([b"x"], stall=True)
    assert refusal(made(), asked) == "too_slow"


def test_who_leaves_is_not_answered() -> None:
    asked, _ = request([])
    with pytest.raises(ClientDisconnect):
        body(made(), asked)


@pytest.mark.parametrize(
    "headers, size",
    [
        ({}, 1000),  # as much as there may be
        ({"content_length": "400"}, 400),
        ({"content_length": "many"}, 1000),
        ({"content_length": "400", "content_encoding": "gzip"}, 4400),
    ],
)
def test_only_so_many_bytes_are_held_at_a_time(headers: dict[str, Any], size: int) -> None:
    sent = gzip.compress(b"x") if "content_encoding" in headers else b"x"
    taken = made(held=2 * size - 1)
    with taken.room() as room:
        asyncio.run(taken.body(request([sent], **headers)[0], room))
        with pytest.raises(Overloaded):
            body(taken, request([sent], **headers)[0])
    for _ in range(3):  # it was given back, however it ended
        assert body(taken, request([sent], **headers)[0]) == b"x"
