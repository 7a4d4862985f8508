"""The shapes of what is said about reports: manipulation bounds, weights, screening."""

from collections.abc import Sequence
from typing import Annotated, TypedDict


class Moved(TypedDict):
    """How far false reports move one estimate, down and up."""

    what: str
    down: float | None
    up: float | None
    margin: float | None


class MarginShape(TypedDict):
    """How far a share of false reports moves the estimates."""

    attribute: str
    share: float
    level: int
    basis: str
    functions: str
    margins: Sequence[Moved]


class WeightShape(TypedDict):
    """The reports of a level, and their share of the weight."""

    level: int
    reports: int
    share: float


class Bounded(TypedDict):
    """What stands beside an estimate: how far shares of false reports move it."""

    margins: Sequence[MarginShape]


class Weighed(Bounded):
    """The same, and the weight of each level; none where levels are secret."""

    weights: Sequence[WeightShape]


class Group(TypedDict):
    """The reports of a level, and how well they look like what honest devices send: p-values."""

    level: int
    part: str
    n: int
    ones: Annotated[float | None, "Of the number of ones in a report."]
    outputs: Annotated[float | None, "Of what is reported too often, or too seldom."]
    agreement: Annotated[float | None, "Of the agreement with all other levels."]
    adjusted: Annotated[float | None, "The smallest, for all tests of the attribute."]
    suspicious: bool


class WithAndWithout(TypedDict):
    """An estimate from all reports, and from those of groups that are not suspicious."""

    what: str
    value: float | None
    stderr: float | None
    without: float | None
    without_stderr: float | None


class Screening(TypedDict):
    """Which groups of reports do not look like what honest devices send; none is dropped."""

    attribute: str
    alpha: float
    suspicious_share: float
    note: Annotated[str, "What could not be tested."]
    groups: Sequence[Group]
    estimates: Sequence[WithAndWithout]
