"""Quantiles, the cdf and histograms of a number, from one likelihood of all reports."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError, SmoothingWarning, warn
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix
from discretion.estimate.weighting import check_weights
from discretion.numbers.channels import channels_of
from discretion.numbers.curves import CurveEstimate, HistogramEstimate
from discretion.numbers.density import Density, fit_density
from discretion.numbers.mean import homogeneity_of
from discretion.numbers.number_evidence import Data, NumberEvidence
from discretion.numbers.weighted import (
    CurveWeights,
    weighted_cdf,
    weighted_histogram,
    weighted_quantiles,
)
from discretion.table.frame import as_its_caller

SMEARED = "{}: smoothing smears the ends of the range and heaps; its intervals do not say so"
REMEDY = "no method corrects it here; mean(..., method='unweighted') does not assume it"
QUARTILES = (0.25, 0.5, 0.75)
BINS = 12  # of an automatic histogram, at most: as many as a person reads


def density_of(evidence: NumberEvidence, smoothing: float = 0.0) -> Density:
    """Return the most likely distribution over the grid, which is fitted once."""
    if smoothing not in evidence.fitted:
        evidence.fitted[smoothing] = fit_density(
            channels_of(evidence), evidence.number.size, cuts=evidence.cuts, smoothing=smoothing
        )
    return evidence.fitted[smoothing]


def quantiles(
    data: Data,
    attribute: str,
    levels: npt.ArrayLike = QUARTILES,
    *,
    weights: CurveWeights | None = None,
) -> CurveEstimate:
    """Estimate quantiles of all numbers, as ``discretion.quantiles`` does without groups."""
    evidence, wanted = NumberEvidence.of(data, attribute), checked_levels(levels)
    density = density_of(evidence)
    if weights is not None:
        check_weights(weights)
        return weighted_quantiles(data, evidence, density, wanted, weights)
    warn_if_dependent({attribute: homogeneity_of(evidence)}, REMEDY)

    def bounds(confidence: float) -> Matrix:
        return _values(evidence, density.quantile_interval(wanted, confidence))

    value = _values(evidence, density.quantile(wanted))
    found = attribute, "quantile", wanted, value, evidence.n, bounds
    return CurveEstimate(*found, legend=Legend.of(evidence.plan))


def cdf(
    data: Data, attribute: str, points: npt.ArrayLike, *, weights: CurveWeights | None = None
) -> CurveEstimate:
    """Estimate which share of the population has at most each of these numbers."""
    evidence, wanted = NumberEvidence.of(data, attribute), vector("points", points)
    density, at = density_of(evidence), _positions(evidence, wanted)
    if weights is not None:
        check_weights(weights)
        return weighted_cdf(data, evidence, density, wanted, at, weights)
    warn_if_dependent({attribute: homogeneity_of(evidence)}, REMEDY)
    return CurveEstimate(
        attribute,
        "cdf",
        wanted,
        density.cdf(at),
        evidence.n,
        lambda confidence: density.cdf_interval(at, confidence),
        legend=Legend.of(evidence.plan),
    )


@as_its_caller
def histogram(
    data: Data,
    attribute: str,
    bins: int | Sequence[float] | None = None,
    smoothing: float = 0.0,
    *,
    weights: CurveWeights | None = None,
) -> HistogramEstimate:
    """Estimate how frequent a number is in bins.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.
    bins
        So many equal ones, or edges; by default what the reports resolve.
    smoothing
        Above 0 a smoother density. It smears what lies at the ends of the range and in heaps, so
        the intervals are then too narrow there.
    weights
        From ``calibrate``: of a population with known margins, in bins whose edges lie on the grid.

    Returns
    -------
    A probability for each bin, with intervals.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> ds.histogram(reports, "income", [0, 30_000, 60_000, 150_000]).value.round(1)
    array([0.2, 0.6, 0.2])
    """
    evidence = NumberEvidence.of(data, attribute)
    if weights is not None:
        check_weights(weights, smoothing=smoothing != 0)
        edges = _edges(evidence, density_of(evidence), bins)
        return weighted_histogram(data, evidence, edges, weights)
    warn_if_dependent({attribute: homogeneity_of(evidence)}, REMEDY)
    if not 0 <= smoothing < np.inf:
        raise EstimateError(f"smoothing must be 0 or above, got {smoothing!r}")
    if smoothing > 0:
        warn(SMEARED.format(attribute), SmoothingWarning)
    density = density_of(evidence, smoothing)
    edges = _edges(evidence, density, bins)
    rows = _shares(evidence, density, edges)

    def bounds(confidence: float) -> Matrix:
        return np.array([density.interval(row, confidence) for row in rows])

    found = attribute, edges, rows @ density.value, evidence.n, bounds
    return HistogramEstimate(*found, legend=Legend.of(evidence.plan))


def checked_levels(levels: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return the levels of quantiles, which lie between 0 and 1."""
    wanted = vector("levels", levels)
    if ((wanted <= 0) | (wanted >= 1)).any():
        raise EstimateError(f"levels must lie between 0 and 1, got {levels!r}")
    return wanted


def vector(what: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return one or more numbers as a list of them; anything else is refused."""
    try:
        found = np.atleast_1d(np.asarray(values, np.float64))
    except (TypeError, ValueError):
        raise EstimateError(f"{what} must be numbers, got {values!r}") from None
    if found.ndim != 1 or not len(found) or np.isnan(found).any():
        raise EstimateError(f"{what} must be one or more numbers, got {values!r}")
    return found


def _values(evidence: NumberEvidence, positions: Matrix) -> Matrix:
    low = float(evidence.number.low * evidence.number.unit)
    return low + evidence.step * positions


def _positions(evidence: NumberEvidence, values: Matrix) -> Matrix:
    low = float(evidence.number.low * evidence.number.unit)
    return np.floor((values - low) / evidence.step + 1e-9)


def _edges(
    evidence: NumberEvidence, density: Density, bins: int | Sequence[float] | None
) -> npt.NDArray[np.float64]:
    """Return the edges in the number's units."""
    size = evidence.number.size
    if bins is None:
        inner = density.edges[1:-1].astype(np.float64)
        every = max(1, -(-len(inner) // (BINS - 1)))
        points = np.concatenate([[0], inner[::every], [size - 1]])
        return _values(evidence, np.unique(points))
    if isinstance(bins, int | np.integer) and not isinstance(bins, bool):
        if not 1 <= bins < size:
            raise EstimateError(f"bins must be 1 to {size - 1} on this grid, got {bins}")
        return _values(evidence, np.linspace(0, size - 1, int(bins) + 1))
    edges = vector("bins", bins)
    if len(edges) < 2 or not np.isfinite(edges).all() or (np.diff(edges) <= 0).any():
        raise EstimateError(f"bins must be a number, or two or more rising edges, got {bins!r}")
    return edges


def _shares(evidence: NumberEvidence, density: Density, edges: npt.NDArray[np.float64]) -> Matrix:
    """Return which share of each bin of the density lies in each bin asked for."""
    points = (edges - evidence.value(0)) / evidence.step
    below = density.below(np.ceil(points - 1e-9) - 1)
    below[-1] = density.below(_positions(evidence, edges[-1:]))[0]
    return np.diff(below, axis=0)
