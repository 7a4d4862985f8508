"""The application: routes, one shape of errors, and its description."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Mount
from starlette.types import ASGIApp

from discretion import __version__
from discretion.collector.errors import SettingError, StoreUnavailable
from discretion.collector.lifespan import running
from discretion.collector.log import log
from discretion.collector.metrics import Metrics
from discretion.collector.middleware import (
    ASSETS,
    Instrumented,
    InstrumentedSurvey,
    SurveyRouter,
    with_cors,
)
from discretion.collector.models import Deletion, OpenRound, ProblemDocument
from discretion.collector.problems import (
    BODIES,
    FAILED,
    INVALID,
    NOT_ALLOWED,
    NOT_FOUND,
    Problem,
    problem_of,
)
from discretion.collector.routes import (
    analysts,
    dashboard,
    operators,
    owners,
    pages,
    results,
    rounds,
    statistics,
    surveys,
)
from discretion.collector.settings import Settings
from discretion.errors import DiscretionError
from discretion.plan import Plan
from discretion.statistics import STATISTICS
from discretion.web import STATIC

TITLE = "Discretion collector"
Shown = Callable[[Request, Response], Response]
SURVEY = [each.router for each in (owners, analysts, operators, pages, results, dashboard, rounds)]


def make_app(
    plans: Mapping[str, Plan], settings: Settings, metrics: Metrics, watch: int | None = None
) -> ASGIApp:
    """Return the application that collects the reports of plans, each under its name.

    A plan that is served alone has an empty name. ``watch`` is the port at which the server is
    watched, if that is another one.
    """
    for plan in plans.values():
        if any(q.assigned for q in plan.questions.values()) and not settings.once:
            rule = "must be set where a plan assigns hash functions: one report by each"
            raise SettingError("once", rule, settings.once)
    apps = {
        name: survey_app(plan, metrics.of(name), alone=not name) for name, plan in plans.items()
    }
    entrance = _app(metrics, [surveys.router], openapi_url=None)

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        async with running(plans, settings, metrics) as collectors:
            entrance.state.collectors = collectors
            for name, plan in plans.items():
                apps[name].state.collector = collectors[name]
                log.info("started", plan=plan.id, name=plan.name, version=__version__)
            yield
            log.info("stopping")
        log.info("stopped")

    fronts = {
        name: with_cors(
            InstrumentedSurvey(app, metrics.of(name), watch, f"/{name}" if name else ""),
            settings.other_sites,
        )
        for name, app in apps.items()
    }
    return SurveyRouter(fronts.pop("", Instrumented(entrance, metrics, watch)), fronts, lifespan)


def survey_app(plan: Plan, metrics: Metrics, *, alone: bool = True) -> FastAPI:
    """Return the application of one plan; if it is ``alone``, with what watches the server."""
    watching = [operators.monitoring] if alone else []
    app = _app(metrics, [*SURVEY, *watching], dashboard.as_page)
    app.include_router(statistics.router_of(STATISTICS.values()))
    app.state.pages, app.state.results = pages.Pages(), pages.Pages(__version__)
    app.mount("/docs", pages.Assets(pages.REFERENCE_FILES), name="docs")
    app.openapi = lambda: _description(app, plan)  # type: ignore[method-assign]
    return app


def _app(
    metrics: Metrics,
    routers: Iterable[APIRouter],
    shown: Shown = lambda _, response: response,
    **named: Any,
) -> FastAPI:
    """Return an application with some routes, the assets of pages, and errors.

    ``shown`` makes a page of a problem where people ask.
    """
    app = FastAPI(title=TITLE, version=__version__, docs_url=None, redoc_url=None, **named)
    app.router.redirect_slashes = False  # a redirect would repeat whatever Host was named
    app.state.metrics = metrics
    for router in routers:
        app.include_router(router)
    app.mount(ASSETS, pages.Assets(STATIC), name="static")
    _add_errors(app, metrics, shown)
    return app


def _add_errors(app: FastAPI, metrics: Metrics, shown: Shown) -> None:
    @app.exception_handler(DiscretionError)
    async def deliberate(request: Request, error: DiscretionError) -> Response:
        problem = problem_of(error)
        metrics.problem(problem.name)
        if isinstance(error, StoreUnavailable):
            log.warning("store_failed", detail=str(error))
        return shown(request, problem.response())

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
        return shown(request, response)

    @app.exception_handler(Exception)
    async def unforeseen(request: Request, error: Exception) -> Response:
        log.error("failed", exc_info=error)
        return shown(request, FAILED.response("the server log has the details"))


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
