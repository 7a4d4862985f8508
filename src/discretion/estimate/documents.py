"""The shapes of results for machines: written as JSON by commands and servers alike.

They are stated once. ``document()`` of a result returns one, the dashboard reads them, and the
description of the HTTP interface is derived from them; there, a text beside a type describes it.
"""

from collections.abc import Sequence
from math import isfinite
from typing import Annotated, Any, NotRequired, TypedDict


class Interval(TypedDict):
    """A value, its standard error, and its 95 % interval."""

    value: float
    stderr: float | None
    low: float | None
    high: float | None


class Clipped(Interval):
    """The same of a number that is kept to its range."""

    unclipped: NotRequired[Annotated[float, "The unbiased value, where it lies outside."]]


class Weighted(TypedDict):
    """The weights by which an estimate has known margins."""

    attributes: Annotated[Sequence[str], "Those of the margins."]
    design_effect: Annotated[float, "Kish's: mean squared weight over the squared mean weight."]
    effective_n: Annotated[float, "Respondents, over the design effect."]
    least: Annotated[float, "The smallest weight."]
    most: Annotated[float, "The largest weight."]


class Calibrated(Weighted):
    """The weights of the cells that respondents may be in."""

    reports: int
    cells: Sequence[dict[str, str | float | None]]


class Frequency(Interval):
    """The frequency of a label."""

    label: str
    unprocessed: NotRequired[float]
    cut: NotRequired[Annotated[float, "Of an item of sets: how much it is too low at most."]]


class Frequencies(TypedDict):
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


class Number(TypedDict):
    """One number about a number."""

    attribute: str
    method: str
    target: str
    reports: int
    effective_n: float | None
    homogeneity_p: float | None


class Mean(Number):
    """The mean of a number."""

    mean: Clipped
    weighted: NotRequired[Annotated[Weighted, "Of an estimate that has known margins."]]


class Variance(Number):
    """The variance of a number."""

    variance: Interval


class Extreme(TypedDict):
    """The outermost quantile that the reports resolve, and its one-sided limit."""

    level: float
    value: float
    limit: float | None


class Minimum(TypedDict):
    """The lowest quantile of a number that the reports resolve."""

    attribute: str
    reports: int
    minimum: Extreme


class Maximum(TypedDict):
    """The highest quantile of a number that the reports resolve."""

    attribute: str
    reports: int
    maximum: Extreme


Bin = TypedDict(
    "Bin", {"from": float, "to": float, "value": float, "low": float | None, "high": float | None}
)


class Histogram(TypedDict):
    """How frequent a number is in bins; the last one is closed."""

    attribute: str
    method: str
    reports: int
    histogram: Sequence[Bin]


class Quantile(TypedDict):
    """The number below which a share of the people lies."""

    level: float
    value: float
    low: float | None
    high: float | None


class Quantiles(TypedDict):
    """Quantiles of a number; there are margins only where they were asked for."""

    attribute: str
    method: str
    reports: int
    quantiles: Sequence[Quantile]


class Point(TypedDict):
    """The share of people who have at most a number."""

    at: float
    value: float
    low: float | None
    high: float | None


class Cdf(TypedDict):
    """The share of people up to each of some numbers."""

    attribute: str
    method: str
    reports: int
    cdf: Sequence[Point]


Range = TypedDict(
    "Range",
    {
        "from": str,
        "to": str,
        "value": float,
        "stderr": float,
        "low": float,
        "high": float,
        "linear": Annotated[Interval, "Linear in the reports: it assumes nothing."],
    },
)


class Ranges(TypedDict):
    """The share of people in ranges, both ends of which belong to them."""

    attribute: str
    method: str
    reports: int
    ranges: Sequence[Range]


class Steps(TypedDict):
    """A domain in parts, and the share of any run of neighbouring ones."""

    first: Sequence[str]  # the least value of each part
    last: Sequence[str]
    below: Sequence[float]  # the share below each part, and one
    stderr: Sequence[Sequence[float]]  # of the run from each part up to before each later one


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


