"""Quantiles, the cdf and histograms of a population with known margins, range by range.

Weights are not of reports but of cells (``calibrate``), so the share of a range is that of a table
of the margins and of two or three bins: the range, what is below it, and what is above. Broad bins
say more of it than many narrow ones, whose noise would be weighted as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.estimate import between
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.weighting import Weighting
from discretion.numbers.curves import Bounds, CurveEstimate, HistogramEstimate
from discretion.numbers.density import Density
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.rising import BINS, ROUNDING, Rising

METHOD = "weighted"
Range = tuple[Sequence[float], int]  # edges of bins, and which of the bins it is


@dataclass(frozen=True, eq=False)
class Shares:
    """The shares of a population in ranges of a number, each estimated by itself."""

    unclipped: Vector  # (ranges,)
    stderr: Vector  # (ranges,)
    n: int
    weighting: Weighting

    @property
    def value(self) -> Vector:
        """The shares, kept to [0, 1]."""
        return np.clip(self.unclipped, 0.0, 1.0)

    def interval(self, confidence: float) -> Matrix:
        """Return low and high (ranges, 2) of each share."""
        return np.column_stack(between(self.value, self.unclipped, self.stderr, confidence))


class CurveWeights(Protocol):
    """Weights to known margins, from ``calibrate``."""

    def in_ranges(self, data: object, attribute: str, ranges: Sequence[Range]) -> Shares: ...


def weighted_quantiles(
    data: object,
    evidence: NumberEvidence,
    density: Density,
    levels: Vector,
    weights: CurveWeights,
) -> CurveEstimate:
    """Return quantiles of the population."""
    rising = Rising.of(evidence, density)
    found = up_to(data, evidence, rising, weights)

    def bounds(confidence: float) -> Matrix:
        least, most = found.interval(confidence).T
        return rising.interval(least, most, levels)

    return _curve(evidence, "quantile", levels, rising.quantile(found.value, levels), found, bounds)


def weighted_cdf(
    data: object,
    evidence: NumberEvidence,
    density: Density,
    points: Vector,
    at: Vector,
    weights: CurveWeights,
) -> CurveEstimate:
    """Return the share of the population up to each point; ``at``: its position on the grid."""
    ends = np.clip(at, -1, evidence.number.size - 1).astype(np.int64) + 1  # points up to it
    few = np.unique(ends)
    rising = Rising.of(evidence, density, few if len(few) <= BINS else None)
    found = up_to(data, evidence, rising, weights)

    def bounds(confidence: float) -> Matrix:
        low, high = found.interval(confidence).T
        return np.column_stack([rising.curve(low)[ends], rising.curve(high)[ends]])

    value = rising.curve(found.value)[ends]
    return _curve(evidence, "cdf", points, value, found, bounds)


def weighted_histogram(
    data: object, evidence: NumberEvidence, edges: Vector, weights: CurveWeights
) -> HistogramEstimate:
    """Return the shares of the population in bins with these edges."""
    points, last = (edges - evidence.value(0)) / evidence.step, evidence.number.size - 1
    begins = np.ceil(points - ROUNDING).astype(np.int64)
    begins[-1] = int(np.floor(points[-1] + ROUNDING)) + 1
    inside = begins[0] >= 0 and begins[-1] <= last + 1 and begins[-2] < last
    if not inside or (np.diff(begins) <= 0).any() or len(begins) < 3:
        rule = "weighted bins need edges in the range, and a grid point in each of two or more"
        raise EstimateError(f"{rule}, got {edges.tolist()}")
    ranges = zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
    found = _shares(data, evidence, list(ranges), weights)
    own = evidence.attribute, edges, found.value, found.n, found.interval
    legend = Legend.of(evidence.plan)
    return HistogramEstimate(*own, legend=legend, method=METHOD, weighted=found.weighting)


def up_to(data: object, evidence: NumberEvidence, rising: Rising, weights: CurveWeights) -> Shares:
    """Return the share up to the end of each bin but the last, up to which everybody is."""
    return _shares(data, evidence, [(0, end) for end in rising.edges[1:-1].tolist()], weights)


def _shares(
    data: object,
    evidence: NumberEvidence,
    ranges: Sequence[tuple[int, int]],
    weights: CurveWeights,
) -> Shares:
    """Return the share of each range of grid points, from its first one up to its end."""
    size, asked = evidence.number.size, list[Range]()
    for start, stop in ranges:
        edges = sorted({0, start, min(stop, size - 1), size - 1})
        asked.append(([evidence.value(edge) for edge in edges], edges.index(start)))
    return weights.in_ranges(data, evidence.attribute, asked)


def _curve(
    evidence: NumberEvidence,
    what: str,
    at: Vector,
    value: Vector,
    found: Shares,
    bounds: Bounds,
) -> CurveEstimate:
    return CurveEstimate(
        evidence.attribute,
        what,
        at,
        value,
        found.n,
        bounds,
        legend=Legend.of(evidence.plan),
        method=METHOD,
        weighted=found.weighting,
    )
