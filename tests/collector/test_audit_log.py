"""Rounds, deletion by receipt, the plan, the audit log, and errors in one shape."""

import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from discretion.collector.store import open_database, settle
from discretion.collector.store.audit_log import today
from discretion.statistics.registry import STATISTICS
from tests.collector.crowds import assert_problem, counters, exported
from tests.collector.serving import Server, ask, people, sealed

PLAN = people()
QUESTIONS = (
    *("/v1/frequencies?attribute=pet&", "/v1/means?attribute=hours&", "/v1/rows?", "/v1/export?"),
    *("/v1/quantiles?attribute=hours&", "/v1/joints?attributes=pet&attributes=who&"),
    *("/v1/screenings?attribute=pet&", "/v1/aggregates?"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("acts"), PLAN) as running:
        yield running


def states(server: Server) -> dict[int, str]:
    return {found["round"]: found["state"] for found in server.get("/v1/rounds").json()}


def test_rounds_open_and_close_and_never_open_again(server: Server) -> None:
    assert states(server)[0] == "open"
    early = sealed(PLAN, 1, round=4).body
    assert_problem(server.upload(early), 425, "too_early")
    for _ in range(2):  # opening twice is opening
        assert server.post("/v1/rounds", b'{"round":4}').status == 200
    assert server.upload(early).status == 201
    for _ in range(2):
        listed = server.post("/v1/rounds/4/close", b"").json()
        (closed,) = (found for found in listed if found["round"] == 4)
        assert closed["state"] == "closed"
        assert closed["closed_on"]
    assert_problem(server.post("/v1/rounds", b'{"round":4}'), 409, "round")
    assert states(server)[4] == "closed"
    late = server.upload(sealed(PLAN, 2, round=4).body)
    assert assert_problem(late, 422, "refused")["reason"] == "round_closed"
    assert server.upload(early).json() == {"outcome": "duplicate"}
    assert_problem(server.post("/v1/rounds/77/close", b""), 404, "not_found")
    for path in QUESTIONS:
        assert_problem(server.get(f"{path}round=77"), 404, "not_found")
    assert server.get("/v1/frequencies?attribute=pet&round=4").status in (200, 422)


def test_a_whole_number_may_be_written_as_json_writes_it(server: Server) -> None:
    assert server.post("/v1/rounds", b'{"round":8.0}').status == 200
    assert states(server)[8] == "open"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"round":1.5}',
        b'{"round":1e999}',
        b'{"round":-1}',
        b'{"round":2147483648}',
        b"[]",
    ],
)
def test_a_round_that_cannot_be_is_refused(server: Server, body: bytes) -> None:
    assert_problem(server.post("/v1/rounds", body), 400, "malformed")
    assert_problem(server.post("/v1/rounds/x/close", b""), 422, "invalid")
    assert_problem(server.post("/v1/rounds", b'{"round":\xff}'), 400, "malformed")


def test_an_operator_names_the_day_on_which_a_round_was_closed(server: Server) -> None:
    server.post("/v1/rounds", b'{"round":5}')
    for path, day in (("close", today().isoformat()), ("close?on=2026-02-03", "2026-02-03")):
        listed = server.post(f"/v1/rounds/5/{path}", b"").json()
        (closed,) = (found for found in listed if found["round"] == 5)
        assert closed["closed_on"] == day
    for query in ("on=tomorrow", "on=0", "on=2026-02-03&on=2026-02-04", "day=2026-02-03"):
        assert_problem(server.post(f"/v1/rounds/5/close?{query}", b""), 422, "invalid")


def test_acts_are_noted(server: Server) -> None:
    before = len(server.get("/v1/acts").json())
    server.post("/v1/rounds", b'{"round":6}')
    server.post("/v1/rounds/6/close", b"")
    server.post("/v1/rounds", b'{"round":6}')  # refused: not done, hence not noted
    acts = server.get("/v1/acts").json()
    assert [(a["actor"], a["act"], a["detail"]) for a in acts[before:]] == [
        ("anybody", "open", "round 6"),
        ("anybody", "close", "round 6"),
    ]
    assert [a["number"] for a in acts] == sorted({a["number"] for a in acts})


