"""A route for each statistic: its parameters and its description are those of the registry."""

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import JSONResponse

from discretion.collector.models import answer_model
from discretion.collector.routes import needs, only_known
from discretion.collector.routes.analysts import Round, asked, described
from discretion.collector.tokens import Role
from discretion.statistics import Option, Statistic

Attribute = Annotated[str, Query(min_length=1, description="An attribute or bundle of the plan.")]
Attributes = Annotated[
    list[Annotated[str, Query(min_length=1)]],
    Query(
        min_length=2,
        max_length=16,
        description="Two or more, one by one.",
        json_schema_extra={"uniqueItems": True},
    ),
]
OF_LISTS = ("min_length", "max_length")  # limits of a list; all others are of its items
DEFAULTS = {"round": 0}
EACH = "each"  # the limit on the length of a text in a list


def router_of(statistics: Iterable[Statistic]) -> APIRouter:
    """Return the routes of statistics."""
    only = [needs(Role.ANALYSE), Depends(only_known)]
    router = APIRouter(prefix="/v1", tags=["analysts"], dependencies=only)
    for statistic in statistics:
        router.add_api_route(
            f"/{statistic.path}",
            _endpoint(statistic),
            methods=["GET"],
            name=statistic.path,
            description=statistic.help,
            response_class=JSONResponse,
            responses=described(answer_model(statistic)),
        )
    return router


def _endpoint(statistic: Statistic) -> Callable[..., Any]:
    async def endpoint(request: Request, **values: Any) -> Response:
        return await asked(request, statistic.name, **values)

    name: str = "attributes" if statistic.several else "attribute"
    options = {option.name for option in statistic.options}
    rounds = [each for each in statistic.span.rounds if each not in options]
    parameters = [
        _parameter("request", Request, Parameter.empty),
        _parameter(name, Attributes if statistic.several else Attribute, Parameter.empty),
        *(_parameter(each, Round, DEFAULTS.get(each, Parameter.empty)) for each in rounds),
        *(_parameter(each.name, _annotation(each), each.default) for each in statistic.options),
    ]
    endpoint.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    endpoint.__name__ = statistic.path
    return endpoint


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _annotation(option: Option) -> Any:
    """Return the type of an option with its choices, limits and description."""
    if choices := option.values():
        kind: Any = Literal[tuple(choices)]
        return Annotated[kind, Query(description=option.help)]
    limits = dict(option.limits)
    if not (option.paired or option.type in (list[float], list[str] | None)):
        return Annotated[option.type, Query(description=option.help, **limits)]
    own = {name: limits.pop(name) for name in OF_LISTS if name in limits}
    each = {"max_length" if name == EACH else name: limit for name, limit in limits.items()}
    base, optional = (float, False) if option.type == list[float] else (str, True)
    kind = list[Annotated[base, Query(**each)]]  # type: ignore[valid-type]
    return Annotated[kind | None if optional else kind, Query(description=option.help, **own)]
