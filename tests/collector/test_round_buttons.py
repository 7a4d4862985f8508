"""Rounds on the dashboard: who may open and close them, what is asked first, and what is noted."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from discretion.collector.authorisation import COOKIE
from discretion.collector.store.audit_log import today
from discretion.collector.tokens import Role
from discretion.web.dashboard.rounds import CAPTION
from tests.collector.crowds import token_of
from tests.collector.serving import Reply, Server, people
from tests.unit.web.dashboards import Page, read

FORM = "application/x-www-form-urlencoded"
ROUNDS = "/dashboard/rounds"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("rounds"), people(), open="upload") as running:
        yield running


@pytest.fixture(scope="module")
def both(server: Server) -> str:
    return token_of(server, "otto", Role.ANALYSE, Role.OPERATE)


def seen(server: Server, path: str, token: str) -> Reply:
    """Return a page as somebody sees it who has signed in."""
    return server.get(path, cookie=f"{COOKIE}={token}")


def sent(server: Server, token: str = "", **fields: object) -> Reply:
    given = {"token": token, **fields} if token else fields
    return server.post(ROUNDS, urlencode(given).encode(), FORM)


def offers(page: Page) -> list[str]:
    return [str(attributes["name"]) for tag, attributes in page.elements if tag == "input"]


def test_only_operators_are_offered_to_open_and_close(server: Server, both: str) -> None:
    analyst = token_of(server, "ada", Role.ANALYSE)
    for token, many in ((analyst, False), (both, True)):
        page = read(seen(server, "/dashboard/collection", token).body.decode())
        assert page.table(CAPTION).rows
        assert ("act" in offers(page)) == many
    asked = seen(server, f"{ROUNDS}?act=close&round=0", analyst)
    assert (asked.status, asked.headers["location"]) == (303, "collection")
    assert sent(server, analyst, act="close", round=0).status == 403
    assert server.get("/v1/rounds", both).json()[0]["state"] == "open"


def test_a_round_is_closed_and_another_opened_by_whoever_shows_a_token(
    server: Server, both: str
) -> None:
    for act, round, title in (
        ("open", 1, "Open round 1?"),
        ("close", 0, "Close round 0 for good?"),
    ):
        page = seen(server, f"{ROUNDS}?act={act}&round={round}", both)
        assert page.status == 200
        assert page.headers["cache-control"] == "no-store"
        assert title in read(page.body.decode()).said
        done = sent(server, both, act=act, round=round)
        assert (done.status, done.headers["location"]) == (303, "collection")
    states = {each["round"]: each["state"] for each in server.get("/v1/rounds", both).json()}
    assert states == {0: "closed", 1: "open"}
    rows = read(seen(server, "/dashboard/collection", both).body.decode()).table(CAPTION).body
    assert rows == {"0": ["closed", today().isoformat()], "1": ["open", ""]}
    acts = [(a["actor"], a["act"], a["detail"]) for a in server.get("/v1/acts", both).json()]
    assert acts[-2:] == [("otto", "open", "round 1"), ("otto", "close", "round 0")]
    again = sent(server, both, act="open", round=0)
    assert again.status == 409
    assert "never opened again" in read(again.body.decode()).said


def test_nothing_changes_without_the_token_in_the_form(server: Server, both: str) -> None:
    before = server.get("/v1/rounds", both).json()
    close = {"act": "close", "round": 1}
    cookie = server.post(ROUNDS, urlencode(close).encode(), FORM, cookie=f"{COOKIE}={both}")
    assert cookie.status == 401  # the cookie alone opens what is read
    assert "No token is like this one" in read(cookie.body.decode()).said
    assert sent(server, "wrong", **close).status == 401
    foreign = urlencode({**close, "token": both}).encode()
    assert server.post(ROUNDS, foreign, FORM, sec_fetch_site="cross-site").status == 403
    for wrong in ({"act": "close"}, {"act": "clear", "round": 1}, {"act": "close", "round": -1}):
        assert sent(server, both, **wrong).status == 400
    assert server.get("/v1/rounds", both).json() == before


def test_where_everybody_may_operate_no_token_is_asked_for(tmp_path: Path) -> None:
    with Server(tmp_path, people()) as server:
        page = read(server.get(f"{ROUNDS}?act=close&round=0").body.decode())
        assert "token" not in offers(page)
        body = urlencode({"act": "close", "round": 0}).encode()
        assert server.post(ROUNDS, body, FORM, sec_fetch_site="cross-site").status == 403
        assert server.post(ROUNDS, body, FORM, sec_fetch_site="same-origin").status == 303
        assert server.get("/v1/rounds").json()[0]["state"] == "closed"
