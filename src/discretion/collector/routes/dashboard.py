"""The dashboard for people who analyse: its pages, made on the server, and a way to sign in.

Who signs in has her token in a cookie that no script reads and no other site can use; it opens what
is read, never what is changed. A page is the same for all who choose the same: its tag says
whether it changed, so that an open page polls often and is sent seldom.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from discretion.collector.errors import AccessDenied
from discretion.collector.lifespan import Collector
from discretion.collector.overview import QUANTILES
from discretion.collector.routes import collector_of, is_known
from discretion.collector.routes.pages import HEADERS, Pages
from discretion.collector.tokens import Role
from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.plan import Plan
from discretion.statistics import STATISTICS
from discretion.web.dashboard import (
    PLACES,
    Answers,
    Choice,
    Collected,
    Found,
    Frame,
    Inquiry,
    analysis_page,
    collection_page,
    dashboard_page,
    problem_page,
    sign_in_page,
)
from discretion.web.dashboard.choice import texts_of
from discretion.web.dashboard.documents import Analysis
from discretion.web.dashboard.export import KINDS, Export
from discretion.web.dashboard.sheet import estimates_sheet
from discretion.web.dashboard.tables import ANSWERED, COLLECTED

PATH = "/dashboard"
POLICY = HEADERS["Content-Security-Policy"].replace("img-src 'self'", "img-src 'self' blob:")
PAGE = {**HEADERS, "Content-Security-Policy": POLICY}  # a script makes PNG of its own pictures
router = APIRouter(prefix=PATH, include_in_schema=False)
PUBLIC = ("/", "/results")  # pages that everybody may see
SOON = 0.5  # seconds that a page waits for what is new: then it shows how far that is
WRONG = "No token is like this one."
OTHER = "This token does not have the role analyse."
NOT_YET = "There is no table just now."
LATER, RETRY = "it is being worked out; try again in a while", 5  # seconds
ENDED = "The token is not valid any more, or has not the role analyse."


@router.get("")
async def overview(request: Request) -> Response:
    """What was reported in a round and what follows from it, as far as it is known by now."""
    seen = await _seen(request, "")
    if isinstance(seen, Response):
        return seen
    choice = _choice(request, seen.collector, await seen.collector.results.collected())
    collected = await seen.collector.results.collected(choice.round)
    answers = await _answers(seen.collector, collected, choice)
    named = {"signed": seen.signed}
    draw = partial(dashboard_page, seen.collector.plan, collected, choice, answers, **named)
    return await seen.page(draw, choice, collected, [found.state for found in answers.all])


@router.get("/analysis")
async def analysis(request: Request) -> Response:
    """One statistic with its options, to work with."""
    seen = await _seen(request, "/analysis")
    if isinstance(seen, Response):
        return seen
    inquiry, collected, found = await _inquired(request, seen.collector, SOON)
    frame = Frame(seen.collector.plan, "/analysis", seen.signed, *inquiry.rounds[:1])
    draw = partial(analysis_page, frame, collected, inquiry, found)
    return await seen.page(draw, inquiry.fields, collected.rounds, collected.days, found.state)


@router.get("/collection")
async def collection(request: Request) -> Response:
    """What became of all reports, and the rounds in which they came."""
    seen = await _seen(request, "/collection")
    if isinstance(seen, Response):
        return seen
    results, operator = seen.collector.results, await may_operate(request)
    collected, trends = await results.collected(), None
    if len(collected.rounds) > 1:
        trends = await results.ask(collected, SOON, "trends")
    frame = Frame(seen.collector.plan, "/collection", seen.signed)
    draw = partial(collection_page, frame, collected, trends, operator=operator)
    return await seen.page(draw, collected, operator, trends and trends.state)


@router.get("/analysis.{kind}")
async def table(request: Request, kind: str, part: str = "sheet") -> Response:
    """The table of an analysis as a file; ``part``: the groups beside one of them."""
    collector = collector_of(request)
    await collector.authoriser.authorise(request, Role.ANALYSE)
    if kind not in KINDS:
        raise HTTPException(404, f"there is no such file: .{kind}")
    inquiry, _, found = await _inquired(request, collector, collector.settings.patience)
    if found.document is None:
        return _later(found.reason)
    sheet = (found.document["beside"] if part == "beside" else None) or found.document["sheet"]
    named = "-".join([inquiry.statistic.name, "round", *map(str, inquiry.rounds)])
    return _file(Export.of(sheet), kind, named)


@router.get("/estimates.{kind}")
async def estimates(request: Request, kind: str) -> Response:
    """All one-way estimates of a round as a table."""
    collector = collector_of(request)
    await collector.authoriser.authorise(request, Role.ANALYSE)
    if kind not in KINDS:
        raise HTTPException(404, f"there is no such file: .{kind}")
    choice = _choice(request, collector, await collector.results.collected())
    results, timeout = collector.results, collector.settings.patience
    collected = await results.collected(choice.round)
    overview, curves = await asyncio.gather(
        *(
            results.ask(collected, timeout, question, **_asked(question, collector.plan, choice))
            for question in ("overview", "curves")
        )
    )
    if overview.document is None or curves.pending:
        return _later(overview.reason)
    made = estimates_sheet(overview.document, curves.document, Legend.of(collector.plan))
    return _file(made, kind, f"estimates-{choice.round}")


@router.get("/tables/{name}.{kind}")
async def small_table(request: Request, name: str, kind: str) -> Response:
    """One of the small tables of the pages as a file."""
    collector = collector_of(request)
    await collector.authoriser.authorise(request, Role.ANALYSE)
    if kind not in KINDS or name not in {*COLLECTED, *ANSWERED}:
        raise HTTPException(404, f"there is no such table: {name}.{kind}")
    choice = _choice(request, collector, await collector.results.collected())
    results, plan = collector.results, collector.plan
    collected = await results.collected(choice.round)
    if name in COLLECTED:
        return _file(COLLECTED[name](collected), kind, name)
    answered, timeout = ANSWERED[name], collector.settings.patience
    values = _asked(answered.question, plan, choice)
    found = await results.ask(collected, timeout, answered.question, **values)
    if found.document is None:
        return _later(found.reason)
    return _file(answered.write(found.document, Legend.of(plan)), kind, f"{name}-{choice.round}")


@router.post("/session")
async def sign_in(request: Request) -> Response:
    """Take a token from the form, and keep it in a cookie if it may analyse."""
    collector = collector_of(request)
    with collector.short_bodies.admission.admit(request) as admission:
        body = await collector.short_bodies.body(request, admission)
    given = {name: values[0] for name, values in parse_qs(body.decode("latin-1")).items()}
    secret, wanted = given.get("token", "").strip(), _wanted(given.get("page", ""))
    try:
        await collector.authoriser.check(secret, Role.ANALYSE)
    except AccessDenied as error:
        status, problem = (403, OTHER) if error.known else (401, WRONG)
        return _sign_in(collector, status, problem, "../", wanted)
    answer = RedirectResponse(f"../dashboard{wanted}", 303, headers=HEADERS)
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


def _sign_in(
    collector: Collector, status: int, problem: str, root: str = "", wanted: str = ""
) -> Response:
    page = sign_in_page(collector.plan.name, problem, root, wanted)
    headers = {**HEADERS, "Cache-Control": "no-store", "WWW-Authenticate": "Bearer"}
    return HTMLResponse(page, status, headers=headers)


def _wanted(page: str) -> str:
    """Return which page of the dashboard is wanted, with its choice; nothing else is led to."""
    path, _, query = page.partition("?")
    known = path if path in PLACES else ""
    asked = urlencode(parse_qsl(query)) if known == path else ""
    return f"{known}?{asked}" if asked else known


async def may_operate(request: Request) -> bool:
    """Whether who asks may open and close rounds, as far as can be seen from her cookie."""
    try:
        await collector_of(request).authoriser.authorise(request, Role.OPERATE)
    except AccessDenied:
        return False
    return True


def _secure(request: Request) -> bool:
    return request.url.scheme == "https"


@dataclass(frozen=True, slots=True)
class _Seen:
    """A page that somebody may see, and how it is sent."""

    request: Request
    collector: Collector
    signed: bool

    async def page(self, draw: Callable[[], str], *parts: object) -> Response:
        """Draw a page unless it was drawn before; send it unless it is known already."""
        pages: Pages = self.request.app.state.pages
        tag = pages.tag(self.request.url.path, self.signed, *parts)
        headers = {**PAGE, "ETag": tag, "Vary": "Cookie", "Cache-Control": "private, no-cache"}
        if is_known(self.request, tag):
            return Response(status_code=304, headers=headers)
        made = pages.get(tag)
        if made is None:
            text = await asyncio.to_thread(draw)  # a large table takes a while, and uploads come in
            made = pages.keep(tag, text.encode())
        return HTMLResponse(made, headers=headers)


async def _seen(request: Request, place: str) -> _Seen | Response:
    """Return the page for who may analyse; whoever may not is asked for a token."""
    collector = collector_of(request)
    kept = collector.authoriser.kept(request) is not None
    try:
        await collector.authoriser.authorise(request, Role.ANALYSE)
    except AccessDenied as error:
        query = f"?{request.url.query}" if request.url.query else ""
        root, wanted = "../" if place else "", _wanted(f"{place}{query}")
        return _sign_in(collector, 403 if error.known else 401, ENDED if kept else "", root, wanted)
    return _Seen(request, collector, kept and Role.ANALYSE not in collector.settings.open_roles)


async def _inquired(
    request: Request, collector: Collector, timeout: float
) -> tuple[Inquiry, Collected, Found[Analysis]]:
    """Read what is asked, and return what is known of it; a wrong option is a reason."""
    known, given = await collector.results.collected(), request.query_params.multi_items()
    inquiry = Inquiry.of(collector.plan, list(known.rounds), known.newest, given)
    collected = await collector.results.collected(*inquiry.rounds[:1])
    try:
        values = inquiry.values()
    except EstimateError as error:
        return inquiry, collected, Found(None, str(error))
    return inquiry, collected, await collector.results.ask(collected, timeout, "analysis", **values)


def _later(reason: str) -> Response:
    """Say why there is no table."""
    page = problem_page(NOT_YET, f"{reason or LATER}.", root="../")
    return HTMLResponse(page, 503, headers={**HEADERS, "Retry-After": str(RETRY)})


def _file(table: Export, kind: str, name: str) -> Response:
    """Return a table as a file."""
    headers = {**HEADERS, "Cache-Control": "private, no-cache"}
    headers["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return Response(KINDS[kind].write(table), media_type=KINDS[kind].media, headers=headers)


def _choice(request: Request, collector: Collector, collected: Collected) -> Choice:
    given = dict(request.query_params)
    return Choice.of(collector.plan, list(collected.rounds), collected.newest, given)


def _asked(question: str, plan: Plan, choice: Choice) -> dict[str, Any]:
    """Return with what a question is asked; candidates are for attributes that are texts."""
    named = {"round": choice.round}
    if question == "trends":
        return {}
    if question == "quantiles":
        return {**named, "attribute": choice.attribute, "at": list(QUANTILES), "margins": True}
    if question == "overview" and choice.candidates:
        return {**named, "candidates": {name: list(choice.candidates) for name in texts_of(plan)}}
    return named


async def _answers(collector: Collector, collected: Collected, choice: Choice) -> Answers:
    """Ask for all that the page shows: first what was chosen, last what takes long."""
    plan, results, name = collector.plan, collector.results, choice.attribute
    questions = {"overview": "overview"}
    if choice.graph:
        questions["graph"] = "dependence"
    questions["screenings"] = "screenings"
    if name and STATISTICS["quantiles"].applies(plan, name):
        questions["attacked"] = "quantiles"
    elif not name:
        questions["curves"] = "curves"
    asked = (
        results.ask(collected, SOON, question, **_asked(question, plan, choice))
        for question in questions.values()
    )
    found = await asyncio.gather(*asked)
    return Answers(**dict(zip(questions, found, strict=True)))
