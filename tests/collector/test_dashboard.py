"""The dashboard as a server gives it: who sees it, what it shows, and when it changes."""

import re
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from pyarrow import parquet

from discretion.collector.authorisation import COOKIE
from discretion.collector.tokens import Role
from discretion.plan import Plan
from discretion.render.formats import percent
from discretion.web.dashboard.tables import ANSWERED, COLLECTED
from tests.collector.crowds import crowd, eventually, reports_of, send_all, token_of
from tests.collector.serving import Reply, Server
from tests.unit.web.dashboards import EVIL, Page, read

FORM = "application/x-www-form-urlencoded"
MANY, NUMBER = "m<i>any", "n<u>m"
PLAN = Plan.of(
    {
        "name": EVIL,
        "attributes": [
            {"name": EVIL, "kind": "categorical", "values": ["<b>", '"', "'"]},
            {"name": MANY, "kind": "categorical", "values": [f"{i}</svg>" for i in range(40)]},
            {"name": NUMBER, "kind": "numeric", "range": [0, 10], "step": 1},
        ],
        "budget": {"average": 2, "least": 1, "most": 3},
    }
)


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that asks analysts for a token."""
    with Server(tmp_path_factory.mktemp("closed"), PLAN, open="upload", log="info") as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that is open to all, with some reports."""
    with Server(tmp_path_factory.mktemp("open"), PLAN) as running:
        send_all(running, reports_of(crowd(PLAN, 900, 5)))
        yield running


def page(reply: Reply, status: int = 200) -> Page:
    """Return a page, which has its policy, and nothing that this forbids."""
    assert reply.status == status, reply
    assert reply.headers["content-type"].startswith("text/html")
    policy = reply.headers["content-security-policy"]
    assert "script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    found = read(reply.body.decode())
    for tag, attributes in found.elements:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert tag != "script" or (attributes["src"] or "").endswith("static/dashboard.js")
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(picture["aria-label"] for picture in found.all("svg"))
    return found


def whole(server: Server, path: str = "/dashboard") -> Page:
    """Return a page when all of it is worked out."""
    assert eventually(lambda: b"Being worked out" not in server.get(path).body, 60.0)
    return page(server.get(path))


def served(server: Server, path: str) -> bool:
    return server.get(path).status == 200


def sign_in(server: Server, secret: str) -> Reply:
    return server.post("/dashboard/session", urlencode({"token": secret}).encode(), FORM)


def test_the_numbers_are_those_of_the_routes(server: Server) -> None:
    shown = whole(server)
    for name in (EVIL, MANY):
        answer = server.get(f"/v1/frequencies?attribute={quote(name)}").json()["frequencies"]
        rows = shown.table(f"{name}: frequencies").body
        assert list(rows) == [each["label"] for each in answer]
        for each in answer:
            ends = f"{percent(each['low'])} to {percent(each['high'])}"
            assert rows[each["label"]][:2] == [percent(each["value"]), ends]
    mean = server.get(f"/v1/means?attribute={quote(NUMBER)}").json()["mean"]
    found = re.search(r"Mean ([\d.]+) \(", shown.said)
    assert found is not None
    assert float(found[1]) == pytest.approx(mean["value"], abs=0.006)
    kept = server.get("/v1/counters").json()["kept"]
    assert f"{kept:,} reports kept" in shown.said


def test_the_graph_and_one_attribute_are_shown_when_they_are_asked_for(server: Server) -> None:
    shown = whole(server, f"/dashboard?{urlencode({'graph': 'yes', 'attribute': NUMBER})}")
    labels = [str(picture["aria-label"]) for picture in shown.all("svg")]
    assert any("pairs depend" in label for label in labels)
    assert shown.table(f"{NUMBER}: quantiles, and how far false reports move them").rows
    assert "labels" not in [section.get("aria-labelledby") for section in shown.all("section")]


def test_a_statistic_is_shown_with_its_options_and_taken_along(server: Server) -> None:
    asked = [("statistic", "joint"), ("attribute", EVIL), ("attribute", NUMBER)]
    query = urlencode([*asked, (f"bins:{NUMBER}", "2"), ("confidence", "80")])
    shown = whole(server, f"/dashboard/analysis?{query}")
    assert "heat narrow" in [picture["class"] for picture in shown.all("svg")]
    assert "80 % interval" in shown.table("Joint").rows[0]
    rows = server.get(f"/dashboard/analysis.json?{query}").json()
    assert [[row[EVIL], row[NUMBER]] for row in rows] == [
        row[:2] for row in shown.table("Joint").rows[1:]
    ]
    file = server.get(f"/dashboard/analysis.parquet?{query}").body
    assert parquet.read_table(BytesIO(file)).to_pylist() == rows
    lines = server.get(f"/dashboard/analysis.csv?{query}").body.decode().splitlines()
    assert len(lines) == 1 + len(rows)
    assert server.get(f"/dashboard/analysis.xls?{query}").status == 404


def test_a_table_that_cannot_be_says_why(server: Server) -> None:
    asked = urlencode([("statistic", "joint"), ("attribute", EVIL)])
    shown = whole(server, f"/dashboard/analysis?{asked}")
    assert "No estimate: name two attributes or more" in shown.said
    wrong = whole(server, f"/dashboard/analysis?attribute={quote(NUMBER)}&confidence=many")
    assert "confidence must be a percentage between 0 and 100, got 'many'" in wrong.said