def test_a_receipt_deletes_its_report_wherever_it_was_counted(
    server: Server, tmp_path: Path
) -> None:
    one, two = sealed(PLAN, 11), sealed(PLAN, 12)
    server.upload(one.body, two.body)
    before = counters(server)
    assert server.get("/v1/aggregates").status == 200
    for _ in range(2):
        reply = server.withdraw(one.receipt)
        assert (reply.status, reply.json()) == (200, {"outcome": "deleted"})
    after = counters(server)
    assert (after["deleted"], after["kept"]) == (before["deleted"] + 1, before["kept"] - 1)
    ids = exported(server, tmp_path).data["id"].to_pylist()
    assert two.id in ids
    assert one.id not in ids
    assert_problem(server.upload(one.body), 410, "deleted")
    assert server.upload(one.body, two.body).json()["outcomes"] == ["deleted", "duplicate"]
    assert counters(server)["refused"]["deleted"] == 2
    path = Path(server.store.removeprefix("sqlite:///"))
    with closing(open_database(server.store)) as database:
        settle(database)  # as the server does within a minute
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    left = path.read_bytes() + Path(f"{path}-wal").read_bytes()
    assert one.body not in left
    assert two.body in left
    assert one.id in left  # it stays taken


def test_no_other_receipt_deletes_anything(server: Server) -> None:
    own = sealed(PLAN, 13)
    server.upload(own.body)
    before = counters(server)["kept"]
    assert_problem(server.withdraw(bytes(32)), 404, "unknown_receipt")
    shouted = json.dumps({"receipt": own.receipt.hex().upper()}).encode()
    malformed = (
        *(b"", b"{", b"[]", b"{}", b'"x"', b'{"receipt":1}', b'{"receipt":""}', b"\xff"),
        *(b'{"receipt":"' + b"0" * 63 + b'"}', b'{"receipt":"' + b"0" * 64 + b'\\n"}', shouted),
        *(json.dumps({"receipt": own.receipt.hex(), "more": 1}).encode(), b"[" * 4000),
    )
    for body in malformed:
        assert_problem(server.post("/v1/deletions", body), 400, "malformed")
    assert_problem(server.post("/v1/deletions", bytes(2_000_000)), 413, "too_large")
    assert counters(server)["kept"] == before


