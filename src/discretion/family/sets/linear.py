"""Unbiased linear estimates from sets of codes, with a covariance of a few numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from discretion.errors import EstimateError
from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Matrix, Noise, Vector, terms
from discretion.estimate.precision import NoisePrecisions
from discretion.estimate.spread import NoiseSpread
from discretion.family.counts import Tally
from discretion.mechanism.law import Scored
from discretion.table.columns import Mask

ROUNDING = 1e-12  # of shares
FEW = 10  # reports that are expected to hold a code, and to lack it, for its error to be normal

SetLevels = Sequence[tuple[Scored, Tally]]  # of one question, from the smallest level up


@dataclass(frozen=True)
class PooledSets(Pooled):
    """The inverse-variance combination over levels, the variances at the uniform law.

    With a cap, no level has more than that share of the weight.
    """

    levels: SetLevels
    cap: float | None = None

    @cached_property
    def shares(self) -> Vector:
        return capped(weights_of(self.levels), self.cap)

    @cached_property
    def value(self) -> Vector:
        return self.shares @ debiased(self.levels)

    @cached_property
    def noise(self) -> Noise:
        """The noise of the estimate, not of one report."""
        n = np.array([tally.n for _, tally in self.levels])
        each = terms([Noise.of(law) for law, _ in self.levels])
        return Noise(*((self.shares**2 / n) @ each).tolist())

    def covariance(self, f: Vector) -> Matrix:
        return self.noise.covariance(f)

    def spread_at(self, f: Vector) -> NoiseSpread:
        return NoiseSpread(self.noise, f)

    @property
    def weight(self) -> float:
        return self.noise.precision(len(self.value))

    def reliable(self, f: Vector) -> Mask:
        """Return of which codes enough supports are expected to hold, and to lack them."""
        held, lacked = np.zeros((2, len(f)))
        for law, tally in self.levels:
            own, other = _inclusion(law)
            probability = other + (own - other) * f
            held, lacked = held + tally.n * probability, lacked + tally.n * (1 - probability)
        enough: Mask = np.minimum(held, lacked) >= FEW
        return enough

    @classmethod
    def precisions(cls, parts: Sequence[Pooled], f: Vector) -> NoisePrecisions:
        return NoisePrecisions.of([part.noise for part in parts if isinstance(part, cls)], f)


def weights_of(levels: SetLevels) -> Vector:
    """Return the weight of each level: its reports over the variance of a contrast of one."""
    return np.array([tally.n * Noise.of(law).precision(law.size) for law, tally in levels])


def capped(weights: Vector, cap: float | None) -> Vector:
    """Return the shares of weights, none above the cap: min(c w, cap), with the c that fits."""
    if cap is None:
        return weights / weights.sum()
    known = isinstance(cap, int | float)
    if not (known and 1 - ROUNDING <= cap * len(weights) <= len(weights)):
        rule = f"cap must be 1 at most, and one over the number of levels ({len(weights)}) at least"
        raise EstimateError(f"{rule}, got {cap!r}")
    down = np.sort(weights)[::-1]
    full = np.arange(len(down))  # so many of the largest are at the cap, and c is what they leave
    factors = (1 - full * cap) / down[::-1].cumsum()[::-1]
    fits = factors * down <= cap * (1 + ROUNDING)
    return np.minimum(factors[np.argmax(fits)] * weights, cap)


def debiased(levels: SetLevels) -> Matrix:
    """Return the unbiased frequencies of each level (levels, size), with sum one."""
    p, q, n = np.array([(*_inclusion(law), tally.n) for law, tally in levels]).T[:, :, None]
    z: Matrix = (np.array([tally.supports for _, tally in levels]) / n - q) / (p - q)
    return z - (z.mean(axis=1, keepdims=True) - 1 / z.shape[1])


@cache
def _inclusion(law: Scored) -> tuple[float, float]:
    own, other = law.means
    return float(own), float(other)
