"""One attribute as a number: the truth about it, and what reports on its grid estimate."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from discretion.cli.demo.survey import Vector
from discretion.crowd import simulate
from discretion.numbers import (
    CurveEstimate,
    HistogramEstimate,
    NumberEstimate,
    histogram,
    mean,
    quantiles,
)
from discretion.plan import Plan

NAME, HIGH = "income", 150_000
LEVELS = (0.25, 0.5, 1, 2, 4)
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
BINS = 15


class Row(NamedTuple):
    """What is asked about the number, the truth, and the estimate with its 95 % interval."""

    what: str
    truth: float
    value: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        return self.low <= self.truth <= self.high


@dataclass(frozen=True)
class Number:
    """The numbers of everybody, and what is estimated about them."""

    truth: Vector  # (owners,)
    mean: NumberEstimate
    alike: NumberEstimate  # the mean in which every report counts alike
    quantiles: CurveEstimate
    histogram: HistogramEstimate

    @property
    def attribute(self) -> str:
        return NAME

    def rows(self) -> Iterator[Row]:
        """Yield the mean and the quantiles."""
        yield Row("mean", float(self.truth.mean()), self.mean.value, *self.mean.interval())
        true = np.quantile(self.truth, SHARES, method="inverted_cdf")
        found = zip(SHARES, true, self.quantiles.value, self.quantiles.interval(), strict=True)
        for share, truth, value, (low, high) in found:
            what = "median" if share == 0.5 else f"{share:.0%} have less"
            yield Row(what, float(truth), float(value), float(low), float(high))

    @property
    def shares(self) -> Vector:
        """The true shares of the bins of the histogram."""
        counts, _ = np.histogram(self.truth, self.histogram.edges)
        return counts / counts.sum()


def ask_number(people: pa.Table, seed: int) -> Number:
    """Ask everybody for the number itself, each at a level she picks from five."""
    plan = Plan.of(
        {
            "name": "incomes",
            "attributes": [
                {
                    "name": NAME,
                    "kind": "numeric",
                    "range": [0, HIGH],
                    "step": 500,
                    "mechanism": "sw",
                }
            ],
            "budget": {"levels": list(LEVELS)},
        }
    )
    reports = simulate(plan, people.select([NAME]), budgets="levels", seed=seed)
    return Number(
        np.asarray(people[NAME], np.float64),
        mean(reports, NAME),
        mean(reports, NAME, "unweighted"),
        quantiles(reports, NAME, SHARES),
        histogram(reports, NAME, BINS),
    )
