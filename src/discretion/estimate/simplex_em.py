"""Maximum likelihood on the simplex by expectation maximisation, accelerated.

The log-likelihoods here are sums of log(linear function of f), hence concave: the start matters
for the time only. The multiplier G of a step (f becomes f * G) certifies the result, since the
log-likelihood still to be gained is at most n (max G - 1).
"""

from collections.abc import Callable

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.noise import Vector

Step = Callable[[Vector], tuple[Vector, float]]  # f to (G, log-likelihood at f)
TOLERANCE = 1e-5  # nats of log-likelihood in all: a few thousandths of a standard error
MOST_STEPS = 20_000


def maximise(step: Step, start: Vector, n: float) -> Vector:
    """Return the maximiser, by SQUAREM (Varadhan and Roland 2008) with a safeguard.

    An extrapolation that leaves the simplex is cut back towards the plain step; one that loses
    likelihood is thrown away.
    """
    f = start
    for _ in range(0, MOST_STEPS, 3):
        multiplier, _ = step(f)
        first = f * multiplier
        if n * (multiplier.max() - 1) <= TOLERANCE:
            return first
        multiplier, likelihood = step(first)
        second = first * multiplier
        change, bend = first - f, (second - first) - (first - f)
        stride = max(1.0, float(np.linalg.norm(change)) / max(float(np.linalg.norm(bend)), 1e-300))
        leap = np.maximum(f + 2 * stride * change + stride**2 * bend, second / 10)
        leap /= leap.sum()
        multiplier, leapt = step(leap)
        f = leap * multiplier if leapt >= likelihood else second
    raise EstimateError(f"the likelihood was not maximised in {MOST_STEPS} steps")
