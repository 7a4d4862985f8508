"""Which survey a request is for, at which port; and what stands in front of several."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from discretion.collector.errors import StoreFull, StoreUnavailable
from discretion.collector.metrics import Metrics
from discretion.collector.middleware import Instrumented, InstrumentedSurvey, SurveyRouter
from discretion.collector.routes import surveys
from discretion.errors import DiscretionError
from tests.cases import for_each

PORT, WATCH = 8000, 9000


class Named:
    """An application that says its name, and for which path it was asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = PlainTextResponse(f"{self.name} {scope['method']} {scope['path']}")
        await answer(scope, receive, send)


@asynccontextmanager
async def nothing(_: object) -> AsyncIterator[None]:
    yield


def fronts(watch: int | None = None, metrics: Metrics | None = None) -> SurveyRouter:
    """Return two surveys, with applications that only say what they are asked."""
    noted = metrics or Metrics()
    root = Instrumented(cast("FastAPI", Named("root")), noted, watch)
    names = ("travel", "work")
    own = {
        name: InstrumentedSurvey(cast("FastAPI", Named(name)), noted.of(name), watch, f"/{name}")
        for name in names
    }
    return SurveyRouter(root, own, nothing)


def asked(app: Any, path: str, method: str = "GET", port: int = PORT) -> tuple[int, str]:
    """Return the status and the body of an answer."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "path": path, "method": method, "headers": [], "query_string": b""}
    scope |= {"server": ("127.0.0.1", port), "client": ("127.0.0.1", 1)}
    asyncio.run(app(scope, receive, send))
    body = b"".join(part.get("body", b"") for part in sent[1:])
    return sent[0]["status"], body.decode()


@for_each(
    "path, answer",
    [
        ("/travel/", "travel GET /"),
        ("/travel/v1/plan", "travel GET /v1/plan"),
        ("/work/static/page.css", "work GET /static/page.css"),
        ("/work/travel/", "work GET /travel/"),
        ("/work//v1/plan", "work GET //v1/plan"),
        ("/travel", "root GET /travel"),
        ("/", "root GET /"),
        ("/health", "root GET /health"),
        ("/v1/plan", "root GET /v1/plan"),
        ("/Travel/", "root GET /Travel/"),
        ("//travel/", "root GET //travel/"),
        ("/travels/v1/plan", "root GET /travels/v1/plan"),
        ("", "root GET "),
    ],
)
def test_a_request_is_for_the_survey_whose_name_is_first(path: str, answer: str) -> None:
    assert asked(fronts(), path) == (200, answer)


def test_reports_that_name_no_survey_are_for_none() -> None:
    assert asked(fronts(), "/v1/reports", "POST") == (200, "root POST /v1/reports")


@for_each(
    "path, watching",
    [
        ("/health", True),
        ("/metrics", True),
        ("/travel/docs", True),
        ("/travel/docs/start.js", True),
        ("/travel/openapi.json", True),
        ("/", False),
        ("/travel", False),
        ("/travel/", False),
        ("/travel/v1/plan", False),
    ],
)
def test_what_watches_is_at_its_own_port_for_every_survey(path: str, watching: bool) -> None:
    app = fronts(WATCH)
    assert asked(app, path, port=WATCH)[0] == (200 if watching else 404)
    assert asked(app, path, port=PORT)[0] == (404 if watching else 200)


def test_uploads_are_not_at_the_port_for_who_watches() -> None:
    assert asked(fronts(WATCH), "/travel/v1/reports", "POST", port=WATCH)[0] == 404


def test_answers_are_counted_by_survey() -> None:
    metrics = Metrics()
    app = fronts(metrics=metrics)
    for path in ("/travel/v1/plan", "/travel/", "/work/", "/"):
        asked(app, path)
    text = metrics.text().decode()
    for plan, count in (("travel", 2), ("work", 1), ("", 1)):
        line = f'discretion_answers_total{{plan="{plan}",route="none",status="200"}} {count}.0'
        assert line in text


def test_the_application_starts_and_ends_once() -> None:
    happened: list[str] = []

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        happened.append("start")
        yield
        happened.append("end")

    messages = iter([{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}])

    async def receive() -> Message:
        return next(messages)

    async def send(message: Message) -> None:
        happened.append(message["type"].removeprefix("lifespan."))

    app = SurveyRouter(Named("root"), {"travel": Named("travel")}, lifespan)
    asyncio.run(app({"type": "lifespan"}, receive, send))
    assert happened == ["start", "startup.complete", "end", "shutdown.complete"]


class Checked:
    """A collector that is well, or is not."""

    def __init__(self, id: str, trouble: DiscretionError | None) -> None:
        self.plan, self._trouble = SimpleNamespace(id=id), trouble

    def check(self) -> None:
        if self._trouble is not None:
            raise self._trouble


def health(**troubles: DiscretionError | None) -> tuple[int, Any]:
    collectors = {name: Checked(f"id of {name}", trouble) for name, trouble in troubles.items()}
    app = SimpleNamespace(state=SimpleNamespace(collectors=collectors, metrics=Metrics()))
    answer = surveys.health(Request({"type": "http", "app": app}))
    return answer.status_code, json.loads(bytes(answer.body))


def test_health_is_of_all_surveys_and_names_those_that_are_not_well() -> None:
    assert health(travel=None, work=None) == (
        200,
        {"status": "ok", "plans": {"travel": "id of travel", "work": "id of work"}},
    )
    status, document = health(travel=None, work=StoreFull("here"), play=None)
    assert (status, document["plans"]) == (507, ["work"])
    assert document["detail"].startswith("work: ")
    status, document = health(travel=StoreUnavailable("here", "no answer"), work=StoreFull("here"))
    assert (status, document["plans"]) == (503, ["travel", "work"])
