"""Inverse covariances on contrasts, as a diagonal and a few columns.

That is what the covariance of counts is made of, so that a test over a thousand codes costs a
thousand operations and not their square.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from discretion.estimate.noise import Matrix, Noise, Vector


@dataclass(frozen=True, slots=True)
class Precision:
    """The matrix diag(diagonal) + columns diag(signs) columns', which is zero on constants."""

    diagonal: Vector  # (size,)
    columns: Matrix  # (size, few)
    signs: Vector  # (few,)

    @classmethod
    def of(cls, noise: Noise, f: Vector) -> Self:
        """Return the inverse of the noise's covariance at f, which lies on the simplex.

        With d the diagonal, w = 1/d and s the square, that of diag(d) is P = diag(w) - w w' / 1'w,
        and Sherman and Morrison add (P f)(P f)' s / (1 - s f'P f). No term is negative in
        1 - s f'P f = f'((d - s f) / d) + s (f'w)^2 / 1'w.
        """
        s, w = noise.square, 1 / (noise.constant + noise.linear * f)
        pull = f * w - w * (f @ w) / w.sum()
        rest = f @ ((noise.constant + (noise.linear - s) * f) * w) + s * (f @ w) ** 2 / w.sum()
        columns = np.column_stack([w / np.sqrt(w.sum()), pull * np.sqrt(s / rest)])
        return cls(w, columns, np.array([-1.0, 1.0]))

    def __add__(self, other: Self) -> Self:
        columns = np.hstack([self.columns, other.columns])
        signs = np.append(self.signs, other.signs)
        return type(self)(self.diagonal + other.diagonal, columns, signs)

    def __matmul__(self, x: Vector) -> Vector:
        product: Vector = self.diagonal * x + self.columns @ (self.signs * (x @ self.columns))
        return product

    def solve(self, b: Vector) -> Vector:
        """Return the contrast x with this matrix times x = b; b sums to zero.

        A column of constants of like size makes the matrix regular; Woodbury's identity inverts it.
        """
        size = len(b)
        constant = np.full(size, np.sqrt(self.diagonal.sum()) / size)
        columns = np.column_stack([self.columns, constant])
        scaled = columns / self.diagonal[:, None]
        inner = np.diag(np.append(self.signs, 1.0)) + columns.T @ scaled
        x: Vector = b / self.diagonal - scaled @ np.linalg.solve(inner, b @ scaled)
        return x
