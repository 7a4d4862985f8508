"""The dashboard for people who analyse: one page, made on the server, and a way to sign in.

Who signs in has her token in a cookie that no script reads and no other site can use; it opens what
is read, never what is changed. The page is the same for all who choose the same: its tag says
whether it changed, so that an open page polls often and is sent seldom.
"""

import asyncio
import json
from functools import partial
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from discretion.collector.errors import AccessDenied
from discretion.collector.lifespan import Collector
from discretion.collector.overview import QUANTILES
from discretion.collector.routes import collector_of, is_known
from discretion.collector.routes.pages import HEADERS, Pages
from discretion.collector.tokens import Role
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.statistics import STATISTICS
from discretion.web.dashboard import (
    Answers,
    Choice,
    Collected,
    dashboard_page,
    problem_page,
    sign_in_page,
)
from discretion.web.dashboard.choice import texts_of
from discretion.web.dashboard.sheet import estimates_csv

PATH = "/dashboard"
router = APIRouter(prefix=PATH, include_in_schema=False)
PUBLIC = ("/", "/results")  # pages that everybody may see
FIRST, MORE = 4.0, 1.5  # seconds that a page waits for what it cannot do without, and for the rest
WRONG = "No token is like this one."
OTHER = "This token does not have the role analyse."
NOT_YET = "There is no table just now."
LATER, RETRY = "it is being worked out; try again in a while", 5  # seconds
ENDED = "The token is not valid any more, or has not the role analyse."


