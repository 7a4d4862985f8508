"""For analysts: estimates with their uncertainty, synthetic rows, the reports themselves."""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, JSONResponse

from discretion.collector.models import (
    Counters,
    Frequencies,
    Joint,
    Mean,
    Quantiles,
    Screening,
)
from discretion.collector.outcome import Outcome
from discretion.collector.problems import CANNOT, FAILED, INVALID, NOT_FOUND, TOO_LONG
from discretion.collector.routes.dependencies import (
    collector_of,
    is_known,
    needs,
    only_known,
    problems,
)
from discretion.collector.tokens import Role
from discretion.joints.methods import METHODS as JOINT_METHODS
from discretion.labels.frequencies import METHODS, TARGETS
from discretion.numbers.aggregates import METHODS as MEAN_METHODS
from discretion.report.message import LAST_ROUND

router = APIRouter(
    prefix="/v1", tags=["analysts"], dependencies=[needs(Role.ANALYSE), Depends(only_known)]
)

Attribute = Annotated[str, Query(min_length=1, description="An attribute or bundle of the plan.")]
Round = Annotated[int, Query(ge=0, le=LAST_ROUND, description="The round.")]
Target = Annotated[
    Literal[TARGETS],  # type: ignore[valid-type]
    Query(description="The people these owners come from, or these very people."),
]
KINDS = {
    "csv": (".csv", "text/csv; charset=utf-8"),
    "parquet": (".parquet", "application/vnd.apache.parquet"),
}
TAG = {"ETag": {"description": "Of the question and the store.", "schema": {"type": "string"}}}
PROBLEMS = problems(CANNOT, INVALID, NOT_FOUND, TOO_LONG, FAILED)


def _files(*kinds: str) -> dict[int | str, dict[str, Any]]:
    content: dict[str, Any] = {KINDS[kind][1].partition(";")[0]: {"schema": {}} for kind in kinds}
    return {200: {"description": "The file.", "content": content}}


def _described(model: Any) -> dict[int | str, dict[str, Any]]:
    return {
        200: {"description": "The estimate.", "model": model, "headers": TAG},
        304: {"description": "It is the estimate with this tag still.", "headers": TAG},
        **PROBLEMS,
    }


@router.get("/frequencies", response_class=JSONResponse, responses=_described(Frequencies))
async def frequencies(
    request: Request,
    attribute: Attribute,
    round: Round = 0,
    method: Annotated[
        Literal[("auto", *METHODS)],  # type: ignore[valid-type]
        Query(description="auto takes what counts can answer; mle and blind read all reports."),
    ] = "auto",
    target: Target = "population",
    cap: Annotated[
        float | None, Query(gt=0, le=1, description="The largest share of weight of one level.")
    ] = None,
) -> Response:
    """How frequent each value of an attribute is."""
    values = {"attribute": attribute, "round": round, "method": method, "target": target}
    return await _asked(request, "frequencies", **values, cap=cap)


@router.get("/means", response_class=JSONResponse, responses=_described(Mean))
async def means(
    request: Request,
    attribute: Attribute,
    round: Round = 0,
    method: Annotated[
        Literal[("auto", *MEAN_METHODS)],  # type: ignore[valid-type]
        Query(description="How it is estimated."),
    ] = "auto",
    target: Target = "population",
) -> Response:
    """The mean of a number."""
    values = {"attribute": attribute, "round": round, "method": method, "target": target}
    return await _asked(request, "mean", **values)


@router.get("/quantiles", response_class=JSONResponse, responses=_described(Quantiles))
async def quantiles(
    request: Request,
    attribute: Attribute,
    at: Annotated[
        list[Annotated[float, Query(ge=0, le=1)]],
        Query(max_length=100, description="Levels, such as 0.5 for the median."),
    ] = [0.1, 0.25, 0.5, 0.75, 0.9],  # noqa: B006  # it is the description's, and never changed
    round: Round = 0,
    margins: Annotated[
        bool, Query(description="Whether to work out how far liars could move them: that is slow.")
    ] = False,
) -> Response:
    """Quantiles of a number."""
    values = {"attribute": attribute, "round": round, "at": at, "margins": margins}
    return await _asked(request, "quantiles", **values)


@router.get("/joints", response_class=JSONResponse, responses=_described(Joint))
async def joints(
    request: Request,
    attributes: Annotated[
        list[Annotated[str, Query(min_length=1)]],
        Query(
            min_length=2,
            max_length=16,
            description="Two or more, one by one.",
            json_schema_extra={"uniqueItems": True},
        ),
    ],
    round: Round = 0,
    method: Annotated[
        Literal[("auto", *JOINT_METHODS)],  # type: ignore[valid-type]
        Query(description="How it is estimated."),
    ] = "auto",
) -> Response:
    """A joint table of some attributes. It reads all reports, while more arrive."""
    return await _asked(request, "joint", attributes=attributes, round=round, method=method)


@router.get("/screenings", response_class=JSONResponse, responses=_described(Screening))
async def screenings(request: Request, attribute: Attribute, round: Round = 0) -> Response:
    """Which groups of reports do not look like what honest devices send."""
    return await _asked(request, "screening", attribute=attribute, round=round)


@router.get("/aggregates", response_class=Response, responses=_described(dict[str, Any]))
async def aggregates(request: Request, round: Round = 0) -> Response:
    """The counts of a round: integers, and what every one-way estimate is made of."""
    return await _asked(request, "counts", round=round)


@router.get("/rows", response_class=FileResponse, responses={**PROBLEMS, **_files(*KINDS)})
async def rows(
    request: Request,
    round: Round = 0,
    count: Annotated[
        int | None, Query(ge=1, le=1_000_000, description="As many as reports if not named.")
    ] = None,
    kind: Annotated[Literal["csv", "parquet"], Query(description="Of the file.")] = "csv",
) -> Response:
    """Synthetic rows from a model of the whole record."""
    return await _file(request, "rows", kind, round=round, count=count)


@router.get("/export", response_class=FileResponse, responses={**PROBLEMS, **_files("parquet")})
async def export(request: Request, round: Round = 0) -> Response:
    """The reports of a round as a Parquet file, which ``ReportTable.read`` reads."""
    return await _file(request, "export", "parquet", round=round)


@router.get(
    "/counters",
    response_class=JSONResponse,
    responses={200: {"description": "The counters.", "model": Counters}, **problems()},
)
def counters(request: Request) -> JSONResponse:
    """How many reports were accepted, repeated, refused and deleted."""
    found = collector_of(request).store.counters()
    plain = {str(outcome): sum(reasons.values()) for outcome, reasons in found.items()}
    kept = plain[Outcome.ACCEPTED] - plain[Outcome.DELETED]
    return JSONResponse({**plain, "refused": found[Outcome.REFUSED], "kept": kept})


async def _asked(request: Request, question: str, **values: Any) -> Response:
    """Return an answer with a tag; whoever has the answer of this state of the store keeps it."""
    collector = collector_of(request)
    tag = await collector.results.tag(question, **values)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    found = await collector.workers.ask(question, **values)
    if question == "counts":  # which are text already
        return Response(found["aggregate"], media_type="application/json", headers=headers)
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
