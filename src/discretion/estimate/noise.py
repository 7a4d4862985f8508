"""How uncertain one report is: the covariance of its debiased score.

With p, q the inclusion of the true code and of another one, a report y has the score
z_v = (y_v - q) / (p - q), whose mean is the vector of frequencies f. Brought to sum one by
H = I - 11'/l, its covariance over the population is, for every shape of law,

    H [diag(a + b f) - f f'] H,    a = (q - r) / (p - q)^2,    b = (p - q - 2 (s - r)) / (p - q)^2,

with s and r the pair inclusions (of the true code and another; of two others): the rest of the
second moment of y is constant along rows or columns, and H takes it away. For OUE this is the
1/sinh^2(eps/2) + 2 f - f^2 of the literature; for subsets, at uniform f, one over the Fisher
eigenvalue. Derivation: docs/proofs/frequencies.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.kernel.project import project
from discretion.mechanism.law import Scored

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Noise:
    """Covariance ``H [diag(constant + linear f) - square f f'] H``; such covariances add up."""

    constant: float
    linear: float
    square: float

    @staticmethod
    def of(law: Scored) -> "Noise":
        """Return the noise of one report; of a coded one, where each code has a bit of its own."""
        return _noise(law)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.constant + other.constant, self.linear + other.linear, self.square + other.square
        )

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.constant * factor, self.linear * factor, self.square * factor)

    def precision(self, size: int) -> float:
        """Return one over the variance of a contrast at the uniform distribution."""
        return 1 / (self.constant + self.linear / size)

    def covariance(self, f: Vector) -> Matrix:
        """Return the covariance at frequencies f, which lie on the simplex."""
        inner = np.diag(self.constant + self.linear * f) - self.square * np.outer(f, f)
        return inner - inner.mean(0) - inner.mean(1)[:, None] + inner.mean()

    def variance(self, f: Vector) -> Vector:
        """Return the diagonal of the covariance, without the rest of it."""
        diagonal, size = self.constant + self.linear * f, len(f)
        rows = diagonal - self.square * f  # sums of the rows inside of H, as f sums to one
        return diagonal - self.square * f**2 - 2 * rows / size + rows.sum() / size**2


def terms(noises: Sequence[Noise]) -> Matrix:
    """Return the constant, linear and square of each noise: (noises, 3)."""
    return np.array([(noise.constant, noise.linear, noise.square) for noise in noises])


ANSWER = Noise(0.0, 1.0, 1.0)  # an unperturbed one: diag(f) - f f', which H leaves as it is


def simplex(values: Vector, stiffness: Vector | float = 1.0) -> Vector:
    """Return the nearest point of the simplex, where variances are evaluated.

    With stiffness s the square of each move counts s times: the point is max(values - t / s, 0).
    """
    return project(values, np.ones(len(values)) / stiffness)


def smoothed(f: Vector, n: float) -> Vector:
    """Return frequencies that n reports cannot distinguish from f, none of them zero."""
    return (f * n + 0.5) / (n + len(f) / 2)


@cache
def _noise(law: Scored) -> Noise:
    constant, linear = law.noise
    return Noise(float(constant), float(linear), 1.0)
