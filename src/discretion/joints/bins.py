"""Bins of a number for tables: as many as the reports resolve, with round edges.

A bin is kept if its share is above three standard errors in the average cell of the table: with the
m values of another attribute, whose reports have a part w of a record's information, a cell has the
share over m, and the variance over m w. The variance is that of a distribution about which nothing
else is presumed. From the lowest number on, each bin ends at the first candidate at which that is
so, or at a rounder one soon after. What is left at the end joins the last bin. There are twelve
bins at most, as many as a person reads: each has a twelfth of the people or more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Aggregate, counts_of
from discretion.budget.level import level_of
from discretion.family import of
from discretion.labels.frequencies import largest_eigenvalue
from discretion.numbers.density import Density
from discretion.numbers.distribution import density_of
from discretion.numbers.extremes import resolved_level
from discretion.numbers.number_evidence import NumberEvidence
from discretion.table import Reports

SURE = 3.0  # standard errors that the share of a bin is, at least
MOST = 12  # bins
EVEN = 8  # of them where nothing else is known of the table
OTHER = 3  # bins that another number of the table is presumed to have
CANDIDATES = 100  # edges that are tried, at most
FEWEST = 16  # of them: grids without so many round points have any
WIDER = 1.5  # times the share that a bin needs, up to which it may end at a rounder edge
ROUND = (1, 2, 5)  # times powers of ten

Points = npt.NDArray[np.int64]


def even_bins(data: Reports | Aggregate, names: Sequence[str]) -> dict[str, int]:
    """Return how many bins with equally many people each number has where there is no table."""
    counted = {n: NumberEvidence.of(data, n) for n in names if data.plan.questions[n].numbers}
    return {
        name: int(np.clip(0.5 / resolved_level(each), 2, min(EVEN, each.number.size)))
        for name, each in counted.items()
    }


def inflation(data: Reports | Aggregate, name: str) -> float:
    """Return how much larger the relative variance of a cell is than that of a bin.

    It is so because of one other attribute of the table: the number of its values, over the part of
    a record's information that an average report about it carries.
    """
    attribute = data.plan.questions[name].attribute
    values = OTHER if data.plan.questions[name].numbers else attribute.size
    asked = [question for question in data.shared if name in data.plan.questions[question].parts]
    if data.plan.secret or not asked:
        return float(values)
    counts = {
        level_of(stratum): counts.n
        for question in asked
        for stratum, counts in counts_of(data, of(data.plan.questions[question])).items()
    }
    epsilons, reports = np.array([*counts]) / 1000, np.array([*counts.values()])
    shares = largest_eigenvalue(values, epsilons) / values  # a record's information has values
    return values * float(reports.sum() / (reports @ shares))


def resolved_edges(evidence: NumberEvidence, inflation: float) -> Points:
    """Return where bins begin, as grid points, and the end of the last one: two bins or more."""
    candidates, roundness = _candidates(evidence)
    least = max(min(resolved_level(evidence), 0.5), 1 / MOST)  # no law resolves smaller shares
    errors = SURE * sqrt(inflation)
    return _Search(density_of(evidence), candidates, roundness, least, errors).edges()


@dataclass(frozen=True, eq=False)
class _Search:
    """Goes up from bin to bin, of which each holds ``least``, and so many standard errors."""

    density: Density
    candidates: Points
    roundness: Points
    least: float
    errors: float

    def edges(self) -> Points:
        """Return the edges; two bins of about the same share where not even those are resolved."""
        size, found, at = int(self.density.edges[-1]), [0], 0
        below = self.density.cdf(self.candidates - 1)
        while (stop := self._first(found[-1], at)) is not None:
            start = 0.0 if at == 0 else below[at - 1]
            near = np.flatnonzero(below - start <= WIDER * (below[stop] - start))
            near = near[near >= stop]
            at = int(near[np.argmax(self.roundness[near])]) if len(near) else stop
            found.append(int(self.candidates[at]))
            at += 1
        while len(found) > 1 and not self._resolved(found[-1], size):
            found.pop()
        if len(found) == 1:
            found.append(int(self.candidates[np.argmin(np.abs(below - 0.5))]))
        return np.array([*found, size])

    def _first(self, start: int, at: int) -> int | None:
        """Return the first candidate at which a bin that begins at ``start`` may end."""
        ends = range(at, len(self.candidates))
        return next((i for i in ends if self._resolved(start, int(self.candidates[i]))), None)

    def _resolved(self, start: int, stop: int) -> bool:
        row = np.diff(self.density.below([start - 1, stop - 1]), axis=0)[0]
        share = float(row @ self.density.value)
        return share >= self.least and share > self.errors * self.density.stderr(row)


def _candidates(evidence: NumberEvidence) -> tuple[Points, Points]:
    """Return grid points that may be edges, and how round each is."""
    number = evidence.number
    values = [(number.low + number.stride * i) * number.unit for i in range(number.size)]
    width = values[-1] - values[0]
    rounder = [unit for unit in _round_units(width) if width <= CANDIDATES * unit]
    points = [i for i, value in enumerate(values) if i > 0 and not value % rounder[0]]
    if len(points) < min(FEWEST, number.size - 1):
        points = np.unique(np.linspace(1, number.size - 1, CANDIDATES).astype(np.int64)).tolist()
    roundness = [sum(not values[i] % unit for unit in rounder) for i in points]
    return np.array(points), np.array(roundness)


def _round_units(width: Fraction) -> list[Fraction]:
    """Return round numbers up to a width, from a thousandth of it."""
    power = len(str(int(width))) if width >= 1 else -len(str(int(1 / width)))
    exponents = range(power - 4, power + 1)
    return [digit * Fraction(10) ** exponent for exponent in exponents for digit in ROUND]
