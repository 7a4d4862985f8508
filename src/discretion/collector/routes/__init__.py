"""The routes under /v1, by who asks: owners' devices, analysts, operators.

Here is what they have in common: the role that they need, and the problems that they may return.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, get_args, get_origin

from fastapi import Depends, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from discretion.collector.bodies import ONE
from discretion.collector.errors import BodyRefused
from discretion.collector.lifespan import Collector
from discretion.collector.problems import (
    CONTENT_TYPE,
    FORBIDDEN,
    HEADER_TOO_LARGE,
    OVERLOADED,
    UNAUTHORISED,
    UNAVAILABLE,
    Problem,
)
from discretion.collector.tokens import Role

COMMON = (UNAUTHORISED, FORBIDDEN, UNAVAILABLE, OVERLOADED, HEADER_TOO_LARGE)
Body = TypeVar("Body", bound=BaseModel)
_SCHEMA = {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}


def collector_of(request: Request) -> Collector:
    """Return the parts of the running collector."""
    return request.app.state.collector


def problems(*possible: Problem) -> dict[int | str, dict[str, Any]]:
    """Describe the problems that a route may return."""
    described: dict[int | str, dict[str, Any]] = {}
    for problem in (*COMMON, *possible):
        own = described.setdefault(
            problem.status, {"description": "", "content": {CONTENT_TYPE: _SCHEMA}}
        )
        own["description"] = f"{own['description']} {problem.title}".strip()
        if problem.retry is not None:
            wait = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
            own["headers"] = {"Retry-After": wait}
    return described


def answered(description: str, model: Any, *possible: Problem) -> dict[int | str, dict[str, Any]]:
    """Describe the answers of a route: this shape, or a problem."""
    return {200: {"description": description, "model": model}, **problems(*possible)}


def described_body(model: type[BaseModel]) -> dict[str, Any]:
    """Describe a body that the route reads itself, within the limits of all bodies."""
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {ONE: {"schema": schema}}}}


async def read_body(request: Request, model: type[Body]) -> Body:
    """Read a short body of this shape; any other is refused."""
    reader = collector_of(request).short_bodies
    with reader.admission.admit(request) as admission:
        body = await reader.body(request, admission)
    try:
        return model.model_validate_json(body, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        raise BodyRefused("malformed", f"{where}: {first['msg']}") from None


def is_known(request: Request, tag: str) -> bool:
    """Whether whoever asks has what has this tag already."""
    asked = request.headers.get("if-none-match", "").split(",")
    return tag.removeprefix("W/") in [part.strip().removeprefix("W/") for part in asked]


async def only_known(request: Request) -> None:
    """Refuse parameters that a route does not have, most of them mistyped, and all but one value.

    Of several values of a parameter that is no list, one would be used and nobody would know which.
    """
    known = {p.alias: p for p in request.scope["route"].dependant.query_params}
    asked = request.query_params
    for name in asked:
        if name not in known:
            raise _invalid(name, f"must be one of {', '.join(sorted(known))}")
        if len(asked.getlist(name)) > 1 and not _is_list(known[name].field_info.annotation):
            raise _invalid(name, "must have one value")


def _invalid(name: str, message: str) -> RequestValidationError:
    return RequestValidationError([{"loc": ("query", name), "msg": message}])


def _is_list(annotation: Any) -> bool:
    """Whether a parameter is a list, or one that may be left out."""
    return any(get_origin(part) is list for part in (annotation, *get_args(annotation)))


def needs(role: Role) -> Any:
    """Return a dependency that lets only those with a role pass; it gives their name."""

    async def admitted(request: Request) -> str:
        return (await collector_of(request).authoriser.authorise(request, role)).name

    check: Callable[[Request], Awaitable[str]] = admitted
    return Depends(check)
