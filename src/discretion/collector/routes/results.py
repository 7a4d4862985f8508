"""The public results: a page for everybody, and the same version as JSON; not there unless set.

Both are read from the store, so all processes give the same version, also after a restart.
"""

import asyncio
import json
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from discretion.collector.lifespan import Collector
from discretion.collector.models import PublishedResults
from discretion.collector.problems import INVALID, NOT_FOUND
from discretion.collector.public_results import LEAST
from discretion.collector.routes import (
    answered,
    collector_of,
    is_known,
    only_known,
)
from discretion.collector.routes.pages import HEADERS, Pages
from discretion.collector.store.results import Results
from discretion.report import LAST_ROUND
from discretion.web.results import ResultsPage

LONGEST = 20  # digits that are read of a round: more than any has
OFF, MISSING = "results are not published here", "no results of this round are published"
router = APIRouter(tags=["owners"])


@router.get("/results", include_in_schema=False)
async def page(request: Request) -> Response:
    """The newest round that has results, or the one that is asked for, in one language."""
    collector, asked = _published(request), request.query_params
    documents = await asyncio.to_thread(Results(collector.store).documents)
    given = asked.get("round", "")
    round = int(given[:LONGEST]) if given.isdecimal() else max(documents, default=None)
    if given and round not in documents:
        raise HTTPException(404, MISSING)
    document = None if round is None else documents[round]
    survey = {name: getattr(collector.settings, name) for name in ("asker", "purpose")}
    made = ResultsPage.of(collector.plan, survey, _wanted(request), LEAST)
    pages: Pages = request.app.state.results
    tag = pages.tag(made.language, document, [*documents], survey)
    headers = {**HEADERS, "ETag": tag, "Vary": "Accept-Language"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    found = pages.get(tag)
    if found is None:
        version = None if document is None else json.loads(document)
        draw = partial(made.html, [*documents], version)
        found = pages.keep(tag, (await asyncio.to_thread(draw)).encode())
    return HTMLResponse(found, headers=headers)


@router.get(
    "/v1/results",
    dependencies=[Depends(only_known)],
    responses=answered("The last version.", PublishedResults, INVALID, NOT_FOUND),
)
async def data(
    request: Request,
    round: Annotated[
        int | None, Query(ge=0, le=LAST_ROUND, description="The newest with results if not named.")
    ] = None,
) -> Response:
    """The public results of a round, where they are published: see /results.

    Versions are made at most once a day and when a round is closed, never live. Any two differ by
    so many reports that none shows what one person did.
    """
    collector = _published(request)
    documents = await asyncio.to_thread(Results(collector.store).documents)
    wanted = max(documents, default=0) if round is None else round
    if wanted not in documents:
        raise HTTPException(404, MISSING)
    text, pages = documents[wanted], request.app.state.results
    headers = {"Cache-Control": "no-cache", "ETag": pages.tag(text)}
    if is_known(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    return Response(text, media_type="application/json", headers=headers)


def _wanted(request: Request) -> list[str]:
    """Return the language that was chosen, or those that the browser prefers, best first."""
    if chosen := request.query_params.get("language"):
        return [chosen]
    listed = [part.partition(";") for part in request.headers.get("accept-language", "").split(",")]
    ranked = sorted(listed, key=lambda part: part[2].strip() or "q=1", reverse=True)
    return [tag.strip() for tag, _, _ in ranked]


def _published(request: Request) -> Collector:
    """Return the collector, if it publishes results."""
    collector = collector_of(request)
    if not collector.settings.publish_results:
        raise HTTPException(404, OFF)
    return collector
