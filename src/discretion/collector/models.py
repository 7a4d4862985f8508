"""What answers look like: the shapes that the OpenAPI description shows."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from discretion.collector.outcome import Outcome


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


class Interval(BaseModel):
    """A value, its standard error, and its 95 % interval."""

    value: float
    stderr: float | None
    low: float | None
    high: float | None


class Frequency(Interval):
    """The frequency of a label."""

    label: str


class Moved(Shape):
    """How far liars move one estimate, down and up."""

    what: str
    down: float | None
    up: float | None
    margin: float | None


class MarginShape(Shape):
    """How far a share of liars moves the estimates."""

    attribute: str
    share: float
    level: int
    basis: str
    functions: str
    margins: list[Moved]


class WeightShape(Shape):
    """The reports of a level, and their share of the weight."""

    level: int
    reports: int
    share: float


class Answer(BaseModel):
    """What every answer has."""

    round: int
    warnings: list[str]


class Frequencies(Answer):
    """The frequencies of an attribute."""

    attribute: str
    method: str
    target: str
    reports: int
    effective_n: float | None
    homogeneity_p: float | None
    frequencies: list[Frequency]
    margins: list[MarginShape]
    weights: list[WeightShape]


class Mean(Answer):
    """The mean of a number."""

    attribute: str
    method: str
    target: str
    reports: int
    effective_n: float | None
    homogeneity_p: float | None
    mean: Interval
    margins: list[MarginShape]
    weights: list[WeightShape]


class Quantiles(Answer):
    """Quantiles of a number; there are margins only where they were asked for."""

    attribute: str
    reports: int
    quantiles: list[dict[str, float | None]]
    margins: list[MarginShape]


class Joint(Answer):
    """A joint table; margins are of its cells, or else of its attributes, one by one."""

    attributes: list[str]
    method: str
    reports: int
    cells: list[dict[str, str | float | None]]
    margins: list[MarginShape]


class Group(Shape):
    """The reports of a level, and how well they look like what honest devices send: p-values."""

    level: int
    part: str
    n: int
    ones: float | None = Field(description="Of the number of ones in a report.")
    outputs: float | None = Field(description="Of what is reported too often, or too seldom.")
    agreement: float | None = Field(description="Of the agreement with all other levels.")
    adjusted: float | None = Field(description="The smallest, for all tests of the attribute.")
    suspicious: bool


class WithAndWithout(Shape):
    """An estimate from all reports, and from those of groups that are not suspicious."""

    what: str
    value: float | None
    stderr: float | None
    without: float | None
    without_stderr: float | None


class Screening(Answer):
    """Which groups of reports do not look like what honest devices send; none is dropped."""

    attribute: str
    alpha: float
    suspicious_share: float
    note: str = Field(description="What could not be tested.")
    groups: list[Group]
    estimates: list[WithAndWithout]


class Health(Shape):
    """Whether the server can do its work."""

    status: Literal["ok"]
    plan: str
