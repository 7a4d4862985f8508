"""Inverse covariances on contrasts, as a diagonal and two rows each.

That is what the covariance of counts is made of, so that a test over a thousand codes costs a
thousand operations and not their square.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Noise, Vector, terms

SIGNS = np.array([[-1.0], [1.0]])


@dataclass(frozen=True, slots=True)
class Precisions:
    """A matrix diag(diagonal) + rows' diag(SIGNS) rows for each group, zero on constants."""

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

    def __matmul__(self, x: Matrix) -> Matrix:
        """Return each matrix times its row of x."""
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
