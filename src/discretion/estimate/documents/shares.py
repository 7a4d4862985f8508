"""The shapes of shares: frequencies, joint tables, discovered texts, differences, series."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from discretion.estimate.documents import Interval, Rough, Weighted


class Frequency(Interval):
    """The frequency of a label."""

    label: str
    unprocessed: NotRequired[float]
    cut: NotRequired[Annotated[float, "Of an item of sets: how much it is too low at most."]]


class Frequencies(Rough):
    """The frequencies of an attribute."""

    attribute: str
    method: str
    post: NotRequired[Sequence[str]]
    target: str
    reports: int
    effective_n: float | None
    homogeneity_p: float | None
    frequencies: Sequence[Frequency]
    applies: NotRequired[Annotated[float, "The share of people to whom the question applies."]]
    applicable: NotRequired[
        Annotated[Sequence[Frequency], "The frequencies among those to whom it applies."]
    ]
    weighted: NotRequired[Annotated[Weighted, "Of an estimate that has known margins."]]
    sizes: NotRequired[Annotated[Sequence[Frequency], "Of sets: how many items they have."]]


class DiscoveredText(TypedDict):
    """A text that somebody said, with its share and an interval that holds given that."""

    text: str
    share: float
    stderr: float
    low: float
    high: float
    bits: Annotated[int, "Of its codeword."]
    tail: Annotated[float, "The probability of so much support, were it nobody's."]
    planted: Annotated[int, "False reports by which a text of so many bits would be found."]


class LongerTexts(TypedDict):
    """The share of texts that have more bits than the code allows."""

    share: float
    stderr: float


class Discovery(TypedDict):
    """Texts that nobody listed, the most frequent one first."""

    attribute: str
    error: Annotated[float, "The probability of any text that nobody said is at most this."]
    reports: int
    longer: LongerTexts
    texts: Sequence[DiscoveredText]


class PooledShare(Interval):
    """The share of a candidate in two rounds together, and in each."""

    label: str
    share: float
    first: float | None
    second: float
    second_low: float
    second_high: float
    weight: Annotated[float, "Of the first round."]


class PooledShares(TypedDict):
    """The shares of a second round's candidates, from both rounds."""

    attribute: str
    reports: Annotated[Sequence[int], "Of the first round and of the second."]
    common: Annotated[int, "Owners who answered both, as far as that is known."]
    shares: Sequence[PooledShare]


class Interacting(TypedDict):
    """Attributes that depend on each other beyond what smaller sets of them imply."""

    attributes: Sequence[str]
    statistic: float
    df: int
    p: float
    adjusted: float
    expressed: bool


class Joint(Rough):
    """A joint table; margins are of its cells, or else of its attributes, one by one."""

    attributes: Sequence[str]
    method: str
    post: NotRequired[Sequence[str]]
    intervals: Annotated[str, "The method behind the intervals."]
    reports: int
    together: Annotated[int, "Reports that answer about all of the attributes."]
    unidentified: Annotated[
        Sequence[Sequence[str]], "Sets of attributes that no report answers about together."
    ]
    interactions: NotRequired[
        Annotated[Sequence["Interacting"], "Three attributes or more that depend beyond pairs."]
    ]
    cells: Sequence[dict[str, str | float | None]]
    weighted: NotRequired[Annotated[Weighted, "Of an estimate that has known margins."]]


class Difference(TypedDict):
    """The first side less the second."""

    label: str
    first: float
    second: float
    difference: float
    stderr: float | None
    low: float | None
    high: float | None


class SameTest(TypedDict):
    """A test of whether both sides are alike."""

    method: str
    statistic: float
    df: int
    p: float


class Differences(TypedDict):
    """Two crowds, or a crowd and stated shares, side by side."""

    attribute: str
    reports: Annotated[Sequence[int], "Of each side that is estimated."]
    sides: Sequence[str]
    test: SameTest
    differences: Annotated[Sequence[Difference], "By label, or of the mean of a number."]
    weighted: NotRequired[Annotated[Weighted, "Of estimates that have known margins."]]


class Moment(TypedDict):
    """A label in a round: by itself, with what was known by then, and with all rounds."""

    round: int
    label: str
    reports: int
    raw: float
    raw_low: float
    raw_high: float
    online: Annotated[float, "From this round and those before it."]
    online_low: float
    online_high: float
    smooth: Annotated[float, "From all rounds."]
    smooth_low: float
    smooth_high: float


class ShiftShape(TypedDict):
    """A round from which on a label differs from the rounds before."""

    round: int
    label: str
    difference: float
    p: Annotated[float, "Adjusted for all rounds and labels that were tested."]


class Series(TypedDict):
    """A question over all rounds."""

    attribute: str
    labels: Sequence[str]
    repeated: Annotated[bool, "Whether answers are repeated, so that bands and tests are bounds."]
    pvalues: Annotated[Sequence[float | None], "By label, that nothing changed."]
    shifts: Sequence[ShiftShape]
    points: Sequence[Moment]
