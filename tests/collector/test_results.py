"""The public results as a server gives them: which versions there are, and who can see them."""

import json
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from discretion.collector.store import open_store
from discretion.collector.store.results import Results
from tests.collector.crowds import assert_problem, eventually, send_all
from tests.collector.serving import Reply, Server, ask, people, sealed
from tests.unit.web.dashboards import Page, read

FIRST, MORE = 140, 100
CLOCK = """
from datetime import UTC, datetime, timedelta
from pathlib import Path
from discretion.collector.store import audit_log

audit_log.now = lambda: datetime.now(UTC) + timedelta(days=int(Path({path!r}).read_text()))

if __name__ == "__main__":
    from discretion.cli.entry import main
    main()
"""


class Site:
    """A server that publishes results, whose clock is set by hand, a day at a time."""

    def __init__(self, folder: Path, store: str | None) -> None:
        self._days, program = folder / "days", folder / "program.py"
        self._days.write_text("0")
        program.write_text(CLOCK.format(path=str(self._days)))
        named: dict[str, Any] = {"program": program, "publish_results": True, "asker": "A <town>"}
        self.server = Server(folder, people(), store, **named)
        self.beside = Server(folder, people(), self.server.store, **named)
        self.start = datetime.now(UTC).date()

    @property
    def today(self) -> date:
        return self.start + timedelta(days=int(self._days.read_text()))

    def next_day(self) -> None:
        """Let a day pass, until the server has looked at the round."""
        self._days.write_text(str(int(self._days.read_text()) + 1))
        assert eventually(self.looked)

    def looked(self) -> bool:
        with closing(open_store(self.server.store, people())) as store:
            return not Results(store).due(self.today) and self.settled()

    def settled(self) -> bool:
        """Whether no worker is at it: it answers another question."""
        return self.server.get("/v1/aggregates").status == 200

    def version(self) -> tuple[bytes, bytes]:
        """Return the page and the document, byte for byte."""
        return self.server.get("/results").body, self.server.get("/v1/results").body


def page(reply: Reply) -> Page:
    assert reply.status == 200, reply
    found = read(reply.body.decode())
    assert not {tag for tag, _ in found.elements} & {"script", "style", "form"}
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    return found


BOTH = ["sqlite", pytest.param("postgres", marks=pytest.mark.slow)]  # stores are tested on both


@pytest.mark.parametrize("database", BOTH)
def test_versions_are_far_apart_and_the_same_for_everybody(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    postgres = request.getfixturevalue("postgres") if database == "postgres" else None
    site = Site(tmp_path, postgres)
    some = [sealed(people(), who).body for who in range(10, 10 + FIRST + MORE)]
    with site.server as server:
        assert eventually(site.looked)
        assert "at least 100 people" in page(server.get("/results")).said
        assert_problem(server.get("/v1/results"), 404, "not_found")
        one, other, third = (sealed(people(), who) for who in (1, 2, 3))
        send_all(server, [*some[: FIRST - 1], one.body])
        empty = server.get("/results").body
        assert b"at least 100 people" in empty  # until the day is over
        site.next_day()
        first = site.version()
        assert json.loads(first[1])["reports"] == FIRST
        assert json.loads(first[1])["day"] == site.today.isoformat()

        assert server.upload(other.body).status == 201
        site.next_day()
        assert site.version() == first
        assert server.withdraw(one.receipt).status == 200
        site.next_day()
        assert site.version() == first
        send_all(server, some[FIRST - 1 : FIRST + MORE - 4])
        site.next_day()
        assert site.version() == first  # 99 came or went
        assert server.upload(third.body).status == 201
        assert site.version() == first  # and the day is not over
        site.next_day()
        second = site.version()
        assert [json.loads(each[1])["version"] for each in (first, second)] == [1, 2]
        assert json.loads(second[1])["reports"] == FIRST + 98

        if database == "sqlite":  # a page is made of the same document
            _shown(server)
        with site.beside as beside:
            for path in ("/results", "/v1/results", "/results?language=ar&round=0"):
                assert beside.get(path) == server.get(path)
        send_all(server, some[-3:])
        assert server.post("/v1/rounds/0/close", b"").status == 200
        assert eventually(site.looked)
        assert site.version() == second
        assert server.withdraw(third.receipt).status == 200
        server.restart()
        assert eventually(site.looked)
        assert site.version() == second
        polled = [server.get("/results") for _ in range(5)]
        assert len({(reply.body, reply.headers["etag"]) for reply in polled}) == 1


def _shown(server: Server) -> None:
    """What the page shows, in which language, and what stands in its headers."""
    reply = server.get("/results")
    shown, document = page(reply), server.get("/v1/results").json()
    assert shown.said.count("Answers counted") == len(document["estimates"]) == 3
    for words in ("Who asks", "A <town>", "pet", "What this can and cannot tell", "as of"):
        assert words in shown.said
    assert all(picture["aria-label"] for picture in shown.all("svg"))
    again = server.get("/results", if_none_match=reply.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    assert "script-src 'self'" in reply.headers["content-security-policy"]
    assert ask(server.port, "HEAD", "/results").body == b""
    arabic = server.get("/results?language=ar").body.decode()
    assert '<html lang="ar" dir="rtl">' in arabic
    german = server.get("/results", accept_language="xx, fr;q=0.2, de-AT;q=0.7").body.decode()
    assert '<html lang="de" dir="ltr">' in german
    assert server.get("/results?language=%3Cb%3E").body == reply.body
    missing = server.get("/results?round=7")
    assert (missing.status, missing.headers["content-type"][:9]) == (404, "text/html")
    assert_problem(server.get("/v1/results?round=7"), 404, "not_found")
    assert b'href="results"' in server.get("/").body
    assert server.get("/v1/survey").json()["results"] is True


def test_results_are_not_there_unless_they_are_published(tmp_path: Path) -> None:
    with Server(tmp_path, people()) as server:
        assert server.get("/results").status == server.get("/results?round=0").status == 404
        assert_problem(server.get("/v1/results"), 404, "not_found")
        assert b'href="results"' not in server.get("/").body
