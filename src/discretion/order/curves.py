"""The mean, quantiles and the cdf of a number, by whatever mechanism it is reported."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix, Vector
from discretion.numbers import CurveEstimate, NumberEstimate
from discretion.numbers import cdf as cdf_of_numbers
from discretion.numbers import mean as mean_of_numbers
from discretion.numbers import quantiles as quantiles_of_numbers
from discretion.numbers.distribution import QUARTILES, checked_levels, vector
from discretion.numbers.moments import NumberWeights
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.weighted import CurveWeights
from discretion.order.evidence import Data as OrderData
from discretion.order.evidence import OrderEvidence, is_ordered
from discretion.order.runs import cut_above
from discretion.schema import Numeric
from discretion.table.frame import as_its_caller

LINEAR, BAYES = "linear", "empirical bayes"
METHODS = (LINEAR,)

Data = OrderData | NumberEvidence


def mean(
    data: Data,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    *,
    weights: NumberWeights | None = None,
) -> NumberEstimate:
    """Estimate the mean of a number; of one that is reported by intervals, linearly."""
    if not is_ordered(data, attribute):
        assert not isinstance(data, OrderEvidence)
        return mean_of_numbers(data, attribute, method, target, weights=weights)
    check_choice("method", method, ("auto", *METHODS))
    _check_unweighted(weights)
    if target != "population":
        raise EstimateError("reports by intervals have the mean of the population")
    evidence, number = _numbers(data, attribute)
    points = points_of(evidence)
    return NumberEstimate(
        attribute,
        "mean",
        float(points @ evidence.linear.leaves),
        float(np.sqrt(evidence.variance.of(points))),
        evidence.n,
        LINEAR,
        least=float(number.low * number.unit),
        most=float(number.high * number.unit),
        legend=Legend.of(evidence.plan),
    )


def quantiles(
    data: Data,
    attribute: str,
    levels: npt.ArrayLike = QUARTILES,
    *,
    weights: CurveWeights | None = None,
) -> CurveEstimate:
    """Estimate the numbers below which given shares of the population lie."""
    if not is_ordered(data, attribute):
        assert not isinstance(data, OrderEvidence)
        return quantiles_of_numbers(data, attribute, levels, weights=weights)
    _check_unweighted(weights)
    evidence, number = _numbers(data, attribute)
    wanted, ends = checked_levels(levels), _ends(evidence, number)
    below = np.cumsum(evidence.leaves)

    def bounds(confidence: float) -> Matrix:
        half = ndtri((1 + confidence) / 2) * _errors(evidence)
        low, high = (_reached(np.clip(below + side * half, 0, 1), wanted) for side in (1, -1))
        return np.column_stack([ends[low], ends[high]])

    value = ends[_reached(below, wanted)]
    return _curve(evidence, "quantile", wanted, value, bounds)


@as_its_caller
def cdf(
    data: Data, attribute: str, points: npt.ArrayLike, *, weights: CurveWeights | None = None
) -> CurveEstimate:
    """Estimate which share of the population has at most each of some numbers.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.
    points
        The numbers.
    weights
        From ``calibrate``: of a population with known margins.

    Returns
    -------
    A share for each of them.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> ds.cdf(reports, "income", [20_000, 50_000])
    income: 10,000 reports
    income    share      95 % interval
    20,000  0.08589  0.05124 to 0.1175
    50,000   0.6337   0.5442 to 0.6967
    """
    if not is_ordered(data, attribute):
        assert not isinstance(data, OrderEvidence)
        return cdf_of_numbers(data, attribute, points, weights=weights)
    _check_unweighted(weights)
    evidence, number = _numbers(data, attribute)
    wanted = vector("points", points)
    cuts = np.array([cut_above(number, float(point)) for point in wanted], np.int64)
    value = evidence.below(cuts)

    def bounds(confidence: float) -> Matrix:
        error = np.sqrt((evidence.deviations(cuts) ** 2).mean(axis=0))
        half = ndtri((1 + confidence) / 2) * error
        return np.clip(np.column_stack([value - half, value + half]), 0, 1)

    return _curve(evidence, "cdf", wanted, value, bounds)


def _check_unweighted(weights: object) -> None:
    """Refuse weights: reports at one depth of a tree each make no table with margins."""
    if weights is not None:
        raise EstimateError("reports by intervals have no weights: leave weights out")


def _curve(
    evidence: OrderEvidence, what: str, at: Vector, value: Vector, bounds: Callable[[float], Matrix]
) -> CurveEstimate:
    legend = Legend.of(evidence.plan)
    return CurveEstimate(
        evidence.name, what, at, value, evidence.n, bounds, legend=legend, method=BAYES
    )


def _numbers(data: OrderData, attribute: str) -> tuple[OrderEvidence, Numeric]:
    evidence = OrderEvidence.of(data, attribute)
    number = evidence.attribute.number
    if number is None:
        raise EstimateError(f"{attribute!r} is no single number: ask for ranges")
    return evidence, number


def _ends(evidence: OrderEvidence, number: Numeric) -> Vector:
    """Return the largest number of each leaf."""
    tree = evidence.family.tree
    last = np.minimum((np.arange(tree.nodes[-1]) + 1) * tree.widths[-1], tree.size) - 1
    return _values(number, last)


def points_of(evidence: OrderEvidence) -> Vector:
    """Return the number in the middle of each leaf."""
    (_, number), tree = _numbers(evidence, evidence.name), evidence.family.tree
    first = np.arange(tree.nodes[-1]) * tree.widths[-1]
    last = np.minimum(first + tree.widths[-1], tree.size) - 1
    return _values(number, (first + last) / 2)


def _values(number: Numeric, codes: npt.NDArray[np.number]) -> Vector:
    unit = number.unit
    return float(number.low * unit) + float(number.stride * unit) * np.asarray(codes, np.float64)


def _errors(evidence: OrderEvidence) -> Vector:
    """Return the error of the share up to each leaf."""
    total = np.zeros(len(evidence.leaves))
    for row in evidence.redrawn:
        total += np.cumsum(row, dtype=np.float64) ** 2
    return np.asarray(np.sqrt(total / len(evidence.redrawn)))


def _reached(below: Vector, levels: Vector) -> npt.NDArray[np.int64]:
    """Return the first leaf up to which there is each share; the last one where there is none."""
    rising = np.maximum.accumulate(below)
    return np.minimum(np.searchsorted(rising, levels - 1e-12), len(below) - 1)
