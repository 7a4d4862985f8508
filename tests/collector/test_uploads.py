"""Uploads: what is taken, and one test for each reason why something is not."""

import gzip
import json
import random
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from discretion.collector.refusals import EXPLAINED
from discretion.errors import Refusal
from discretion.report import longest
from tests.collector.crowds import (
    assert_problem,
    counters,
    everything,
    metric,
)
from tests.collector.serving import JSON, LINES, Server
from tests.unit.table.mutants import encode, valid_reports

PLAN = everything()
BODY, DECOMPRESSED = 20_000, 50_000
IDS = random.Random(7)
METRIC = "discretion_reports_total"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("uploads")
    with Server(folder, PLAN, body=BODY, decompressed=DECOMPRESSED) as running:
        running.post("/v1/rounds", b'{"round":5}')
        running.post("/v1/rounds/5/close", b"")
        yield running


def report(**changes: Any) -> dict[str, Any]:
    """Return a valid report with a new id, with some fields changed."""
    answers = {"age": {"level": 1000, "y": "AQ"}, "home": {"level": 500, "y": "AQ"}}
    whole = {"format": 1, "plan": PLAN.id, "round": 0, "id": IDS.randbytes(16).hex()}
    return {**whole, "answers": answers, **changes}


def age(**fields: Any) -> dict[str, Any]:
    return report(answers={"age": {"level": 1000, "y": "AQ", **fields}})


INCOME = {"level": 1000, "range": 0, "y": "AAA"}
CASES: dict[Refusal, bytes] = {
    Refusal.NOT_JSON: b'{"format":1',
    Refusal.UNKNOWN_FIELD: encode(report(device="x")),
    Refusal.MISSING_FIELD: encode({k: v for k, v in report().items() if k != "id"}),
    Refusal.WRONG_TYPE: encode(report(answers=[])),
    Refusal.UNKNOWN_FORMAT: encode(report(format=2)),
    Refusal.OTHER_PLAN: encode(report(plan="0" * 64)),
    Refusal.BAD_ROUND: encode(report(round=-1)),
    Refusal.BAD_ID: encode(report(id="x")),
    Refusal.UNKNOWN_ATTRIBUTE: encode(report(answers={"shoes": {"level": 1000, "y": "AQ"}})),
    Refusal.REPEATED_ATTRIBUTE: encode(
        report(
            answers={
                "home": {"level": 500, "y": "AQ"},
                "mode+home": {"level": 1000, "y": "AQA"},
            }
        )
    ),
    Refusal.TOO_FEW_ATTRIBUTES: encode(report(answers={})),
    Refusal.TOO_MANY_ANSWERS: encode(  # but not too long
        report(answers={name: {"level": 250, "y": "AQ"} for name in ("mode", "age", "home")}),
    ),
    Refusal.LEVEL_OFF_MENU: encode(age(level=999)),
    Refusal.RANGE_OFF_MENU: encode(report(answers={"income": {**INCOME, "range": 9}})),
    Refusal.OVER_BUDGET: encode(
        report(answers={"age": {"level": 5000, "y": "AQ"}, "home": {"level": 5000, "y": "AQ"}})
    ),
    Refusal.WRONG_LENGTH: encode(age(y="AQAA")),
    Refusal.IMPOSSIBLE_OUTPUT: encode(age(y="_w")),
    Refusal.NOT_CANONICAL: json.dumps(report()).encode(),
    Refusal.TOO_LONG: b"[" * 1000,
    Refusal.ROUND_NOT_OPEN: encode(report(round=9)),
    Refusal.ROUND_CLOSED: encode(report(round=5)),
}
ELSEWHERE = {Refusal.DUPLICATE_ID}  # of tables
ELSEWHERE |= {Refusal.CREDENTIAL_USED, Refusal.OTHER_FUNCTION}  # in test_access, test_assigned
ELSEWHERE |= {Refusal.NOT_EXAMINED}  # below: only where there are many


def test_every_reason_has_its_test() -> None:
    assert CASES.keys() | ELSEWHERE == set(Refusal)


@pytest.mark.parametrize("reason", CASES)
def test_a_refusal_is_reported_and_counted(server: Server, reason: Refusal) -> None:
    labels = {"outcome": "refused", "reason": str(reason)}
    before = counters(server)["refused"].get(reason, 0), metric(server, METRIC, **labels)
    early = reason is Refusal.ROUND_NOT_OPEN
    reply = server.upload(CASES[reason])
    problem = assert_problem(reply, *((425, "too_early") if early else (422, "refused")))
    assert problem["reason"] == reason
    assert ("retry-after" in reply.headers) == early
    assert metric(server, METRIC, **labels) == before[1] + 1
    many = server.post("/v1/reports", CASES[reason], LINES).json()
    assert many["outcomes"] == ["refused"]
    assert many["refused"] == [{"report": 0, "reason": reason, "detail": problem["detail"]}]
    assert server.upload(encode(report())).status == 201  # it carries the refusals to the store
    assert counters(server)["refused"][reason] == before[0] + 2


def test_accepted_duplicate_and_conflict_are_reported_and_counted(server: Server) -> None:
    mine = report()
    body, other = encode(mine), encode({**mine, "answers": {"age": {"level": 1000, "y": "AA"}}})
    before = counters(server)
    first, second, third = (server.upload(b) for b in (body, body, other))
    assert (first.status, first.json()) == (201, {"outcome": "accepted"})
    assert (second.status, second.json()) == (200, {"outcome": "duplicate"})
    assert_problem(third, 409, "conflict")
    after = counters(server)
    for name in ("accepted", "duplicate", "conflict", "kept"):
        assert after[name] == before[name] + 1
    many = server.upload(body, other, body).json()
    assert many == {"outcomes": ["duplicate", "conflict", "duplicate"], "refused": []}


