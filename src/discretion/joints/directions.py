"""Shrinking interactions of two attributes more along some directions than along others.

Real tables depend in few ways: degree by wage, one value of the one attribute by all of the other.
One strength for all terms shrinks what is there as much as what is noise. Here the terms, in units
of their penalties, are a matrix of rows and columns with a normal law of which the covariance of
two terms is A[row, row'] B[column, column']: a matrix normal law. A and B are learnt by expectation
maximisation from those of one strength, with pseudo-observations of equal variances, so that
directions along which the terms are small are shrunk to nothing, and others hardly.

The marginal likelihood says how much better this law fits than one strength. A and B are fitted to
the same reports, so it has to be better by a factor of fifty before it counts for as much.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import scipy
from scipy.special import expit

from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import FIRST, LogLinear, Shrunk

MOST_TERMS = 256  # of the interaction: a step has the cube of that
ROUNDS = 40  # of a Newton step and learning the covariances anew
CHANGE = 0.004  # of a log-variance, on average over directions: less ends the rounds
PRESUMED = 0.5  # observations of equal variances, for each direction, that count beforehand
MARGIN = float(np.log(50))  # nats by which the marginal likelihood must be better
STEPS = 10  # of Newton's method, to the best terms
GAIN = 1e-4  # nats that a step must promise
SHORTEST = 1e-3  # of a Newton step


class Directed(NamedTuple):
    """A table and how many terms the reports determine in it."""

    value: Vector
    determined: float


@dataclass(frozen=True)
class _Fitted:
    """The best terms under some penalties, and the inverse of the curvature there."""

    theta: Vector
    inverse: Matrix
    value: float  # of the likelihood less the penalty


@dataclass(frozen=True)
class _Covariances:
    """Of rows and of columns of the terms; that of two terms is the product of both."""

    rows: Matrix
    columns: Matrix

    @classmethod
    def even(cls, rows: int, columns: int, variance: float) -> Self:
        return cls(*(np.sqrt(variance) * np.eye(size) for size in (rows, columns)))

    @property
    def precision(self) -> Matrix:
        found: Matrix = np.kron(scipy.linalg.inv(self.rows), scipy.linalg.inv(self.columns))
        return found

    @property
    def volume(self) -> Vector:
        """The logarithms of both determinants."""
        return np.array([np.linalg.slogdet(own)[1] for own in (self.rows, self.columns)])

    def learnt(self, mean: Matrix, spread: Matrix) -> "_Covariances":
        """Return those under which terms (rows, columns) of this posterior law were expected."""
        across = spread.reshape(2 * mean.shape)
        inverse = scipy.linalg.inv(self.columns)
        seen = mean @ inverse @ mean.T + np.einsum("ijkl,jl->ik", across, inverse)
        rows = _mended(seen, mean.shape[1])
        inverse = scipy.linalg.inv(rows)
        seen = mean.T @ inverse @ mean + np.einsum("ijkl,ik->jl", across, inverse)
        columns = _mended(seen, mean.shape[0])
        ratio = np.sqrt(np.trace(rows) / len(rows) * len(columns) / np.trace(columns))
        return _Covariances(rows / ratio, columns * ratio)


def directed(model: LogLinear, likelihood: TableLikelihood, fit: Shrunk) -> Directed:
    """Return a fit of two attributes, averaged with one whose strengths differ by direction."""
    alone = Directed(model.table(fit.theta), fit.determined)
    rows, columns = (size - 1 for size in likelihood.shape)
    if not 1 < rows * columns <= MOST_TERMS:
        return alone
    own = model.terms((0, 1))
    block, scale = np.ix_(own, own), 1 / np.sqrt(model.penalties[own])
    units = np.outer(scale, scale)
    plain = np.diag(model.ridge(fit.strengths))
    first = _best(model, likelihood, plain, fit.theta)
    covariances = _Covariances.even(rows, columns, 1 / min(float(fit.strengths[0]), FIRST))
    ridge, theta = plain.copy(), first.theta
    for _ in range(ROUNDS):
        ridge[block] = covariances.precision / units
        found = _best(model, likelihood, ridge, theta, steps=1)
        theta, before = found.theta, covariances
        terms = (theta[own] / scale).reshape(rows, columns)
        covariances = before.learnt(terms, found.inverse[block] / units)
        if np.abs(covariances.volume - before.volume).sum() < CHANGE * (rows + columns):
            break
    last = _best(model, likelihood, ridge, theta)
    weight = float(expit(_evidence(last, ridge) - _evidence(first, plain) - MARGIN))
    determined = len(theta) - float((last.inverse * ridge).sum())
    return Directed(
        weight * model.table(last.theta) + (1 - weight) * alone.value,
        weight * determined + (1 - weight) * alone.determined,
    )


def _mended(seen: Matrix, observations: int) -> Matrix:
    """Return a covariance: a mean square, with pseudo-observations of equal variances."""
    presumed, equal = PRESUMED * len(seen), np.trace(seen) / len(seen) / observations
    mean: Matrix = (seen + presumed * equal * np.eye(len(seen))) / (observations + presumed)
    return mean


def _best(
    model: LogLinear, likelihood: TableLikelihood, ridge: Matrix, start: Vector, steps: int = STEPS
) -> _Fitted:
    """Climb by Newton's method; the curvature is that before the last step."""

    def height(theta: Vector) -> float:
        return likelihood.slope(model.table(theta))[0] - float(theta @ ridge @ theta) / 2

    theta, value = start, height(start)
    for _ in range(steps):
        f = model.table(theta)
        slopes = f[:, None] * (model.features - f @ model.features)
        pull = likelihood.n * (likelihood.slope(f)[1] @ slopes) - ridge @ theta
        inverse: Matrix = scipy.linalg.inv(likelihood.information_along(f, slopes) + ridge)
        step, size = inverse @ pull, 1.0
        if float(pull @ step) < GAIN:
            break
        while (there := height(theta + size * step)) < value and size > SHORTEST:
            size /= 2
        if there <= value:
            break
        theta, value = theta + size * step, there
    return _Fitted(theta, inverse, value)


def _evidence(found: _Fitted, ridge: Matrix) -> float:
    """Return the marginal likelihood in Laplace's approximation, but for a constant."""
    both = (np.linalg.slogdet(own)[1] for own in (ridge, found.inverse))
    return found.value + float(sum(both)) / 2
