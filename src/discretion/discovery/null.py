"""The law of the support of a text that nobody says, and the estimate of one that somebody does.

At one level the support is binomial, and its tails are exact. At several the weighted sum is that
of independent binomials; its tails are those of the saddlepoint (Lugannani and Rice 1980), whose
relative error stays small where that of a normal law does not: docs/proofs/prefixes.md.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import erfcx, expit, log_ndtr, logit
from scipy.stats import binom, norm

from discretion.estimate.votes import Votes

Vector = npt.NDArray[np.float64]
LATTICE = 0.5  # of a count, by which a threshold lies below the first one that passes
NEAR = 1e-3  # standard deviations from the mean, up to which the law is normal
HALF = 0.49  # a tail, beyond which nobody asks for its threshold
STEEP, FLAT = 30.0, 1e-3  # tilts in units of a weight: all but e^-30, and next to none


class Level(Protocol):
    """Reports at one level."""

    @property
    def level(self) -> int: ...
    @property
    def n(self) -> int: ...
    @property
    def own(self) -> float: ...
    @property
    def other(self) -> float: ...
    @property
    def weight(self) -> float: ...


@dataclass(frozen=True)
class Null:
    """Weighted supports: of each level ``n`` reports, with probability ``other`` each."""

    levels: tuple[int, ...]
    n: tuple[int, ...]
    own: tuple[float, ...]
    other: tuple[float, ...]
    weight: tuple[float, ...]

    @classmethod
    def of(cls, groups: Iterable[Level]) -> Self:
        """Join groups of one level, whose reports have the same law."""
        by_level = {group.level: group for group in groups}
        sizes = dict.fromkeys(sorted(by_level), 0)
        for group in groups:
            sizes[group.level] += group.n
        each = [by_level[level] for level in sizes]
        return cls(
            tuple(sizes),
            tuple(sizes.values()),
            tuple(group.own for group in each),
            tuple(group.other for group in each),
            tuple(group.weight for group in each),
        )

    @property
    def mean(self) -> float:
        return float(
            sum(a * n * q for a, n, q in zip(self.weight, self.n, self.other, strict=True))
        )

    @property
    def sd(self) -> float:
        return self._sd(0.0)

    @property
    def scale(self) -> float:
        """What the sum grows by where a share of the owners grows by one."""
        parts = zip(self.weight, self.n, self.own, self.other, strict=True)
        return float(sum(a * n * (p - q) for a, n, p, q in parts))

    def total(self, supports: npt.ArrayLike) -> float:
        """Return the weighted sum of the supports of each level."""
        return float(np.dot(self.weight, supports))

    def share(self, total: float) -> float:
        """Return the share of owners that a sum estimates."""
        return (total - self.mean) / self.scale

    def stderr(self, share: float) -> float:
        """Return the standard error of that estimate, of a text with a share of the owners."""
        return self._sd(min(max(share, 0.0), 1.0)) / self.scale

    def votes(self, answered: int) -> Votes:
        """Return how much each owner counts in a share, of so many who answered."""
        parts = zip(self.weight, self.own, self.other, strict=True)
        weight = np.array([a * (p - q) / self.scale for a, p, q in parts])
        return Votes(np.array(self.n, np.float64), weight, answered)

    def tail(self, total: float) -> float:
        """Return the probability of a sum that is not below."""
        if len(self.n) == 1:
            count = round(total / self.weight[0])
            return float(binom.sf(count - 1, self.n[0], self.other[0]))
        return self._saddlepoint(total)

    def threshold(self, probability: float) -> float:
        """Return the least sum whose tail is at most a probability."""
        return _threshold(self, probability)

    def planted(self, total: float) -> int:
        """Return how many false reports, beside all others, make a sum as large as expected.

        Each supports the text, at the level where that counts most.
        """
        each = (a * (1 - q) for a, q in zip(self.weight, self.other, strict=True))
        return int(np.ceil((total - self.mean) / max(each)))

    def _sd(self, share: float) -> float:
        found = 0.0
        for a, n, p, q in zip(self.weight, self.n, self.own, self.other, strict=True):
            supported = q + (p - q) * share
            found += a * a * n * supported * (1 - supported)
        return float(np.sqrt(found))

    def _tilted(self, theta: float) -> tuple[float, float]:
        """Return mean and variance of the sum, each value weighted by e^(theta times it)."""
        a, n, q = map(np.array, (self.weight, self.n, self.other))
        tilted = expit(a * theta + logit(q))
        return float(a @ (n * tilted)), float((a * a) @ (n * tilted * (1 - tilted)))

    def _log_tail(self, theta: float) -> float:
        """Return the logarithm of the tail at the sum that is the mean tilted by theta."""
        a, n, q = map(np.array, (self.weight, self.n, self.other))
        total, variance = self._tilted(theta)
        cumulant = float(n @ np.logaddexp(np.log1p(-q), np.log(q) + a * theta))
        w = np.sqrt(2 * max(theta * total - cumulant, 0.0))
        mills = np.sqrt(np.pi / 2) * erfcx(w / np.sqrt(2))
        excess = 1 / (theta * np.sqrt(variance)) - 1 / w
        return float(np.log(mills + excess) - w * w / 2 - np.log(2 * np.pi) / 2)

    def _saddlepoint(self, total: float) -> float:
        if total <= self.mean + NEAR * self.sd:
            return float(norm.sf((total - self.mean) / self.sd))
        theta = _root(lambda theta: self._tilted(theta)[0] - total, self._steepest)
        return float(np.exp(self._log_tail(theta)))

    @property
    def _steepest(self) -> float:
        """A tilt by which nearly all reports support the text."""
        return STEEP / min(self.weight)


def _root(rises: Callable[[float], float], most: float) -> float:
    """Return where a function of a tilt is zero; the most, if it is not there either."""
    if rises(most) <= 0:
        return most
    return float(brentq(rises, FLAT / most, most))


@cache
def _threshold(null: Null, probability: float) -> float:
    if len(null.n) == 1:
        return (_least_count(null.n[0], null.other[0], probability) - LATTICE) * null.weight[0]
    if probability >= HALF:
        return null.mean
    theta = _root(lambda theta: np.log(probability) - null._log_tail(theta), null._steepest)
    return null._tilted(theta)[0]


def _least_count(n: int, other: float, chance: float) -> int:
    """Return the least count whose tail is at most a probability, which may be below 1e-17.

    SciPy's inverse takes that for zero, and returns n.
    """
    return bisect_left(range(n + 1), -chance, key=lambda count: -binom.sf(count - 1, n, other))


def interval_after(
    share: float, least: float, stderr: float, confidence: float
) -> tuple[float, float]:
    """Return the interval of a share that was estimated only because it is at least ``least``.

    The estimate is normal given the share, cut off below. The ends are the shares at which as much,
    or as little, would come out with half of what is left of the confidence; none is below zero,
    and the estimate lies between them.
    """
    ends = [_share_at(share, least, stderr, (1 - sign * confidence) / 2) for sign in (1, -1)]
    return max(min(ends[0], share), 0.0), min(max(ends[1], share), 1.0)


def _share_at(share: float, least: float, stderr: float, probability: float) -> float:
    """Return the share given which an estimate is at least ``share`` with so much probability."""

    def excess(true: float) -> float:
        passing = log_ndtr((true - least) / stderr)
        return float(log_ndtr((true - share) / stderr) - passing - np.log(probability))

    low, high = -1.0, share + 12 * stderr
    if excess(low) > 0:
        return low
    return float(brentq(excess, low, high))
