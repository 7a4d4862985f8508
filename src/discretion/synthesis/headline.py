"""Headline figures: what a model says first about each attribute, beside an estimate without one.

Reports of a number that was asked for in bins say how many people are in each bin, and nothing
about where in it they are. So its mean and median are only known within bounds, however many people
report. The intervals here cover them whatever the distribution within the bins (Manski 2003); the
point estimates assume an even one, and say so. Derivation: docs/proofs/publication.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from discretion.estimate.noise import Vector
from discretion.numbers import mean, quantiles
from discretion.schema import Numeric
from discretion.synthesis.agreement import Unbiased, UnbiasedTables
from discretion.synthesis.model import Column, Model
from discretion.table import Reports

SHOWN = 2  # of the values of an attribute, the most frequent ones;
MANY = 12  # of more attributes, one value each
Z95 = float(ndtri(0.975))  # standard errors to each side of a 95 % interval
EVEN = "numbers are spread evenly within each bin"


@dataclass(frozen=True)
class Figure:
    """One number of the model, and an estimate that takes no model with its 95 % interval.

    What the estimate ``assumes`` the interval does not: it covers the true figure without it.
    """

    attribute: str
    what: str  # "share", "mean" or "median"
    label: str | None  # of a share: whose
    model: float
    estimate: float
    low: float
    high: float
    assumes: str | None = None

    @property
    def holds(self) -> bool:
        """Whether the interval holds the model's number."""
        return self.low <= self.model <= self.high


def figures(model: Model, tables: UnbiasedTables) -> Iterator[Figure]:
    """Yield the most frequent values of each attribute; of numbers, mean and median.

    Of a number in bins, also the share of people above the edge next to its median.
    """
    shown = SHOWN if len(model.columns) <= MANY else 1
    for column in model.columns:
        f, own = model.marginal((column.name,)), tables.singles[column.name]
        question = tables.reports.plan.questions[column.name]
        number = question.attribute.number
        if question.numbers:
            yield from _of_number(tables.reports, column, f)
        elif own is not None and number is not None:
            yield from of_codes(number, column, f, own)
        elif own is not None:
            yield from _shares(column, f, own, shown)


def _shares(column: Column, f: Vector, own: Unbiased, shown: int) -> Iterator[Figure]:
    for code in np.argsort(-f, kind="stable")[: min(shown, column.size - 1)]:
        value, half_width = float(own.value[code]), Z95 * float(own.stderr[code])
        low, high = max(value - half_width, 0.0), min(value + half_width, 1.0)
        label = column.labels[code]
        yield Figure(column.name, "share", label, float(f[code]), value, low, high)


def of_codes(number: Numeric, column: Column, f: Vector, own: Unbiased) -> Iterator[Figure]:
    """Yield the estimates for the codes of a number: its bins, or the points of its grid."""
    if number.edges:
        yield _share_above(number, column, f, own)
    first, last = _ends(number)
    means, assumes = _means(column), EVEN if number.edges else None
    mean = float(f @ means), float(own.value @ means), *_mean_bounds(first, last, own)
    median = _median(column, f), _median(column, own.value), *_median_bounds(first, last, own)
    for what, figure in (("mean", mean), ("median", median)):
        yield Figure(column.name, what, None, *figure, assumes)


def _share_above(number: Numeric, column: Column, f: Vector, own: Unbiased) -> Figure:
    """Return the share from the edge on that divides the model's people most evenly."""
    above = np.cumsum(f[::-1])[::-1][1:]
    index = 1 + int(np.argmin(abs(above - 0.5)))
    value, deviations = float(own.value[index:].sum()), own.root[:, index:].sum(axis=1)
    half_width = Z95 * float(np.sqrt(deviations @ deviations))
    low, high = max(value - half_width, 0.0), min(value + half_width, 1.0)
    label = f"{_ends(number)[0][index]:.12g} or more"
    return Figure(column.name, "share", label, float(above[index - 1]), value, low, high)


def _ends(number: Numeric) -> tuple[Vector, Vector]:
    """Return the ends between which the numbers of each code lie; of a grid point, itself."""
    points = [float(point) for point in number.points()]
    edges = [float(edge * number.unit) for edge in number.edges or ()]
    return np.array(edges[:-1] or points), np.array(edges[1:] or points)


def _mean_bounds(first: Vector, last: Vector, own: Unbiased) -> tuple[float, float]:
    """Return an interval that covers all means that numbers between these ends can have."""
    low, high = (
        float(own.value @ ends) + side * Z95 * float(np.linalg.norm(own.root @ ends))
        for ends, side in ((first, -1), (last, 1))
    )
    return max(low, float(first[0])), min(high, float(last[-1]))


def _median_bounds(first: Vector, last: Vector, own: Unbiased) -> tuple[float, float]:
    """Return an interval that covers the median, wherever in its bin that is.

    The median is in a bin if at most half of all are below the bin, and at least half are not above
    it. From either side, bins are left out up to the first for which a test does not reject that.
    """
    through = np.cumsum(own.value)
    half_width = Z95 * np.sqrt((np.cumsum(own.root, axis=1) ** 2).sum(axis=0))
    through[-1], half_width[-1] = 1.0, 0.0  # nobody is beyond
    below = np.append(0.0, (through - half_width)[:-1])
    lowest = np.flatnonzero(through + half_width >= 0.5)[0]
    highest = np.flatnonzero(below <= 0.5)[-1]
    return float(first[lowest]), float(last[highest])


def _of_number(reports: Reports, column: Column, f: Vector) -> Iterator[Figure]:
    """Yield mean and median of a number, beside the estimates that are made for numbers."""
    average, half = mean(reports, column.name), quantiles(reports, column.name, [0.5])
    low, high = average.interval()
    own = float(f @ _means(column))
    yield Figure(column.name, "mean", None, own, average.value, low, high)
    low, high = half.interval()[0].tolist()
    yield Figure(column.name, "median", None, _median(column, f), float(half.value[0]), low, high)


def _numbers(column: Column) -> Vector:
    return np.array([float(value) for value in column.values])


def _means(column: Column) -> Vector:
    """Return the mean number of each category, as the model fills it."""
    numbers = _numbers(column)
    return numbers if column.spread is None else column.spread @ numbers


def _median(column: Column, f: Vector) -> float:
    """Return the first number at which half of all is reached, as the model fills categories."""
    cdf = np.cumsum(f if column.spread is None else f @ column.spread)
    return float(_numbers(column)[np.argmax(np.append(cdf[:-1] >= 0.5, True))])
