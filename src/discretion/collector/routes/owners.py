"""For owners' devices: the plan, the upload of reports, deletion by receipt."""

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import JSONResponse

from discretion.collector.access import Role
from discretion.collector.gate import bearer
from discretion.collector.intake import MANY, ONE
from discretion.collector.models import Deleted, Deletion, Kept, KeptMany
from discretion.collector.outcome import Outcome, Verdict
from discretion.collector.parts import Collector
from discretion.collector.problems import (
    BODIES,
    CONFLICT,
    DELETED,
    FULL,
    NOT_FOUND,
    REFUSED,
    TOO_EARLY,
    of_verdict,
)
from discretion.collector.routes.describing import (
    collector_of,
    described_body,
    problems,
    read_body,
)
from discretion.report.message import id_of

router = APIRouter(prefix="/v1", tags=["owners"])

_REPORT = {
    "type": "object",
    "description": "A report as its device sealed it: these very bytes.",
    "required": ["format", "plan", "round", "id", "answers"],
    "additionalProperties": False,
    "properties": {
        "format": {"const": 1},
        "plan": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "round": {"type": "integer", "minimum": 0, "maximum": (1 << 31) - 1},
        "id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "answers": {"type": "object", "additionalProperties": {"type": "object"}},
    },
}
_LINES = {"type": "string", "description": "One report on each line."}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            ONE: {"schema": _REPORT},
            **{kind: {"schema": _LINES} for kind in MANY},
        },
    }
}
_KEPT = {  # the same answers to all, so they are made once
    outcome: JSONResponse({"outcome": str(outcome)}, status)
    for outcome, status in ((Outcome.ACCEPTED, 201), (Outcome.DUPLICATE, 200))
}


@router.head("/plan", include_in_schema=False)
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
    if found.assigned and bearer(request):
        await collector.gate.admit(request, Role.UPLOAD)
    tag = f'"{found.id}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    asked = request.headers.get("if-none-match", "")
    if asked == "*" or tag in [part.strip().removeprefix("W/") for part in asked.split(",")]:
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
    credential = await _credential(collector, request)
    with collector.intake.room() as room:
        bodies, many = await collector.intake.reports(request, room)
        verdicts = await collector.writer.keep(bodies, credential)
    if many:
        return JSONResponse(_answers(verdicts))
    return _KEPT.get(verdicts[0].outcome) or of_verdict(verdicts[0])


@router.post(
    "/deletions",
    response_class=Response,
    openapi_extra=described_body(Deletion),
    responses={
        200: {"description": "The report is deleted.", "model": Deleted},
        **problems(NOT_FOUND, FULL, *BODIES.values()),
    },
)
async def delete(request: Request) -> Response:
    """Delete a report by its receipt. It leaves every later answer; its id stays taken."""
    collector = collector_of(request)
    await collector.gate.admit(request, Role.UPLOAD)
    collector.gate.slow_down(request)
    shown = await read_body(request, Deletion)
    id = bytes.fromhex(id_of(bytes.fromhex(shown.receipt)))
    if not await collector.deletions.delete(id):
        return NOT_FOUND.response("no report has this receipt")
    return JSONResponse({"outcome": str(Outcome.DELETED)})


async def _credential(collector: Collector, request: Request) -> bytes | None:
    """Let a device pass; return its credential where it may be used once a round."""
    collector.gate.slow_down(request)
    await collector.gate.admit(request, Role.UPLOAD)
    secret = bearer(request)
    return secret.encode() if secret and collector.settings.once else None


def _answers(verdicts: list[Verdict]) -> dict[str, Any]:
    return {
        "outcomes": [str(verdict.outcome) for verdict in verdicts],
        "refused": [
            {"report": i, "reason": str(verdict.reason), "detail": verdict.detail}
            for i, verdict in enumerate(verdicts)
            if verdict.reason is not None
        ],
    }
