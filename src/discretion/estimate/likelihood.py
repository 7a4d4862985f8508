"""Likelihoods on the simplex, sums of log(linear function of f), and their maximum.

Each report contributes log(L f) with a row L >= 0, so the sum is concave: there is one maximum, and
the start matters for the time only. The slope is kept as the multiplier G of an EM step (f becomes
f * G), which certifies a result: what is still to be gained is at most n (max G - 1).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.optimize import nnls

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector

TOLERANCE = 1e-4  # nats still to be gained, in all: about a hundredth of a standard error
MOST_STEPS = 200
ARMIJO = 1e-4  # the share of the promised gain that a step must bring
ROUNDING = 1e-12  # relative error of a log-likelihood


class Likelihood(Protocol):
    """What the maximiser asks; all per report, but the log-likelihood, which is the whole."""

    @property
    def n(self) -> float: ...

    def slope(self, f: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood at f and the multiplier G, the mean of L / (L f)."""
        ...

    def expansion(self, f: Vector, multiplier: Vector, steps: int) -> tuple[Matrix, Vector]:
        """Return A and b with A'A the curvature, the mean of L L' / (L f)^2, and A'b = G.

        A curvature that is only near costs steps, never accuracy; after more ``steps`` it is worth
        to look closer.
        """
        ...


def maximise(likelihood: Likelihood, start: Vector) -> Vector:
    """Return the most likely f, by Wang's constrained Newton method (2007).

    Each step maximises the second-order expansion over the whole simplex, so it finds exact zeros
    where expectation maximisation would creep towards them, and then searches along the line.
    """
    f = start
    value, multiplier = likelihood.slope(f)
    for steps in range(MOST_STEPS):
        if likelihood.n * (multiplier.max() - 1) <= max(TOLERANCE, likelihood.n * ROUNDING):
            return f
        change = _newton(*likelihood.expansion(f, multiplier, steps), f) - f
        hoped = ARMIJO * likelihood.n * float(multiplier @ change)
        for halvings in range(40):
            trial = f + change / 2**halvings
            gained, slope = likelihood.slope(trial)
            if gained >= value + hoped / 2**halvings - ROUNDING * abs(value):
                break
        else:
            raise EstimateError("the likelihood does not rise along its own slope")
        f, value, multiplier = trial, gained, slope
    raise EstimateError(f"the likelihood was not maximised in {MOST_STEPS} steps")


def _newton(root: Matrix, pull: Vector, f: Vector) -> Vector:
    """Return the g on the simplex that maximises G'(g - f) - (g - f)' A'A (g - f) / 2.

    That is the least-squares fit of A g to b + A f. Since g sums to one, the target joins the
    columns of A, and Dax's device makes of it plain non-negative least squares.
    """
    target = pull + root @ f
    rows = np.vstack([root - target[:, None], np.ones(len(f))])
    g, _ = nnls(rows, np.append(np.zeros(len(root)), 1.0))
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

    def expansion(self, f: Vector, multiplier: Vector, steps: int) -> tuple[Matrix, Vector]:
        weight = np.sqrt(self.counts / self.n)
        return self.chance * (weight / (self.chance @ f))[:, None], weight
