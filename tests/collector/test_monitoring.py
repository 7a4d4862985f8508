"""Looking on at a real survey: what a cookie opens, what is sent again, what is written down."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from discretion.collector.authorisation import COOKIE
from discretion.collector.tokens import Role
from discretion.plan import Plan
from tests.builders import secret_survey
from tests.collector.crowds import crowd, eventually, reports_of, send_all, token_of
from tests.collector.serving import Reply, Server, ask
from tests.plans import HOME, MODE, author
from tests.unit.web.dashboards import Page, read

WORD = "a-word-of-the-query"  # that must not be written down
INCOME = {"name": "income", "kind": "numeric", "range": [0, 100], "step": 10}
PLAN = Plan.of(author(attributes=[MODE, HOME, INCOME], bundles=[["mode", "home"]]))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that asks analysts for a token, with some reports in bundles."""
    folder = tmp_path_factory.mktemp("watched")
    with Server(folder, PLAN, open="upload", log="info") as running:
        send_all(running, reports_of(crowd(PLAN, 300, 7)))
        yield running


@pytest.fixture(scope="module")
def secret(server: Server) -> str:
    return token_of(server, "ada", Role.ANALYSE, Role.OPERATE)


def signed(server: Server, secret: str, path: str, method: str = "GET", **more: str) -> Reply:
    headers = {"Cookie": f"other=1; {COOKIE}={secret}", **more}
    return ask(server.port, method, path, headers=headers)


def whole(server: Server, secret: str, path: str = "/dashboard") -> Page:
    """Return a page when all of it is worked out."""

    def ready() -> bool:
        return b"Being worked out" not in signed(server, secret, path).body

    assert eventually(ready, 60.0)
    reply = signed(server, secret, path)
    assert reply.status == 200, reply
    return read(reply.body.decode())


@pytest.mark.parametrize(
    "path",
    ["/dashboard", "/dashboard/estimates.csv", "/v1/export", "/v1/frequencies?attribute=mode"],
)
def test_a_cookie_opens_what_is_read(server: Server, secret: str, path: str) -> None:
    assert signed(server, secret, path).status == 200
    assert server.get(path, secret).status == 200
    assert server.get(path).status == 401
    assert signed(server, "guess", path).status == 401


@pytest.mark.parametrize("path", ["/v1/rounds", "/v1/rounds/0/close"])
def test_a_cookie_changes_nothing(server: Server, secret: str, path: str) -> None:
    before = server.get("/v1/rounds", secret).json()
    assert signed(server, secret, path, "POST").status == 401
    assert server.get("/v1/rounds", secret).json() == before


def test_a_page_of_one_who_signed_in_is_kept_by_nobody_else(server: Server, secret: str) -> None:
    for path in ("/dashboard", "/dashboard/estimates.csv"):
        assert "private" in signed(server, secret, path).headers["cache-control"]
    mine = signed(server, secret, "/dashboard")
    assert mine.headers["vary"] == "Cookie"
    assert server.get("/dashboard").headers["cache-control"] == "no-store"
    assert server.get("/dashboard", if_none_match=mine.headers["etag"]).status == 401
    whole(server, secret)
    with_header = server.get("/dashboard", secret)
    assert b"Sign out" not in with_header.body
    assert with_header.headers["etag"] != signed(server, secret, "/dashboard").headers["etag"]


def test_the_head_of_a_page_is_that_of_the_page(server: Server, secret: str) -> None:
    whole(server, secret)
    head, page = (signed(server, secret, "/dashboard", how) for how in ("HEAD", "GET"))
    assert (head.status, head.body) == (200, b"")
    for name in ("etag", "content-length", "content-security-policy"):
        assert head.headers[name] == page.headers[name]


def test_tags_are_known_as_proxies_write_them(server: Server, secret: str) -> None:
    whole(server, secret)
    tag = signed(server, secret, "/dashboard").headers["etag"]
    for asked in (tag, f"W/{tag}", f'"x", {tag}'):
        reply = signed(server, secret, "/dashboard", **{"If-None-Match": asked})
        assert (reply.status, reply.headers["etag"]) == (304, tag)
    for asked in ('"x"', tag.strip('"'), f'"{tag}'):
        reply = signed(server, secret, "/dashboard", **{"If-None-Match": asked})
        assert reply.status == 200


def test_the_sheet_has_the_numbers_of_the_routes(server: Server, secret: str) -> None:
    whole(server, secret)
    text = signed(server, secret, "/dashboard/estimates.csv").body.decode()
    rows = {(r["attribute"], r["what"]): r for r in csv.DictReader(io.StringIO(text, newline=""))}
    compared = 0
    for name in PLAN.names:
        asked = f"attribute={quote(name, safe='')}"
        shown = server.get(f"/v1/frequencies?{asked}", secret).json()
        for each in shown.get("frequencies", []):
            row = rows[name, each["label"]]
            for key in ("value", "stderr", "low", "high"):
                assert float(row[key]) == each[key]
            compared += 1
        if (name, "mean") in rows:
            mean = server.get(f"/v1/means?{asked}", secret).json()["mean"]
            assert float(rows[name, "mean"]["value"]) == mean["value"]
            compared += 1
    quantiles = [key for key in rows if key[1].startswith("quantile")]
    assert compared == len(rows) - len(quantiles)
    assert quantiles


def test_neither_tokens_nor_questions_are_written_down(server: Server, secret: str) -> None:
    query = urlencode({"attribute": WORD, "token": secret})
    assert signed(server, secret, f"/dashboard?{query}").status == 404
    assert signed(server, secret, f"/dashboard/estimates.csv?{query}").status == 404
    body = urlencode({"token": secret, "more": WORD}).encode()
    assert server.post("/dashboard/session", body, "text/plain").status == 303
    assert server.post("/dashboard/session", WORD.encode(), "text/plain").status == 401
    assert secret not in server.stderr
    assert WORD not in server.stderr
    logged = [json.loads(line) for line in server.stderr.splitlines()]
    routes = {line["route"] for line in logged if line["event"] == "answered"}
    assert "/dashboard/estimates.{kind}" in routes
    assert "/dashboard" not in routes


def test_a_secret_survey_has_a_page_from_the_first_moment_on(tmp_path: Path) -> None:
    plan = secret_survey()
    with Server(tmp_path, plan) as fresh:
        assert fresh.get("/dashboard").status == 200
        head, *rows = fresh.get("/dashboard/estimates.csv").body.decode().splitlines()
        assert head.startswith("attribute,what,value")
        assert len(rows) == len(plan.names)
        assert all(",no estimate: nobody shared" in row for row in rows)
        send_all(fresh, reports_of(crowd(plan, 60, 3)))
        assert eventually(lambda: b"60 reports kept" in fresh.get("/dashboard").body)
        assert eventually(lambda: b"Levels are secret" in fresh.get("/dashboard").body)
        assert fresh.stderr == ""