def test_who_leaves_before_the_end_is_no_failure(server: Server) -> None:
    for path in (b"/v1/deletions", b"/v1/reports", b"/v1/rounds"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as sent:
            head = b"Host: x\r\nContent-Type: application/json\r\nContent-Length: 100"
            sent.sendall(b"POST " + path + b" HTTP/1.1\r\n" + head + b"\r\n\r\n{")
    assert server.get("/health").status == 200
    time.sleep(0.2)
    assert "Traceback" not in server.stderr


def test_the_plan_has_a_tag(server: Server) -> None:
    reply = server.get("/v1/plan")
    tag = f'"{PLAN.id}"'
    assert reply.body == PLAN.to_bytes()
    assert (reply.headers["etag"], reply.headers["content-type"]) == (tag, "application/json")
    for asked in (tag, f'"x", {tag}', "*"):
        same = server.get("/v1/plan", if_none_match=asked)
        assert (same.status, same.body, same.headers["etag"]) == (304, b"", tag)
    assert server.get("/v1/plan", if_none_match='"another"').status == 200


def test_what_is_not_there_is_a_problem(server: Server) -> None:
    for path in ("/v1", "/v1/nothing", "/v1/reports/7", "/v2/plan", "/v1/plan/"):
        assert_problem(server.get(path), 404, "not_found")
    for method, path in (("GET", "/v1/reports"), ("DELETE", "/v1/plan"), ("PUT", "/v1/rounds")):
        reply = ask(server.port, method, path)
        assert_problem(reply, 405, "method_not_allowed")
        assert reply.headers["allow"]
    assert_problem(server.get("/v1/frequencies?attribute=shoes"), 404, "not_found")
    assert_problem(server.get("/v1/frequencies"), 422, "invalid")
    assert_problem(server.get("/v1/means?attribute=pet"), 422, "cannot_answer")


def test_the_description_is_served(server: Server) -> None:
    description = server.get("/openapi.json").json()
    assert set(description["paths"]) == {
        *("/health", "/metrics", "/v1/acts", "/v1/aggregates", "/v1/counters", "/v1/deletions"),
        *("/v1/export", "/v1/invitation", "/v1/plan", "/v1/reports", "/v1/results", "/v1/rounds"),
        *("/v1/focus", "/v1/rounds/{round}/close", "/v1/rows", "/v1/survey"),
        *(f"/v1/{statistic.path}" for statistic in STATISTICS.values()),
    }


def test_whatever_can_be_got_has_a_head(server: Server) -> None:
    server.upload(sealed(PLAN, 60).body)
    paths = [path for path in server.get("/openapi.json").json()["paths"] if "{" not in path]
    asked = {path.partition("?")[0]: path.rstrip("?&") for path in QUESTIONS}
    for path in (*paths, "/", "/docs", "/openapi.json", "/dashboard", "/static/page.css"):
        if path in ("/v1/reports", "/v1/deletions", "/v1/rows"):
            continue  # they cannot be got, or are drawn anew
        got, head = (ask(server.port, how, asked.get(path, path)) for how in ("GET", "HEAD"))
        assert (head.status, head.body) == (got.status, b""), path
        assert head.headers["content-type"] == got.headers["content-type"]
        if path != "/metrics":  # which counts this
            assert head.headers.get("content-length") == got.headers.get("content-length"), path


@pytest.mark.parametrize(
    "path, methods",
    [
        ("/v1/rounds", "GET, HEAD, POST"),
        ("/v1/rounds/1/close", "POST"),
        ("/v1/reports", "POST"),
        ("/v1/plan", "GET, HEAD"),
        ("/health", "GET, HEAD"),
        ("/docs", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/static/page.css", "GET, HEAD"),
        ("/dashboard", "GET, HEAD"),
    ],
)
def test_all_methods_of_a_path_are_named_where_another_is_used(
    server: Server, path: str, methods: str
) -> None:
    for method in ("OPTIONS", "PUT", "DELETE"):
        reply = ask(server.port, method, path)
        assert (reply.status, reply.headers["allow"]) == (405, methods)


@pytest.mark.parametrize(
    "path",
    [
        "/v1/frequencies?attribute=pet&methud=mle",
        "/v1/rows?n=5",
        "/v1/joints?attributes=pet",
        "/v1/joints?attributes=pet&attributes=",
        "/v1/frequencies?attribute=pet&round=1&round=0",
        "/v1/frequencies?attribute=pet&attribute=pet",
        "/v1/aggregates?round=0&round=0",
    ],
)
def test_parameters_that_cannot_be_are_refused(server: Server, path: str) -> None:
    assert_problem(server.get(path), 422, "invalid")


def test_an_estimate_is_worked_out_once_for_each_state_of_the_store(server: Server) -> None:
    server.upload(sealed(PLAN, 61).body)
    path = "/v1/frequencies?attribute=pet"
    first = server.get(path)
    tag = first.headers["etag"]
    assert tag.startswith('W/"')
    assert first.headers["cache-control"] == "private, no-cache"
    for asked in (tag, tag.removeprefix("W/"), f'"x", {tag}'):
        known = server.get(path, if_none_match=asked)
        assert (known.status, known.body, known.headers["etag"]) == (304, b"", tag)
    assert server.get(path, if_none_match='"x"').status == 200
    for other in ("/v1/frequencies?attribute=who", f"{path}&cap=1", f"{path}&method=stratified"):
        assert server.get(other, if_none_match=tag).status == 200
    for path in QUESTIONS:
        if "rows" not in path and "export" not in path:
            assert "etag" in server.get(path.rstrip("?&")).headers

    own = sealed(PLAN, 62)
    for path, body in (
        ("/v1/reports", own.body),
        ("/v1/deletions", json.dumps({"receipt": own.receipt.hex()}).encode()),
    ):
        before = server.get("/v1/aggregates")
        assert server.post(path, body).status in (200, 201)
        after = server.get("/v1/aggregates", if_none_match=before.headers["etag"])
        assert after.status == 200
        assert after.headers["etag"] != before.headers["etag"]
        assert after.body != before.body


def test_headers_say_nothing_about_the_server(server: Server) -> None:
    assert "server" not in server.get("/v1/plan").headers


@pytest.mark.parametrize("path", ["/v1/plan", "/health"])
def test_a_head_is_an_answer_without_its_body(server: Server, path: str) -> None:
    asked, whole = ask(server.port, "HEAD", path), server.get(path)
    assert (asked.status, asked.body) == (200, b"")
    assert asked.headers == whole.headers
