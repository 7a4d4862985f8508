"""Maximum likelihood with disclosed levels: the one likelihood of all reports."""

import numpy as np

from discretion.estimate.likelihood import maximise
from discretion.estimate.linear import Levels, pooled
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.supports import ReportLikelihood, Supports
from discretion.table import ReportTable

SINGULAR = 1e-12  # information per report below which a contrast is as good as unknown


def mle(reports: ReportTable, name: str, levels: Levels) -> tuple[Vector, Matrix]:
    """Return the most likely frequencies and their covariance for the population.

    ``levels`` are those that occur, from the smallest up; their linear estimate is the start.
    """
    ratios = np.array([float(law.ratio) for law, _ in levels])
    likelihood = ReportLikelihood(Supports.by_level(reports, name), ratios)
    return fit(likelihood, pooled(levels).value)


def fit(likelihood: ReportLikelihood, start: Vector) -> tuple[Vector, Matrix]:
    """Return the maximum and the inverse of the observed information there."""
    f = maximise(likelihood, simplex(start))
    return f, inverse(likelihood.curvature(f)) / likelihood.n


def inverse(information: Matrix) -> Matrix:
    """Return the inverse on contrasts, the directions in which coordinates sum to zero.

    All cells count, also those estimated as zero, so that they keep an interval. Where the reports
    say nothing the variance is huge, not missing.
    """
    centred = information - information.mean(0) - information.mean(1)[:, None] + information.mean()
    values, vectors = np.linalg.eigh(centred - 1)  # puts the constant vector first, and alone
    values, vectors = values[1:], vectors[:, 1:]
    return (vectors / np.maximum(values, SINGULAR)) @ vectors.T
