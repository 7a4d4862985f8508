"""The maximum of a likelihood on the simplex, and how sharp it is."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

from discretion.estimate.likelihood import Likelihood, maximise
from discretion.estimate.noise import Matrix, Vector, simplex, smoothed
from discretion.estimate.spread import Later, Spread

SINGULAR = 1e-12  # information below which a contrast is as good as unknown


class Informed(Likelihood, Protocol):
    """A likelihood that knows the curvature at its maximum."""

    def curvature(self, f: Vector) -> Matrix:
        """Return the mean of L L' / (L f)^2."""


def fit(
    likelihood: Informed, start: Vector, bound: Callable[[Vector], Matrix] | None = None
) -> tuple[Vector, Spread]:
    """Return the maximum and the inverse of the observed information there.

    ``bound`` is the covariance, at given frequencies, of a less efficient estimate from the same
    reports, if there is one. It steps in where a cell is zero.
    """
    f = maximise(likelihood, simplex(start))
    return f, Later(lambda: _covariance(likelihood, f, bound))


def _covariance(
    likelihood: Informed, f: Vector, bound: Callable[[Vector], Matrix] | None
) -> Matrix:
    information = likelihood.curvature(f) * likelihood.n
    if f.all() or bound is None:
        return inverse(information)
    return bounded_inverse(information, bound(smoothed(f, likelihood.n)))


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
