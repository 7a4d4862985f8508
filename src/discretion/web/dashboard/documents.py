"""What the dashboard is made of: the documents of the collector, as far as they are read here."""

from collections.abc import Mapping, Sequence
from typing import Generic, Literal, TypedDict, TypeVar

Result = TypeVar("Result")


class Moved(TypedDict):
    """How far false reports move one estimate; None without a bound."""

    what: str
    down: float | None
    up: float | None
    margin: float | None


class Bound(TypedDict):
    """How far a share of false reports moves estimates."""

    attribute: str
    share: float
    basis: str
    functions: str
    margins: Sequence[Moved]


class Estimate(TypedDict):
    """A value with its uncertainty, as far as it is known."""

    value: float
    stderr: float | None
    low: float | None
    high: float | None


class Frequency(Estimate):
    """The frequency of a label."""

    label: str


class Answer(TypedDict):
    """What every estimate has."""

    attribute: str
    method: str
    reports: int
    effective_n: float | None
    margins: Sequence[Bound]


class Frequencies(Answer):
    """The frequencies of an attribute."""

    frequencies: Sequence[Frequency]


class Density(TypedDict):
    """Shares of bins with their intervals."""

    edges: Sequence[float]
    value: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


class Mean(Answer):
    """The mean of a number, and its density."""

    mean: Estimate
    density: Density


class Quantile(TypedDict):
    """A quantile with its interval; ``level`` is its probability."""

    level: float
    value: float
    low: float | None
    high: float | None


class Quantiles(TypedDict):
    """Quantiles of a number; bounds only where they were asked for."""

    attribute: str
    method: str
    quantiles: Sequence[Quantile]
    margins: Sequence[Bound]


class Tried(TypedDict, Generic[Result]):
    """What is found of a name, or the reason why nothing is."""

    name: str
    found: Result | None
    reason: str
    warnings: Sequence[str]


class TriedLabels(Tried[Frequencies]):
    """An attribute with labels."""

    kind: Literal["labels"]


class TriedNumber(Tried[Mean]):
    """A number."""

    kind: Literal["number"]


class LevelGroup(TypedDict):
    """Answers at some levels, and their share of the weight where it is known."""

    reports: int
    share: float | None


class LevelRow(TypedDict):
    """The answers about a name, by group of levels."""

    name: str
    groups: Sequence[LevelGroup]


class Levels(TypedDict):
    """Answers by name and group of levels: the first and last level of each group."""

    secret: bool
    groups: Sequence[Sequence[int]]
    rows: Sequence[LevelRow]


class Overview(TypedDict):
    """All one-way estimates of a round."""

    reports: int
    estimates: Sequence[TriedLabels | TriedNumber]
    levels: Levels


class Curves(TypedDict):
    """The quantiles of every number."""

    curves: Sequence[Tried[Quantiles]]


class Joint(TypedDict):
    """A joint table; a cell has its labels first, then the fields of an estimate."""

    attributes: Sequence[str]
    method: str
    reports: int
    together: int
    cells: Sequence[Mapping[str, str | float | None]]
    margins: Sequence[Bound]


class Pair(TypedDict):
    """The test of two attributes."""

    one: str
    other: str
    statistic: float
    df: int
    p: float
    adjusted: float
    strength: float
    n: int


class Dependence(TypedDict):
    """The tests of all pairs."""

    attributes: Sequence[str]
    rate: float
    pairs: Sequence[Pair]


class ScreenedGroup(TypedDict):
    """The reports of a level, and whether they are suspicious."""

    level: int
    part: str
    n: int
    adjusted: float | None
    suspicious: bool


class WithAndWithout(TypedDict):
    """An estimate from all reports, and from those that are not suspicious."""

    what: str
    value: float | None
    stderr: float | None
    without: float | None
    without_stderr: float | None


class Screening(TypedDict):
    """Which groups of reports about an attribute are suspicious."""

    attribute: str
    suspicious_share: float
    note: str
    groups: Sequence[ScreenedGroup]
    estimates: Sequence[WithAndWithout]


class Screenings(TypedDict):
    """The screening of everything that is asked."""

    reports: int
    screenings: Sequence[Tried[Screening]]
