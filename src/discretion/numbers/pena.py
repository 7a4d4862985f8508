"""PENA's own formulas (Akter and Hashem 2017), for comparison: what they print is biased.

A response is f = +-(e^eps + 1) / (e^eps - 1) for the number scaled to [-1, 1] over the safe range.
The paper's average is (high - low) * mean of f, whatever the levels and ranges: on [0, T] that is
twice the mean less T. It defines no minimum; the smallest response, scaled back in the same way,
depends on the budgets alone.
"""

import numpy as np

from discretion.errors import EstimateError
from discretion.mechanism import TwoPoint
from discretion.numbers.readings import Reading, Readings


def pena_mean(readings: Readings) -> tuple[float, float, float]:
    """Return the printed average, its variance and that of a response, in steps of the grid."""
    parts = _parts(readings)
    scaled = [_steps(part) * _response(part) for part in parts]
    n, total = readings.n, sum(float(p.counts @ f) for p, f in zip(parts, scaled, strict=True))
    squares = sum(float(p.counts @ f**2) for p, f in zip(parts, scaled, strict=True))
    mean, spread = total / n, squares / n - (total / n) ** 2
    return mean - _origin(readings), spread / n, spread


def pena_extreme(readings: Readings, *, smallest: bool) -> float:
    """Return the smallest or largest response, scaled as the average is, in steps of the grid."""
    parts = _parts(readings)
    seen = [_steps(p) * _response(p)[p.counts > 0] for p in parts]
    ends = [each.min() if smallest else each.max() for each in seen]
    return float(min(ends) if smallest else max(ends)) - _origin(readings)


def _parts(readings: Readings) -> tuple[Reading, ...]:
    if not all(isinstance(part.law, TwoPoint) for part in readings.parts):
        raise EstimateError("method='pena' needs reports by duchi, which is its LRR")
    return readings.parts


def _steps(part: Reading) -> int:
    """The length of the safe range."""
    return part.law.size - 1


def _response(part: Reading) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the two responses on [-1, 1]."""
    return 2 * (part.decoded - part.first) / _steps(part) - 1


def _origin(readings: Readings) -> float:
    """Return how many steps the grid begins above zero: the paper's numbers are not on a grid."""
    return readings.value(0.0) / readings.step
