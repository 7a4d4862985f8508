"""In front of several surveys: a page that lists them, and the health of all."""

from collections.abc import Mapping

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from discretion.collector.lifespan import Collector
from discretion.collector.log import log
from discretion.collector.problems import problem_of
from discretion.collector.routes.operators import scrape
from discretion.collector.routes.pages import HEADERS, style_sheet
from discretion.errors import DiscretionError
from discretion.web.owner import listing_page, title_of

WITHOUT_SLASH = "/{name}"
router = APIRouter(include_in_schema=False)
router.api_route("/static/page.css", methods=["GET", "HEAD"])(style_sheet)
router.get("/metrics")(scrape)


@router.get("/")
def surveys(request: Request) -> HTMLResponse:
    """The surveys, by title, each with a link to its page."""
    collectors = collectors_of(request)
    titles = {name: title_of(own.plan) for name, own in collectors.items()}
    published = any(own.settings.publish_results for own in collectors.values())
    return HTMLResponse(listing_page(titles, published), headers=HEADERS)


@router.get("/health")
def health(request: Request) -> JSONResponse:
    """Whether all surveys work; if not, which ones do not."""
    collectors, red = collectors_of(request), dict[str, DiscretionError]()
    for name, collector in collectors.items():
        try:
            collector.check()
        except DiscretionError as error:
            log.warning("store_failed", plan=collector.plan.id, detail=str(error))
            red[name] = error
    if red:
        first = problem_of(next(iter(red.values())))
        request.app.state.metrics.problem(first.name)
        return first.response(f"{', '.join(red)}: {first.detail}", plans=list(red))
    ids = {name: collector.plan.id for name, collector in collectors.items()}
    return JSONResponse({"status": "ok", "plans": ids})


@router.get(WITHOUT_SLASH)
def without_slash(request: Request, name: str) -> Response:
    """Lead from the name of a survey to its page: all links are relative to that."""
    if name not in collectors_of(request):
        raise HTTPException(404, "there is no such survey: / lists them")
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{name}/{query}", 308, headers=HEADERS)


def collectors_of(request: Request) -> Mapping[str, Collector]:
    """Return the running collectors by the names of their surveys."""
    return request.app.state.collectors
