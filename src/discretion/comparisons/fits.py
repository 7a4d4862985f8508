"""Do the answers fit stated shares, those of a census or of a hypothesis, say?

With d the unbiased estimate less the shares and V its covariance by the laws at these very shares,
d' V^-1 d is chi-square (the score form).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from discretion.aggregate import Data, Evidence
from discretion.comparisons.compare import Side
from discretion.comparisons.difference import DifferenceEstimate, chi_square
from discretion.comparisons.weighted import Weights, weighted_fit
from discretion.errors import EstimateError
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Vector, simplex
from discretion.estimate.weighting import check_weights
from discretion.table.frame import as_its_caller

REMEDY = "the test may find that levels differ, and not that the shares do"
SIDES = ("estimate", "stated")
ROUNDING = 1e-3  # of shares that are written with a few digits


@as_its_caller
def fits(
    data: Data,
    attribute: str,
    shares: Mapping[str, float] | Sequence[float],
    *,
    weights: Weights | None = None,
) -> DifferenceEstimate:
    """Test whether the frequencies of an attribute are stated shares.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        The attribute.
    shares
        By label, or one for each value in the plan's order. They sum to one; what rounding leaves
        is divided in proportion.
    weights
        From ``calibrate``: of a population with known margins. The test is Wald's then.

    Returns
    -------
    Differences with intervals, and one test of all of them.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> shares = {"car": 0.4, "bus": 0.2, "train": 0.15, "bike": 0.15, "walk": 0.1}
    >>> ds.fits(reports, "travel", shares).pvalue < 0.05
    True
    """
    if weights is not None:
        check_weights(weights)
        found = weights.frequencies(data, attribute, "auto")
        return weighted_fit(found, _stated(shares, found.labels, attribute), SIDES)
    evidence = Evidence.of(data, attribute)
    warn_if_dependent({attribute: evidence.homogeneity}, REMEDY)
    side = Side.of(evidence)
    stated = _stated(shares, side.labels, attribute)
    apart = side.value - stated
    test = chi_square(apart, side.covariance(stated), side.reliable(stated))
    own = side.covariance(simplex(side.value))
    stderr = np.sqrt(np.maximum(np.diag(own), 0.0))
    sides = side.value, stated, stderr, (side.n,), test, SIDES
    return DifferenceEstimate(attribute, side.labels, *sides, legend=Legend.of(evidence.plan))


def _stated(
    shares: Mapping[str, float] | Sequence[float], labels: Sequence[str], attribute: str
) -> Vector:
    """Return the shares in the order of the labels, of which each must have one."""
    given = shares
    if isinstance(shares, Mapping):
        if unlike := set(shares) ^ set(labels):
            stray = ", ".join(map(repr, sorted(unlike, key=str)[:5]))
            rule = f"shares must have each value of {attribute!r} once"
            raise EstimateError(f"{rule}, which fails for {stray}")
        given = [shares[label] for label in labels]
    try:
        found = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise EstimateError(f"shares must be numbers, got {shares!r}") from None
    if found.shape != (len(labels),):
        rule = f"shares must have one number for each of the {len(labels)} values of {attribute!r}"
        raise EstimateError(f"{rule}, got {found.size}")
    total = float(found.sum())
    if not (found >= 0).all() or not abs(total - 1) <= ROUNDING:
        hint = " (write 40 % as 0.4)" if abs(total - 100) <= 100 * ROUNDING else ""
        rule = f"shares must be 0 or more and sum to 1, got a sum of {total:.4g}"
        raise EstimateError(f"{rule}{hint}")
    return found / total
