"""What every request passes before its route: the survey it is for, other sites, counts and logs.

A framework's layers cost several times what keeping a report costs, so the one route that all
devices use is called without them; it is the same function that the description shows. Answers to
analysts and operators are logged by route, never by who asked, and uploads not at all. Where there
is a second port to watch the server, the paths of ``WATCHING`` are at that port and nowhere else.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from time import perf_counter

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.routing import Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.problems import FAILED, NOT_FOUND, UNAVAILABLE, problem_of
from discretion.collector.routes.owners import upload
from discretion.collector.routes.surveys import WITHOUT_SLASH
from discretion.errors import DiscretionError

UPLOAD = "/v1/reports"
ENDING = "the server ends; send it again to the next one"
ASSETS = "/static"
WATCHING = ("/health", "/metrics", "/docs", "/openapi.json")
DEVICES = ("/v1/plan", "/v1/survey", "/v1/reports", "/v1/deletions")  # what devices ask for
QUIET = (
    "/",
    WITHOUT_SLASH,
    "/dashboard",
    "/results",
    "/v1/results",
    ASSETS,
    "/v1/deletions",
    "/v1/survey",
    "/health",
    "/metrics",
)  # nor these


class SurveyRouter:
    """One application for all surveys, by name; what is for none of them is for ``root``.

    The name is the first part of the path, which is taken away: a survey answers as it would alone
    behind a proxy that takes a prefix away, since its links are relative.
    """

    def __init__(
        self,
        root: ASGIApp,
        surveys: Mapping[str, ASGIApp],
        lifespan: Callable[[object], AbstractAsyncContextManager[None]],
    ) -> None:
        self._root, self._surveys = root, surveys
        self._lifespan = Router(lifespan=lifespan)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
            return
        name, slash, rest = scope["path"].removeprefix("/").partition("/")
        if slash and name in self._surveys:
            await self._surveys[name]({**scope, "path": f"/{rest}"}, receive, send)
        else:
            await self._root(scope, receive, send)


def with_cors(app: ASGIApp, origins: list[str]) -> ASGIApp:
    """Let pages of other sites do what devices do; no cookie comes with it."""
    if not origins:
        return app
    shared = CORSMiddleware(
        app,
        allow_origins=origins,
        allow_methods=["GET", "POST"],
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["ETag"],
    )

    async def chosen(scope: Scope, receive: Receive, send: Send) -> None:
        await (shared if scope.get("path") in DEVICES else app)(scope, receive, send)

    return chosen


class Instrumented:
    """An application; ``watch`` is the port for who watches, ``path`` where its paths begin."""

    def __init__(
        self, app: FastAPI, metrics: Metrics, watch: int | None = None, path: str = ""
    ) -> None:
        self.app, self.metrics, self._watch, self._path = app, metrics, watch, path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._watch is not None and not self._is_here(scope):
            await NOT_FOUND.response("Not Found")(scope, receive, send)
        elif scope["method"] == "HEAD":  # whatever can be got; the server leaves the body out
            await self._watched({**scope, "method": "GET"}, receive, send)
        else:
            await self._watched(scope, receive, send)

    def _is_here(self, scope: Scope) -> bool:
        path: str = scope["path"]
        watching = path in WATCHING or path.startswith(f"{WATCHING[2]}/")
        return watching == (scope["server"][1] == self._watch)

    async def _watched(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, status, begun = perf_counter(), 500, False

        async def noting(message: Message) -> None:
            nonlocal status, begun
            if message["type"] == "http.response.start":
                status, begun = message["status"], True
                MutableHeaders(scope=message).setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self.app(scope, receive, noting)
        except asyncio.CancelledError:  # as above
            if not begun:
                await UNAVAILABLE.response(ENDING)(scope, receive, noting)
        finally:
            asset = scope["path"].startswith(f"{ASSETS}/")
            route = ASSETS if asset else getattr(scope.get("route"), "path", "none")
            seconds = perf_counter() - start
            self.metrics.answered(route, status, seconds)
            if route not in QUIET:
                place, took = self._path + route, round(seconds, 4)
                log.info("answered", route=place, status=status, seconds=took)


class InstrumentedSurvey(Instrumented):
    """The application of a survey, with a short way for uploads."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        short = scope["path"] == UPLOAD and scope["method"] == "POST"
        if short and (self._watch is None or self._is_here(scope)):
            await self._upload(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"], start = self.app, perf_counter()
        try:
            response = await upload(Request(scope, receive))
        except DiscretionError as error:
            problem = problem_of(error)
            self.metrics.problem(problem.name)
            response = problem.response()
        except ClientDisconnect:  # before the whole report was here
            return
        except asyncio.CancelledError:  # it took longer than the server waits at its end
            response = UNAVAILABLE.response(ENDING)
        except Exception:
            log.exception("failed")
            response = FAILED.response("the server log has the details")
        self.metrics.answered(UPLOAD, response.status_code, perf_counter() - start)
        await response(scope, receive, send)