@router.get("")
async def dashboard(request: Request) -> Response:
    """What was reported and what follows from it, as far as it is known by now."""
    collector = collector_of(request)
    try:
        await collector.authoriser.authorise(request, Role.ANALYSE)
    except AccessDenied as error:
        problem = "" if collector.authoriser.kept(request) is None else ENDED
        return _sign_in(collector, 403 if error.known else 401, problem)
    closed = Role.ANALYSE not in collector.settings.open_roles
    signed = closed and collector.authoriser.kept(request) is not None
    operator = await may_operate(request)
    choice = await _choice(request, collector)
    collected = await collector.results.collected(choice.round)
    answers = await _answers(collector, collected, choice)
    pages: Pages = request.app.state.pages
    tag = pages.tag(choice, collected, [found.number for found in answers.all], signed, operator)
    headers = {**HEADERS, "ETag": tag, "Vary": "Cookie", "Cache-Control": "private, no-cache"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    made = pages.get(tag)
    if made is None:
        named = {"signed": signed, "operator": operator}
        draw = partial(dashboard_page, collector.plan, collected, choice, answers, **named)
        text = await asyncio.to_thread(draw)  # a large table takes a while, and uploads come in
        made = pages.keep(tag, text.encode())
    return HTMLResponse(made, headers=headers)


@router.get("/estimates.csv")
async def estimates(request: Request) -> Response:
    """All one-way estimates of a round as a table for spreadsheets."""
    collector = collector_of(request)
    await collector.authoriser.authorise(request, Role.ANALYSE)
    choice = await _choice(request, collector)
    results, timeout = collector.results, collector.settings.patience
    collected = await results.collected(choice.round)
    overview, curves = await asyncio.gather(
        results.ask(collected, timeout, "overview", **_overview(collector.plan, choice)),
        results.ask(collected, timeout, "curves", round=choice.round),
    )
    if overview.document is None or curves.pending:
        page = problem_page(NOT_YET, f"{overview.reason or LATER}.", root="../")
        return HTMLResponse(page, 503, headers={**HEADERS, "Retry-After": str(RETRY)})
    name = f'attachment; filename="estimates-{choice.round}.csv"'
    headers = {**HEADERS, "Cache-Control": "private, no-cache", "Content-Disposition": name}
    made = estimates_csv(overview.document, curves.document, Legend.of(collector.plan))
    return Response(made, media_type="text/csv", headers=headers)


@router.post("/session")
async def sign_in(request: Request) -> Response:
    """Take a token from the form, and keep it in a cookie if it may analyse."""
    collector = collector_of(request)
    with collector.short_bodies.admission.admit(request) as admission:
        body = await collector.short_bodies.body(request, admission)
    secret = parse_qs(body.decode("latin-1")).get("token", [""])[0].strip()
    try:
        await collector.authoriser.check(secret, Role.ANALYSE)
    except AccessDenied as error:
        status, problem = (403, OTHER) if error.known else (401, WRONG)
        return _sign_in(collector, status, problem, root="../")
    answer = RedirectResponse("../dashboard", 303, headers=HEADERS)
    name, secure = collector.authoriser.cookie, _secure(request)
    answer.set_cookie(name, secret, path="/", httponly=True, samesite="strict", secure=secure)
    return answer


@router.post("/session/end")
async def sign_out(request: Request) -> Response:
    """Forget the token."""
    answer = RedirectResponse("../../dashboard", 303, headers=HEADERS)
    name, secure = collector_of(request).authoriser.cookie, _secure(request)
    answer.delete_cookie(name, path="/", httponly=True, samesite="strict", secure=secure)
    return answer


def as_page(request: Request, response: Response) -> Response:
    """Return a problem as people read it, where people ask; else as it is."""
    path = request.url.path
    if not (path in PUBLIC or path.startswith(PATH)) or not response.body:
        return response
    document: dict[str, Any] = json.loads(bytes(response.body))
    title, detail = document["title"], f"{document['detail']}."
    if path in PUBLIC:
        page = problem_page(title, detail, back=("Try again", "."))
    else:
        page = problem_page(title, detail, "../" * (path.count("/") - 1))
    kept = {"retry-after", "allow", "www-authenticate"}
    headers = {name: value for name, value in response.headers.items() if name in kept}
    return HTMLResponse(page, response.status_code, headers={**HEADERS, **headers})


def _sign_in(collector: Collector, status: int, problem: str, root: str = "") -> Response:
    page = sign_in_page(collector.plan.name, problem, root)
    headers = {**HEADERS, "Cache-Control": "no-store", "WWW-Authenticate": "Bearer"}
    return HTMLResponse(page, status, headers=headers)


async def may_operate(request: Request) -> bool:
    """Whether who asks may open and close rounds, as far as can be seen from her cookie."""
    try:
        await collector_of(request).authoriser.authorise(request, Role.OPERATE)
    except AccessDenied:
        return False
    return True


def _secure(request: Request) -> bool:
    return request.url.scheme == "https"


async def _choice(request: Request, collector: Collector) -> Choice:
    collected = await collector.results.collected()
    given = dict(request.query_params)
    return Choice.of(collector.plan, list(collected.rounds), collected.newest, given)


def _overview(plan: Plan, choice: Choice) -> dict[str, Any]:
    """Return what is asked of all attributes; candidates are for those that are texts."""
    if not choice.candidates:
        return {"round": choice.round}
    texts = {name: list(choice.candidates) for name in texts_of(plan)}
    return {"round": choice.round, "candidates": texts}


async def _answers(collector: Collector, collected: Collected, choice: Choice) -> Answers:
    """Ask for all that the page shows: first what was chosen, last what takes long."""
    round, plan, results = choice.round, collector.plan, collector.results
    asked = {"overview": results.ask(collected, FIRST, "overview", **_overview(plan, choice))}
    if choice.pair is not None:
        values = {"attributes": list(choice.pair), "round": round, "method": "auto"}
        asked["pair"] = results.ask(collected, FIRST, "joint", **values)
    if choice.graph:
        asked["graph"] = results.ask(collected, FIRST, "dependence", round=round)
    asked["screenings"] = results.ask(collected, MORE, "screenings", round=round)
    name = choice.attribute
    if name and STATISTICS["quantiles"].applies(plan, name):
        values = {"attribute": name, "round": round, "at": list(QUANTILES), "margins": True}
        asked["attacked"] = results.ask(collected, MORE, "quantiles", **values)
    elif not name:
        asked["curves"] = results.ask(collected, MORE, "curves", round=round)
    if len(collected.rounds) > 1:
        asked["trends"] = results.ask(collected, MORE, "trends")
    found = await asyncio.gather(*asked.values())
    return Answers(**dict(zip(asked, found, strict=True)))
