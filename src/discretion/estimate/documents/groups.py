"""The shapes of results by group."""

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from discretion.estimate.documents import Weighted
from discretion.estimate.documents.shares import Difference, SameTest


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
