"""Inverse covariances of several estimates, whose sum is solved for the estimate of all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Noise, Vector, terms

SIGNS = np.array([[-1.0], [1.0]])


class Precisions(Protocol):
    """A symmetric matrix for each of some estimates."""

    @property
    def rank(self) -> int:
        """The dimension of the space on which the matrices are regular."""

    def __matmul__(self, x: Matrix) -> Matrix:
        """Return each matrix times its row of x."""

    def solve(self, b: Vector) -> Vector:
        """Return the x with the sum of all matrices times x = b."""


@dataclass(frozen=True, slots=True)
class NoisePrecisions:
    """A matrix diag(diagonal) + rows' diag(SIGNS) rows for each group, zero on constants.

    That is what the covariance of counts of sets is made of, so that a test over a thousand codes
    costs a thousand operations and not their square.
    """

    diagonal: Matrix  # (groups, size)
    rows: npt.NDArray[np.float64]  # (groups, 2, size)

    @classmethod
    def of(cls, noises: Sequence[Noise], f: Vector) -> Self:
        """Return the inverse of each noise's covariance at f, which lies on the simplex.

        With d the diagonal, w = 1/d and s the square, that of diag(d) is P = diag(w) - w w' / 1'w,
        and Sherman and Morrison add (P f)(P f)' s / (1 - s f'P f). No term is negative in
        1 - s f'P f = f'((d - s f) / d) + s (f'w)^2 / 1'w.
        """
        constant, linear, s = terms(noises).T[:, :, None]
        w = 1 / (constant + linear * f)
        total, mean = w.sum(axis=1, keepdims=True), (w @ f)[:, None]
        pull = f * w - w * mean / total
        rest = (((constant + (linear - s) * f) * w) @ f)[:, None] + s * mean**2 / total
        return cls(w, np.stack([w / np.sqrt(total), pull * np.sqrt(s / rest)], axis=1))

    @property
    def rank(self) -> int:
        return self.diagonal.shape[1] - 1

    def __matmul__(self, x: Matrix) -> Matrix:
        inner = SIGNS * (self.rows @ x[:, :, None])  # (groups, 2, 1)
        product: Matrix = self.diagonal * x + (inner * self.rows).sum(axis=1)
        return product

    def solve(self, b: Vector) -> Vector:
        """Return the contrast x with the sum of all matrices times x = b; b sums to zero.

        A row of constants of like size makes the sum regular; Woodbury's identity inverts it.
        """
        groups, size = self.diagonal.shape
        diagonal = self.diagonal.sum(axis=0)
        constant = np.full(size, np.sqrt(diagonal.sum()) / size)
        rows = np.vstack([self.rows.reshape(-1, size), constant])
        scaled = rows / diagonal
        inner = np.diag(np.append(np.tile(SIGNS, (groups, 1)), 1.0)) + rows @ scaled.T
        x: Vector = b / diagonal - np.linalg.solve(inner, scaled @ b) @ scaled
        return x


@dataclass(frozen=True, slots=True)
class DensePrecisions:
    """Matrices on contrasts, each as regular coordinates: basis' matrix basis."""

    matrices: npt.NDArray[np.float64]  # (groups, rank, rank)
    basis: Matrix  # (rank, size), orthonormal

    @classmethod
    def of(cls, covariances: Sequence[Matrix]) -> Self:
        """Return the inverse of each covariance on contrasts."""
        basis = np.linalg.svd(np.ones((1, len(covariances[0]))))[2][1:]
        inner = [np.linalg.inv(basis @ covariance @ basis.T) for covariance in covariances]
        return cls(np.array(inner), basis)

    @property
    def rank(self) -> int:
        return len(self.basis)

    def __matmul__(self, x: Matrix) -> Matrix:
        pulls: Matrix = np.einsum("gij,gj->gi", self.matrices, x @ self.basis.T) @ self.basis
        return pulls

    def solve(self, b: Vector) -> Vector:
        x: Vector = np.linalg.solve(self.matrices.sum(axis=0), self.basis @ b) @ self.basis
        return x


@dataclass(frozen=True, slots=True)
class ScalarPrecisions:
    """One number for each of some estimates of a number."""

    each: Vector  # (groups,)

    @property
    def rank(self) -> int:
        return 1

    def __matmul__(self, x: Matrix) -> Matrix:
        product: Matrix = self.each[:, None] * x
        return product

    def solve(self, b: Vector) -> Vector:
        return b / self.each.sum()
