"""What every request passes first: uploads go straight to their route, and answers are counted.

A framework's layers cost several times what keeping a report costs, so the one route that all
devices use is called without them; it is the same function that the description shows. Answers to
analysts and operators are logged by route, never by who asked, and uploads not at all.
"""

import asyncio
from time import perf_counter

from fastapi import FastAPI
from starlette.datastructures import MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message, Receive, Scope, Send

from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.problems import FAILED, UNAVAILABLE, told
from discretion.collector.routes.owners import upload
from discretion.errors import DiscretionError, Overloaded

UPLOAD = "/v1/reports"
AT_ONCE = 1000  # uploads that are under way; more are told to come again
ENDING = "the server ends; send it again to the next one"
ASSETS = "/static"
QUIET = (
    "/",
    "/dashboard",
    ASSETS,
    "/v1/deletions",
    "/v1/survey",
    "/health",
    "/metrics",
)  # nor these


class Front:
    """The application with a short way for uploads."""

    def __init__(self, app: FastAPI, metrics: Metrics) -> None:
        self.app, self._metrics = app, metrics
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        elif scope["path"] == UPLOAD and scope["method"] == "POST":
            self._under_way += 1
            try:
                await self._upload(scope, receive, send)
            finally:
                self._under_way -= 1
        else:
            await self._watched(scope, receive, send)

    async def _upload(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"], start = self.app, perf_counter()
        try:
            if self._under_way > AT_ONCE:
                raise Overloaded(f"{AT_ONCE:,} uploads are under way")
            response = await upload(Request(scope, receive))
        except DiscretionError as error:
            problem = told(error)
            self._metrics.problem(problem.name)
            response = problem.response()
        except ClientDisconnect:  # before the whole report was here
            return
        except asyncio.CancelledError:  # it took longer than the server waits at its end
            response = UNAVAILABLE.response(ENDING)
        except Exception:
            log.exception("failed")
            response = FAILED.response("the log of the server tells more")
        self._metrics.answered(UPLOAD, response.status_code, perf_counter() - start)
        await response(scope, receive, send)

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
            self._metrics.answered(route, status, seconds)
            if route not in QUIET:
                log.info("answered", route=route, status=status, seconds=round(seconds, 4))
