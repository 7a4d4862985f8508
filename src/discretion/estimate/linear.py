"""Unbiased linear estimates from tallies: weighted over levels, and stratified by them.

The weights come from the laws and the numbers of reports alone. Weights that looked at the counts
would bias the estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from discretion.aggregate import Tally
from discretion.estimate.noise import Matrix, Noise, Vector, simplex, terms
from discretion.estimate.spread import Noises, Spread
from discretion.mechanism import SupportLaw

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


def pooled(levels: Levels) -> Pooled:
    """Return the inverse-variance combination over levels, the variances at the uniform law.

    Assumes that an owner's level is independent of her value.
    """
    return pooled_each([levels])[0]


def pooled_each(groups: Sequence[Levels]) -> list[Pooled]:
    """Return the pooled estimate of each group of levels."""
    levels = [level for group in groups for level in group]
    noises, n = [Noise.of(law) for law, _ in levels], np.array([tally.n for _, tally in levels])
    weights = n * np.array([noise.precision(levels[0][0].size) for noise in noises])
    own = np.repeat(np.eye(len(groups)), [len(group) for group in groups], axis=1)
    shares = own * weights / (own @ weights)[:, None]  # (groups, levels)
    values, sums = shares @ debiased(levels), (shares**2 / n) @ terms(noises)
    parts = zip(values, sums.tolist(), own @ n, strict=True)
    return [Pooled(value, Noise(*noise), int(reports)) for value, noise, reports in parts]


def debiased(levels: Levels) -> Matrix:
    """Return the unbiased frequencies of each level (levels, size), with sum one."""
    p, q, n = np.array([(*_inclusion(law), tally.n) for law, tally in levels]).T[:, :, None]
    z: Matrix = (np.array([tally.supports for _, tally in levels]) / n - q) / (p - q)
    return z - (z.mean(axis=1, keepdims=True) - 1 / z.shape[1])


@cache
def _inclusion(law: SupportLaw) -> tuple[float, float]:
    return float(law.inclusion.own), float(law.inclusion.other)


def weighted(levels: Levels) -> tuple[Vector, Spread]:
    """Return the pooled estimate and its spread for the population."""
    estimate = pooled(levels)
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
