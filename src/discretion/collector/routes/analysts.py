"""For analysts: counts, synthetic rows, the reports themselves."""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, JSONResponse

from discretion.candidates.focus import MOST, MOST_TOGETHER
from discretion.collector.models import Counters
from discretion.collector.outcome import Outcome
from discretion.collector.problems import CANNOT, FAILED, INVALID, NOT_FOUND, TOO_LONG
from discretion.collector.routes import (
    answered,
    collector_of,
    is_known,
    needs,
    only_known,
    problems,
)
from discretion.collector.tokens import Role
from discretion.report import LAST_ROUND

router = APIRouter(
    prefix="/v1", tags=["analysts"], dependencies=[needs(Role.ANALYSE), Depends(only_known)]
)

Round = Annotated[int, Query(ge=0, le=LAST_ROUND, description="The round.")]
KINDS = {
    "csv": (".csv", "text/csv; charset=utf-8"),
    "parquet": (".parquet", "application/vnd.apache.parquet"),
}
TEXTS = {"counts": "aggregate", "focus": "plan"}  # what is text already
TAG = {"ETag": {"description": "Of the question and the store.", "schema": {"type": "string"}}}
PROBLEMS = problems(CANNOT, INVALID, NOT_FOUND, TOO_LONG, FAILED)


def _files(*kinds: str) -> dict[int | str, dict[str, Any]]:
    content: dict[str, Any] = {KINDS[kind][1].partition(";")[0]: {"schema": {}} for kind in kinds}
    return {200: {"description": "The file.", "content": content}}


def described(model: Any) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of a route: this shape, the same as before, or a problem."""
    return {
        200: {"description": "The estimate.", "model": model, "headers": TAG},
        304: {"description": "It is the estimate with this tag still.", "headers": TAG},
        **PROBLEMS,
    }


@router.get("/aggregates", response_class=Response, responses=described(dict[str, Any]))
async def aggregates(request: Request, round: Round = 0) -> Response:
    """The counts of a round: integers, and what every one-way estimate is made of."""
    return await asked(request, "counts", round=round)


@router.get("/focus", response_class=Response, responses=described(dict[str, Any]))
async def focus(
    request: Request,
    attribute: Annotated[str, Query(description="A text to discover, or a set.")],
    round: Round = 0,
    count: Annotated[int, Query(ge=2, le=MOST, description="Candidates to list at most.")] = 64,
    sets: Annotated[
        int, Query(ge=1, le=MOST_TOGETHER, description="Items in an itemset at most.")
    ] = 1,
) -> Response:
    """The plan of a next round about the most frequent texts or items."""
    values = {"round": round, "attribute": attribute, "count": count, "sets": sets}
    return await asked(request, "focus", **values)


@router.get("/rows", response_class=FileResponse, responses={**PROBLEMS, **_files(*KINDS)})
async def rows(
    request: Request,
    round: Round = 0,
    count: Annotated[
        int | None, Query(ge=1, le=1_000_000, description="As many as reports if not named.")
    ] = None,
    kind: Annotated[Literal["csv", "parquet"], Query(description="Of the file.")] = "csv",
    attributes: Annotated[
        list[Annotated[str, Query(min_length=1)]] | None,
        Query(min_length=2, description="One by one; all if none is named, which no text may be."),
    ] = None,
) -> Response:
    """Synthetic rows from a model of the whole record, or of some attributes."""
    values = {"round": round, "count": count, "attributes": attributes}
    return await _file(request, "rows", kind, **values)


@router.get("/export", response_class=FileResponse, responses={**PROBLEMS, **_files("parquet")})
async def export(request: Request, round: Round = 0) -> Response:
    """The reports of a round as a Parquet file, which ``ReportTable.read`` reads."""
    return await _file(request, "export", "parquet", round=round)


@router.get("/counters", responses=answered("The counters.", Counters, INVALID))
def counters(request: Request) -> JSONResponse:
    """How many reports were accepted, repeated, refused and deleted."""
    found = collector_of(request).store.counters()
    plain = {str(outcome): sum(reasons.values()) for outcome, reasons in found.items()}
    kept = plain[Outcome.ACCEPTED] - plain[Outcome.DELETED]
    return JSONResponse({**plain, "refused": found[Outcome.REFUSED], "kept": kept})


async def asked(request: Request, question: str, **values: Any) -> Response:
    """Return an answer with a tag; whoever has the answer of this state of the store keeps it."""
    collector = collector_of(request)
    tag = await collector.results.tag(question, **values)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    found = await collector.workers.ask(question, **values)
    if question in TEXTS:
        return Response(found[TEXTS[question]], media_type="application/json", headers=headers)
    return JSONResponse(found, headers=headers)


async def _file(request: Request, question: str, kind: str, **values: Any) -> Response:
    """Have a file made, send it, and remove it, whatever happens."""
    suffix, media = KINDS[kind]
    folder = Path(mkdtemp(prefix="discretion-"))
    path = folder / f"{question}{suffix}"
    away = BackgroundTask(shutil.rmtree, folder, ignore_errors=True)
    try:
        await collector_of(request).workers.ask(question, path=str(path), **values)
    except BaseException:
        await away()
        raise
    return FileResponse(path, media_type=media, filename=path.name, background=away)
