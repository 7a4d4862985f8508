"""The most likely table, and how well the reports determine it."""

import numpy as np

from discretion.estimate.noise import Vector
from discretion.joint.em import Ascent, ascend
from discretion.joint.likelihood import JointLikelihood
from discretion.joint.moments import Roots

NATS = 0.1  # what may still be to be gained, in all
PRECISION = 1e-6  # and per report, below which single precision does not see
MOST_PASSES = 300
MOST_CELLS = 1024  # of tables whose information is worked out: it has the square of that
SINGULAR = 1e-12  # information below which a contrast is as good as unknown
MIXED = 0.05  # of the uniform table in the start, so that no cell is dead


def most_likely(likelihood: JointLikelihood, start: Vector) -> Ascent:
    """Climb from a table near ``start``; where it is matters for the time only."""
    begin = (1 - MIXED) * start + MIXED / len(start)
    deficit = max(NATS / likelihood.n, PRECISION)
    return ascend(likelihood, begin, deficit, MOST_PASSES)


def root(likelihood: JointLikelihood, f: Vector, bound: Roots) -> Roots:
    """Return deviations (cells - 1, ...) whose products sum to the inverse of the information.

    Cells near zero have little observed information, though the reports tell that they are rare; a
    less efficient estimate of the same table knows how well, so no cell keeps a larger deviation
    than its ``bound`` has.
    """
    information = likelihood.information(f)
    centred = information - information.mean(0) - information.mean(1)[:, None] + information.mean()
    values, vectors = np.linalg.eigh(centred - 1)  # puts the constant vector first, and alone
    values, vectors = values[1:], vectors[:, 1:]
    found = (vectors / np.sqrt(np.maximum(values, SINGULAR))).T.reshape(-1, *likelihood.shape)
    own, most = np.sqrt((found**2).sum(axis=0)), np.sqrt((bound**2).sum(axis=0))
    return found * np.minimum(1.0, most / np.maximum(own, 1e-300))