def test_many_are_answered_in_their_order(server: Server) -> None:
    rng = random.Random(1)
    good = [r for r in valid_reports(PLAN, 40, rng) if json.loads(r)["round"] == 0]
    lines = [good[0], b"{", good[1], good[0], b"[]", *good[2:], b"\x00"]
    found = server.upload(*lines).json()
    wanted = ["accepted", "refused", "accepted", "duplicate", "refused"]
    assert found["outcomes"] == [*wanted, *["accepted"] * (len(good) - 2), "refused"]
    assert [(r["report"], r["reason"]) for r in found["refused"]] == [
        (1, "not_json"),
        (4, "wrong_type"),
        (len(lines) - 1, "not_json"),
    ]


def test_gzip_is_taken(server: Server) -> None:
    packed = gzip.compress(encode(report()))
    assert server.post("/v1/reports", packed, content_encoding="gzip").status == 201
    lines = gzip.compress(b"\n".join(encode(report()) for _ in range(100)))
    found = server.post("/v1/reports", lines, LINES, content_encoding="gzip").json()
    assert found["outcomes"] == ["accepted"] * 100


# Bodies


def test_a_body_announced_too_large_is_refused_unread(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sent:
        sent.sendall(
            b"POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\n"
            b"Content-Length: %d\r\n\r\n{" % (BODY + 1)
        )
        assert sent.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_streamed_body_is_refused_when_it_grows_too_large(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sent:
        sent.sendall(
            b"POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for _ in range(3):
            sent.sendall(b"2000\r\n" + b" " * 0x2000 + b"\r\n")
        assert sent.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_a_streamed_body_that_fits_is_taken(server: Server) -> None:
    whole = encode(report())
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sent:
        sent.sendall(
            b"POST /v1/reports HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for half in (whole[:50], whole[50:], b""):
            sent.sendall(b"%x\r\n" % len(half) + half + b"\r\n")
        assert sent.recv(1000).startswith(b"HTTP/1.1 201 ")


def test_a_body_at_the_limit_is_read(server: Server) -> None:
    most = longest(PLAN)
    for size, reason in ((most, "not_json"), (most + 1, "too_long"), (BODY + 1, "too_long")):
        problem = assert_problem(server.upload(b" " * size), 422, "refused")
        assert problem["reason"] == reason
    for size, status in ((BODY, 200), (BODY + 1, 413)):
        assert server.post("/v1/reports", b" " * size, LINES).status == status


def test_a_line_longer_than_any_report_is_refused_by_its_length(server: Server) -> None:
    good, most = encode(report()), longest(PLAN)
    found = server.upload(b"[" * most, good, b"[" * (most + 1)).json()
    assert found["outcomes"] == ["refused", "accepted", "refused"]
    assert [(r["report"], r["reason"]) for r in found["refused"]] == [
        (0, "not_json"),
        (2, "too_long"),
    ]


def test_only_the_first_refusals_of_a_request_are_explained(server: Server) -> None:
    before = counters(server)["refused"].get("not_examined", 0)
    lines = [*[b"{"] * EXPLAINED, encode(report()), b"{", b"{"]
    found = server.upload(*lines).json()
    assert found["outcomes"] == [*["refused"] * EXPLAINED, "accepted", "refused", "refused"]
    reasons = [refused["reason"] for refused in found["refused"]]
    assert reasons == ["not_json"] * EXPLAINED + ["not_examined"] * 2
    assert f"first {EXPLAINED} refusals" in found["refused"][-1]["detail"]
    assert server.upload(encode(report())).status == 201
    assert counters(server)["refused"]["not_examined"] == before + 2


def test_a_bomb_is_refused(server: Server) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert len(bomb) < BODY
    reply = server.post("/v1/reports", bomb, LINES, content_encoding="gzip")
    assert_problem(reply, 413, "too_large")


def test_too_many_lines_are_refused(server: Server) -> None:
    lines = gzip.compress(b"x\n" * 10_001)
    problem = assert_problem(
        server.post("/v1/reports", lines, LINES, content_encoding="gzip"), 413, "too_large"
    )
    assert "10,000 reports" in problem["detail"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{}", gzip.compress(b"x", mtime=0)[:-1], gzip.compress(b"x", mtime=0) + b"x"],
    ids=["empty", "plain", "cut", "more"],
)
def test_what_is_not_gzip_is_refused(server: Server, body: bytes) -> None:
    reply = server.post("/v1/reports", body, content_encoding="gzip")
    assert_problem(reply, 400, "not_gzip")


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "", "multipart/form-data"])
def test_other_kinds_of_bodies_are_refused(server: Server, kind: str) -> None:
    reply = server.post("/v1/reports", encode(report()), kind)
    assert_problem(reply, 415, "unsupported_type")


def test_other_encodings_are_refused(server: Server) -> None:
    reply = server.post("/v1/reports", encode(report()), content_encoding="br")
    assert_problem(reply, 415, "unsupported_encoding")


def test_empty_bodies(server: Server) -> None:
    assert assert_problem(server.upload(b""), 422, "refused")["reason"] == "not_json"
    for nothing in (b"", b"\n", b"\n\n\n"):
        reply = server.post("/v1/reports", nothing, LINES)
        assert (reply.status, reply.json()) == (200, {"outcomes": [], "refused": []})


def test_the_kinds_may_have_parameters(server: Server) -> None:
    body = encode(report())
    assert server.post("/v1/reports", body, f"{JSON}; charset=utf-8").status == 201
    assert server.post("/v1/reports", body, "Application/X-NDJSON;x=y").status == 200
