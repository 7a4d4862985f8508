"""A lower bound of epsilon from samples: an event that distinguishes two inputs and its proof.

If an event has probability p for one input and q for another, then epsilon is at least log(p / q).
An event is a condition on features, or several at once. Half of the samples find it: greedily, the
best condition, then whatever makes it better. The other half bounds p from below and q from above,
by the intervals of Clopper and Pearson: only one event is judged, so the confidence is what it
says.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from discretion.auditing.outputs import Feature, Views, features

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

ALPHA = 1e-6  # the probability, at most, that an audit accuses a sound device
SAMPLES = 20_000  # of each input
BEST = 48  # conditions that are tried together
TOGETHER = 6  # conditions of an event, at most
CUTS = 32  # thresholds of an ordered feature
GAIN = 0.03  # of epsilon by a further condition, at least: less is noise


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


@dataclass(frozen=True, slots=True)
class Bound:
    """What samples of two inputs prove."""

    epsilon: float  # at least so much, except with probability alpha; 0 if nothing was proved
    event: str  # that distinguishes the inputs
    counts: tuple[int, int]  # how often it was seen, for the input that it speaks for and the other
    draws: int  # of which so many were judged, of each

    def __str__(self) -> str:
        if self.epsilon == 0:
            return f"nothing distinguished them in {self.draws:,} of each"
        one, other = self.counts
        return f"{self.event}: {one:,} against {other:,} of {self.draws:,}"


def lower_bound(views: Views, alpha: float) -> Bound:
    """Return what is proved by samples, the first half of one input and the second of another.

    Of each input the even samples find an event and the odd ones judge it.
    """
    n = len(next(iter(views.values())))
    index = np.arange(n)
    one, finding = index < n // 2, index % 2 == 0
    found = features(views)
    draws = int((one & ~finding).sum())
    if not found:
        return Bound(0.0, "all outputs are the same", (draws, draws), draws)
    event = best_event(found, one & finding, ~one & finding, alpha)
    holds = event.holds() & ~finding
    counts = int((holds & one).sum()), int((holds & ~one).sum())
    if event.swapped:
        counts = counts[::-1]
    proved = float(log_ratios(*counts, draws, draws, alpha))
    return Bound(max(proved, 0.0), str(event), counts, draws)


def best_event(features: Sequence[Feature], first: Mask, second: Mask, alpha: float) -> Event:
    """Return the event that best separates the ``first`` samples from the ``second``, by counts.

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
    """Return all conditions, and the epsilon that each proves at least."""
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
    widest = [int(np.argmax(below_a - below_b)), int(np.argmin(below_a - below_b))]
    cuts = {*np.searchsorted(both, marks).tolist(), *widest} - {len(both) - 1}
    for cut in sorted(cuts):
        yield "<=", cut, (int(below_a[cut]), int(below_b[cut]))
        yield ">", cut, (int(a.sum() - below_a[cut]), int(b.sum() - below_b[cut]))


def _written(value: object) -> str:
    if isinstance(value, bytes):
        return value.hex()
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def at_least(counts: npt.ArrayLike, draws: int, alpha: float) -> Floats:
    """Return probabilities that counts of so many draws put below the true ones, but for alpha."""
    k = np.asarray(counts, np.float64)
    low = special.betaincinv(np.maximum(k, 1), draws - k + 1, alpha)
    return np.where(k > 0, low, 0.0)


def at_most(counts: npt.ArrayLike, draws: int, alpha: float) -> Floats:
    """Return probabilities that counts of so many draws put above the true ones, but for alpha."""
    return 1 - at_least(draws - np.asarray(counts, np.float64), draws, alpha)


def log_ratios(
    counts: npt.ArrayLike, others: npt.ArrayLike, draws: int, other_draws: int, alpha: float
) -> Floats:
    """Return what log(p / q) is at least, but for alpha: p from ``counts``, q from ``others``."""
    low = at_least(counts, draws, alpha / 2)
    high = at_most(others, other_draws, alpha / 2)
    return np.log(np.maximum(low, np.finfo(np.float64).tiny)) - np.log(high)
