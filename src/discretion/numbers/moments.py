"""Mean, sum and variance of a number: one question each, several methods, one kind of answer."""

from collections.abc import Callable
from operator import index
from typing import Protocol

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.weighting import check_weights
from discretion.numbers.distribution import REMEDY, density_of
from discretion.numbers.mean import agreement, homogeneity_of, unweighted, weighted
from discretion.numbers.number_evidence import Data, NumberEvidence
from discretion.numbers.pena import pena_mean
from discretion.numbers.result import NumberEstimate
from discretion.table.frame import as_its_caller

TARGETS = ("population", "owners")


class NumberWeights(Protocol):
    """Weights to known margins, from ``calibrate``."""

    def mean(self, data: object, attribute: str) -> NumberEstimate: ...


def mean(
    data: Data,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    *,
    weights: NumberWeights | None = None,
) -> NumberEstimate:
    """Estimate the mean of all numbers, as ``discretion.mean`` does without groups."""
    if weights is not None:
        check_weights(weights, method=method != "auto", target=target != "population")
        return weights.mean(data, attribute)
    check_choice("method", method, ("auto", *METHODS))
    check_choice("target", target, TARGETS)
    evidence = NumberEvidence.of(data, attribute)
    if method == "auto":
        method = "weighted" if evidence.decodable else "likelihood"
    position, variance, spread = METHODS[method](evidence)
    test = None
    if method in ("weighted", "likelihood") and evidence.decodable:
        test = agreement(evidence, position, spread)
        warn_if_dependent({attribute: test}, "compare method='unweighted'")
    if target == "owners":
        variance = max(variance - spread / evidence.n, 0.0)
    error = evidence.step * float(np.sqrt(variance))
    value = evidence.value(position)
    least, most = (-np.inf, np.inf) if method == "pena" else evidence.ends
    spread_variance = evidence.step**2 * spread if spread > 0 and method != "pena" else np.nan
    return NumberEstimate(
        attribute,
        "mean",
        value,
        error,
        evidence.n,
        method,
        target,
        test,
        least,
        most,
        spread_variance,
        legend=Legend.of(evidence.plan),
    )


@as_its_caller
def sum(
    data: Data,
    attribute: str,
    owners: int | None = None,
    method: str = "auto",
    target: str = "population",
    *,
    weights: NumberWeights | None = None,
) -> NumberEstimate:
    """Estimate the sum of a number over so many owners.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.
    owners
        How many; by default those who reported it.
    method, target
        Those of ``mean``.
    weights
        From ``calibrate``: over so many of a population with known margins.

    Returns
    -------
    The sum.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> ds.sum(reports, "income", owners=1_000_000).stderr > 0
    True
    """
    found = mean(data, attribute, method, target, weights=weights)
    count = found.n if owners is None else _whole(owners)
    return NumberEstimate(
        attribute,
        "sum",
        count * found.unclipped,
        count * found.stderr,
        found.n,
        found.method,
        target,
        found.homogeneity,
        count * found.least,
        count * found.most,
        legend=found.legend,
        weighted=found.weighted,
    )


@as_its_caller
def variance(data: Data, attribute: str) -> NumberEstimate:
    """Estimate the variance of a number in the population, from its distribution.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.

    Returns
    -------
    The variance, in squared units of the number.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> round(ds.variance(reports, "income").value ** 0.5, -4)
    20000.0
    """
    evidence = NumberEvidence.of(data, attribute)
    test = homogeneity_of(evidence)
    warn_if_dependent({attribute: test}, REMEDY)
    density, unit = density_of(evidence), evidence.step**2
    error = unit * density.variance_stderr
    value = unit * density.variance
    widest = ((evidence.ends[1] - evidence.ends[0]) / 2) ** 2
    return NumberEstimate(
        attribute,
        "variance",
        value,
        error,
        evidence.n,
        "likelihood",
        homogeneity=test,
        least=0.0,
        most=widest,
        legend=Legend.of(evidence.plan),
    )


def _likelihood(evidence: NumberEvidence) -> tuple[float, float, float]:
    density = density_of(evidence)
    shows_spread = any(part.law.n_outputs > 2 for part in evidence.parts)
    return density.mean, density.mean_stderr**2, density.variance if shows_spread else 0.0


def _whole(owners: object) -> int:
    try:
        count = 0 if isinstance(owners, bool) else index(owners)  # type: ignore[arg-type]
    except TypeError:
        count = 0
    if count < 1:
        raise EstimateError(f"owners must be a whole number above zero, got {owners!r}")
    return count


METHODS: dict[str, Callable[[NumberEvidence], tuple[float, float, float]]] = {
    "weighted": weighted,
    "unweighted": unweighted,
    "likelihood": _likelihood,
    "pena": pena_mean,
}
