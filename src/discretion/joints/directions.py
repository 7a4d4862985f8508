"""Shrinking interactions of two attributes more along some directions than along others.

Real tables depend in few ways: degree by wage, one value of the one attribute by all of the other.
One strength for all terms shrinks what is there as much as what is noise. Here the terms, in units
of their penalties, are a matrix of rows and columns with a normal law of which the covariance of
two terms is A[row, row'] B[column, column']: a matrix normal law. A and B are learnt by expectation
maximisation from those of one strength, with pseudo-observations of equal variances, so that
directions along which the terms are small are shrunk to nothing, and others hardly.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import FIRST, LogLinear
from discretion.joints.penalised import Fitted, best

ROUNDS = 40  # of a Newton step and learning the covariances anew
CHANGE = 0.004  # of a log-variance, on average over directions: less ends the rounds
PRESUMED = 0.5  # observations of equal variances, for each direction, that count beforehand


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


def directed(
    model: LogLinear, likelihood: TableLikelihood, even: Fitted, strength: float
) -> Fitted:
    """Return a fit of two attributes whose strengths differ by direction, from one of the same."""
    rows, columns = (size - 1 for size in likelihood.shape)
    own = model.terms((0, 1))
    block, scale = np.ix_(own, own), 1 / np.sqrt(model.penalties[own])
    units = np.outer(scale, scale)
    covariances = _Covariances.even(rows, columns, 1 / min(strength, FIRST))
    ridge, theta = even.ridge.copy(), even.theta
    for _ in range(ROUNDS):
        ridge[block] = covariances.precision / units
        found = best(model, likelihood, ridge, theta, steps=1)
        theta, before = found.theta, covariances
        terms = (theta[own] / scale).reshape(rows, columns)
        covariances = before.learnt(terms, found.inverse[block] / units)
        if np.abs(covariances.volume - before.volume).sum() < CHANGE * (rows + columns):
            break
    return best(model, likelihood, ridge, theta)


def _mended(seen: Matrix, observations: int) -> Matrix:
    """Return a covariance: a mean square, with pseudo-observations of equal variances."""
    presumed, equal = PRESUMED * len(seen), np.trace(seen) / len(seen) / observations
    mean: Matrix = (seen + presumed * equal * np.eye(len(seen))) / (observations + presumed)
    return mean