class Bounds(TypedDict):
    """A value, and an interval that holds wherever in their bins the numbers lie."""

    value: float
    low: float
    high: float


class Binned(TypedDict):
    """The mean and quantiles of a number in bins, among those to whom the question applies."""

    attribute: str
    method: str
    reports: int
    applies: float
    mean: Bounds
    quantiles: Sequence[Quantile]


class Interacting(TypedDict):
    """Attributes that depend on each other beyond what smaller sets of them imply."""

    attributes: Sequence[str]
    statistic: float
    df: int
    p: float
    adjusted: float
    expressed: bool


class Joint(TypedDict):
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


class Learnt(TypedDict):
    """The share or the mean of a group; null where nothing is learnt about it."""

    label: str
    value: float | None
    stderr: float | None
    low: float | None
    high: float | None


class Ratio(TypedDict):
    """The first group over the second; an end that is missing is not bounded."""

    label: str
    ratio: float | None
    low: float | None
    high: float | None


class KeyMean(TypedDict):
    """A key of a map: how many have it, and the mean of their numbers, null if it is not learnt."""

    key: str
    share: float
    share_stderr: float
    product: Annotated[float, "The mean over all owners, 0 for those without the key."]
    product_stderr: float
    value: float | None
    stderr: float | None
    low: float
    high: float


class KeyMeans(TypedDict):
    """The means of the keys of a map."""

    attribute: str
    method: str
    reports: int
    homogeneity_p: float | None
    centre: Annotated[float, "The mean of all numbers, towards which those of keys are drawn."]
    keys: Sequence[KeyMean]


class GroupComparison(TypedDict):
    """The first group beside the second."""

    first: str
    second: str
    test: SameTest
    differences: Annotated[Sequence[Difference], "By label, or of the mean of a number."]
    ratios: Annotated[Sequence[Ratio], "Likewise; none where numbers may be negative."]


class Grouped(TypedDict):
    """Anything by group."""

    attribute: str
    by: Annotated[str | None, "The attribute whose values are the groups."]
    given: Annotated[dict[str, str], "Among whom: the label of each attribute."]
    reports: int
    together: Annotated[int, "Reports that answer about all of the attributes."]
    weighted: NotRequired[Annotated[Weighted, "Of an estimate that has known margins."]]
    groups: Annotated[Sequence[Learnt], "The share of each group."]


class Cell(TypedDict):
    """A group and an answer, with the share among the group, among the answer, and in all."""

    group: str
    label: str
    row: float | None
    row_stderr: float | None
    row_low: float | None
    row_high: float | None
    column: float | None
    column_stderr: float | None
    column_low: float | None
    column_high: float | None
    total: float | None
    total_stderr: float | None
    total_low: float | None
    total_high: float | None


class Crosstab(Grouped):
    """Answers by group."""

    test: Annotated[SameTest, "Of whether all groups answer alike."]
    answers: Annotated[Sequence[Learnt], "The share of each answer in all groups together."]
    cells: Sequence[Cell]
    comparisons: NotRequired[
        Annotated[Sequence[GroupComparison], "Of the other groups with the one that is named."]
    ]


class GroupMeans(Grouped):
    """The mean of a number by group."""

    test: Annotated[SameTest, "Of whether all groups have one mean."]
    means: Sequence[Learnt]
    comparisons: NotRequired[
        Annotated[Sequence[GroupComparison], "Of the other groups with the one that is named."]
    ]


class GroupQuantile(TypedDict):
    """The number below which a share of a group lies."""

    group: str
    level: float
    value: float | None
    low: float | None
    high: float | None


class GroupQuantiles(Grouped):
    """Quantiles of a number by group."""

    quantiles: Sequence[GroupQuantile]


def finite(value: Any) -> Any:
    """Return the same with None for every number that JSON cannot write, however deep."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
