"""The nearest point of the simplex, by leaving out what falls below zero until nothing does."""

import numpy as np
import numpy.typing as npt

from discretion.kernel import cached

Vector = npt.NDArray[np.float64]


@cached()
def project(values: Vector, give: Vector) -> Vector:
    """Return max(values - t give, 0) with the t for which that sums to one (Michelot 1986)."""
    t = -np.inf
    while True:
        top, wide = -1.0, 0.0
        for i in range(len(values)):
            if values[i] > t * give[i]:
                top += values[i]
                wide += give[i]
        if top / wide <= t:
            return np.maximum(values - t * give, 0.0)
        t = top / wide
