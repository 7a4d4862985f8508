"""Expectation maximisation on a concave likelihood, accelerated by squared extrapolation.

SQUAREM (Varadhan and Roland 2008) in scheme S3: two steps give a rate, and the extrapolation along
them is kept if it is not less likely than the first of the two. Each evaluation of the slope is one
pass over the reports; the same pass certifies how much is still to be gained.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from discretion.estimate.noise import Vector

LAST = 5  # extrapolations over which the gain is measured
FARTHEST = 1e8  # steps that an extrapolation goes at most: two steps may be alike to the last bit
TINY = 1e-300
LEAST = 0.1  # of the last step's cell: whoever falls deeper takes long to come back


class Slope(Protocol):
    """A likelihood: all that expectation maximisation asks."""

    @property
    def n(self) -> float: ...

    def slope(self, f: Vector) -> tuple[float, Vector]: ...


@dataclass(frozen=True)
class Ascent:
    """Where it stopped: the deficit is what is still to be gained at most, per report."""

    f: Vector
    value: float
    deficit: float
    evaluations: int


def ascend(
    likelihood: Slope, start: Vector, deficit: float, evaluations: int, gain: float = 0.0
) -> Ascent:
    """Climb until at most ``deficit`` per report is to be gained, or the passes are used up.

    The certificate is safe but loose, so a climb also ends when its last five extrapolations
    together brought less than ``gain``, in nats.
    """
    value, multiplier = likelihood.slope(start)
    best = Ascent(start, value, float(multiplier.max() - 1), 1)
    values = [value]
    while best.deficit > deficit and best.evaluations < evaluations:
        if len(values) > LAST and values[-1] - values[-1 - LAST] < gain:
            break
        first = _stepped(best.f, multiplier)
        value, second_multiplier = likelihood.slope(first)
        second = _stepped(first, second_multiplier)
        trial = _extrapolated(best.f, first, second)
        passes = best.evaluations + 2
        trial_value, trial_multiplier = likelihood.slope(trial)
        if trial_value < value:
            trial = second
            trial_value, trial_multiplier = likelihood.slope(trial)
            passes += 1
        multiplier = trial_multiplier
        best = Ascent(trial, trial_value, float(multiplier.max() - 1), passes)
        values.append(trial_value)
    return best


def _stepped(f: Vector, multiplier: Vector) -> Vector:
    """Return the next step; its sum is 1 but for single precision, which many reports would see."""
    step = f * multiplier
    return step / step.sum()


def _extrapolated(start: Vector, first: Vector, second: Vector) -> Vector:
    step = first - start
    bend = (second - first) - step
    size = float(np.linalg.norm(step)) / max(float(np.linalg.norm(bend)), TINY)
    size = min(max(1.0, size), FARTHEST)
    far = start + 2 * size * step + size**2 * bend
    far = np.maximum(far, LEAST * second)
    return far / far.sum()
