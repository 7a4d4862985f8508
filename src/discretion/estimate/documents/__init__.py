"""The shapes of results for machines: written as JSON by commands and servers alike.

They are stated once, beside others of their kind; here is what they have in common. ``document()``
of a result returns one, the dashboard reads them, and the description of the HTTP interface is
derived from them; there, a text beside a type describes it.
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


class Rough(TypedDict):
    """The warning of results whose intervals need at least 50 reports."""

    rough: NotRequired[
        Annotated[str, "A warning, with fewer than 50 reports: intervals may miss the true value."]
    ]


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


def finite(value: Any) -> Any:
    """Return the same with None for every number that JSON cannot write, however deep."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
