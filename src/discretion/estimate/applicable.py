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
    share, centre = share_of(estimate.centre), estimate.centre
    if min(share, share_of(estimate.value)) <= 0:
        raise EstimateError(f"{estimate.attribute!r} seems to apply to nobody in these reports")
    processed = estimate.unprocessed is not None
    return replace(
        estimate,
        labels=estimate.labels[:-1],
        value=estimate.value[:-1] / share_of(estimate.value),
        unprocessed=centre[:-1] / share if processed else None,
        spread=Later(partial(_covariance, estimate.spread, centre)),
        conditional=False,
        applies=share,
    )


def _covariance(spread: Spread, centre: Vector) -> Matrix:
    share = share_of(centre)
    slope = (np.eye(len(centre) - 1) - (centre[:-1] / share)[:, None]) / share
    found: Matrix = slope @ spread.covariance[:-1, :-1] @ slope.T
    return found
