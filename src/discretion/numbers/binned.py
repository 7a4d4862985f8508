"""The mean and quantiles of a number that is reported in bins: as far as shares of bins say them.

With r the shares of bins [a, b), the mean lies between r'a and r'b wherever in their bins the
numbers lie, and a quantile between two edges. Intervals hold for every such place: their ends are
these bounds with errors of their own, from the covariance of the shares (delta method where shares
are divided by their sum). The value is that of numbers spread evenly within each bin.

A question that is for some people only is estimated among those to whom it applies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.special import ndtri

from discretion.aggregate import Aggregate, Evidence
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.estimate import check_confidence
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.labels import frequencies
from discretion.numbers.result import OfNumber
from discretion.table import Reports
from discretion.table.frame import Frame, as_its_caller

MEAN = "mean"


@dataclass(frozen=True, eq=False, repr=False)
class BinnedEstimate(OfNumber):
    """The mean and quantiles of a number in bins, with intervals for any place within the bins."""

    attribute: str
    edges: Vector  # (bins + 1,)
    shares: Vector  # (bins,), which sum to one
    centre: Vector  # (bins,) what intervals are around, as those of the shares are
    covariance: Matrix  # (bins, bins)
    levels: tuple[float, ...]  # of the quantiles
    n: int  # owners who shared the attribute
    method: str
    applies: float  # the share of people whom it is about
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    @property
    def value(self) -> Vector:
        """The mean, then the quantiles, of numbers that are evenly spread within each bin."""
        middles = (self.edges[:-1] + self.edges[1:]) / 2
        below = np.maximum.accumulate(np.append(0.0, self.shares.cumsum()).clip(0, 1))
        quantiles = np.interp(np.array(self.levels), below, self.edges)
        values = np.append(self.shares @ middles, quantiles)
        low, high = self.interval().T
        return values.clip(low, high)

    def interval(self, confidence: float = 0.95) -> Matrix:
        """Return low and high (1 + quantiles, 2), one at a time, for any place in the bins."""
        check_confidence(confidence)
        z = float(ndtri((1 + confidence) / 2))
        first, last = self.edges[:-1], self.edges[1:]
        low, high = self.centre @ first, self.centre @ last
        mean = np.array([low - z * self._error(first), high + z * self._error(last)])
        rows = [np.clip(mean, self.edges[0], self.edges[-1])]
        upto = np.tril(np.ones((len(self.shares) - 1, len(self.shares))))  # sums below inner edges
        below, error = upto @ self.centre, np.array([self._error(row) for row in upto])
        for level in self.levels:
            under = np.flatnonzero(below + z * error < level)
            over = np.flatnonzero(below - z * error >= level)
            least = under[-1] + 1 if len(under) else 0
            most = over[0] + 1 if len(over) else -1
            rows.append(self.edges[[least, most]])
        return np.array(rows)

    def _error(self, weights: Vector) -> float:
        """Return the standard error of a weighted sum of the shares."""
        return float(np.sqrt(np.maximum(weights @ self.covariance @ weights, 0.0)))

    def _table(self, confidence: float = 0.95) -> pa.Table:
        low, high = self.interval(confidence).T
        what = [MEAN, *(f"{level:g} quantile" for level in self.levels)]
        return pa.table({"what": what, "value": self.value, "low": low, "high": high})

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return what, value, low and high, a row each: the mean, then the quantiles."""
        table = self.dated(self._table(confidence), "value", "low", "high")
        return self.framed(table, backend)

    @property
    def summary(self) -> str:
        among = f" among the {self.applies:.0%} to whom it applies" if self.applies < 1 else ""
        return (
            f"{self.title}{among}: {self.n:,} reports in {len(self.shares)} bins, by {self.method}"
        )

    def document(self) -> dict[str, Any]:
        """Return it for machines."""
        mean, *quantiles = self._table().to_pylist()
        rows = zip(self.levels, quantiles, strict=True)
        found: dict[str, Any] = finite(
            {
                "attribute": self.attribute,
                "method": self.method,
                "reports": self.n,
                "applies": self.applies,
                "mean": {name: mean[name] for name in ("value", "low", "high")},
                "quantiles": [{**row, "level": level} for level, row in rows],
            }
        )
        for row in found["quantiles"]:
            del row["what"]
        return found


@as_its_caller
def binned(
    data: Reports | Aggregate | Evidence,
    attribute: str,
    levels: Sequence[float] = (0.25, 0.5, 0.75),
    method: str = "auto",
) -> BinnedEstimate:
    """Estimate the mean and quantiles of a number that is reported in bins.

    Of a question with conditions it is about those to whom it applies.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number with bins.
    levels
        Of the quantiles.
    method
        One of those of ``frequencies``.

    Returns
    -------
    Values that take numbers as evenly spread within each bin, and intervals that hold wherever
    within their bins the numbers lie: they are never shorter than bins allow.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> ds.binned(reports, "income", [0.5])
    income: 10,000 reports in 5 bins, by mle
    what           value     low    high
    mean          45,329  33,105  57,992
    0.5 quantile  42,442  40,000  60,000
    """
    number = data.plan.questions[attribute].attribute.quantity
    if number is None or number.edges is None:
        raise EstimateError(f"{attribute!r} must be a number in bins: it has no edges to add up")
    if not all(0 <= level <= 1 for level in levels):
        raise EstimateError(f"levels must lie between 0 and 1, got {list(levels)}")
    estimate = frequencies(data, attribute, method)
    if estimate.conditional:
        estimate = estimate.applicable()
    whole = float(estimate.given.sum())
    if whole <= 0:
        raise EstimateError(f"{attribute!r}: no share is above zero in these reports")
    shares = estimate.given / whole
    slope = (np.eye(len(shares)) - shares[:, None]) / whole
    edges = np.array([float(edge * number.unit) for edge in number.edges])
    covariance = slope @ estimate.covariance @ slope.T
    centre = estimate.centre / whole
    found = attribute, edges, shares, centre, covariance, tuple(map(float, levels)), estimate.n
    return BinnedEstimate(*found, estimate.method, estimate.applies, legend=estimate.legend)
