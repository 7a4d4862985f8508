"""Rounds on the dashboard: for those who may operate, who are asked before anything changes.

The form carries the token, so no other site can send it; where the role needs none, a request that
a browser says comes from another site is refused.
"""

import asyncio
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from discretion.collector.errors import AccessDenied
from discretion.collector.lifespan import Collector
from discretion.collector.routes import collector_of
from discretion.collector.routes.dashboard import may_operate
from discretion.collector.routes.pages import HEADERS
from discretion.collector.store.audit_log import today
from discretion.collector.tokens import Role
from discretion.report import LAST_ROUND
from discretion.web.dashboard import ACTS, Act, confirm_page
from discretion.web.owner import title_of

WRONG = "No token is like this one."
OTHER = "This token does not have the role operate."
UNKNOWN = "rounds are opened or closed, one at a time"
ELSEWHERE = "another site asked for this"
FOREIGN = ("cross-site", "same-site")
router = APIRouter(prefix="/dashboard/rounds", include_in_schema=False)


@router.get("")
async def ask(request: Request) -> Response:
    """Ask whether a round is to be opened or closed; whoever may not is led to the dashboard."""
    if not await may_operate(request):
        return RedirectResponse("collection", 303, headers=HEADERS)
    act, round = _asked(dict(request.query_params))
    return _page(collector_of(request), act, round, 200)


@router.post("")
async def change(request: Request) -> Response:
    """Open or close a round in the name of the token in the form, and show the dashboard."""
    collector = collector_of(request)
    if request.headers.get("sec-fetch-site") in FOREIGN:
        raise HTTPException(403, ELSEWHERE)
    with collector.short_bodies.admission.admit(request) as admission:
        body = await collector.short_bodies.body(request, admission)
    given = {name: values[0] for name, values in parse_qs(body.decode("latin-1")).items()}
    act, round = _asked(given)
    try:
        operator = await _operator(collector, given.get("token", "").strip())
    except AccessDenied as error:
        status, problem = (403, OTHER) if error.known else (401, WRONG)
        return _page(collector, act, round, status, problem)
    store = collector.store
    if act == "open":
        await asyncio.to_thread(store.open_round, round, operator)
    else:
        await asyncio.to_thread(store.close_round, round, today(), operator)
    collector.results.count_anew()
    return RedirectResponse("collection", 303, headers=HEADERS)


async def _operator(collector: Collector, secret: str) -> str:
    """Return the name of who may operate: of the token, or anybody where it needs none."""
    if Role.OPERATE in collector.settings.open_roles:
        return "anybody"
    return (await collector.authoriser.check(secret, Role.OPERATE)).name


def _asked(given: dict[str, str]) -> tuple[Act, int]:
    """Return what is asked for; anything but one act and one round is refused."""
    act = next((act for act in ACTS if act == given.get("act")), None)
    digits = given.get("round", "")
    if act is None or not digits.isdecimal() or not 0 <= int(digits[:20]) <= LAST_ROUND:
        raise HTTPException(400, UNKNOWN)
    return act, int(digits)


def _page(
    collector: Collector, act: Act, round: int, status: int, problem: str = ""
) -> HTMLResponse:
    token = Role.OPERATE not in collector.settings.open_roles
    page = confirm_page(title_of(collector.plan), act, round, token=token, problem=problem)
    return HTMLResponse(page, status, headers={**HEADERS, "Cache-Control": "no-store"})
