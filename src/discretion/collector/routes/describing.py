"""What routes have in common: who is asked for, and which problems they may tell."""

from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Depends, Request

from discretion.collector.access import Role
from discretion.collector.parts import Collector
from discretion.collector.problems import (
    CONTENT_TYPE,
    FORBIDDEN,
    OVERLOADED,
    UNAUTHORISED,
    UNAVAILABLE,
    Problem,
)

COMMON = (UNAUTHORISED, FORBIDDEN, UNAVAILABLE)
_SCHEMA = {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}


def collector_of(request: Request) -> Collector:
    """Return the parts of the running collector."""
    collector: Collector = request.app.state.collector
    return collector


def problems(*told: Problem) -> dict[int | str, dict[str, Any]]:
    """Describe the problems that a route may tell."""
    described: dict[int | str, dict[str, Any]] = {}
    for problem in (*COMMON, OVERLOADED, *told):
        own = described.setdefault(
            problem.status, {"description": "", "content": {CONTENT_TYPE: _SCHEMA}}
        )
        own["description"] = f"{own['description']} {problem.title}".strip()
        if problem.retry is not None:
            wait = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
            own["headers"] = {"Retry-After": wait}
    return described


def needs(role: Role) -> Any:
    """Return a dependency that lets only those with a role pass; it gives their name."""

    async def admitted(request: Request) -> str:
        return await collector_of(request).gate.admit(request, role)

    check: Callable[[Request], Awaitable[str]] = admitted
    return Depends(check)
