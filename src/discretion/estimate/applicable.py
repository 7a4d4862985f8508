"""Shares among those to whom a question applies, from shares of everybody.

With f the shares of everybody, the last one that of "not applicable", and A the sum of the others,
they are r = f / A. Their covariance is J C J' with J = (I - r 1') / A, the derivative of r (delta
method), and C the covariance of f without the last code. Nothing new is estimated from reports.
"""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.spread import Later, Spread

if TYPE_CHECKING:
    from discretion.estimate.result import FrequencyEstimate

Estimated = TypeVar("Estimated", bound="FrequencyEstimate")


def share_of(value: Vector) -> float:
    """Return the share of those to whom a question applies."""
    return float(value[:-1].sum())


def among_applicable(estimate: Estimated) -> Estimated:
    """Return the estimate for those alone to whom the question applies."""
    if not estimate.conditional:
        raise EstimateError(f"{estimate.attribute!r} applies to everybody: leave applicable out")
    given, value = estimate.given, estimate.value
    if min(share_of(given), share_of(value)) <= 0:
        raise EstimateError(f"{estimate.attribute!r} seems to apply to nobody in these reports")
    processed, slope = estimate.unprocessed is not None, _slope(given)
    return replace(
        estimate,
        labels=estimate.labels[:-1],
        value=value[:-1] / share_of(value),
        unprocessed=given[:-1] / share_of(given) if processed else None,
        spread=Later(
            partial(_covariance, estimate.spread, slope), partial(_shift, estimate.spread, slope)
        ),
        conditional=False,
        applies=share_of(given),
    )


def _slope(f: Vector) -> Matrix:
    """Return how the ratios move with the shares."""
    share = share_of(f)
    slope: Matrix = (np.eye(len(f) - 1) - (f[:-1] / share)[:, None]) / share
    return slope


def _covariance(spread: Spread, slope: Matrix) -> Matrix:
    found: Matrix = slope @ spread.covariance[:-1, :-1] @ slope.T
    return found


def _shift(spread: Spread, slope: Matrix) -> Vector:
    moved: Vector = slope @ (np.zeros(len(slope) + 1) + spread.shift)[:-1]
    return moved
