"""Do two crowds of different people answer alike?

Budgets often differ between two arms, and with them what a report looks like: tests on raw outputs
find that difference. Here both sides are debiased first. With d the difference of the unbiased
estimates and V the sum of their covariances by the laws, at the estimate that both sides share,
d' V^-1 d is chi-square (the score form).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from discretion.aggregate import Aggregate, Evidence, including
from discretion.comparisons.difference import MEAN, DifferenceEstimate, chi_square
from discretion.comparisons.permutation import permuted
from discretion.comparisons.weighted import (
    PairOfWeights,
    check_pair,
    order_of,
    weighted_difference,
)
from discretion.errors import EstimateError
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.labels.blind import moment
from discretion.numbers import mean
from discretion.numbers.moments import NumberWeights
from discretion.numbers.number_evidence import is_reported_as_number
from discretion.plan import Plan
from discretion.table import Reports, ReportTable
from discretion.table.columns import Codes, Mask
from discretion.table.frame import as_its_caller

Arm = Reports | Aggregate
DIFFERENT = "different_owners=True"
SIDES = ("first", "second")
REMEDY = "the test may find a difference between levels, and not between crowds"


@as_its_caller
def compare(
    first: Arm,
    second: Arm,
    attribute: str,
    *,
    different_owners: bool = False,
    permutations: int = 0,
    seed: int | None = None,
    weights: PairOfWeights | None = None,
) -> DifferenceEstimate:
    """Compare the answers of two crowds of different people: two arms, plans or rounds.

    The test holds whatever budgets either side chose, as long as these do not depend on the values.

    Parameters
    ----------
    first, second
        Reports of either side, or aggregates of them.
    attribute
        What is compared: labels, or the mean of a number.
    different_owners
        Says that nobody answered both. Rounds of one plan are refused otherwise: as a rule the same
        owners answer them, and may even repeat their answers.
    permutations
        Tests by so many random exchanges of owners with equal levels between both sides (labels in
        tables of one plan).
    seed
        Repeats the permutations.
    weights
        Those of either side, from ``calibrate``: two populations with known margins are compared,
        each estimated from its own reports. The test is Wald's then: the laws at no difference say
        nothing of the margins' cells. Margins with errors of their own are taken to be known by
        different surveys.

    Returns
    -------
    Differences of unbiased estimates, label by label or of the mean, with intervals and one test.

    Examples
    --------
    >>> import discretion as ds
    >>> plan = ds.census_plan()
    >>> first = ds.simulate(plan, ds.census(5000, seed=1), seed=1)
    >>> second = ds.simulate(plan, ds.census(5000, seed=2), seed=2)
    >>> ds.compare(first, second, "travel")["bike"]
    bike: -0.01319 (stderr 0.01311, 95 % interval -0.03889 to 0.01251)
    """
    for side in (first, second):
        if not isinstance(side, Reports | Aggregate):
            rule = "compare needs reports or aggregates of two crowds, then an attribute"
            raise EstimateError(f"{rule}, got {type(side).__name__}")
    if weights is not None:
        check_pair(weights)
        if permutations:
            rule = "permutations exchange reports, which have no weights"
            raise EstimateError(f"{rule}: leave permutations or weights out")
    _check_owners(first, second, different_owners=different_owners)
    first, second = including(first, [attribute]), including(second, [attribute])
    numbers = [_is_number(side, attribute) for side in (first, second)]
    if numbers[0] != numbers[1]:
        raise EstimateError(f"{attribute!r} must be a number on both sides, or labels on both")
    if numbers[0]:
        if permutations:
            raise EstimateError("permutations are for labels: leave them out for a number")
        return _of_means(first, second, attribute, weights or (None, None))
    if weights is not None:
        return weighted_difference(first, second, attribute, weights)
    evidence = [Evidence.of(data, attribute) for data in (first, second)]
    tests = zip(SIDES, (each.homogeneity for each in evidence), strict=True)
    warn_if_dependent({f"{attribute} ({side})": test for side, test in tests}, REMEDY)
    a, b = map(Side.of, evidence)
    b = b.ordered(order_of(a.labels, b.labels, attribute))
    found = _difference(a, b, attribute, Legend.of(first.plan))
    if not permutations:
        return found
    tables = _table(first, first.plan), _table(second, first.plan)
    return permuted(found, tables, permutations, seed, _statistic)


@dataclass(frozen=True, eq=False)
class Side:
    """An unbiased estimate of the frequencies in one crowd."""

    labels: tuple[str, ...]
    n: int
    value: Vector
    covariance: Callable[[Vector], Matrix]  # at frequencies on the simplex
    reliable: Callable[[Vector], Mask]

    @classmethod
    def of(cls, evidence: Evidence) -> "Side":
        """Return the linear estimate; that of moments where levels are secret."""
        labels = evidence.labelled.estimated
        if not evidence.secret:
            return cls.pooled(labels, evidence.pooled())
        value, spread = moment(evidence.unary)
        everywhere = np.ones(len(labels), np.bool_)
        return cls(labels, evidence.n, value, lambda _: spread.covariance, lambda _: everywhere)

    @classmethod
    def pooled(cls, labels: tuple[str, ...], linear: Pooled) -> "Side":
        """Return what is estimated from disclosed levels."""
        return cls(labels, linear.n, linear.value, linear.covariance, linear.reliable)

    def ordered(self, order: Codes) -> "Side":
        """Return the same with its labels in another order."""
        back = np.argsort(order)
        return Side(
            tuple(self.labels[i] for i in order),
            self.n,
            self.value[order],
            lambda f: self.covariance(f[back])[np.ix_(order, order)],
            lambda f: self.reliable(f[back])[order],
        )

    @property
    def precision(self) -> float:
        """The weight of the estimate in an average with the other side's."""
        uniform = np.full(len(self.value), 1 / len(self.value))
        return 1 / float(np.trace(self.covariance(uniform)))


