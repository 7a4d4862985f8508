"""The shapes of what is estimated about numbers, and about values in order."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from discretion.estimate.documents import Clipped, Interval, Rough, Weighted


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


class Histogram(Rough):
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


class Quantiles(Rough):
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


class Cdf(Rough):
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
