"""Who may do what: tokens, roles, one report per credential, rates; and what is kept of anybody."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from discretion.collector.tokens import Role
from tests.collector.crowds import assert_problem, counters, eventually, token_of
from tests.collector.serving import LINES, Server, ask, free_port, people, sealed

PLAN = people()
ANALYSE = ("/v1/frequencies?attribute=pet", "/v1/counters", "/v1/rounds", "/v1/export")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Uploads are open, once per credential where there is one; all else needs a token."""
    folder = tmp_path_factory.mktemp("access")
    with Server(folder, PLAN, open="", once=True, log="info") as running:
        yield running


@pytest.fixture(scope="module")
def operator(server: Server) -> str:
    return token_of(server, "operator", Role.OPERATE, Role.ANALYSE)


def command(server: Server, *words: str) -> str:
    """Run ``discretion token``, as an operator would."""
    program = [str(Path(sys.executable).with_name("discretion")), "token", *words]
    done = subprocess.run(
        [*program, "--store", server.store], capture_output=True, check=True, text=True
    )
    return done.stdout


def database(server: Server) -> list[Path]:
    """Return the files of a store."""
    path = Path(server.store.removeprefix("sqlite:///"))
    return [found for found in path.parent.iterdir() if found.name.startswith(path.name)]


def test_without_a_token_and_without_the_role(server: Server) -> None:
    analyst = token_of(server, "analyst", Role.ANALYSE)
    uploader = token_of(server, "uploader", Role.UPLOAD)
    body = sealed(PLAN, 0).body
    for path in (*ANALYSE, "/v1/acts"):
        reply = server.get(path)
        assert_problem(reply, 401, "unauthorised")
        assert reply.headers["www-authenticate"] == "Bearer"
        assert_problem(server.get(path, "guess"), 401, "unauthorised")
        assert_problem(server.get(path, uploader), 403, "forbidden")
    for path in ANALYSE:
        assert server.get(path, analyst).status != 403
    assert_problem(server.get("/v1/acts", analyst), 403, "forbidden")
    for path, sent in (("/v1/rounds", b'{"round":1}'), ("/v1/rounds/0/close", b"")):
        assert_problem(server.post(path, sent), 401, "unauthorised")
        assert_problem(server.post(path, sent, token=analyst), 403, "forbidden")
    assert_problem(server.upload(body), 401, "unauthorised")
    assert_problem(server.upload(body, token=analyst), 403, "forbidden")
    assert_problem(server.withdraw(bytes(32)), 401, "unauthorised")
    assert server.get("/v1/plan").status == server.get("/health").status == 200


def test_a_revoked_token_stops_working_within_seconds_and_acts_are_noted(
    server: Server, operator: str
) -> None:
    secret = command(server, "new", "brief", "--role", "analyse").strip()
    assert server.get("/v1/counters", secret).status == 200
    command(server, "revoke", "brief")
    assert eventually(lambda: server.get("/v1/counters", secret).status == 401)
    acts = server.get("/v1/acts", operator).json()
    noted = [(act["actor"], act["act"], act["detail"]) for act in acts]
    own = [act for act in noted if "brief" in act[2]]
    assert own == [
        ("command", "token", "new brief: analyse"),
        ("command", "token", "revoke brief"),
    ]
    assert all(secret not in json.dumps(act) for act in acts)


def test_secrets_are_hashed_at_rest(server: Server) -> None:
    secret = token_of(server, "rest", Role.UPLOAD)
    assert server.upload(sealed(PLAN, 3).body, token=secret).status == 201
    for path in database(server):
        assert secret.encode() not in path.read_bytes()
    assert secret not in server.stderr


def test_one_report_per_credential_and_round(server: Server, operator: str) -> None:
    mine, other = (token_of(server, name, Role.UPLOAD) for name in ("mine", "other"))
    first, second = sealed(PLAN, 1).body, sealed(PLAN, 2).body
    assert server.upload(first, token=mine).status == 201
    problem = assert_problem(server.upload(second, token=mine), 422, "refused")
    assert problem["reason"] == "credential_used"
    assert server.upload(first, token=mine).json() == {"outcome": "duplicate"}
    assert server.upload(second, token=other).status == 201
    assert counters(server, operator)["refused"]["credential_used"] == 1
    assert server.post("/v1/rounds", b'{"round":1}', token=operator).status == 200
    later = sealed(PLAN, 1, round=1).body
    assert server.upload(later, token=mine).status == 201
    many = [sealed(PLAN, 8, round=1).body, sealed(PLAN, 9, round=1).body]
    third = token_of(server, "third", Role.UPLOAD)
    found = server.upload(*many, token=third).json()
    assert found["outcomes"] == ["accepted", "refused"]
    assert found["refused"][0]["reason"] == "credential_used"


