"""What a collector serves for people: its pages, what they may do, and pages of other sites."""

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from discretion.collector.store import open_store
from discretion.plan import Plan
from discretion.web import STATIC
from tests.collector.crowds import eventually
from tests.collector.serving import Server, ask
from tests.plans import AVERAGE, INCOME, MODE

ASKER, PURPOSE = 'The "town" of <Lyra> & co', "To plan <b>bus lines</b>."
SITE = "https://town.example"
PLAN = Plan.of({"name": "<i>commuters</i>", "attributes": [MODE, INCOME], "budget": AVERAGE})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pages")
    shown: dict[str, Any] = {"asker": ASKER, "purpose": PURPOSE, "retention": 30, "origins": SITE}
    with Server(folder, PLAN, **shown) as running:
        yield running


class Reader(HTMLParser):
    """Notes the elements of a page, and what stands outside of markup."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.said = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said += data


def read(server: Server, path: str = "/") -> Reader:
    reader = Reader()
    reader.feed(server.get(path).body.decode())
    return reader


def test_owners_can_read_who_asks_what_for_and_how_long(server: Server) -> None:
    shown = server.get("/v1/survey").json()
    assert (shown["asker"], shown["purpose"], shown["retention"]) == (ASKER, PURPOSE, 30)
    assert (shown["plan"], shown["name"], shown["round"]) == (PLAN.id, PLAN.name, 0)
    assert shown["token"] is False
    for name, stops in shown["stops"].items():
        assert {stop["level"] for stop in stops} <= set(PLAN.questions[name].menu)


def test_the_page_explains_itself_where_no_script_runs(server: Server) -> None:
    page = read(server)
    for words in (PLAN.name, ASKER, PURPOSE, "mode", "income", "JavaScript"):
        assert words in page.said


def test_what_went_wrong_with_the_page_is_a_page(server: Server) -> None:
    reply = server.post("/", b"")
    assert (reply.status, set(reply.headers["allow"].split(", "))) == (405, {"GET", "HEAD"})
    assert reply.headers["content-type"].startswith("text/html")
    assert b'<a href=".">Try again</a>' in reply.body


def test_a_page_may_load_what_the_collector_serves_and_nothing_else(server: Server) -> None:
    policy = server.get("/").headers["content-security-policy"]
    sources = {part.split()[0]: part.split()[1:] for part in policy.split("; ")}
    assert sources.pop("default-src") == ["'none'"]
    assert {source for allowed in sources.values() for source in allowed} == {"'self'", "'none'"}
    for tag, attributes in read(server).elements:
        assert tag != "style"
        assert tag != "script" or attributes["src"]
        assert not {name for name in attributes if name == "style" or name.startswith("on")}


def test_all_that_a_page_names_is_there(server: Server) -> None:
    for _, attributes in read(server).elements:
        for name in ("src", "href"):
            path = attributes.get(name) or ""
            if path.startswith("static/"):
                assert server.get(f"/{path}").status == 200, path


def test_scripts_and_styles_are_served_as_they_are_written(server: Server) -> None:
    for path in STATIC.rglob("*.js"):
        reply = server.get(f"/static/{path.relative_to(STATIC)}")
        assert reply.body == path.read_bytes()
        assert reply.headers["content-type"].startswith("text/javascript")
        assert reply.headers["x-content-type-options"] == "nosniff"


def test_the_reference_has_the_headers_of_the_other_pages_and_no_absolute_links(
    server: Server,
) -> None:
    docs, page = (dict(server.get(path).headers) for path in ("/docs", "/"))
    policy = docs.pop("content-security-policy").replace(" data:", "")  # the icons of its styles
    assert policy == page.pop("content-security-policy")
    for name in ("x-content-type-options", "referrer-policy", "cross-origin-opener-policy"):
        assert docs[name] == page[name]
    named = [a.get("src") or a.get("href") for _, a in read(server, "/docs").elements]
    links = [link for link in named if link]
    assert len(links) == 4
    for link in links:
        assert not link.startswith(("/", "http"))
        reply = server.get(f"/{link}")
        assert reply.status == 200
        assert reply.headers["x-content-type-options"] == "nosniff"
    assert b'"openapi.json"' in server.get("/docs/start.js").body
    assert server.get("/openapi.json").json()["servers"] == [{"url": "."}]


@pytest.mark.parametrize("path", ["../web/owner.py", "..%2fowner.py", "owner", "nothing.js", ""])
def test_nothing_else_is_served(server: Server, path: str) -> None:
    assert server.get(f"/static/{path}").status == 404


def test_the_newest_open_round_is_the_one_to_report_in(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/reports.db", PLAN)
    store.open_round(3)
    store.close()
    with Server(tmp_path, PLAN, once=True) as server:
        shown = server.get("/v1/survey").json()
        assert (shown["round"], shown["token"]) == (3, True)
        for round in (0, 3):
            server.post(f"/v1/rounds/{round}/close", b"")
        assert server.get("/v1/survey").json()["round"] is None


def test_only_named_sites_may_send(server: Server) -> None:
    asked = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    for origin, status in ((SITE, 200), ("https://elsewhere.example", 400)):
        reply = ask(server.port, "OPTIONS", "/v1/reports", headers={"Origin": origin, **asked})
        assert reply.status == status
        assert ("access-control-allow-origin" in reply.headers) == (status == 200)
    reply = ask(server.port, "GET", "/v1/counters", headers={"Origin": SITE})
    assert "access-control-allow-origin" not in reply.headers  # what analysts ask is not theirs
    reply = ask(server.port, "GET", "/v1/plan", headers={"Origin": SITE})
    assert reply.headers["access-control-allow-origin"] == SITE
    assert reply.headers["access-control-expose-headers"] == "ETag"
    assert "access-control-allow-credentials" not in reply.headers


def test_no_page_is_logged(tmp_path: Path) -> None:
    with Server(tmp_path, PLAN, log="info") as server:
        for path in ("/", "/static/page.css", "/static/device/index.js", "/v1/survey"):
            assert server.get(path).status == 200
        server.get("/v1/counters")
        assert eventually(lambda: "/v1/counters" in server.stderr)
        logged = [json.loads(line) for line in server.stderr.splitlines()]
    assert {line["route"] for line in logged if line["event"] == "answered"} == {"/v1/counters"}
