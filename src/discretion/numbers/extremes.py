"""The ends of a number's distribution, as far as reports can resolve them.

The share of people up to t has a standard error of at least 1 / (2 sqrt(sum of tanh(eps / 2)^2)),
whatever the mechanism. A quantile at a level below three of those is not distinguished from the
end. The level taken is that one, or a higher one at which the share is three of its own standard
errors.
"""

from math import sqrt, tanh

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.numbers.density import Density
from discretion.numbers.distribution import REMEDY, density_of
from discretion.numbers.mean import homogeneity_of
from discretion.numbers.number_evidence import Data, LawCounts, NumberEvidence
from discretion.numbers.pena import pena_extreme
from discretion.numbers.result import ExtremeEstimate
from discretion.table.frame import as_its_caller

SURE = 3.0  # standard errors
STEP = 1.25  # from a level that is not resolved to the next
METHODS = ("quantile", "pena")


@as_its_caller
def minimum(data: Data, attribute: str, method: str = "quantile") -> ExtremeEstimate:
    """Estimate the lowest quantile that the reports resolve, with a one-sided bound below it.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.
    method
        ``quantile``, or for comparison ``pena``: a paper's smallest response, which says nothing
        about the numbers.

    Returns
    -------
    The quantile and its level.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> ds.minimum(reports, "income").level < 0.1
    True
    """
    found = _extreme(data, attribute, method, smallest=True)
    warn_if_dependent({attribute: found.homogeneity}, REMEDY)
    return found


@as_its_caller
def maximum(data: Data, attribute: str, method: str = "quantile") -> ExtremeEstimate:
    """Estimate the highest quantile that the reports resolve, with a one-sided bound above it.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.
    method
        ``quantile``, or for comparison ``pena``: a paper's largest response, which says nothing
        about the numbers.

    Returns
    -------
    The quantile and its level.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> ds.maximum(reports, "income").level > 0.9
    True
    """
    found = _extreme(data, attribute, method, smallest=False)
    warn_if_dependent({attribute: found.homogeneity}, REMEDY)
    return found


def resolved_level(evidence: NumberEvidence) -> float:
    """Return the level of the lowest quantile that the reports resolve."""
    return SURE / (2 * sqrt(sum(part.n * _contrast(part) ** 2 for part in evidence.parts)))


def _contrast(part: LawCounts) -> float:
    """Return how well a report distinguishes the ends, at best; in a bundle, by its marginal."""
    return tanh(part.level / 2000) if part.gap is None else part.gap


def _resolved(density: Density, level: float, *, smallest: bool) -> float:
    """Return the level, or the first higher one, at which the density resolves the share."""
    while level < 0.5:
        at = density.quantile([level if smallest else 1 - level])
        if level >= SURE * float(density.cdf_stderr(at)[0]):
            return level
        level *= STEP
    return 0.5


def _bin_of(density: Density, position: float) -> tuple[int, int]:
    """Return the first and last grid point of the bin that a position is in."""
    bin = int(np.searchsorted(density.edges, position, side="right"))
    return int(density.edges[bin - 1]), int(density.edges[bin]) - 1


def _extreme(data: Data, attribute: str, method: str, *, smallest: bool) -> ExtremeEstimate:
    what = "minimum" if smallest else "maximum"
    check_choice("method", method, METHODS)
    evidence = NumberEvidence.of(data, attribute)
    legend = Legend.of(evidence.plan)
    if method == "pena":
        found = evidence.value(pena_extreme(evidence, smallest=smallest))
        end = 0.0 if smallest else 1.0
        return ExtremeEstimate(
            attribute, what, end, found, evidence.n, lambda _: np.nan, legend=legend
        )
    level = resolved_level(evidence)
    if level >= 0.5 or all(part.law.n_outputs == 2 for part in evidence.parts):
        raise EstimateError(
            f"{evidence.n} reports about {attribute!r} resolve no quantile but the median, "
            f"if that: a {what} needs more of them, or another mechanism"
        )
    density = density_of(evidence)
    level = _resolved(density, level, smallest=smallest)
    wanted = level if smallest else 1 - level

    def bound(confidence: float) -> float:
        low, high = density.quantile_interval([wanted], 2 * confidence - 1)[0]
        first, last = _bin_of(density, low if smallest else high)  # within it nothing is resolved
        return evidence.value(first if smallest else last)

    value = evidence.value(float(density.quantile([wanted])[0]))
    test, n = homogeneity_of(evidence), evidence.n
    return ExtremeEstimate(attribute, what, wanted, value, n, bound, test, legend=legend)
