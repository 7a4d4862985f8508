"""Contrasts of an attribute: functions of its value with mean zero and variance one.

In such functions a table near independence is its product of marginals times one plus the sum of
theta_kl phi_k psi_l, and half the sum of squares of theta is the mutual information.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from discretion.estimate.noise import Matrix, Vector

UNORDERED = 1.3  # the degree of contrasts of labels: between a line and a parabola


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Orthonormal functions under the frequencies: polynomials where the values have an order."""

    frequencies: Vector  # (size,)
    functions: Matrix  # (size, size - 1)
    degrees: Vector  # (size - 1,)

    @classmethod
    def of(cls, frequencies: Vector, *, ordered: bool) -> Self:
        """Build them for frequencies none of which is zero."""
        size, root = len(frequencies), np.sqrt(frequencies)[:, None]
        if ordered:
            raw = np.vander(np.linspace(-1, 1, size), size, increasing=True)
            degrees = np.arange(1.0, size)
        else:
            raw = np.column_stack([np.ones(size), np.eye(size)[:, 1:]])
            degrees = np.full(size - 1, UNORDERED)
        functions = np.linalg.qr(root * raw)[0][:, 1:] / root
        return cls(frequencies, functions, degrees)

    @property
    def size(self) -> int:
        return len(self.degrees)
