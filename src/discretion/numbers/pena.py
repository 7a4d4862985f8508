"""PENA's own formulas (Akter and Hashem 2017), for comparison: what they print is biased.

A response is f = +-(e^eps + 1) / (e^eps - 1) for the number scaled to [-1, 1] over the safe range.
The paper's average is (high - low) * mean of f, whatever the levels and ranges: on [0, T] that is
twice the mean less T. It defines no minimum; the smallest response, scaled back in the same way,
depends on the budgets alone.
"""

import numpy as np

from discretion.errors import EstimateError
from discretion.mechanism import NUMBERS
from discretion.mechanism.twopoint import duchi
from discretion.numbers.number_evidence import LawCounts, NumberEvidence


def pena_mean(evidence: NumberEvidence) -> tuple[float, float, float]:
    """Return the printed average, its variance and that of a response, in steps of the grid."""
    parts = _parts(evidence)
    scaled = [_steps(part) * _response(part) for part in parts]
    n, total = evidence.n, sum(float(p.counts @ f) for p, f in zip(parts, scaled, strict=True))
    squares = sum(float(p.counts @ f**2) for p, f in zip(parts, scaled, strict=True))
    mean, spread = total / n, squares / n - (total / n) ** 2
    return mean - _origin(evidence), spread / n, spread


def pena_extreme(evidence: NumberEvidence, *, smallest: bool) -> float:
    """Return the smallest or largest response, scaled as the average is, in steps of the grid."""
    parts = _parts(evidence)
    seen = [_steps(p) * _response(p)[p.counts > 0] for p in parts]
    ends = [each.min() if smallest else each.max() for each in seen]
    return float(min(ends) if smallest else max(ends)) - _origin(evidence)


def _parts(evidence: NumberEvidence) -> tuple[LawCounts, ...]:
    mechanism = NUMBERS.get(evidence.plan.questions[evidence.attribute].mechanism)
    if mechanism is not duchi or any(part.gap is not None for part in evidence.parts):
        raise EstimateError("method='pena' needs reports by duchi, which is its LRR")
    return evidence.parts


def _steps(part: LawCounts) -> int:
    """The length of the safe range."""
    return part.law.size - 1


def _response(part: LawCounts) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the two responses on [-1, 1]."""
    return 2 * (part.decoded - part.first) / _steps(part) - 1


def _origin(evidence: NumberEvidence) -> float:
    """Return how many steps the grid begins above zero: the paper's numbers are not on a grid."""
    return evidence.value(0.0) / evidence.step
