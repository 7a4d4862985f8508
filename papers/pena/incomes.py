"""Incomes for experiments: those of a file, and a table of any length that is made from a seed.

CPS March 2009: earnings of full-time workers, an extract of the public Current Population Survey
that is distributed with B. E. Hansen, *Econometrics*.

The made table looks like family incomes in a census: some have none, most lie on a lognormal body,
the rich on a Pareto tail, people round what they say, and the largest are cut off.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from papers.data import Dataset

Numbers = npt.NDArray[np.float64]

EARNINGS = Dataset(
    name="CPS earnings",
    file="cps09mar.csv",
    rows=50_742,
    sha256="a06ebc50b06a43fb30a32b5c75e02ea25181bae13f4a812ae39cb769efe68b7a",
    questions=({"name": "earnings", "kind": "numeric"},),
)
MADE, MADE_ROWS, MADE_SEED = "made incomes", 3_000_000, 2017

MEDIAN, SIGMA = 52_000.0, 0.85  # of the lognormal body
NONE, RICH, SHAPE = 0.01, 0.03, 2.0  # shares without income and on the tail; exponent of the tail
TAIL, TOP = 250_000.0, 1_000_000.0  # where the tail begins, and where numbers are cut off
ROUNDED = ((0.15, 10_000), (0.35, 5_000), (0.75, 1_000), (1.0, 100))  # shares up to, and to what


@dataclass(frozen=True, eq=False)
class Incomes:
    """A column of numbers, none of them negative, and what is true about it."""

    name: str
    values: Numbers  # (n,)

    @cached_property
    def mean(self) -> float:
        return float(self.values.mean())

    @cached_property
    def largest(self) -> float:
        return float(self.values.max())

    @cached_property
    def spread(self) -> float:
        """The variance."""
        return float(self.values.var())

    @cached_property
    def _sorted(self) -> Numbers:
        return np.sort(self.values)

    def quantile(self, level: float) -> float:
        """Return the smallest number that at least this share does not exceed."""
        place = int(np.ceil(level * len(self.values))) - 1
        return float(self._sorted[max(place, 0)])


def made(rows: int = MADE_ROWS, seed: int = MADE_SEED) -> Incomes:
    """Return a made table: the same rows and seed give the same numbers."""
    rng = np.random.default_rng(seed)
    values = MEDIAN * np.exp(SIGMA * rng.standard_normal(rows))
    kind = rng.random(rows)
    rich = kind < RICH
    values[rich] = TAIL * rng.random(int(rich.sum())) ** (-1 / SHAPE)
    values = np.minimum(_rounded(values, rng), TOP)
    values[kind > 1 - NONE] = 0.0
    return Incomes(MADE, values)


def _rounded(values: Numbers, rng: np.random.Generator) -> Numbers:
    """Return the numbers as people say them: to hundreds, thousands, or more."""
    shares, units = zip(*ROUNDED, strict=True)
    unit = np.array(units, np.float64)[np.searchsorted(shares, rng.random(len(values)))]
    return unit * np.rint(values / unit)
