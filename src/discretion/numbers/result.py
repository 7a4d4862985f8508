"""What an analyst gets about a number: values in its own units, each with an interval."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.estimate import Tabular, between
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.legend import Legend
from discretion.estimate.weighting import Weighting, weighted_to
from discretion.render.formats import number
from discretion.table.frame import Frame

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, eq=False, repr=False)
class OfNumber(Tabular):
    """A result about a number, which is written with its unit."""

    attribute: str
    legend: Legend

    @property
    def title(self) -> str:
        """What was asked, or the attribute's name."""
        return self.legend.title(self.attribute)

    @property
    def summary(self) -> str:
        unit = self.legend.unit(self.attribute)
        asked = super().summary if self.title == self.attribute else self.title
        return f"{asked}, in {unit}" if unit else asked

    def write(self, value: float) -> str:
        """Write a value of the number."""
        return self.legend.write(self.attribute, number)(value)

    def write_difference(self, value: float) -> str:
        """Write a difference of values."""
        return self.legend.difference(self.attribute, number)(value)

    def dated(self, table: pa.Table, *columns: str) -> pa.Table:
        """Return a frame with dates, or times of day, in columns that hold their numbers."""
        moment = self.legend.moments.get(self.attribute)
        if moment is None:
            return table
        for name in columns:
            written = [
                None if value is None or not np.isfinite(value) else moment.value_of(value)
                for value in table[name].to_pylist()
            ]
            table = table.set_column(table.column_names.index(name), name, pa.array(written))
        return table


@dataclass(frozen=True, eq=False, repr=False)
class NumberEstimate(OfNumber):
    """One number about a number: its mean, sum or variance.

    An unbiased mean may lie outside the range of the numbers, where no mean can be. ``value`` is
    kept to that range, and its interval too; ``unclipped`` is what averages and tests are made of.
    """

    attribute: str
    what: str
    unclipped: float
    stderr: float
    n: int  # owners whose reports count
    method: str
    target: str = "population"
    homogeneity: Homogeneity | None = None  # None where it was not tested
    least: float = -np.inf  # it cannot be below,
    most: float = np.inf  # or above
    spread: float = np.nan  # of a mean: the numbers' own variance, where reports show it
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it
    weighted: Weighting | None = field(default=None, kw_only=True)  # to known margins

    @property
    def value(self) -> float:
        """The estimate, kept to what it can be."""
        return min(max(self.unclipped, self.least), self.most)

    @property
    def effective_n(self) -> float:
        """How many unperturbed numbers would have a mean as precise; nan where nobody knows."""
        error = self.stderr**2
        if self.target == "owners":
            error += self.spread / self.n
        return self.spread / error if error > 0 else np.nan

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return low and high: so many standard errors to each side of what is unclipped.

        They keep to what the number can be, reach into it by a standard error at least, and hold
        the value.
        """
        own = self.value, self.unclipped, self.stderr
        low, high = between(*own, confidence, self.least, self.most)
        return float(low), float(high)

    def __float__(self) -> float:
        return self.value

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return attribute, what, value, stderr, low and high, in one row.

        Of a value that was kept to its range, also what it was before: ``unclipped``.
        """
        low, high = self.interval(confidence)
        row = {
            "attribute": [self.attribute],
            "what": [self.what],
            "value": [self.value],
            "stderr": [self.stderr],
            "low": [low],
            "high": [high],
        }
        if self.unclipped != self.value:
            row["unclipped"] = [self.unclipped]
        columns = () if self.what == "variance" else ("value", "low", "high")
        return self.framed(self.dated(pa.table(row), *columns), backend)

    def document(self) -> dict[str, Any]:
        """Return it for machines: the number stands under its name, ``mean``, say."""
        test, (low, high) = self.homogeneity, self.interval()
        interval = {"value": self.value, "stderr": self.stderr, "low": low, "high": high}
        if self.unclipped != self.value:
            interval["unclipped"] = self.unclipped
        found: dict[str, Any] = finite(
            {
                "attribute": self.attribute,
                "method": self.method,
                "target": self.target,
                "reports": self.n,
                "effective_n": self.effective_n,
                "homogeneity_p": None if test is None else test.pvalue,
                self.what: interval,
                **weighted_to(self.weighted),
            }
        )
        return found

    def __str__(self) -> str:
        from discretion.numbers.show import scalar

        return scalar(self)


@dataclass(frozen=True, eq=False, repr=False)
class ExtremeEstimate(OfNumber):
    """The lowest or highest quantile that these reports can resolve.

    The smallest number itself cannot be had: one owner's report hardly shows it, so a few owners
    far out leave no trace that noise would not leave as well.
    """

    attribute: str
    what: str  # "minimum" or "maximum"
    level: float  # of the quantile
    value: float
    n: int
    bound: Callable[[float], float]
    homogeneity: Homogeneity | None = None  # None where it was not tested
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    def limit(self, confidence: float = 0.95) -> float:
        """Return the one-sided bound: the quantile lies above (of a maximum: below) it."""
        if not 0.5 <= confidence < 1:
            rule = "confidence of a bound to one side must be 0.5 or more, and below 1"
            raise EstimateError(f"{rule}, got {confidence}")
        return self.bound(confidence)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return attribute, what, level, value and limit, in one row."""
        row = {"attribute": self.attribute, "what": self.what, "level": self.level}
        row |= {"value": self.value, "limit": self.limit(confidence)}
        return self.framed(self.dated(pa.Table.from_pylist([row]), "value", "limit"), backend)

    def document(self) -> dict[str, Any]:
        """Return it for machines; the limit is None by PENA's formula, which has none."""
        named = {"level": self.level, "value": self.value, "limit": self.limit()}
        head = {"attribute": self.attribute, "reports": self.n}
        found: dict[str, Any] = finite({**head, self.what: named})
        return found

    def __str__(self) -> str:
        from discretion.numbers.show import extreme

        return extreme(self)
