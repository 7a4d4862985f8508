"""For operators: rounds, and the audit log of what operators did."""

import asyncio
from dataclasses import asdict
from datetime import date
from functools import partial
from re import ASCII, fullmatch
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BeforeValidator
from starlette.responses import JSONResponse

from discretion.collector.lifespan import Collector
from discretion.collector.models import Act, OpenRound, RoundShape
from discretion.collector.problems import BODIES, FULL, INVALID, NOT_FOUND, ROUND
from discretion.collector.routes.dependencies import (
    collector_of,
    described_body,
    needs,
    only_known,
    problems,
    read_body,
)
from discretion.collector.store.audit_log import acts
from discretion.collector.store.clock import today
from discretion.collector.tokens import Role
from discretion.report.message import LAST_ROUND

router = APIRouter(prefix="/v1", tags=["operators"])
Operator = Annotated[str, needs(Role.OPERATE)]


def _written(day: str) -> str:
    """Refuse what is not written as a day: a number would be seconds since 1970."""
    if not fullmatch(r"\d{4}-\d\d-\d\d", day, ASCII):
        raise ValueError("must be a day such as 2026-11-18")
    return day


Day = Annotated[date, BeforeValidator(_written)]
_ROUNDS: dict[int | str, dict[str, Any]] = {
    200: {"description": "All rounds.", "model": list[RoundShape]}
}


@router.get("/rounds", response_class=JSONResponse, responses={**_ROUNDS, **problems()})
def rounds(request: Request, _: Annotated[str, needs(Role.ANALYSE)]) -> JSONResponse:
    """All rounds, and whether they take reports."""
    return _listed(collector_of(request))


@router.post(
    "/rounds",
    response_class=JSONResponse,
    openapi_extra=described_body(OpenRound),
    responses={**_ROUNDS, **problems(ROUND, FULL, *BODIES.values())},
)
async def open_round(request: Request, operator: Operator) -> JSONResponse:
    """Open a round; a closed one is never opened again."""
    collector = collector_of(request)
    wanted = await read_body(request, OpenRound)
    await asyncio.to_thread(collector.store.open_round, wanted.round, operator)
    return await asyncio.to_thread(_listed, collector)


@router.post(
    "/rounds/{round}/close",
    response_class=JSONResponse,
    dependencies=[Depends(only_known)],
    responses={**_ROUNDS, **problems(NOT_FOUND, INVALID, FULL)},
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


@router.get(
    "/acts",
    response_class=JSONResponse,
    responses={200: {"description": "All acts.", "model": list[Act]}, **problems()},
)
def list_acts(request: Request, _: Operator) -> JSONResponse:
    """What operators did with this plan, and with tokens for all plans of the store."""
    collector = collector_of(request)
    return JSONResponse(acts(collector.store.database, collector.plan.id))


def _listed(collector: Collector) -> JSONResponse:
    return JSONResponse([asdict(round) for round in collector.store.rounds()])
