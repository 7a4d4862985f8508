"""Bodies: limits hold while they are read, whatever is announced."""

import asyncio
import gzip
import zlib
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request

from discretion.collector.admission import AdmissionControl
from discretion.collector.bodies import MOST_REPORTS, BodyReader
from discretion.collector.errors import BodyRefused, Overloaded
from discretion.errors import ReportRefused

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


def made(
    body: int = 1000, decompressed: int = 4000, held: int = 100_000, longest: int = 4000
) -> BodyReader:
    return BodyReader(body, decompressed, AdmissionControl(10, 10, held), longest)


def reports(taken: BodyReader, asked: Request) -> tuple[list[bytes], bool]:
    with taken.admission.admit(asked) as admission:
        return asyncio.run(taken.reports(asked, admission))


def body(taken: BodyReader, asked: Request) -> bytes:
    with taken.admission.admit(asked) as admission:
        return asyncio.run(taken.body(asked, admission))


def refusal(taken: BodyReader, asked: Request) -> str:
    with pytest.raises((BodyRefused, ReportRefused)) as refused:
        reports(taken, asked)
    error = refused.value
    return error.name if isinstance(error, BodyRefused) else error.args[0].partition(":")[0]


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


def test_who_leaves_is_not_answered() -> None:
    asked, _ = request([])
    with pytest.raises(ClientDisconnect):
        body(made(), asked)


def test_one_report_is_no_longer_than_the_longest_of_the_plan() -> None:
    taken = made(longest=10)
    assert reports(taken, request([b"x" * 5] * 2)[0]) == ([b"x" * 10], False)
    asked, read = request([b"x" * 5] * 9)
    assert refusal(taken, asked) == "too_long"
    assert read == [3]
    asked, read = request([b"x"], content_length="11")
    assert refusal(taken, asked) == "too_long"
    assert read == [0]
    assert reports(taken, request([gzip.compress(b"x" * 10)], content_encoding="gzip")[0])
    asked, _ = request([gzip.compress(b"x" * 11)], content_encoding="gzip")
    assert refusal(taken, asked) == "too_long"


def test_many_reports_have_no_more_bytes_than_the_longest_of_the_plan_would() -> None:
    taken, most = made(1 << 20, 1 << 20, 1 << 23, longest=3), 4 * MOST_REPORTS
    asked, _ = request([gzip.compress(b"abc\n" * MOST_REPORTS)], LINES, content_encoding="gzip")
    assert len(reports(taken, asked)[0]) == MOST_REPORTS
    for sent in (gzip.compress(bytes(most + 1)), gzip.compress(bytes(1 << 19))):
        asked, _ = request([sent], LINES, content_encoding="gzip")
        assert refusal(taken, asked) == "too_large"
    assert refusal(taken, request([bytes(most + 1)], LINES)[0]) == "too_large"


@pytest.mark.parametrize("headers", [{}, {"content_length": "1000"}, {"content_length": "many"}])
def test_bytes_count_as_they_arrive_and_not_as_they_are_announced(headers: dict[str, Any]) -> None:
    asked, _ = request([b"x" * 100], **headers)
    header = sum(len(name) + len(value) for name, value in asked.scope["headers"])
    taken = made(held=header + 100)
    for _ in range(3):  # what was held is given back, however it ended
        assert body(taken, request([b"x" * 100], **headers)[0]) == b"x" * 100
        with pytest.raises(Overloaded):
            body(taken, request([b"x" * 60, b"x" * 41], **headers)[0])


def test_what_gzip_hides_counts_too() -> None:
    sent = gzip.compress(b"x" * 2000)
    asked, _ = request([sent], content_encoding="gzip")
    header = sum(len(name) + len(value) for name, value in asked.scope["headers"])
    assert body(made(held=header + len(sent) + 2000), asked) == b"x" * 2000
    asked, _ = request([sent], content_encoding="gzip")
    with pytest.raises(Overloaded):
        body(made(held=header + len(sent) + 1999), asked)
