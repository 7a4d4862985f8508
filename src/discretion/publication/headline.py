"""Headline figures: what a model says first about each attribute, beside an unbiased estimate."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from discretion.numbers import mean, quantiles
from discretion.publication.agreement import Unbiased, UnbiasedTables
from discretion.publication.model import Column, Model
from discretion.table import Reports

SHOWN = 2  # of the values of an attribute, the most frequent ones;
MANY = 12  # of more attributes, one value each
REACH = float(ndtri(0.975))  # standard errors to each side of a 95 % interval

Codes = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Figure:
    """One number of the model, and the 95 % interval of an estimate that takes no model."""

    attribute: str
    what: str  # "share", "mean" or "median"
    label: str | None  # of a share: whose
    model: float
    unbiased: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """Whether the interval holds the model's number."""
        return self.low <= self.model <= self.high


def figures(model: Model, tables: UnbiasedTables) -> Iterator[Figure]:
    """Yield the most frequent values of each attribute; of numbers, mean and median."""
    shown = SHOWN if len(model.columns) <= MANY else 1
    for column in model.columns:
        f, own = model.marginal((column.name,)), tables.singles[column.name]
        if tables.reports.plan.is_number(column.name):
            yield from _of_number(tables.reports, column, f)
        elif own is not None and isinstance(column.values[0], str):
            yield from _shares(column, f, own, shown)
        elif own is not None:
            yield from _of_bins(column, f, own)


def _shares(column: Column, f: Vector, own: Unbiased, shown: int) -> Iterator[Figure]:
    for code in np.argsort(-f, kind="stable")[: min(shown, column.size - 1)]:
        value, reach = float(own.value[code]), REACH * float(own.stderr[code])
        low, high = max(value - reach, 0.0), min(value + reach, 1.0)
        label = column.labels[code]
        yield Figure(column.name, "share", label, float(f[code]), value, low, high)


def _of_bins(column: Column, f: Vector, own: Unbiased) -> Iterator[Figure]:
    """Yield mean and median of a number that was asked for as a label.

    In a bin all its numbers are taken as equally frequent, and the distribution as uncertain as at
    the bin's end.
    """
    points, (bins, numbers) = _means(column), _numbers(column)
    value, deviations = float(own.value @ points), own.root @ points
    reach = REACH * float(np.sqrt(deviations @ deviations))
    mean_of = float(f @ points)
    yield Figure(column.name, "mean", None, mean_of, value, value - reach, value + reach)
    cdf = np.cumsum(_spread(column, own.value))
    wide = REACH * np.sqrt((np.cumsum(own.root, axis=1) ** 2).sum(axis=0))[bins]
    wide[-1] = 0.0  # nobody is beyond
    unbiased, low, high = (_crossed(numbers, line) for line in (cdf, cdf + wide, cdf - wide))
    middle = _crossed(numbers, np.cumsum(_spread(column, f)))
    yield Figure(column.name, "median", None, middle, unbiased, low, high)


def _of_number(reports: Reports, column: Column, f: Vector) -> Iterator[Figure]:
    """Yield mean and median of a number, beside the estimates that are made for numbers."""
    average, half = mean(reports, column.name), quantiles(reports, column.name, [0.5])
    low, high = average.interval()
    own = float(f @ _means(column))
    yield Figure(column.name, "mean", None, own, average.value, low, high)
    low, high = half.interval()[0].tolist()
    middle = _crossed(_numbers(column)[1], np.cumsum(_spread(column, f)))
    yield Figure(column.name, "median", None, middle, float(half.value[0]), low, high)


def _numbers(column: Column) -> tuple[Codes, Vector]:
    """Return the bin of each number of a column, and the numbers."""
    numbers = np.array([float(value) for value in column.values])
    return (np.arange(len(numbers)) if column.spread is None else column.spread.argmax(0)), numbers


def _means(column: Column) -> Vector:
    """Return the mean number of each bin."""
    numbers = _numbers(column)[1]
    return numbers if column.spread is None else column.spread @ numbers


def _spread(column: Column, f: Vector) -> Vector:
    """Return the frequencies of the numbers from those of their bins."""
    return f if column.spread is None else f @ column.spread


def _crossed(numbers: Vector, cdf: Vector) -> float:
    """Return the first number at which half of all is reached."""
    return float(numbers[np.argmax(np.append(cdf[:-1] >= 0.5, True))])
