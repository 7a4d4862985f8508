"""For operators: rounds, the audit log of what operators did, and how the server is."""

import asyncio
from dataclasses import asdict
from datetime import date
from functools import partial
from re import ASCII, fullmatch
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BeforeValidator
from starlette.responses import JSONResponse

from discretion.collector.lifespan import Collector
from discretion.collector.metrics import Metrics
from discretion.collector.models import Act, Health, OpenRound, RoundShape
from discretion.collector.problems import BODIES, FULL, INVALID, NOT_FOUND, ROUND
from discretion.collector.routes import (
    answered,
    collector_of,
    described_body,
    needs,
    only_known,
    read_body,
)
from discretion.collector.store.audit_log import acts, today
from discretion.collector.tokens import Role
from discretion.report import LAST_ROUND

router = APIRouter(prefix="/v1", tags=["operators"])
monitoring = APIRouter(tags=["operators"])  # of a plan that is served alone
Operator = Annotated[str, needs(Role.OPERATE)]
_rounds = partial(answered, "All rounds.", list[RoundShape])


def _written(day: str) -> str:
    """Refuse what is not written as a day: a number would be seconds since 1970."""
    if not fullmatch(r"\d{4}-\d\d-\d\d", day, ASCII):
        raise ValueError("must be a day such as 2026-11-18")
    return day


Day = Annotated[date, BeforeValidator(_written)]


@router.get("/rounds", responses=_rounds())
def rounds(request: Request, _: Annotated[str, needs(Role.ANALYSE)]) -> JSONResponse:
    """All rounds, and whether they take reports."""
    return _listed(collector_of(request))


@router.post(
    "/rounds",
    openapi_extra=described_body(OpenRound),
    responses=_rounds(ROUND, FULL, *BODIES.values()),
)
async def open_round(request: Request, operator: Operator) -> JSONResponse:
    """Open a round; a closed one is never opened again."""
    collector = collector_of(request)
    wanted = await read_body(request, OpenRound)
    await asyncio.to_thread(collector.store.open_round, wanted.round, operator)
    return await asyncio.to_thread(_listed, collector)


@router.post(
    "/rounds/{round}/close",
    dependencies=[Depends(only_known)],
    responses=_rounds(NOT_FOUND, INVALID, FULL),
)
async def close_round(
    request: Request,
    round: Annotated[int, Path(ge=0, le=LAST_ROUND)],
    operator: Operator,
    on: Annotated[
        Day | None,
        Query(description="The closing day, where the server's clock was wrong: 2026-11-18."),
    ] = None,
) -> JSONResponse:
    """Close a round for good: it takes no more reports, and who reported is forgotten.

    If the server's clock is behind what the store has seen, the round has no closing day and is
    kept. Close it again when the clock is right, or name the day.
    """
    collector = collector_of(request)
    close = partial(collector.store.close_round, confirmed=on is not None)
    await asyncio.to_thread(close, round, on or today(), operator)
    return await asyncio.to_thread(_listed, collector)


@router.get("/acts", responses=answered("All acts.", list[Act]))
def list_acts(request: Request, _: Operator) -> JSONResponse:
    """What operators did with this plan, and with tokens for all plans of the store."""
    collector = collector_of(request)
    return JSONResponse(acts(collector.store.database, collector.plan.id))


def _listed(collector: Collector) -> JSONResponse:
    return JSONResponse([asdict(round) for round in collector.store.rounds()])


@monitoring.get("/health", responses=answered("It works.", Health, FULL))
def health(request: Request) -> JSONResponse:
    """Whether the store answers, and has room for what it may be given."""
    collector = collector_of(request)
    collector.check()
    return JSONResponse({"status": "ok", "plan": collector.plan.id})


@monitoring.get("/metrics", response_class=Response)
def scrape(request: Request) -> Response:
    """Metrics for Prometheus."""
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)
