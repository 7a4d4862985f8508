"""For owners' devices: the plan, the upload of reports, deletion by receipt."""

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from discretion.collector.authorisation import INVITED, bearer
from discretion.collector.bodies import MANY, ONE
from discretion.collector.invitations import State
from discretion.collector.lifespan import Collector
from discretion.collector.models import Deleted, Deletion, Invitation, Kept, KeptMany
from discretion.collector.outcome import Credential, Outcome, Verdict, refused
from discretion.collector.problems import (
    BODIES,
    CONFLICT,
    DELETED,
    FULL,
    REFUSED,
    TOO_EARLY,
    UNKNOWN_RECEIPT,
    of_verdict,
)
from discretion.collector.routes import (
    answered,
    collector_of,
    described_body,
    is_known,
    problems,
    read_body,
)
from discretion.collector.tokens import Role
from discretion.errors import ReportRefused
from discretion.plan import Plan
from discretion.report import FORMAT, LAST_ROUND, id_of

router = APIRouter(prefix="/v1", tags=["owners"])

_LINES = {"type": "string", "description": "One report on each line."}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            ONE: {"schema": {"$ref": "#/components/schemas/Report"}},
            **{kind: {"schema": _LINES} for kind in MANY},
        },
    }
}
_KEPT = {  # the same answers to all, so they are made once
    outcome: JSONResponse({"outcome": str(outcome)}, status)
    for outcome, status in ((Outcome.ACCEPTED, 201), (Outcome.DUPLICATE, 200))
}


@router.get(
    "/plan",
    response_class=Response,
    responses={
        200: {"description": "The plan's canonical bytes.", "content": {ONE: {"schema": {}}}},
        304: {"description": "It is the plan with this id still."},
        **problems(),
    },
)
async def plan(request: Request) -> Response:
    """The plan: what is asked, and by which laws. Its id is the ETag.

    Where it assigns hash functions, a token that is shown is checked, before anything is drawn.
    """
    collector = collector_of(request)
    found = collector.plan
    if any(q.assigned for q in found.questions.values()) and bearer(request):
        await collector.authoriser.authorise(request, Role.UPLOAD)
    tag = f'"{found.id}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == "*" or is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(found.to_bytes(), media_type=ONE, headers=headers)


@router.post(
    "/reports",
    response_class=Response,
    openapi_extra=_BODY,
    responses={
        200: {"description": "Kept before, or what became of many.", "model": Kept | KeptMany},
        201: {"description": "Kept.", "model": Kept},
        **problems(CONFLICT, DELETED, REFUSED, TOO_EARLY, FULL, *BODIES.values()),
    },
)
async def upload(request: Request) -> Response:
    """Send one report, or many. The answer comes after the commit that holds them."""
    collector = collector_of(request)
    collector.rate_limiter.check(request, 0)  # before anything is read
    with collector.uploads.admission.admit(request) as admission:
        credential = await _credential(collector, request)
        try:
            bodies, many = await collector.uploads.reports(request, admission)
        except ReportRefused as error:  # by its length, before it was here
            verdict = refused(error.reason, error.detail)
            collector.writer.count([verdict])
            return of_verdict(verdict)
        collector.rate_limiter.check(request, len(bodies))
        verdicts = await collector.writer.keep(bodies, credential)
    if many:
        return JSONResponse(_answers(verdicts))
    return _KEPT.get(verdicts[0].outcome) or of_verdict(verdicts[0])


@router.get(
    "/invitation",
    response_class=Response,
    responses=answered("What can be done with what is shown.", Invitation),
)
async def invitation(request: Request) -> Response:
    """Whether a report may be sent with the invitation in the Authorization header.

    It may with any other token for uploads as well, and without one where uploads are open.
    """
    collector = collector_of(request)
    collector.rate_limiter.check(request, 0)
    state = await collector.authoriser.invitation(bearer(request))
    if state is None:
        await collector.authoriser.authorise(request, Role.UPLOAD)
    answer = {"state": str(state or State.OPEN)}
    return JSONResponse(answer, headers={"Cache-Control": "no-store"})


@router.post(
    "/deletions",
    response_class=Response,
    openapi_extra=described_body(Deletion),
    responses=answered("The report is deleted.", Deleted, UNKNOWN_RECEIPT, FULL, *BODIES.values()),
)
async def delete(request: Request) -> Response:
    """Delete a report by its receipt. It leaves every later answer; its id stays taken."""
    collector = collector_of(request)
    await collector.authoriser.authorise(request, Role.UPLOAD)
    collector.rate_limiter.check(request)
    shown = await read_body(request, Deletion)
    id = bytes.fromhex(id_of(bytes.fromhex(shown.receipt)))
    deleted = await collector.deletions.delete(id)
    collector.results.count_anew()  # so that nobody is shown what it is still part of
    if not deleted:
        return UNKNOWN_RECEIPT.response("no report of this store has this receipt")
    return JSONResponse({"outcome": str(Outcome.DELETED)})


def report_schema(plan: Plan) -> dict[str, object]:
    """Describe the reports of a plan, as far as a schema can: they have one encoding only."""
    return {
        "type": "object",
        "description": "A report as its device sealed it: these very bytes.",
        "required": ["format", "plan", "round", "id", "answers"],
        "additionalProperties": False,
        "properties": {
            "format": {"const": FORMAT},
            "plan": {"const": plan.id},
            "round": {"type": "integer", "minimum": 0, "maximum": LAST_ROUND},
            "id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "answers": {"type": "object", "additionalProperties": {"type": "object"}},
        },
    }


async def _credential(collector: Collector, request: Request) -> Credential | None:
    """Let a device pass; return its credential where that may not be used as often as one likes."""
    token = await collector.authoriser.authorise(request, Role.UPLOAD)
    secret, invited = bearer(request), token is INVITED
    if not secret or not (invited or collector.settings.once):
        return None
    return Credential(secret.encode(), invited)


def _answers(verdicts: list[Verdict]) -> dict[str, object]:
    return {
        "outcomes": [str(verdict.outcome) for verdict in verdicts],
        "refused": [
            {"report": i, "reason": str(verdict.reason), "detail": verdict.detail}
            for i, verdict in enumerate(verdicts)
            if verdict.reason is not None
        ],
    }
