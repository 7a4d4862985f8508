"""Maximum likelihood with disclosed levels: EM on the one likelihood of all reports."""

from collections.abc import Iterable

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.simplex_em import maximise
from discretion.estimate.supports import Supports
from discretion.mechanism import Law
from discretion.table import ReportTable

SINGULAR = 1e-12  # information per report below which a contrast is as good as unknown


def mle(reports: ReportTable, name: str, laws: Iterable[Law]) -> tuple[Vector, Matrix]:
    """Return the most likely frequencies and their covariance for the population.

    ``laws`` are those of the levels that occur, from the smallest level up.
    """
    ratios = np.array([float(law.ratio) for law in laws])
    return fit(Supports.by_level(reports, name), ratios)


def fit(supports: Supports, ratios: Vector) -> tuple[Vector, Matrix]:
    """Maximise the likelihood given the ratio of each class of reports."""
    start = np.full(supports.size, 1 / supports.size)
    f = maximise(lambda f: supports.step(ratios, f), start, supports.n)
    return f, inverse(supports.information(ratios, f), supports.n)


def inverse(information: Matrix, n: float) -> Matrix:
    """Return the covariance on contrasts: the inverse where the coordinates sum to zero.

    All cells count, also those estimated as zero, so that they keep an interval. Where the reports
    say nothing the variance is huge, not missing.
    """
    centred = information - information.mean(0) - information.mean(1)[:, None] + information.mean()
    values, vectors = np.linalg.eigh(centred)
    values, vectors = values[1:], vectors[:, 1:]  # the first belongs to the constant vector
    vectors = vectors - vectors.mean(0)
    return (vectors / np.maximum(values, SINGULAR * n)) @ vectors.T
