"""Secret allocations: frequencies from OUE reports whose levels nobody knows.

The number of ones in a report has a law of its own, Bern(1/2) + Bin(l - 1, q), that does not depend
on the value. So the counts of ones identify the law G of q in the crowd, and P(bits) factors into
P(ones; G) and P(bits | ones; f, G). In the second factor a report with s ones has likelihood
1 + (R(s) - 1) [code set]: R(s) is its effective e^epsilon.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import xlog1py, xlogy

from discretion.errors import EstimateError
from discretion.estimate.likelihood import MixtureLikelihood, maximise
from discretion.estimate.mle import fit
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.shards import likelihood_of
from discretion.estimate.spread import Later, Spread
from discretion.family.counts import Tally
from discretion.family.sets.likelihood import ReportLikelihood, Supports
from discretion.plan import Family, Plan
from discretion.table import Reports, ReportTable

MOST_POINTS = 64  # levels on which the law of the allocation is supported
ACTIVE = 1e-6  # a weight above this is a parameter; below, a boundary
SINGULAR = 1e-9


def moment(tally: Tally) -> tuple[Vector, Spread]:
    """Return the moment estimate: the mean of q from the ones, then debiased with it."""
    n, size = tally.n, len(tally.supports)
    ones = np.arange(size + 1)
    q = float((ones @ tally.sizes) / n - 0.5) / (size - 1)
    if q >= 0.5:
        raise EstimateError("these reports have as many ones as pure noise; nothing can be learnt")
    f: Vector = (tally.supports / n - q) / (0.5 - q)
    return f, Later(lambda: _moment_covariance(tally, simplex(f), q))


def _moment_covariance(tally: Tally, inside: Vector, q: float) -> Matrix:
    """Return what a law of q from 0 to 1/2 allows, however few reports there are."""
    n, size = tally.n, len(tally.supports)
    ones = np.arange(size + 1)
    pairs = (ones * (ones - 1)) @ tally.sizes / n  # its mean is (l-1)(l-2) E q^2 + (l-1) E q
    second_moment = float(pairs / (size - 1) - q) / (size - 2) if size > 2 else 0.0
    q = max(q, 0.5 / (n * (size - 1) + 1))  # as if half a one had been among the others, or so
    q2 = min(max(second_moment, q * q), q / 2)
    both = np.add.outer(inside, inside)
    set_ = q + inside * (0.5 - q)
    second = q2 + both * (q / 2 - q2)
    np.fill_diagonal(second, set_)
    spread = (second - np.outer(set_, set_)) / n
    slope = np.eye(size) - np.outer(1 - inside, np.ones(size)) / (size - 1)
    return slope @ spread @ slope.T / (0.5 - q) ** 2


def blind(reports: Reports, name: str, tally: Tally) -> tuple[Vector, Spread]:
    """Return the most likely frequencies given the law of the allocation that the ones show.

    The covariance counts the uncertainty of that law too. The score of f given the ones is
    uncorrelated with anything the ones say, so the two parts add.
    """
    law = LevelMixture.learnt(reports.plan, name, tally)
    likelihood = likelihood_of(reports, name, partial(_likelihood, name, law.ratios))
    start, bound = moment(tally)
    f, given = fit(likelihood, start, lambda _: bound)

    def work() -> Matrix:
        slope = given.covariance @ likelihood.sensitivity(f).T @ law.slopes
        return given.covariance + slope @ law.covariance @ slope.T

    return f, Later(work, lambda: given.shift)


def _likelihood(
    name: str, ratios: Vector, reports: ReportTable, times: Vector | None, _: int
) -> ReportLikelihood:
    return ReportLikelihood(Supports.by_size(reports, name, times), ratios)


@dataclass(frozen=True, slots=True)
class LevelMixture:
    """The mixing distribution of one attribute's levels, learnt from the counts of ones.

    It is a distribution on the menu, and its sampling error is counted. Whole budgets, whose
    levels depend on each other, have ``joints.allocation.BudgetMixture``.
    """

    weights: Vector  # (g,) on the points that carry weight
    covariance: Matrix  # (g, g) of the weights
    ratios: Vector  # (size + 1,): R(s), the effective ratio of a report with s ones
    slopes: Matrix  # (size + 1, g): the derivatives of R(s) by the weights

    @classmethod
    def learnt(cls, plan: Plan, name: str, tally: Tally) -> "LevelMixture":
        """Fit the weights of the plan's levels to the counts of ones by maximum likelihood."""
        size = len(tally.supports)
        at = np.unique(np.linspace(0, len(plan.policy.menu) - 1, MOST_POINTS).astype(int))
        laws = [plan.questions[name].law(plan.policy.menu[i], Family.SETS) for i in at]
        q = np.array([float(law.inclusion.other) for law in laws])
        ones, bits = np.arange(size + 1)[:, None], ones_given(size, q)
        others, shifted = (size - ones) * bits[:, 0], ones * bits[:, 1]
        seen = tally.sizes > 0
        table, counts = (others + shifted)[seen] / 2, tally.sizes[seen].astype(np.float64)
        g = maximise(MixtureLikelihood(table, counts), np.full(len(q), 1 / len(q)))
        active = _with_neighbours(g > ACTIVE)
        weights = g[active] / g[active].sum()
        ratios, slopes = _ratios(others[:, active], shifted[:, active], weights)
        return cls(weights, _covariance(table[:, active], counts, weights), ratios, slopes)