def test_whoever_signs_in_is_led_to_what_the_link_shows(closed: Server) -> None:
    secret = token_of(closed, "lena", Role.ANALYSE)
    link = f"/analysis?{urlencode({'statistic': 'mean', 'attribute': NUMBER})}"
    asked = page(closed.get(f"/dashboard{link}"), 401)
    wanted = next(field["value"] for field in asked.all("input") if field["name"] == "page")
    given = urlencode({"token": secret, "page": wanted or ""}).encode()
    entered = closed.post("/dashboard/session", given, FORM)
    assert (entered.status, entered.headers["location"]) == (303, f"../dashboard{link}")
    for stray in ("//elsewhere.example", "/rounds?act=close", "https://x", "\r\nX: y"):
        given = urlencode({"token": secret, "page": stray}).encode()
        found = closed.post("/dashboard/session", given, FORM)
        assert found.headers["location"] == "../dashboard"
        assert "x" not in found.headers


def test_a_page_that_did_not_change_is_not_sent_again(server: Server) -> None:
    whole(server)
    tag = server.get("/dashboard").headers["etag"]
    again = server.get("/dashboard", if_none_match=tag)
    assert (again.status, again.body) == (304, b"")
    send_all(server, reports_of(crowd(PLAN, 40, 6)))
    kept = f"{server.get('/v1/counters').json()['kept']:,} reports kept".encode()
    assert eventually(lambda: kept in server.get("/dashboard", if_none_match=tag).body)


def test_what_does_not_exist_is_named_on_a_page(server: Server) -> None:
    for path in ("?round=9", "?attribute=nothing", "/nowhere", "/estimates.csv?round=9"):
        reply = server.get(f"/dashboard{path}")
        page(reply, 404)
    page(server.post("/dashboard", b"", FORM), 405)
    page(server.post("/dashboard/session", b"x" * 5000, FORM), 413)
    assert "/dashboard" not in server.get("/openapi.json").body.decode()


def test_estimates_can_be_downloaded_as_a_table(server: Server) -> None:
    reply = server.get("/dashboard/estimates.csv")
    assert reply.headers["content-type"].startswith("text/csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="estimates-0.csv"'
    assert reply.body.decode().count("\n") == 1 + 3 + 40 + 1 + 5


def test_the_small_tables_of_the_pages_are_files_too(server: Server) -> None:
    query = urlencode({"round": 0, "attribute": NUMBER})
    for name in (*COLLECTED, *ANSWERED):
        path = f"/dashboard/tables/{name}.json?{query}"
        assert eventually(partial(served, server, path), 60.0), name
        assert isinstance(server.get(path).json(), list)
    reply = server.get(f"/dashboard/tables/levels.csv?{query}")
    assert reply.headers["content-disposition"] == 'attachment; filename="levels-0.csv"'
    assert reply.body.startswith(b"attribute,level_from,level_to,answers,share_of_weight\n")
    for stray in ("levels.xls", "nothing.csv"):
        page(server.get(f"/dashboard/tables/{stray}"), 404)


def test_an_empty_survey_says_so(tmp_path: Path) -> None:
    with Server(tmp_path, PLAN) as fresh:
        assert "nothing to estimate yet" in whole(fresh).said


def test_who_signs_in_has_a_cookie_that_reads_and_changes_nothing(closed: Server) -> None:
    asked = page(closed.get("/dashboard"), 401)
    assert [field["name"] for field in asked.all("input")] == ["token"]
    secret = token_of(closed, "ada", Role.ANALYSE, Role.OPERATE)
    entered = sign_in(closed, secret)
    assert (entered.status, entered.headers["location"]) == (303, "../dashboard")
    given = entered.headers["set-cookie"]
    assert given.startswith(f"{COOKIE}={secret};")
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(given.split("; "))
    assert "Max-Age" not in given
    assert "Secure" not in given  # it came without TLS
    cookie: dict[str, Any] = {"cookie": f"{COOKIE}={secret}"}
    assert "Sign out" in page(closed.get("/dashboard", **cookie)).said
    assert closed.get("/v1/counters", **cookie).status == 200
    assert closed.get("/v1/counters").status == 401
    refused = closed.post("/v1/rounds", b'{"round":1}', **cookie)
    assert refused.status == 401
    assert closed.post("/v1/rounds", b'{"round":1}', token=secret).status == 200
    left = closed.post("/dashboard/session/end", b"", FORM, **cookie)
    assert left.status == 303
    assert f'{COOKIE}="";' in left.headers["set-cookie"]
    assert secret not in closed.stderr
    assert "/dashboard/session" in closed.stderr


def test_a_wrong_token_is_reported_beside_its_field(closed: Server) -> None:
    uploader = token_of(closed, "uploader", Role.UPLOAD)
    wrong, other = (401, "No token is like this one."), (403, "does not have the role analyse")
    for secret, (status, message) in {"guess": wrong, "": wrong, uploader: other}.items():
        shown = page(sign_in(closed, secret), status)
        field = next(f for f in shown.all("input") if f["name"] == "token")
        assert field["aria-describedby"] == "wrong"
        assert message in shown.said
        assert "../static/page.css" in [link["href"] for link in shown.all("link")]
        assert "set-cookie" not in sign_in(closed, secret).headers
    known = closed.get("/dashboard", cookie=f"{COOKIE}={uploader}")
    assert "not valid any more" in page(known, 403).said
