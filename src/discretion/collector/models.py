"""What answers look like: the shapes that the OpenAPI description shows."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from discretion.collector.invitations import State
from discretion.collector.outcome import Outcome
from discretion.statistics import Statistic
from discretion.statistics.option import load


def whole(value: object) -> object:
    """Return 1 for 1.0: JSON has one kind of numbers, and a schema calls both an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Shape(BaseModel):
    """A shape without fields that it does not name."""

    model_config = ConfigDict(extra="forbid")


class ProblemDocument(BaseModel):
    """What went wrong (RFC 9457)."""

    type: str = Field(description="urn:discretion:problem: and the name of the problem.")
    title: str
    status: int
    detail: str
    reason: str | None = Field(None, description="Why a report is refused, by its stable name.")


class Stop(Shape):
    """A level that an owner's page shows."""

    level: int = Field(description="In thousandths of epsilon.")
    people: int | None = Field(description="How many, all at this level, tell a share to 2 points.")


class Survey(Shape):
    """What owners are told beside the plan."""

    plan: str = Field(description="Its id.")
    name: str
    asker: str
    purpose: str
    retention: int = Field(description="Days that a closed round's reports are kept; 0: always.")
    round: int | None = Field(description="The newest one that takes reports.")
    token: bool = Field(description="Whether uploads need one.")
    results: bool = Field(description="Whether results are published, at results.")
    stops: dict[str, list[Stop]] = Field(description="By attribute or bundle.")


class Kept(Shape):
    """What became of one report."""

    outcome: Literal[Outcome.ACCEPTED, Outcome.DUPLICATE]


class Refused(Shape):
    """A report of many that was refused, and why."""

    report: int = Field(description="Its place among the reports of the request, from 0.")
    reason: str
    detail: str


class KeptMany(Shape):
    """What became of each report, in the order of the request."""

    outcomes: list[Outcome]
    refused: list[Refused]


class Deletion(Shape):
    """What stays on the owner's device: whoever shows it may delete the report."""

    receipt: str = Field(pattern="^[0-9a-f]{64}$", examples=["00" * 32])


class Deleted(Shape):
    """The report is deleted, now or before."""

    outcome: Literal[Outcome.DELETED]


class Invitation(Shape):
    """Whether a report may be sent with an invitation; one that is used deletes its report."""

    state: State


class OpenRound(Shape):
    """The round to open."""

    round: Annotated[int, BeforeValidator(whole)] = Field(ge=0, le=(1 << 31) - 1)


class RoundShape(Shape):
    """A round, and whether it takes reports."""

    round: int
    state: Literal["open", "closed", "cleared"]
    closed_on: str | None


class Counters(Shape):
    """Reports by outcome since the store was made; kept are those accepted less those deleted."""

    accepted: int
    duplicate: int
    conflict: int
    deleted: int
    refused: dict[str, int] = Field(description="By reason.")
    kept: int


class Act(Shape):
    """What an operator did."""

    number: int
    at: str
    actor: str
    act: str
    detail: str
    plan: str | None  # None: all plans of the store


class Answer(BaseModel):
    """What every answer has."""

    round: int
    warnings: list[str]


def answer_model(statistic: Statistic) -> Any:
    """Return the shape of a statistic's answer: of everybody's, or of that by group."""
    whole = _answer(statistic, statistic.document, statistic.beside)
    return whole | _answer(statistic, statistic.grouped, {}) if statistic.grouped else whole


def _answer(statistic: Statistic, document: str, beside: Mapping[str, str]) -> type[BaseModel]:
    """Return the shape of an answer: its document, and what stands beside it."""
    shape = load(document) if document else None
    fields = {} if shape is None else _fields(shape)
    for name, place in beside.items():
        fields[name] = (list[_model(load(place))], ...)  # type: ignore[misc]
    name, about = (shape.__name__, shape.__doc__) if shape else (statistic.name, statistic.help)
    return create_model(name, __base__=Answer, __doc__=about, **fields)


@cache
def _model(shape: Any) -> type[BaseModel]:
    """Return the model of a document's shape; it has no fields that the shape does not name."""
    found: type[BaseModel] = create_model(
        shape.__name__, __base__=Shape, __doc__=shape.__doc__, **_fields(shape)
    )
    return found


def _fields(shape: Any) -> dict[str, Any]:
    """Return types and descriptions of fields; those that may be absent default to nothing."""
    found = {}
    for name, hint in get_type_hints(shape, include_extras=True).items():
        absent = get_origin(hint) is NotRequired
        hint = get_args(hint)[0] if absent else hint
        kind, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        kind = _plain(kind)
        field = Field(None if absent else ..., description=said[0] if said else None)
        found[name] = (kind | None if absent else kind, field)
    return found


def _plain(kind: Any) -> Any:
    """Return a type with models in the place of shapes, and lists in that of sequences."""
    if is_typeddict(kind):
        return _model(kind)
    if get_origin(kind) is Sequence:
        return list[_plain(get_args(kind)[0])]  # type: ignore[misc]
    return kind


class PublishedEstimate(Shape):
    """What is found of one question, and the version that renewed it: the last one or an older."""

    key: str = Field(description="The statistic and the name.")
    name: str
    kind: Literal["labels", "number", "other"]
    statistic: str | None = Field(None, description="Of any other kind.")
    answers: int = Field(description="That it counts.")
    version: int
    day: str
    found: dict[str, Any] | None = Field(description="As the statistic answers; null without any.")
    reason: str = Field(description="Why nothing is found.")
    warnings: list[str]


class PublishedResults(Shape):
    """A version of the public results of a round."""

    plan: str = Field(description="Its id.")
    round: int
    version: int
    day: str = Field(description="On which it was made, in UTC.")
    reports: int = Field(description="That it counts.")
    least: int = Field(description="Reports that set any two versions apart, at least.")
    estimates: list[PublishedEstimate]


class Health(Shape):
    """Whether the server can do its work."""

    status: Literal["ok"]
    plan: str
