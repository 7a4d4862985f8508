"""Events that tell two inputs apart: found on some of the samples, to be judged on the others.

An event is a condition on features, or several at once. The search is greedy: the best condition,
then whatever makes it better.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.auditing.interval import log_ratios
from discretion.auditing.outputs import Feature

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

BEST = 48  # conditions that are tried together
TOGETHER = 6  # conditions of an event, at most
CUTS = 32  # thresholds of an ordered feature
GAIN = 0.03  # of epsilon by a further condition, at least: less is chance


@dataclass(frozen=True, slots=True)
class Condition:
    """That a feature has a value, or is at most or above one."""

    feature: Feature
    relation: str  # "=", "<=" or ">"
    value: int  # its place among the values

    def holds(self) -> Mask:
        """Return of each output whether it holds."""
        codes = self.feature.codes
        if self.relation == "=":
            return codes == self.value
        return codes <= self.value if self.relation == "<=" else codes > self.value

    def __str__(self) -> str:
        return f"{self.feature.name} {self.relation} {_written(self.feature.values[self.value])}"


@dataclass(frozen=True, slots=True)
class Event:
    """Conditions that hold together, more often for the one input than for the other."""

    conditions: tuple[Condition, ...]
    swapped: bool  # whether it is the second input for which it is more frequent

    def holds(self) -> Mask:
        return np.all([condition.holds() for condition in self.conditions], axis=0)

    def __str__(self) -> str:
        return " and ".join(map(str, self.conditions))


def best_event(features: Sequence[Feature], first: Mask, second: Mask, alpha: float) -> Event:
    """Return the event that best tells the ``first`` samples from the ``second``, by their counts.

    The two are masks over the outputs that the features describe.
    """
    found = [_grown(features, one, other, alpha) for one, other in _ways(first, second)]
    scores = [score for score, _ in found]
    swapped = scores[1] > scores[0]
    return Event(tuple(found[swapped][1]), swapped)


def _ways(first: Mask, second: Mask) -> Iterator[tuple[Mask, Mask]]:
    yield first, second
    yield second, first


def _grown(
    features: Sequence[Feature], one: Mask, other: Mask, alpha: float
) -> tuple[float, list[Condition]]:
    """Return the conditions that hold much more often in ``one``, and their score."""
    conditions, scores = _scored(features, one, other, alpha)
    order = np.argsort(-scores, kind="stable")[:BEST]
    table = np.array([conditions[i].holds() for i in order])
    chosen, score = [conditions[order[0]]], float(scores[order[0]])
    now = table[0]
    for _ in range(TOGETHER - 1):
        both = table & now
        counts = both[:, one].sum(axis=1), both[:, other].sum(axis=1)
        further = log_ratios(*counts, int(one.sum()), int(other.sum()), alpha)
        best = int(np.argmax(further))
        if further[best] <= score + GAIN:
            break
        chosen.append(conditions[order[best]])
        now, score = both[best], float(further[best])
    return score, chosen


def _scored(
    features: Sequence[Feature], one: Mask, other: Mask, alpha: float
) -> tuple[list[Condition], Floats]:
    """Return all conditions, and how far each is sure to tell the inputs apart."""
    conditions: list[Condition] = []
    counts: list[tuple[int, int]] = []
    for feature in features:
        size = len(feature.values)
        a, b = (np.bincount(feature.codes[mask], minlength=size) for mask in (one, other))
        for relation, value, pair in _candidates(feature, a, b):
            conditions.append(Condition(feature, relation, value))
            counts.append(pair)
    seen = np.array(counts)
    return conditions, log_ratios(seen[:, 0], seen[:, 1], int(one.sum()), int(other.sum()), alpha)


def _candidates(
    feature: Feature, a: npt.NDArray[np.int64], b: npt.NDArray[np.int64]
) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Yield the conditions on a feature, the rarest values left out, with their counts."""
    frequent = np.argsort(-(a - b), kind="stable")[: 2 * CUTS]
    for value in frequent.tolist():
        yield "=", value, (int(a[value]), int(b[value]))
    if not feature.ordered:
        return
    below_a, below_b = np.cumsum(a), np.cumsum(b)
    both = below_a + below_b
    marks = np.linspace(0, both[-1], CUTS + 2)[1:-1]
    leaning = [int(np.argmax(below_a - below_b)), int(np.argmin(below_a - below_b))]
    cuts = {*np.searchsorted(both, marks).tolist(), *leaning} - {len(both) - 1}
    for cut in sorted(cuts):
        yield "<=", cut, (int(below_a[cut]), int(below_b[cut]))
        yield ">", cut, (int(a.sum() - below_a[cut]), int(b.sum() - below_b[cut]))


def _written(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
