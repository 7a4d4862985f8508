"""The maximum of a likelihood on the simplex, how sharp it is, and around what.

No frequency at the maximum is negative, and each that would be holds the others back: the largest
seems smaller than it is. So intervals are around the peak of the likelihood off the simplex.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import NamedTuple, Protocol

import numpy as np
import scipy

from discretion.estimate.likelihood import Likelihood, maximise
from discretion.estimate.noise import Matrix, Vector, simplex, smoothed
from discretion.estimate.spread import Known, Spread

SINGULAR = 1e-12  # information below which a contrast is as good as unknown
MOST_CELLS = 1024  # up to which variances come from the whole covariance
RIDGE = 1e-3  # of the bound's precision, so much more is known of each code of a larger table
HALVINGS = 4  # of a step that goes too far
LEAST_KEPT = 0.5  # of the information, at least, after what its estimation cost


class Informed(Likelihood, Protocol):
    """A likelihood that knows the curvature at its maximum."""

    def curvature(self, f: Vector) -> Matrix:
        """Return the mean of L L' / (L f)^2."""


Slope = Callable[[Vector], tuple[float, Vector]]  # the log-likelihood and its slope per report
Bound = Callable[[Vector], Spread]


def fit(
    likelihood: Informed, start: Vector, bound: Bound | None = None, answers: float = inf
) -> tuple[Vector, Spread]:
    """Return the maximum, and its spread by the inverse of the observed information there.

    ``bound`` is the spread, at given frequencies, of a less efficient estimate from the same
    reports, if there is one. It steps in where a cell is zero. ``answers`` is how many reports
    there are, as if all were equally precise: of their information, each frequency takes one away.
    """
    f = maximise(likelihood, simplex(start))
    return f, Observed(likelihood, f, bound, answers)


class Large(NamedTuple):
    """What is known of many codes: their variances, and a step of Newton's."""

    variance: Vector
    step: Vector


@dataclass(frozen=True, eq=False)
class Observed:
    """The spread of the most likely frequencies; a copy carries the covariance, not the reports."""

    likelihood: Informed
    f: Vector
    bound: Bound | None
    answers: float

    @cached_property
    def covariance(self) -> Matrix:
        if self.f.all() or self.bound is None:
            return inverse(self._information)
        return bounded_inverse(self._information, self._least.covariance)

    @property
    def variance(self) -> Vector:
        return np.diag(self.covariance) if self._large is None else self._large.variance

    @cached_property
    def shift(self) -> Vector:
        """How far the peak of the likelihood lies from the most likely frequencies."""
        step = self.covariance @ self._pull if self._large is None else self._large.step
        return peak(self._slope, self.f, step) - self.f

    def __reduce__(self) -> tuple[type[Known], tuple[Matrix, Vector]]:
        return Known, (self.covariance, self.shift)

    @property
    def _information(self) -> Matrix:
        lost = (len(self.f) - 1) / self.answers
        information = self.likelihood.curvature(self.f)
        information *= self.likelihood.n * max(1 - lost, LEAST_KEPT)
        return information

    @property
    def _least(self) -> Spread:
        assert self.bound is not None
        return self.bound(smoothed(self.f, self.likelihood.n))

    @property
    def _pull(self) -> Vector:
        return self.likelihood.n * (self.likelihood.at(self.f).multiplier - 1)

    @cached_property
    def _large(self) -> Large | None:
        """Return the variances of many codes without their covariance, which takes a minute.

        Each is that of the inverse information or that of the bound, whichever is less. That is no
        less than the diagonal of ``covariance``, but for what the ridge adds.
        """
        size = len(self.f)
        if size <= MOST_CELLS or self.bound is None:
            return None
        least, information = self._least.variance, self._information
        level = centre(information)
        information += level / size  # regular along constants too
        information[np.diag_indices(size)] += RIDGE / least
        root = scipy.linalg.cholesky(information, lower=True, overwrite_a=True, check_finite=False)
        lower, _ = scipy.linalg.lapack.dtrtri(root, lower=1, overwrite_c=1)
        own = np.einsum("ij,ij->j", lower, lower) - 1 / (level * size)
        scale = np.sqrt(np.minimum(least / own, 1.0))
        step = scale * (lower.T @ (lower @ (scale * self._pull)))
        return Large(scale**2 * own, step - step.mean())

    def _slope(self, f: Vector) -> tuple[float, Vector]:
        here = self.likelihood.at(f)
        return here.value, here.multiplier


def centre(matrix: Matrix) -> float:
    """Take off what is constant along rows or columns, in place; return the mean diagonal left."""
    rows = matrix.mean(axis=0)
    matrix -= rows
    matrix -= rows[:, None] - rows.mean()
    return float(np.trace(matrix)) / len(matrix)


def peak(slope: Slope, f: Vector, step: Vector) -> Vector:
    """Return where the likelihood is highest on the way of a Newton step off the simplex.

    Frequencies that may be negative vary around the truth as the information says; those at the
    maximum vary less, by how much depends on the truth. A few strong reports may not let the step
    go far: each must stay possible.
    """
    if _rises(slope, f + step, step):
        return f + step
    short, long = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (short + long) / 2
        if _rises(slope, f + middle * step, step):
            short = middle
        else:
            long = middle
    return f + short * step


def _rises(slope: Slope, f: Vector, step: Vector) -> bool:
    """Return whether the likelihood exists at what may be negative, and rises along."""
    with np.errstate(all="ignore"):  # logarithms of what is negative
        value, multiplier = slope(f)
        return bool(np.isfinite(value) and multiplier @ step >= 0)


def bounded_inverse(information: Matrix, bound: Matrix) -> Matrix:
    """Return the inverse on contrasts, in no direction above ``bound``.

    Codes that hardly any report speaks for have no observed information, though the reports show
    that they are rare; a less efficient estimate of the same frequencies knows how well.
    """
    basis = np.linalg.svd(np.ones((1, len(bound))))[2][1:].T  # orthonormal contrasts
    root = basis @ np.linalg.cholesky(basis.T @ bound @ basis)
    values, vectors = np.linalg.eigh(root.T @ information @ root)
    known = root @ vectors
    return (known / np.maximum(values, 1.0)) @ known.T


def inverse(information: Matrix) -> Matrix:
    """Return the inverse on contrasts, the directions in which coordinates sum to zero.

    All cells count, also those estimated as zero, so that they keep an interval. Where the reports
    say nothing the variance is huge, not missing.
    """
    centred = information - information.mean(0) - information.mean(1)[:, None] + information.mean()
    values, vectors = np.linalg.eigh(centred - 1)  # puts the constant vector first, and alone
    values, vectors = values[1:], vectors[:, 1:]
    return (vectors / np.maximum(values, SINGULAR)) @ vectors.T
