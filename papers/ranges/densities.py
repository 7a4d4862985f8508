"""Five densities, and crowds drawn from them: smooth, two peaks, skewed, heaped, and spikes."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]
SPIKES, SPIKES_SEED, SPREAD = 40, 3, 1e-4  # of the last density; what lies elsewhere
HEAPS = 64  # round numbers, of the heaped density


def _income(x: Vector) -> Vector:
    return np.asarray(np.exp(-(np.log(x / 0.08) ** 2) / (2 * 0.7**2)) / x)


def _two_peaks(x: Vector) -> Vector:
    low, high = ((x - centre) / width for centre, width in ((0.3, 0.05), (0.7, 0.02)))
    return np.asarray(0.6 * np.exp(-(low**2) / 2) + np.exp(-(high**2) / 2))


def _heaped(x: Vector) -> Vector:
    """Half of everybody rounds down to one of the round numbers."""
    size, exact = len(x), _income(x) / _income(x).sum()
    width = max(1, size // HEAPS)
    round_ = np.bincount(np.arange(size) // width * width, exact, size)
    return np.asarray((exact + round_) / 2)


def _spikes(x: Vector) -> Vector:
    rng = np.random.default_rng(SPIKES_SEED)
    found = np.full(len(x), SPREAD / len(x))
    at = rng.choice(len(x), SPIKES, replace=False)
    found[at] += rng.dirichlet(np.full(SPIKES, 0.5))
    return found


DENSITIES: Mapping[str, Callable[[Vector], Vector]] = {
    "smooth": lambda x: x * (1 - x) ** 4,
    "two peaks": _two_peaks,
    "income": _income,
    "heaped": _heaped,
    "spikes": _spikes,
}


class Crowd(NamedTuple):
    """The codes of some people, and ranges that are asked about."""

    size: int
    codes: Codes  # (n,)
    low: Codes  # codes below each range
    high: Codes  # codes up to its end

    @classmethod
    def of(cls, density: str, size: int, n: int, ranges: int, rng: np.random.Generator) -> "Crowd":
        """Draw people and ranges with any two different cuts."""
        weights = DENSITIES[density]((np.arange(size) + 0.5) / size)
        codes = np.repeat(np.arange(size), rng.multinomial(n, weights / weights.sum()))
        first = rng.integers(0, size + 1, ranges)
        other = (first + rng.integers(1, size + 1, ranges)) % (size + 1)
        return cls(size, rng.permutation(codes), np.minimum(first, other), np.maximum(first, other))

    @property
    def counts(self) -> Codes:
        return np.bincount(self.codes, minlength=self.size)

    @property
    def truth(self) -> Vector:
        """The shares of the ranges."""
        return self.shares(self.counts / len(self.codes))

    def shares(self, parts: Vector) -> Vector:
        """Return the shares of the ranges from those of equal parts of the domain."""
        width = self.size // len(parts)
        below = np.concatenate([[0.0], np.cumsum(parts)])
        padded = np.append(parts, 0.0)

        def at(cuts: Codes) -> Vector:
            whole, rest = np.divmod(cuts, width)
            return np.asarray(below[whole] + padded[whole] * rest / width)

        return at(self.high) - at(self.low)

    def dealt(self, groups: int, rng: np.random.Generator) -> list[Codes]:
        """Return the codes of equal groups of people, drawn at random."""
        return np.array_split(rng.permutation(self.codes), groups)
