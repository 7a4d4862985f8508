"""Pages for people, and what they are made of.

Nothing is fetched from elsewhere. All links are relative, so that pages work behind a path prefix,
and nothing is inline, so that they share one policy.
"""

import hashlib
import secrets
from collections import OrderedDict
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.staticfiles import StaticFiles

from discretion.collector.lifespan import Collector
from discretion.collector.models import Survey
from discretion.collector.routes import answered, collector_of
from discretion.collector.store.insertion import OPEN
from discretion.collector.tokens import Role
from discretion.render.page import style
from discretion.web.owner import owner_page
from discretion.web.survey import survey

router = APIRouter(tags=["owners"])
PAGES = 8  # that are kept as they were made
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
REFERENCE_FILES = Path(str(files("fastapi_offline") / "static"))
REFERENCE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Discretion collector</title>
<link rel="icon" href="docs/favicon.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
"""
START = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  validatorUrl: null,
});
"""


class Pages:
    """Pages as they were made, by their tags; ``same`` is what processes share that make the same.

    Without it, the tags of another process are not known to this one.
    """

    def __init__(self, same: str = "") -> None:
        self._made: OrderedDict[str, bytes] = OrderedDict()
        self._process = same or secrets.token_hex(8)

    def tag(self, *parts: object) -> str:
        """Return the tag of what a page is made of."""
        whole = repr((self._process, parts)).encode()
        return f'"{hashlib.sha256(whole).hexdigest()[:32]}"'

    def get(self, tag: str) -> bytes | None:
        return self._made.get(tag)

    def keep(self, tag: str, page: bytes) -> bytes:
        self._made[tag] = page
        while len(self._made) > PAGES:
            self._made.popitem(last=False)
        return page


class Assets(StaticFiles):
    """The scripts and styles of the pages, asked for anew each time: a page fits its server."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, follow_symlink=True)

    def file_response(self, *args: Any, **named: Any) -> Response:
        response = super().file_response(*args, **named)
        response.headers.update(HEADERS)
        return response


@router.api_route("/static/page.css", methods=["GET", "HEAD"], include_in_schema=False)
async def style_sheet() -> Response:
    """The style that all pages of the project have in common."""
    return Response(style(), media_type="text/css", headers=HEADERS)


@router.get("/", include_in_schema=False)
def owner(request: Request) -> HTMLResponse:
    """The owner's page: she chooses, answers and sends; the perturbation happens in it."""
    collector = collector_of(request)
    return HTMLResponse(owner_page(collector.plan, survey_document(collector)), headers=HEADERS)


@router.get("/v1/survey", responses=answered("What owners are told.", Survey))
def survey_facts(request: Request) -> JSONResponse:
    """What owners are told beside the plan: who asks, for how long, what a level brings."""
    document = survey_document(collector_of(request))
    return JSONResponse(document, headers={"Cache-Control": "no-cache"})


def survey_document(collector: Collector) -> dict[str, Any]:
    """Return the survey document for owners; the round is the newest one that takes reports."""
    settings = collector.settings
    return survey(
        collector.plan,
        settings.asker,
        settings.purpose,
        settings.retention,
        max((r.round for r in collector.store.rounds() if r.state == OPEN), default=None),
        token=Role.UPLOAD not in settings.open_roles,
        results=settings.publish_results,
    )


@router.get("/docs", include_in_schema=False)
async def reference() -> HTMLResponse:
    """The reference of the interface: a page that shows the description, with scripts of its own.

    Only the icons of Swagger UI's style sheet are data.
    """
    policy = POLICY.replace("img-src 'self'", "img-src 'self' data:")
    return HTMLResponse(REFERENCE, headers={**HEADERS, "Content-Security-Policy": policy})


@router.get("/docs/start.js", include_in_schema=False)
async def start() -> Response:
    """What draws the description into the reference."""
    return Response(START, media_type="text/javascript", headers=HEADERS)
