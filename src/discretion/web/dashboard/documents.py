"""What the dashboard is made of: the documents of the collector, as far as they are read here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

from discretion.estimate.documents import checks, numbers, shares

Kind = TypeVar("Kind", bound=str)
Result = TypeVar("Result")
Cell = str | float | bool | None
Document = TypeVar("Document", bound=Mapping[str, object], covariant=True)


@dataclass(frozen=True, slots=True)
class Found(Generic[Document]):
    """The answer to a question, perhaps of a moment ago; ``number`` identifies it.

    Of one that is still being worked out: since when, how many come before it, and how long such
    questions took last.
    """

    document: Document | None = None
    reason: str = ""
    number: int = 0
    seconds: float = 0.0
    ahead: int = 0
    usual: float | None = None

    @property
    def pending(self) -> bool:
        """Whether it is being worked out for the first time."""
        return self.document is None and not self.reason

    @property
    def state(self) -> tuple[int, int, int]:
        """What changes when there is something new to show: each second of waiting, too."""
        return self.number, int(self.seconds), self.ahead


Bound = checks.MarginShape


class Beside(TypedDict):
    """What may stand beside an estimate: the weight of each level, until it stands by itself."""

    weights: NotRequired[Sequence[checks.WeightShape]]


class Frequencies(shares.Frequencies, Beside):
    """The frequencies of an attribute; of texts there are no bounds."""

    margins: Sequence[Bound]


class Density(TypedDict):
    """Shares of bins with their intervals."""

    edges: Sequence[float]
    value: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


class Mean(numbers.Mean, Beside):
    """The mean of a number, and its density."""

    margins: Sequence[Bound]
    density: Density


class Quantiles(numbers.Quantiles):
    """Quantiles of a number; bounds only where they were asked for."""

    margins: NotRequired[Sequence[Bound]]


class Ranges(numbers.Ranges, Beside):
    """Shares of ranges, and of all that can be chosen: of public results and of boxes no steps."""

    margins: Sequence[Bound]
    steps: NotRequired[numbers.Steps]


class Rows(Beside):
    """Any result: its rows, under their heads."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]


class Tried(TypedDict, Generic[Kind, Result]):
    """What is found of a name, or the reason why nothing is."""

    name: str
    kind: Kind  # of the card
    found: Result | None
    reason: str
    warnings: Sequence[str]


TriedLabels = Tried[Literal["labels"], Frequencies]
TriedNumber = Tried[Literal["number"], Mean]
TriedRanges = Tried[Literal["ranges"], Ranges]
TriedQuantiles = Tried[Literal["number"], Quantiles]
TriedScreening = Tried[Literal[""], checks.Screening]
TriedSeries = Tried[Literal[""], shares.Series]


class TriedOther(Tried[Literal["other"], Rows]):
    """Any other statistic of an attribute."""

    statistic: str


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
    estimates: Sequence[TriedLabels | TriedNumber | TriedRanges | TriedOther]
    levels: Levels


class Curves(TypedDict):
    """The quantiles of every number."""

    reports: int
    curves: Sequence[TriedQuantiles]


class Trends(TypedDict):
    """Everything that can be followed over rounds; nothing before two have reports."""

    trends: Sequence[TriedSeries]


class Measure(TypedDict):
    """What is estimated in each row: the columns of its value and, if it has any, of its ends."""

    value: str
    low: str | None
    high: str | None


class Sheet(TypedDict):
    """The rows of a result under their heads, as its frame has them."""

    heads: Sequence[str]
    names: Sequence[str]  # the columns that say what a row is about
    measures: Sequence[Measure]
    rows: Sequence[Sequence[Cell]]


class Analysis(TypedDict):
    """A statistic with its options: what was estimated in a line, and its rows."""

    said: str
    sheet: Sheet
    beside: Sheet | None  # the other groups less the one that is named
    tests: Sequence[str]


class Joint(shares.Joint):
    """A joint table; a cell has its labels first, then the fields of an estimate."""

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


class Screenings(TypedDict):
    """The screening of everything that is asked."""

    reports: int
    screenings: Sequence[TriedScreening]
