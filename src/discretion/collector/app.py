"""The application: routes, one shape of errors, and its description."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.routing import Match, Mount

from discretion import __version__
from discretion.collector.desk import Desk
from discretion.collector.front import ASSETS, Front
from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.models import Deletion, Health, OpenRound, ProblemDocument
from discretion.collector.parts import running
from discretion.collector.problems import (
    BODIES,
    FAILED,
    FULL,
    INVALID,
    NOT_ALLOWED,
    NOT_FOUND,
    Problem,
    told,
)
from discretion.collector.routes import (
    analysts,
    dashboard,
    operators,
    owners,
    pages,
    reference,
)
from discretion.collector.routes.describing import collector_of, problems
from discretion.collector.settings import Settings
from discretion.errors import DiscretionError, SettingError, StoreUnavailable
from discretion.plan import Plan
from discretion.web import STATIC

TITLE = "Discretion collector"


def make_app(plan: Plan, settings: Settings, watch: int | None = None) -> Front:
    """Return the application that collects the reports of a plan.

    ``watch`` is the port at which it is watched, if that is another one.
    """
    if plan.assigned and not settings.once:
        rule = "must be set where a plan assigns hash functions: one report by each"
        raise SettingError("once", rule, settings.once)
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with running(plan, settings, metrics) as collector:
            app.state.collector = collector
            app.state.desk = desk = Desk(collector.store, collector.analysts, settings.analysts)
            app.state.pages = dashboard.Pages()
            log.info("started", plan=plan.id, name=plan.name, version=__version__)
            yield
            log.info("stopping")
            desk.close()
        log.info("stopped")

    app = FastAPI(
        title=TITLE, version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.router.redirect_slashes = False  # a redirect would repeat whatever Host was named
    for routes in (owners, analysts, operators, pages, reference, dashboard):
        app.include_router(routes.router)
    app.mount(ASSETS, pages.Assets(STATIC), name="static")
    app.mount(reference.PATH, pages.Assets(reference.FILES), name="docs")
    _add_watching(app, metrics)
    _add_errors(app, metrics)
    app.openapi = lambda: _description(app, plan)  # type: ignore[method-assign]
    return Front(app, metrics, watch)


def _add_watching(app: FastAPI, metrics: Metrics) -> None:
    @app.get(
        "/health",
        tags=["operators"],
        response_class=JSONResponse,
        responses={200: {"description": "It works.", "model": Health}, **problems(FULL)},
    )
    def health(request: Request) -> JSONResponse:
        """Whether the store answers, and has room for what it may be given."""
        collector = collector_of(request)
        collector.check()
        return JSONResponse({"status": "ok", "plan": collector.plan.id})

    @app.get("/metrics", tags=["operators"], response_class=Response)
    def scrape() -> Response:
        """Metrics for Prometheus."""
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)


def _add_errors(app: FastAPI, metrics: Metrics) -> None:
    @app.exception_handler(DiscretionError)
    async def deliberate(request: Request, error: DiscretionError) -> Response:
        problem = told(error)
        metrics.problem(problem.name)
        if isinstance(error, StoreUnavailable):
            log.warning("store_failed", detail=str(error))
        return dashboard.as_page(request, problem.response())

    @app.exception_handler(ClientDisconnect)
    async def gone(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=400)  # nobody reads it

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return INVALID.response(f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    async def plain(request: Request, error: HTTPException) -> Response:
        kinds: dict[int, Problem] = {
            400: BODIES["malformed"],
            404: NOT_FOUND,
            405: NOT_ALLOWED,
        }
        problem = kinds.get(error.status_code, Problem("http", error.status_code, error.detail))
        response = problem.response(error.detail)
        response.headers.update(error.headers or {})
        if error.status_code == 405:
            response.headers["Allow"] = ", ".join(_methods(app, request.scope["path"]))
        return dashboard.as_page(request, response)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("failed", exc_info=error)
        return dashboard.as_page(request, FAILED.response("the log of the server tells more"))


def _methods(app: FastAPI, path: str) -> list[str]:
    """Return the methods that a path has, by all its routes; what can be got has a head."""
    found = set[str]()
    for route in app.routes:
        asked = ("GET",) if isinstance(route, Mount) else ("GET", "POST")  # files are only got
        for method in asked:
            scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
            if route.matches(scope)[0] is Match.FULL:
                found |= {"GET", "HEAD"} if method == "GET" else {method}
    return sorted(found)


def _description(app: FastAPI, plan: Plan) -> dict[str, Any]:
    """Return the OpenAPI description, with the shapes that routes only refer to."""
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, routes=app.routes)
        found["servers"] = [{"url": "."}]  # beside this description, whatever the prefix
        shapes = found["components"]["schemas"]
        shapes["Report"] = owners.report_schema(plan)
        for model in (ProblemDocument, Deletion, OpenRound):
            shapes[model.__name__] = model.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            shapes.pop(unused, None)
        scheme = {"type": "http", "scheme": "bearer"}
        found["components"]["securitySchemes"] = {"token": scheme}
        found["security"] = [{}, {"token": []}]  # which roles need none is a setting
        app.openapi_schema = found
    return app.openapi_schema
