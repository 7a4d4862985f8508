"""Bins of a number for tables: as many as the reports resolve, with round edges.

A bin is kept if its share is above three standard errors in the average cell of the table: with the
m values of another attribute, whose reports have a part w of a record's information, a cell has the
share over m, and the variance over m w. The variance is that of a distribution about which nothing
else is presumed. Each bin has a twelfth of the people or more.

Edges are multiples of a round unit, chosen together: so that the bin that is resolved worst is
resolved as well as can be. There are as many bins as are resolved at any unit, and the unit is the
coarsest at which they are resolved nearly as well. Few edges are tried, since standard errors are
estimated too: the smallest of many would be too small, and the intervals of the table too short.
Measured: ``python -m experiments.bins``.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Aggregate, counts_of
from discretion.budget.level import level_of
from discretion.estimate.noise import Matrix
from discretion.family import of
from discretion.labels.frequencies import largest_eigenvalue
from discretion.numbers.density import Density
from discretion.numbers.distribution import density_of
from discretion.numbers.extremes import resolved_level
from discretion.numbers.number_evidence import NumberEvidence
from discretion.table import Reports

SURE = 3.0  # standard errors that the share of a bin is, at least
LEAST = 1 / 12  # share of a bin
EVEN = 8  # of them where nothing else is known of the table
OTHER = 3  # bins that another number of the table is presumed to have
EDGES = 8  # that are tried at a unit, at most: so many bins and one
NEARLY = 0.8  # of how well bins may be resolved: enough, where the unit is coarser
ROUND = (1, 2, 5)  # times powers of ten
TWO = 3  # edges, the ends included: of bins where none are resolved
TINY = 1e-12

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
    density, size = density_of(evidence), evidence.number.size
    least = max(min(resolved_level(evidence), 0.5), LEAST)  # no law resolves smaller shares
    found = [
        bins
        for points in _candidates(evidence, density, least)
        for bins in _surest(density, np.array([0, *points, size]), least)
    ]
    if not found:  # nearly all people are at one point
        middle = int(np.clip(density.quantile(0.5)[0], 1, size - 1))
        return np.array([0, middle, size])
    enough = [len(each.edges) for each in found if each.sure >= SURE * sqrt(inflation)]
    alike = [each for each in found if len(each.edges) == max(enough, default=TWO)]
    best = max(each.sure for each in alike)
    return next(each.edges for each in alike if each.sure >= NEARLY * best)


class _Bins(NamedTuple):
    """Edges, and how many standard errors the share is of the bin that is resolved worst."""

    edges: Points
    sure: float


def _surest(density: Density, points: Points, least: float) -> Iterator[_Bins]:
    """Yield the best two bins between some points, the best three, and so on.

    The best that end at a point are, for some point before it, the best that end there and the bin
    between both.
    """
    sure = _resolved(density, points, least)
    best, ways = sure[0], list[Points]()
    while np.isfinite(best).any() and len(ways) < len(points) - 2:
        through = np.minimum(best[:, None], sure)
        ways.append(through.argmax(axis=0))
        best = through.max(axis=0)
        if best[-1] > 0:
            yield _Bins(points[_traced(ways)], float(best[-1]))


def _resolved(density: Density, points: Points, least: float) -> Matrix:
    """Return how many standard errors the share between each two points is; -inf: of too few."""
    below = density.below(points - 1)
    found = np.full((len(points), len(points)), -np.inf)
    for start, stop in combinations(range(len(points)), 2):
        row = below[stop] - below[start]
        if (share := float(row @ density.value)) >= least and (start or points[stop] < points[-1]):
            found[start, stop] = share / max(density.stderr(row), TINY)
    return found


def _traced(ways: Sequence[Points]) -> list[int]:
    """Return which points are edges, given for each number of bins the last one before a point."""
    edges = [len(ways[0]) - 1]
    for way in reversed(ways):
        edges.append(int(way[edges[-1]]))
    return [0, *reversed(edges)]


def _candidates(evidence: NumberEvidence, density: Density, least: float) -> list[Points]:
    """Return grid points that may be edges: multiples of a unit, the coarsest unit first.

    Of a grid that has no round points they are spread evenly.
    """
    number = evidence.number
    values = [number.low + number.stride * i for i in range(number.size)]
    below = density.cdf(np.arange(number.size - 1))
    inside = 1 + np.flatnonzero((below >= least) & (below <= 1 - least))
    found = []
    for unit in reversed(_round_units((values[-1] - values[0]) * number.unit)):
        times, parts = (number.unit / unit).as_integer_ratio()
        points = [i for i in inside.tolist() if not values[i] * times % parts]
        if 0 < len(points) <= EDGES:
            found.append(np.array(points))
    spread = np.linspace(0, max(len(inside) - 1, 0), min(EDGES, len(inside)))
    return found or [inside[spread.astype(np.int64)]]


def _round_units(width: Fraction) -> list[Fraction]:
    """Return round numbers up to a width, from a thousandth of it."""
    power = len(str(int(width))) if width >= 1 else -len(str(int(1 / width)))
    exponents = range(power - 4, power + 1)
    return [digit * Fraction(10) ** exponent for exponent in exponents for digit in ROUND]
