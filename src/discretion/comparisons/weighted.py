"""Comparisons of populations with known margins: of two, or of one with stated shares.

The covariance of calibration is known at the estimate only: a hypothesis about the shares says
nothing about the cells of the margins. So these are Wald tests.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from discretion.comparisons.difference import DifferenceEstimate, wald
from discretion.errors import EstimateError
from discretion.estimate.noise import Vector
from discretion.estimate.result import FrequencyEstimate
from discretion.estimate.weighting import check_weights
from discretion.labels.frequencies import LabelWeights
from discretion.numbers.moments import NumberWeights
from discretion.table.columns import Codes

KNOWN = 1e-9  # standard errors of shares that are known


class Weights(LabelWeights, NumberWeights, Protocol):
    """Weights to known margins, from ``calibrate``."""


PairOfWeights = Sequence[Weights]


def check_pair(weights: PairOfWeights) -> None:
    """Refuse what are no weights of both sides."""
    if not isinstance(weights, tuple | list) or len(weights) != 2:
        rule = "weights must be a pair: those of the first side, and those of the second"
        raise EstimateError(f"{rule}, each from calibrate with its own reports")
    for own in weights:
        check_weights(own)


def weighted_difference(
    first: object, second: object, attribute: str, weights: PairOfWeights
) -> DifferenceEstimate:
    """Compare the shares of labels in two populations."""
    a, b = (
        own.frequencies(data, attribute, "auto")
        for data, own in zip((first, second), weights, strict=True)
    )
    order = order_of(a.labels, b.labels, attribute)
    covariance = a.covariance + b.covariance[np.ix_(order, order)]
    stderr = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    _check_unknown(stderr, attribute)
    other = b.value[order]
    test = wald(a.value - other, covariance)
    found = attribute, a.labels, a.value, other, stderr, (a.n, b.n), test
    return DifferenceEstimate(*found, legend=a.legend, weighted=a.weighted)


def weighted_fit(
    own: FrequencyEstimate, stated: Vector, sides: tuple[str, str]
) -> DifferenceEstimate:
    """Compare the shares of labels in a population with stated ones."""
    _check_unknown(own.stderr, own.attribute)
    test = wald(own.value - stated, own.covariance)
    found = own.attribute, own.labels, own.value, stated, own.stderr, (own.n,), test, sides
    return DifferenceEstimate(*found, legend=own.legend, weighted=own.weighted)


def order_of(labels: Sequence[str], others: Sequence[str], attribute: str) -> Codes:
    """Return where each label stands on the other side, which must have the same ones."""
    if unlike := set(labels) ^ set(others):
        stray = ", ".join(sorted(unlike)[:5])
        rule = f"{attribute!r} must have the same values on both sides"
        raise EstimateError(f"{rule}, and only one has {stray}")
    where = {label: i for i, label in enumerate(others)}
    return np.array([where[label] for label in labels])


def _check_unknown(stderr: Vector, attribute: str) -> None:
    """Refuse shares that margins state."""
    if stderr.max() < KNOWN:
        rule = f"the weighted shares of {attribute!r} equal its known margins"
        raise EstimateError(f"{rule}: nothing is left to test")