def test_who_reported_is_forgotten_when_the_round_closes(server: Server, operator: str) -> None:
    own = token_of(server, "forgotten", Role.UPLOAD)
    server.post("/v1/rounds", b'{"round":2}', token=operator)
    assert server.upload(sealed(PLAN, 4, round=2).body, token=own).status == 201
    path = server.store.removeprefix("sqlite:///")

    def marks() -> int:
        with closing(sqlite3.connect(path)) as connection:
            query = "SELECT count(*) FROM marks WHERE round = 2"
            return int(connection.execute(query).fetchone()[0])

    assert marks() == 1
    assert server.post("/v1/rounds/2/close", b"", token=operator).status == 200
    assert marks() == 0
    after = server.upload(sealed(PLAN, 5, round=2).body, token=own)
    assert assert_problem(after, 422, "refused")["reason"] == "round_closed"


def test_nothing_about_who_sends_is_stored_or_logged(server: Server, operator: str) -> None:
    own = token_of(server, "quiet", Role.UPLOAD)
    marks: dict[str, Any] = {"user_agent": "Distinctive/7.1", "x_forwarded_for": "203.0.113.77"}
    marks |= {"cookie": "who=somebody-else", "referer": "http://example.test/page"}
    server.post("/v1/rounds", b'{"round":3}', token=operator)
    one, two = sealed(PLAN, 6, 3), sealed(PLAN, 7, 3)
    for body, kind in ((one.body, "application/json"), (two.body, LINES), (b"{", LINES)):
        server.post("/v1/reports", body, kind, token=own, **marks)
    receipt = json.dumps({"receipt": one.receipt.hex()}).encode()
    assert server.post("/v1/deletions", receipt, token=own, **marks).status == 200
    server.get("/v1/counters", token=operator, **marks)
    server.get("/nowhere", **marks)
    texts = [*(path.read_bytes() for path in database(server)), server.stderr.encode()]
    texts.append(server.get("/metrics").body)
    for mark in (*marks.values(), "Distinctive", "127.0.0.1:", one.receipt.hex()):
        for text in texts[: -1 if mark == "127.0.0.1:" else None]:
            where = text.replace(server.url.encode(), b"")
            assert mark.encode() not in where, mark
    assert b"203.0.113" not in b"".join(texts)


def test_logs_are_json_lines_and_uploads_are_not_among_them(server: Server) -> None:
    server.get("/v1/plan")
    lines = [line for line in server.stderr.splitlines() if not line.startswith(GREETING)]
    events = [json.loads(line) for line in lines]
    assert {event["event"] for event in events} >= {"started", "answered"}
    assert all({"event", "level", "timestamp"} <= event.keys() for event in events)
    routes = {event.get("route") for event in events}
    assert "/v1/plan" in routes
    assert not routes & {"/v1/reports", "/v1/deletions", "/health"}


GREETING = ("No token can ask", "Collecting ")


def test_an_address_that_comes_too_often_gets_the_time_to_come_again(tmp_path: Path) -> None:
    with Server(tmp_path, PLAN, rate="3/minute") as slow:
        bodies = [sealed(PLAN, who).body for who in range(5)]
        replies = [slow.upload(body) for body in bodies]
        assert [reply.status for reply in replies] == [201, 201, 201, 429, 429]
        for claimed in ("203.0.113.7", "junk-1"):  # no proxy is named, so nobody is believed
            forwarded = slow.post("/v1/reports", bodies[4], x_forwarded_for=claimed)
            assert_problem(forwarded, 429, "overloaded")
        assert_problem(replies[-1], 429, "overloaded")
        assert 1 <= int(replies[-1].headers["retry-after"]) <= 60
        assert_problem(slow.withdraw(bytes(32)), 429, "overloaded")
        assert slow.get("/v1/counters").json()["accepted"] == 3


def test_a_named_proxy_is_believed_and_reports_count_one_by_one(tmp_path: Path) -> None:
    watch = f"127.0.0.1:{free_port()}"
    with Server(tmp_path, PLAN, rate="3/minute", proxy="127.0.0.1", watch=watch) as behind:
        bodies = [sealed(PLAN, who).body for who in range(5)]
        lines = b"\n".join(bodies[:3])
        sent = behind.post("/v1/reports", lines, LINES, x_forwarded_for="203.0.113.7")
        assert sent.json()["outcomes"] == ["accepted"] * 3
        again = behind.post("/v1/reports", bodies[3], x_forwarded_for="203.0.113.7")
        assert_problem(again, 429, "overloaded")
        assert behind.post("/v1/reports", bodies[3], x_forwarded_for="203.0.113.8").status == 201
        many = behind.post("/v1/reports", b"\n".join(bodies), LINES, x_forwarded_for="203.0.113.9")
        assert "at most 3 reports" in assert_problem(many, 413, "too_large")["detail"]
        assert_watched_elsewhere(behind)


def assert_watched_elsewhere(server: Server) -> None:
    """What is for who runs the server is at its own address, and nothing else is there."""
    for path in ("/health", "/metrics", "/docs", "/openapi.json", "/docs/swagger-ui.css"):
        assert_problem(server.get(path), 404, "not_found")
        assert ask(server.watch, "GET", path).status == 200
        assert ask(server.watch, "HEAD", path).status == 200
    for path in ("/", "/v1/plan", "/v1/counters", "/dashboard", "/static/page.css"):
        assert server.get(path).status == 200
        assert_problem(ask(server.watch, "GET", path), 404, "not_found")
    assert_problem(ask(server.watch, "POST", "/v1/reports", b"{}"), 404, "not_found")