def _difference(a: Side, b: Side, attribute: str, legend: Legend) -> DifferenceEstimate:
    """Return the differences, with errors at each side's own estimate, and the test at both's."""
    apart, weights = a.value - b.value, np.array([a.precision, b.precision])
    common = simplex(weights @ [a.value, b.value] / weights.sum())
    spread = a.covariance(common) + b.covariance(common)
    test = chi_square(apart, spread, a.reliable(common) & b.reliable(common))
    own = a.covariance(simplex(a.value)) + b.covariance(simplex(b.value))
    stderr = np.sqrt(np.maximum(np.diag(own), 0.0))
    found = attribute, a.labels, a.value, b.value, stderr, (a.n, b.n), test
    return DifferenceEstimate(*found, legend=legend)


def _statistic(labels: tuple[str, ...], first: Pooled, second: Pooled) -> float:
    """Return the statistic of the test for one exchange of owners."""
    a, b = Side.pooled(labels, first), Side.pooled(labels, second)
    return _difference(a, b, "", Legend()).test.statistic


def _of_means(
    first: Arm, second: Arm, attribute: str, weights: Sequence[NumberWeights | None]
) -> DifferenceEstimate:
    """Compare the means of a number; each side has the error of its own reports."""
    a, b = (
        mean(side, attribute, weights=own)
        for side, own in zip((first, second), weights, strict=True)
    )
    sides = np.array([[a.unclipped], [b.unclipped]])
    variance = np.array([[a.stderr**2 + b.stderr**2]])
    test = chi_square(sides[0] - sides[1], variance, np.ones(1, np.bool_))
    found = attribute, MEAN, *sides, np.sqrt(variance[0]), (a.n, b.n), test
    return DifferenceEstimate(*found, legend=a.legend, weighted=a.weighted)


def _is_number(side: Arm, attribute: str) -> bool:
    return is_reported_as_number(side.plan, side.plan.questions[attribute].name)


def _check_owners(first: Arm, second: Arm, *, different_owners: bool) -> None:
    """Refuse sides that share reports, or are rounds that the same owners may have answered."""
    if twice := _shared(first, second):
        raise EstimateError(
            f"both sides must be of different people: {twice:,} reports are in both"
        )
    if different_owners or not _related(first.plan, second.plan):
        return
    rounds = sorted({*_rounds(first), *_rounds(second)})
    if len(rounds) > 1 or first.plan.id != second.plan.id:
        named = " and ".join(map(str, rounds))
        raise EstimateError(
            f"round {named} of one survey may have been answered by the same owners, whose answers "
            f"are dependent: pass {DIFFERENT} if nobody answered both"
        )


def _related(first: Plan, second: Plan) -> bool:
    """Whether owners go on from one plan to the other with what they have answered."""
    return first.id == second.id or first.id == second.replaces or second.id == first.replaces


def _rounds(side: Arm) -> Sequence[int]:
    return [side.round] if isinstance(side, Aggregate) else side.rounds


def _shared(first: Arm, second: Arm) -> int:
    """Return how many reports of one round are on both sides, as far as tables show it."""
    if first is second:
        return first.reports if isinstance(first, Aggregate) else len(first)
    both = [side for side in (first, second) if isinstance(side, ReportTable)]
    if len(both) < 2 or not set(both[0].rounds) & set(both[1].rounds):
        return 0
    inside = pc.is_in(both[0].data["id"], both[1].data["id"])
    return int(pc.sum(inside).as_py() or 0)


def _table(side: Arm, plan: Plan) -> ReportTable:
    if not isinstance(side, ReportTable) or side.plan.id != plan.id or plan.secret:
        raise EstimateError(
            "permutations exchange owners with equal levels: "
            "they need two tables of reports of one plan with disclosed levels"
        )
    return side
