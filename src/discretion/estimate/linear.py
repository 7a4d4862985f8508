"""Unbiased linear estimates from tallies: weighted over levels, and stratified by them.

The weights come from the laws and the numbers of reports alone. Weights that looked at the counts
would bias the estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from discretion.aggregate import Tally
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Noise, Vector, simplex, terms
from discretion.estimate.spread import Noises, Spread
from discretion.mechanism import SupportLaw

ROUNDING = 1e-12  # of shares

Levels = Sequence[
    tuple[SupportLaw, Tally]
]  # the tallies of one attribute, each with its level's law


@dataclass(frozen=True, slots=True)
class Pooled:
    """An estimate from reports of several levels, and the noise it carries."""

    value: Vector  # (size,)
    noise: Noise  # of the estimate, not of one report
    n: int

    def covariance(self, f: Vector) -> Matrix:
        return self.noise.covariance(f)


def pooled(levels: Levels, cap: float | None = None) -> Pooled:
    """Return the inverse-variance combination over levels, the variances at the uniform law.

    With a cap, no level has more than that share of the weight. Assumes that an owner's level is
    independent of her value.
    """
    return _combined(levels, capped(weights_of(levels), cap)[None])[0]


def pooled_each(groups: Sequence[Levels]) -> list[Pooled]:
    """Return the pooled estimate of each group of levels."""
    levels = [level for group in groups for level in group]
    own = np.repeat(np.eye(len(groups)), [len(group) for group in groups], axis=1)
    weights = weights_of(levels)
    return _combined(levels, own * weights / (own @ weights)[:, None])


def weights_of(levels: Levels) -> Vector:
    """Return the weight of each level: its reports over the variance of a contrast of one."""
    return np.array([tally.n * Noise.of(law).precision(law.size) for law, tally in levels])


def capped(weights: Vector, cap: float | None) -> Vector:
    """Return the shares of weights, none above the cap: min(c w, cap), with the c that fits."""
    if cap is None:
        return weights / weights.sum()
    if not 1 - ROUNDING <= cap * len(weights) <= len(weights):
        rule = f"cap must be 1 at most, and one over the number of levels ({len(weights)}) at least"
        raise EstimateError(f"{rule}, got {cap}")
    down = np.sort(weights)[::-1]
    full = np.arange(len(down))  # so many of the largest are at the cap, and c is what they leave
    factors = (1 - full * cap) / down[::-1].cumsum()[::-1]
    fits = factors * down <= cap * (1 + ROUNDING)
    return np.minimum(factors[np.argmax(fits)] * weights, cap)


def _combined(levels: Levels, shares: Matrix) -> list[Pooled]:
    """Return the estimates that give levels these shares of the weight: (estimates, levels)."""
    noises, n = [Noise.of(law) for law, _ in levels], np.array([tally.n for _, tally in levels])
    values, sums = shares @ debiased(levels), (shares**2 / n) @ terms(noises)
    parts = zip(values, sums.tolist(), (shares > 0) @ n, strict=True)
    return [Pooled(value, Noise(*noise), int(reports)) for value, noise, reports in parts]


def debiased(levels: Levels) -> Matrix:
    """Return the unbiased frequencies of each level (levels, size), with sum one."""
    p, q, n = np.array([(*_inclusion(law), tally.n) for law, tally in levels]).T[:, :, None]
    z: Matrix = (np.array([tally.supports for _, tally in levels]) / n - q) / (p - q)
    return z - (z.mean(axis=1, keepdims=True) - 1 / z.shape[1])


@cache
def _inclusion(law: SupportLaw) -> tuple[float, float]:
    return float(law.inclusion.own), float(law.inclusion.other)


def weighted(levels: Levels, cap: float | None = None) -> tuple[Vector, Spread]:
    """Return the pooled estimate and its spread for the population."""
    estimate = pooled(levels, cap)
    part = estimate.noise, simplex(estimate.value)
    return estimate.value, Noises((part,), np.zeros((0, len(estimate.value))))


def stratified(strata: Sequence[Levels]) -> tuple[Vector, Spread]:
    """Return the estimates of the strata, averaged by their shares of the owners.

    Right also where levels depend on values, as far as they do not within a stratum; costly, since
    cautious strata count as much as they have owners.
    """
    parts = pooled_each(strata)
    shares = np.array([part.n for part in parts]) / sum(part.n for part in parts)
    value = sum(s * part.value for s, part in zip(shares, parts, strict=True))
    spread = np.array([part.value - value for part in parts])
    rows = spread * np.sqrt(shares / sum(part.n for part in parts))[:, None]
    own = ((part.noise * s**2, simplex(part.value)) for s, part in zip(shares, parts, strict=True))
    return value, Noises(tuple(own), rows)
