"""How far reports with secret levels lean away from independence of two attributes.

Levels are not given, and those of one owner hang together: bits of independent attributes are
correlated through them. Centred bits u of an attribute have mean a (e_x - 1/l) with a = p - q, so
that of two independent attributes the mean of u v is E[a b] / (E[a] E[b]) times the product of the
means. E[a b] is estimated from the numbers of ones; that ratio is estimated, and its error counted.

All of it follows from means and products of a few columns, so that reports are gone through once.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.family.sets.part import Bits
from discretion.synthesis.likelihoods import Likelihoods
from discretion.synthesis.score_statistic import ScoreStatistic
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.terms import Contrasts

BLOCK = 1 << 12  # reports whose columns are in memory at once

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Columns:
    """What a report has to say about two attributes, in columns: u v, u, v, a b, a, b and one."""

    sizes: Pair  # contrasts of the one, and of the other

    @property
    def count(self) -> int:
        k, m = self.sizes
        return k * m + k + m + 4

    def of(self, u: Matrix, v: Matrix, a: Vector, b: Vector) -> Matrix:
        products = (u[:, :, None] * v[:, None]).reshape(len(u), -1)
        return np.column_stack([products, u, v, a * b, a, b, np.ones(len(u))])

    def corrected(self, means: Vector) -> tuple[Vector, Matrix]:
        """Return the interactions, and the slopes (columns, interactions) of what reports add.

        The mean of u v less rho times the product of the means, rho = mean(a b) / (mean a  mean b),
        in units of mean(a b). The columns of a report times the slopes are what it contributes to
        the error, by the delta method.
        """
        k, m = self.sizes
        products, u, v, rest = np.split(means, np.cumsum([k * m, k, m]))
        both, one, other = rest[:3].tolist()
        rho = both / (one * other)
        apart = np.outer(u, v).ravel()
        slopes = np.concatenate(
            [
                np.eye(k * m),
                -rho * np.kron(np.eye(k), v),
                -rho * np.kron(u, np.eye(m)),
                -np.outer([1 / (one * other), -rho / one, -rho / other], apart),
                np.zeros((1, k * m)),
            ]
        )
        slopes[-1] = -means @ slopes  # errors have mean zero
        return (products - rho * apart) / both, slopes / both


def secret_score(
    evidence: SoftEvidence, axes: Pair, contrasts: tuple[Contrasts, Contrasts]
) -> ScoreStatistic:
    """Return the score of the interactions of two attributes."""
    (one,), (other,) = (evidence.about(axis) for axis in axes)
    columns = Columns((contrasts[0].size, contrasts[1].size))
    duals = _dual(contrasts[0]), _dual(contrasts[1])
    total = evidence.fold(partial(_products, (one, other), duals, columns))
    n, size = round(total[-1, -1]), contrasts[0].size * contrasts[1].size
    means = total[-1] / max(n, 1)
    if min(means[-4:-1]) <= 0:  # too few reports to estimate the noise
        return ScoreStatistic.nothing(size)
    theta, slopes = columns.corrected(means)
    spread = slopes.T @ total @ slopes / n**2
    precision = np.linalg.pinv(spread, hermitian=True).astype(np.float64)
    return ScoreStatistic(precision @ theta, precision, n, sampled=True)


def _products(
    indices: Pair, duals: tuple[Matrix, Matrix], columns: Columns, likelihoods: Likelihoods
) -> Matrix:
    """Return the products of all columns, summed over the reports about both."""
    answered = np.flatnonzero((likelihoods.strata[list(indices)] >= 0).all(axis=0))
    total = np.zeros((columns.count, columns.count))
    for start in range(0, len(answered), BLOCK):
        rows = answered[start : start + BLOCK]
        (u, a), (v, b) = (centred_bits(likelihoods.bits[index][rows]) for index in indices)
        own = columns.of(u @ duals[0], v @ duals[1], a, b)
        total += own.T @ own
    return total


def _dual(contrasts: Contrasts) -> Matrix:
    """Return the functions on bits, constants aside, whose mean is that of the contrasts."""
    return contrasts.functions - contrasts.functions.mean(axis=0)


def centred_bits(bits: Bits) -> tuple[Matrix, Vector]:
    """Return centred bits, and for each report what estimates its a."""
    size, ones = bits.shape[1], bits.sum(axis=1)
    return bits - (ones / size)[:, None], (size / 2 - ones) / (size - 1)
