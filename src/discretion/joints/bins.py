"""Bins of a number for tables: as many as the reports resolve, with round edges.

A bin is kept if its share is above three standard errors, those of a distribution about which
nothing else is presumed. From the lowest number on, each bin ends at the first candidate at which
that is so, or at a rounder one soon after. What is left at the end joins the last bin.
"""

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from discretion.numbers.density import Density
from discretion.numbers.distribution import density_of
from discretion.numbers.extremes import resolved_level
from discretion.numbers.number_evidence import NumberEvidence

SURE = 3.0  # standard errors that the share of a bin is, at least
MOST = 12  # bins, as many as a person reads
CANDIDATES = 100  # edges that are tried, at most
FEWEST = 16  # of them: grids without so many round points have any
WIDER = 1.5  # times the share that a bin needs, up to which it may end at a rounder edge
ROUND = (1, 2, 5)  # times powers of ten

Points = npt.NDArray[np.int64]


def resolved_edges(evidence: NumberEvidence) -> Points:
    """Return where bins begin, as grid points, and the end of the last one: two bins or more."""
    density, least = density_of(evidence), 0.0
    candidates, roundness = _candidates(evidence)
    floor = resolved_level(evidence)  # no share is known better, whatever the mechanism
    while True:
        edges = _edges(density, candidates, roundness, max(least, min(floor, 0.5)))
        if len(edges) <= MOST + 1:
            return edges
        least = max(2 * least, 1 / (2 * MOST))


def _edges(density: Density, candidates: Points, roundness: Points, least: float) -> Points:
    """Go up from bin to bin; each holds at least this share."""
    size = int(density.edges[-1])
    found, at = [0], 0
    below = np.append(density.cdf(candidates - 1), 1.0)
    while (stop := _first(density, candidates, below, found[-1], at, least)) is not None:
        start = 0.0 if at == 0 else below[at - 1]
        near = np.flatnonzero(below[:-1] - start <= WIDER * (below[stop] - start))
        near = near[near >= stop]
        at = int(near[np.argmax(roundness[near])]) if len(near) else stop
        found.append(int(candidates[at]))
        at += 1
    while len(found) > 1 and not _resolved(density, found[-1], size, least):
        found.pop()
    if len(found) == 1:  # too few reports to resolve two: they are shown as they are
        found.append(int(candidates[np.argmin(np.abs(below[:-1] - 0.5))]))
    return np.array([*found, size])


def _first(
    density: Density,
    candidates: Points,
    below: npt.NDArray[np.float64],
    start: int,
    at: int,
    least: float,
) -> int | None:
    """Return the first candidate at which a bin that begins at ``start`` may end."""
    before = 0.0 if at == 0 else below[at - 1]
    for i in range(at, len(candidates)):
        if below[i] - before >= least and _resolved(density, start, int(candidates[i]), least):
            return i
    return None


def _resolved(density: Density, start: int, stop: int, least: float) -> bool:
    row = np.diff(density.below([start - 1, stop - 1]), axis=0)[0]
    share = float(row @ density.value)
    return share >= least and share > SURE * density.stderr(row)


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
