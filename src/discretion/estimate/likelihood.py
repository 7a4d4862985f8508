"""Likelihoods on the simplex, sums of log(linear function of f), and their maximum.

Each report contributes log(L f) with a row L >= 0, so the sum is concave: there is one maximum, and
the start matters for the time only. The slope is kept as the multiplier G of an EM step (f becomes
f * G), which certifies a result: what is still to be gained is at most n (max G - 1).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import nnls

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector

TOLERANCE = 1e-4  # nats still to be gained, in all: a hundredth of a standard error
MOST_STEPS = 200
ROUNDING = 1e-12  # relative error of a log-likelihood
RIDGE = 1e-6  # of the mean curvature: keeps the step finite where the reports say nothing


class Likelihood(Protocol):
    """What the maximiser asks; all per report, but the log-likelihood, which is the whole."""

    @property
    def n(self) -> float: ...

    def slope(self, f: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood at f and the multiplier G, the mean of L / (L f)."""
        ...

    def curvature(self, f: Vector) -> Matrix:
        """Return the mean of L L' / (L f)^2. An approximation costs steps, never accuracy."""
        ...


def maximise(likelihood: Likelihood, start: Vector) -> Vector:
    """Return the most likely f, by Wang's constrained Newton method (2007).

    Each step maximises the second-order expansion over the whole simplex, so it finds exact zeros
    where expectation maximisation would creep towards them, and then searches along the line.
    """
    f = start
    value, multiplier = likelihood.slope(f)
    for _ in range(MOST_STEPS):
        if likelihood.n * (multiplier.max() - 1) <= TOLERANCE:
            return f
        change = _newton(likelihood.curvature(f), multiplier, f) - f
        for halvings in range(40):
            trial = f + change / 2**halvings
            gained, slope = likelihood.slope(trial)
            if gained >= value - ROUNDING * abs(value):
                break
        f, value, multiplier = trial, gained, slope
    raise EstimateError(f"the likelihood was not maximised in {MOST_STEPS} steps")


def _newton(curvature: Matrix, multiplier: Vector, f: Vector) -> Vector:
    """Return the g on the simplex that maximises G'(g - f) - (g - f)' H (g - f) / 2.

    A ridge on g - f, and errors in H, leave the fixed point where it is. Since g sums to one, the
    linear part joins the quadratic one, and Dax's device makes of it non-negative least squares.
    """
    hessian = curvature + np.eye(len(f)) * RIDGE * np.trace(curvature) / len(f)
    linear = multiplier + hessian @ f
    root = cholesky(hessian)
    target = solve_triangular(root, linear, trans="T")  # |root g - target|^2 is the expansion
    rows = np.vstack([root - target[:, None], np.ones(len(f))])
    g, _ = nnls(rows, np.append(np.zeros(len(f)), 1.0))
    return g / g.sum()


@dataclass(frozen=True)
class MixtureLikelihood:
    """Counts of outcomes from a mixture of known laws; f are the weights of the laws."""

    chance: Matrix  # (outcomes, laws)
    counts: Vector  # (outcomes,)

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    def slope(self, f: Vector) -> tuple[float, Vector]:
        density = self.chance @ f
        with np.errstate(divide="ignore"):
            value = float(self.counts @ np.log(density))
        return value, (self.counts / np.maximum(density, 1e-300)) @ self.chance / self.n

    def curvature(self, f: Vector) -> Matrix:
        density = self.chance @ f
        return (self.chance.T * (self.counts / density**2)) @ self.chance / self.n
