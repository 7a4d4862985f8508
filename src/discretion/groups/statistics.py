"""What can be asked of everybody or by group, under one name each.

``by`` names the attribute whose values are the groups; ``given`` says among whom, by a label of
each attribute that it names. ``bins`` are those of numbers among all of these.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, overload

import numpy.typing as npt

from discretion.aggregate import Data, including
from discretion.errors import EstimateError
from discretion.estimate import FrequencyEstimate
from discretion.estimate.legend import Legend
from discretion.estimate.weighting import check_weights
from discretion.family import of
from discretion.groups.crosstab import Crosstab
from discretion.groups.curves import GroupQuantiles, QuantileWeights, quantiles_by
from discretion.groups.grouping import Grouping
from discretion.groups.means import CoinWeights, GroupMeans, means_by, weighted_means_by
from discretion.groups.table import GroupTable
from discretion.groups.texts import texts_by
from discretion.joints.axes import Bins
from discretion.joints.joint import TableWeights
from discretion.labels import frequencies as frequencies_of_all
from discretion.labels.frequencies import LabelWeights
from discretion.numbers import CurveEstimate, NumberEstimate
from discretion.numbers.distribution import QUARTILES
from discretion.numbers.moments import NumberWeights
from discretion.numbers.number_evidence import Data as NumberData
from discretion.order import mean as mean_of_all
from discretion.order import quantiles as quantiles_of_all
from discretion.table import Reports
from discretion.table.frame import as_its_caller
from discretion.texts import check_no_candidates

Given = Mapping[str, str]


class Weights(LabelWeights, TableWeights, Protocol):
    """Weights of labels, from ``calibrate``, for everybody and by group."""


class WeightsOfNumbers(NumberWeights, CoinWeights, Protocol):
    """Weights of numbers, from ``calibrate``, for everybody and by group."""


@overload
def frequencies(
    data: Data,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    cap: float | None = None,
    candidates: Sequence[str] | None = None,
    *,
    applicable: bool = False,
    weights: Weights | None = None,
) -> FrequencyEstimate: ...
@overload
def frequencies(
    data: Data,
    attribute: str,
    *,
    candidates: Sequence[str] | None = None,
    weights: Weights | None = None,
    by: str,
    given: Given | None = None,
    bins: Bins | None = None,
) -> Crosstab: ...
@overload
def frequencies(
    data: Data,
    attribute: str,
    *,
    candidates: Sequence[str] | None = None,
    weights: Weights | None = None,
    given: Given,
    bins: Bins | None = None,
) -> Crosstab: ...


@as_its_caller
def frequencies(
    data: Data,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    cap: float | None = None,
    candidates: Sequence[str] | None = None,
    *,
    applicable: bool = False,
    weights: Weights | None = None,
    by: str | None = None,
    given: Given | None = None,
    bins: Bins | None = None,
) -> FrequencyEstimate | Crosstab:
    """Estimate how frequent each value of an attribute is, with its uncertainty.

    All methods but ``stratified`` assume that an owner's budget does not depend on her value; where
    the levels contradict that, a ``DependenceWarning`` says so.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        An attribute or bundle with labels, a text or a set. Of a set they are the shares of owners
        who have each item, which need not sum to one.
    method
        ``mle`` (efficient; needs reports, unless these are columns of a matrix), ``weighted``
        (unbiased, linear), ``stratified`` (holds also where budgets depend on values), ``blind``
        (secret allocations: the mle from reports, moments from an aggregate), ``moment`` (its
        moment form), ``pldp`` (a paper's biased estimator, for comparison). ``auto`` takes mle from
        reports of at most 2e8 cells and 1,024 codes, else weighted; blind for secret plans. Of
        texts ``regression`` (up to 1,024 candidates) or ``weighted``; of sets ``weighted`` or
        ``stratified``.
    target
        ``population`` asks about the people these owners come from, ``owners`` about themselves.
    cap
        Of ``weighted`` alone: no level's reports have more than that share of the weight, so that
        nobody has much more by choosing the highest one (``margin``).
    candidates
        Of a text alone: the texts to look for. By group, all others are one more answer.
    applicable
        Of a question with conditions: shares among those to whom it applies. Otherwise they are
        shares of all who share it, and ``not applicable`` is one more value.
    weights
        From ``calibrate``: shares of a population with known margins, by the methods ``weighted``
        (``auto``) or ``stratified``; by group too.
    by, given
        Another attribute, or labels of others: the answers of each group, as row, column and total
        per cent, with differences and ratios between groups. They come from one likelihood
        (``mle``, under secret levels ``blind``), to which owners who share only some of the
        attributes contribute. A group that is not clearly above zero is not learnt.
    bins
        Of numbers that make groups.

    Returns
    -------
    Frequencies; of a set a ``SetEstimate``; by group a ``Crosstab``.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> travel = ds.frequencies(reports, "travel")
    >>> travel["bike"]
    bike: 0.1371 (stderr 0.006613, 95 % interval 0.1241 to 0.15)
    >>> ds.frequencies(reports, "travel", by="work")["student", "bike"]
    student, bike: 0.3211 (stderr 0.04152, 95 % interval 0.2404 to 0.4042)
    """
    if by is None and given is None:
        _check_unbinned(bins)
        plain = attribute, method, target, cap, candidates
        return frequencies_of_all(data, *plain, applicable=applicable, weights=weights)
    chosen = {"method": (method, "auto"), "target": (target, "population"), "cap": (cap, None)}
    _check_plain(**chosen, applicable=(applicable, False))
    reports, grouping = _grouped(data, attribute, by, given)
    if of(reports.plan.questions[attribute]).open:
        _check_unweighted(weights)
        found = texts_by(reports, attribute, candidates, grouping, bins)
    else:
        check_no_candidates(attribute, candidates)
        found = GroupTable.of(reports, attribute, grouping, bins, weights)
    return Crosstab.of(attribute, grouping, found, Legend.of(reports.plan))


@overload
def mean(
    data: NumberData,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    *,
    weights: WeightsOfNumbers | None = None,
) -> NumberEstimate: ...
@overload
def mean(
    data: NumberData,
    attribute: str,
    *,
    weights: WeightsOfNumbers | None = None,
    by: str,
    given: Given | None = None,
    bins: Bins | None = None,
) -> GroupMeans: ...
@overload
def mean(
    data: NumberData,
    attribute: str,
    *,
    weights: WeightsOfNumbers | None = None,
    given: Given,
    bins: Bins | None = None,
) -> GroupMeans: ...


@as_its_caller
def mean(
    data: NumberData,
    attribute: str,
    method: str = "auto",
    target: str = "population",
    *,
    weights: WeightsOfNumbers | None = None,
    by: str | None = None,
    given: Given | None = None,
    bins: Bins | None = None,
) -> NumberEstimate | GroupMeans:
    """Estimate the mean of a number, with its uncertainty.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number.
    method
        ``weighted`` (unbiased, weights by the noise of each level), ``unweighted`` (holds also
        where budgets depend on values), ``likelihood`` (from the distribution: for reports in
        narrower ranges, and by laplace), ``pena`` (a paper's formula, biased, for comparison).
        ``auto`` takes weighted where all reports can be decoded, else likelihood.
    target
        ``population`` asks about the people these owners come from, ``owners`` about themselves.
    weights
        From ``calibrate``: of a population with known margins, from decoded reports; by group too.
    by, given
        Another attribute, or labels of others: the mean of each group, with differences and ratios
        between groups. It needs disclosed levels, and reports that can be decoded, and assumes
        nothing of how the number is distributed.
    bins
        Of numbers that make groups.

    Returns
    -------
    The mean, kept to the range of the number (``unclipped`` is not); or a mean for each group.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> mean = ds.mean(reports, "income")
    >>> round(mean.value, -2), round(mean.stderr, -1)
    (44900.0, 490.0)
    """
    if by is None and given is None:
        _check_unbinned(bins)
        return mean_of_all(data, attribute, method, target, weights=weights)
    _check_plain(method=(method, "auto"), target=(target, "population"))
    reports, grouping = _grouped(data, attribute, by, given)
    if weights is None:
        return means_by(reports, attribute, grouping, bins)
    check_weights(weights, bins=bins is not None)
    return weighted_means_by(reports, attribute, grouping, weights)


@overload
def quantiles(
    data: NumberData,
    attribute: str,
    levels: npt.ArrayLike = QUARTILES,
    *,
    weights: QuantileWeights | None = None,
) -> CurveEstimate: ...
@overload
def quantiles(
    data: NumberData,
    attribute: str,
    levels: npt.ArrayLike = QUARTILES,
    *,
    weights: QuantileWeights | None = None,
    by: str,
    given: Given | None = None,
    bins: Bins | None = None,
) -> GroupQuantiles: ...
@overload
def quantiles(
    data: NumberData,
    attribute: str,
    levels: npt.ArrayLike = QUARTILES,
    *,
    weights: QuantileWeights | None = None,
    given: Given,
    bins: Bins | None = None,
) -> GroupQuantiles: ...


@as_its_caller
def quantiles(
    data: NumberData,
    attribute: str,
    levels: npt.ArrayLike = QUARTILES,
    *,
    weights: QuantileWeights | None = None,
    by: str | None = None,
    given: Given | None = None,
    bins: Bins | None = None,
) -> CurveEstimate | GroupQuantiles:
    """Estimate the numbers below which given shares of the population lie.

    The intervals of everybody hold whatever the distribution, heaps and gaps included. Levels
    nearer to 0 or 1 than ``minimum`` and ``maximum`` say are not resolved: their intervals reach
    the end.

    Parameters
    ----------
    data
        Reports, an aggregate of them, or evidence.
    attribute
        A number, or labels in order.
    levels
        The shares; by default quartiles.
    weights
        From ``calibrate``: of a population with known margins; by group too. Between fine bins the
        population is taken to be spread as the respondents are.
    by, given
        Another attribute, or labels of others: the quantiles of each group, to the bins of a table
        of groups and numbers.
    bins
        Of that table.

    Returns
    -------
    A number for each level; by group, for each group and level.

    Examples
    --------
    >>> import discretion as ds
    >>> pay = {"name": "income", "kind": "numeric", "range": [0, 150_000], "step": 100}
    >>> plan = ds.Plan.of({"name": "pay", "attributes": [pay], "budget": {"levels": [1, 2, 4]}})
    >>> reports = ds.simulate(plan, ds.census(10_000, seed=1), budgets="levels", seed=1)
    >>> ds.quantiles(reports, "income", [0.5])[0.5]
    0.5: 43,100 (95 % interval 37,500 to 46,000)
    """
    if by is None and given is None:
        _check_unbinned(bins)
        return quantiles_of_all(data, attribute, levels, weights=weights)
    reports, grouping = _grouped(data, attribute, by, given)
    if weights is not None:
        check_weights(weights)
    return quantiles_by(reports, attribute, grouping, levels, bins, weights)


def _grouped(data: object, attribute: str, by: object, given: object) -> tuple[Reports, Grouping]:
    """Check what is asked; counts are refused, which say nothing about two attributes."""
    if not isinstance(data, Reports):
        raise EstimateError(f"groups need the reports themselves, got {type(data).__name__}")
    grouping = Grouping.of(data.plan, attribute, by, given)
    return including(data, [attribute, *grouping.names]), grouping


def _check_unbinned(bins: Bins | None) -> None:
    if bins is not None:
        raise EstimateError("bins are for groups: name by or given")


def _check_unweighted(weights: object) -> None:
    """Refuse weights of texts by group."""
    if weights is not None:
        raise EstimateError("texts by group have no weights: leave weights out")


def _check_plain(**options: tuple[object, object]) -> None:
    """Refuse options that groups do not have, unless they are at their defaults."""
    for name, (value, default) in options.items():
        if value != default:
            raise EstimateError(f"{name} is not for groups: leave it out")
