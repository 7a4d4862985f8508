"""Likelihoods on the simplex, sums of log(linear function of f), and their maximum.

Each report contributes log(L f) with a row L >= 0, so the sum is concave: there is one maximum, and
the start matters for the time only. The slope is kept as the multiplier G of an EM step (f becomes
f * G), which certifies a result: what is still to be gained is at most n (max G - 1).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.expansion import ROUNDING, Curved, Dense, Expansion
from discretion.estimate.noise import Matrix, Vector

TOLERANCE = 1e-4  # nats still to be gained, in all: about a hundredth of a standard error
MOST_STEPS = 10_000
MEMORY = 10  # steps, of which one may bring less than nothing if the next ones make up for it
PATIENCE = 100  # steps that leave more to be gained than one before, where rounding hides gains
ARMIJO = 1e-4  # the share of the promised gain that a step must bring
FAR = 1e6  # by which a curvature is stretched at most


class Likelihood(Protocol):
    """What the maximiser asks: how many reports, and how their likelihood looks near f."""

    @property
    def n(self) -> float: ...

    def at(self, f: Vector) -> Expansion: ...


def maximise(
    likelihood: Likelihood, start: Vector, tolerance: float = TOLERANCE, blur: float = 0.0
) -> Vector:
    """Return the most likely f, by steps to the peak of an expansion over the whole simplex.

    So zeros are exact, where expectation maximisation would creep towards them. The expansion may
    be rough: how much faster or slower than expected the slope fell in the last step stretches the
    curvature for the next (Birgin, Martinez and Raydan 2000: spectral projected gradients).

    It stops when at most ``tolerance`` nats are to be gained in all; ``blur`` is how many nats a
    rounded likelihood may be off. Where steps go to and fro among tables that rounding does not
    tell apart, it stops at the best of them.
    """
    least = max(tolerance, likelihood.n * ROUNDING)
    f, here, stretch = start, likelihood.at(start), 1.0
    values = [here.value]
    best, left, since = f, likelihood.n * here.remaining, 0
    for _ in range(MOST_STEPS):
        if likelihood.n * here.remaining <= least:
            return f
        since += 1
        if likelihood.n * here.remaining < left:
            best, left, since = f, likelihood.n * here.remaining, 0
        if since > PATIENCE and left <= blur:
            return best
        change = here.peak(stretch) - f
        floor = min(values[-MEMORY:])
        slack = max(ROUNDING * abs(floor), blur)
        step, there = _climb(likelihood, f, here, change, floor - slack)
        fall = here.multiplier - there.multiplier
        if step @ fall > 0:
            stretch = min(max(here.stretch(step, fall), 1 / FAR), FAR)
        f, here = f + step, there
        values.append(here.value)
    raise EstimateError(f"the likelihood was not maximised in {MOST_STEPS} steps")


def _climb(
    likelihood: Likelihood, f: Vector, here: Expansion, change: Vector, floor: float
) -> tuple[Vector, Expansion]:
    """Return the change, halved until it brings its share above the floor, and what is there."""
    hoped = ARMIJO * likelihood.n * float(here.multiplier @ change)
    for halvings in range(40):
        step = change / 2**halvings
        there = likelihood.at(f + step)
        if there.value >= floor + hoped / 2**halvings:
            return step, there
    raise EstimateError("the likelihood does not rise along its own slope")


@dataclass(frozen=True)
class MixtureLikelihood:
    """Counts of outcomes from a mixture of known laws; f are the weights of the laws."""

    probabilities: Matrix  # (outcomes, laws)
    counts: Vector  # (outcomes,)

    @property
    def n(self) -> float:
        return float(self.counts.sum())

    def at(self, f: Vector) -> Dense:
        density = np.maximum(self.probabilities @ f, 1e-300)
        weight = np.sqrt(self.counts / self.n)
        scores = self.probabilities * (weight / density)[:, None]
        return Dense(f, float(self.counts @ np.log(density)), weight @ scores, scores)


@dataclass(frozen=True)
class SqueezedLikelihood(MixtureLikelihood):
    """The same, with the curvature of the laws: many outcomes then cost no more than few."""

    def at(self, f: Vector) -> Curved:  # type: ignore[override]
        density = np.maximum(self.probabilities @ f, 1e-300)
        slope = (self.counts / (self.n * density)) @ self.probabilities
        weight = np.sqrt(self.counts / self.n) / density
        return Curved(f, float(self.counts @ np.log(density)), slope, self.probabilities, weight)