def ones_given(size: int, q: Vector) -> npt.NDArray[np.float64]:
    """Return q^(s - b) (1 - q)^(l - 1 - s + b) as (s, b, points), for each s in units of its own.

    That is how likely the bits of the other codes are in a report with s ones, where the own bit is
    b; of all reports with s ones, (l - s) / l have b = 0 and s / l have b = 1. Impossible pairs of
    s and b are zero. No likelihood and no ratio within a row notices its units, and the rarest
    number of ones does not underflow.
    """
    s, b = np.arange(size + 1)[:, None, None], np.arange(2)[:, None]
    ones, zeros = s - b, size - 1 - s + b
    logs = xlogy(np.maximum(ones, 0), q) + xlog1py(np.maximum(zeros, 0), -q)
    logs = np.where((ones < 0) | (zeros < 0), -np.inf, logs)
    return np.exp(logs - logs.max(axis=(1, 2), keepdims=True))


def _with_neighbours(active: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return the points that carry weight and those beside them, to which it might have gone."""
    near = active.copy()
    near[1:] |= active[:-1]
    near[:-1] |= active[1:]
    return near


def _ratios(others: Matrix, shifted: Matrix, weights: Vector) -> tuple[Vector, Matrix]:
    """Return R(s) = (l - s)/s B(s - 1)/B(s) with B(s) the probability of s ones among the others.

    A report with no ones, or with nothing but ones, says nothing: its ratio is 1.
    """
    size = len(others) - 1
    ones = np.arange(size + 1)
    now, before = others @ weights, shifted @ weights
    informative = (ones > 0) & (ones < size) & (now > 0) & (before > 0)
    ratios, slopes = np.ones(size + 1), np.zeros(others.shape)
    s = ones[informative]
    ratios[informative] = (size - s) / s * before[informative] / now[informative]
    relative = (
        shifted[informative] / before[informative, None]
        - others[informative] / now[informative, None]
    )
    slopes[informative] = ratios[informative, None] * relative
    return ratios, slopes


def _covariance(table: Matrix, counts: Vector, weights: Vector) -> Matrix:
    """Return the inverse information of the weights, which sum to one."""
    if len(weights) == 1:
        return np.zeros((1, 1))
    score = table / (table @ weights)[:, None]
    information = (score.T * counts) @ score
    centred = information - information.mean(0) - information.mean(1)[:, None] + information.mean()
    return np.linalg.pinv(centred, rcond=SINGULAR, hermitian=True)
