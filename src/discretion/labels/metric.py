"""The nearest point of the simplex where distance is measured by a covariance.

With v the estimate, which sums to one, and V its covariance, whose rows sum to zero, the point x of
the simplex that minimises (x - v)' V^+ (x - v) is the one with

    x = v + V m,    x >= 0,    m >= 0,    x'm = 0,

so which cells are zero decides it: of the others, the regression on those. They are found by block
principal pivoting (Júdice and Pires 1994; Kim and Park 2011): all cells that are on the wrong side
change it at once, and one at a time where that goes round in circles.
"""

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.table.columns import Mask

PATIENCE = 3  # exchanges of many that do not help, before cells are exchanged one at a time
MOST = 10_000  # exchanges; in exact arithmetic there is an end, after rounding perhaps not
ROUNDING = 1e-12  # of frequencies
FLOOR = 1e-8  # of the largest variance: no direction is known better, or rounding decides


def nearest(value: Vector, covariance: Matrix) -> Vector:
    """Return the nearest point of the simplex; value sums to one, the covariance's rows to zero."""
    spread = regular(covariance)
    zero, fewest, left = value < 0, len(value) + 1, PATIENCE
    for _ in range(MOST):
        x, pull = _held(value, spread, zero)
        wrong = np.where(zero, pull * np.diag(spread), x) < -ROUNDING
        count = int(wrong.sum())
        if not count:
            inside = np.maximum(x, 0.0)
            return inside / inside.sum()
        if count < fewest:
            fewest, left = count, PATIENCE
        elif left:
            left -= 1
        else:
            wrong[: np.flatnonzero(wrong)[-1]] = False
        zero = zero ^ wrong
    raise EstimateError("the covariance is too uneven for norm-gls: take norm-sub")


def regular(covariance: Matrix) -> Matrix:
    """Return a covariance that is above zero in the direction of every contrast."""
    size = len(covariance)
    values, vectors = np.linalg.eigh(covariance - np.trace(covariance) / size)  # constants: first
    values, vectors = values[1:], vectors[:, 1:]
    return (vectors * np.maximum(values, FLOOR * values[-1])) @ vectors.T


def _held(value: Vector, spread: Matrix, zero: Mask) -> tuple[Vector, Vector]:
    """Return x = v + V m with x zero where that is required, and m zero elsewhere."""
    pull = np.zeros(len(value))
    pull[zero] = np.linalg.solve(spread[np.ix_(zero, zero)], -value[zero])
    x = value + spread @ pull
    x[zero] = 0.0
    return x, pull
