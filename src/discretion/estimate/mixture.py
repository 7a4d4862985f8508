"""The weights of a mixture of known laws, by maximum likelihood.

Wang's constrained Newton method (2007): the log-likelihood sum of h log(A g) is expanded to second
order at g, the quadratic is minimised over non-negative weights with sum one (a least-squares
problem that Dax's device brings to plain NNLS), and a line search takes the step. It finds exact
zeros, where expectation maximisation would creep towards them.
"""

import numpy as np
from scipy.optimize import nnls

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector

TOLERANCE = 1e-4  # nats of log-likelihood still to be gained, in all
MOST_STEPS = 500
ROUNDING = 1e-12


def mixture_weights(chance: Matrix, counts: Vector) -> Vector:
    """Return g (laws,) that maximises the likelihood of counts; ``chance`` is (outcomes, laws)."""
    n = counts.sum()
    g = np.full(chance.shape[1], 1 / chance.shape[1])
    for _ in range(MOST_STEPS):
        score = chance / (chance @ g)[:, None]
        gain = counts @ score - n
        if gain.max() <= TOLERANCE:
            return g
        rows = np.sqrt(counts)[:, None] * (score - 2)
        target, _ = nnls(np.vstack([rows / np.sqrt(n), np.ones(len(g))]), np.eye(len(rows) + 1)[-1])
        g = _line_search(chance, counts, g, target / target.sum() - g)
    raise EstimateError(f"the law of the allocation was not found in {MOST_STEPS} steps")


def _line_search(chance: Matrix, counts: Vector, g: Vector, change: Vector) -> Vector:
    """Halve the step until the likelihood does not fall by more than its rounding error."""
    now = counts @ np.log(chance @ g)
    now -= ROUNDING * abs(now)
    for power in range(40):
        trial = g + change / 2**power
        with np.errstate(divide="ignore"):
            if counts @ np.log(chance @ trial) >= now:
                return trial
    return g
