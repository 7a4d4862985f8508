"""The strata of a set's reports: which length each has, and whether they agree.

A stratum is a level and a length. At length l a set of more items counts an item by l over its
size, so strata of different lengths agree only as far as sets are not cut.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, cast

import numpy as np
from scipy.special import chdtrc

from discretion.aggregate import Evidence
from discretion.budget.level import level_of, range_of
from discretion.estimate.homogeneity import Homogeneity, neighbours
from discretion.estimate.noise import Vector
from discretion.family import Covers
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import PooledCovers

Strata = Mapping[int, BitCounts]


def longest(family: Covers, counts: Strata) -> dict[int, BitCounts]:
    """Return the strata of the longest length that somebody chose."""
    most = max(family.law(stratum).length for stratum in counts)
    return {
        stratum: tally for stratum, tally in counts.items() if family.law(stratum).length == most
    }


def groups_of(family: Covers, counts: Strata) -> list[PooledCovers]:
    """Return the estimate of each length by groups of neighbouring levels."""
    return [family.pooled(own) for own in groups(counts)]


def groups(counts: Strata) -> Iterator[dict[int, BitCounts]]:
    """Yield the strata of each length by groups of neighbouring levels."""
    for place in sorted({range_of(stratum) for stratum in counts}):
        own = [(stratum, tally) for stratum, tally in counts.items() if range_of(stratum) == place]
        own.sort(key=lambda item: level_of(item[0]))
        yield from (dict(own[part]) for part in neighbours([tally.n for _, tally in own]))


class Shares(Protocol):
    """Estimated shares that know their variances."""

    @property
    def value(self) -> Vector: ...

    @property
    def weight(self) -> float: ...

    def variance(self, f: Vector) -> Vector:
        """Return the variances of the estimate at frequencies f."""


def agreement(parts: Sequence[Shares]) -> Homogeneity | None:
    """Test whether groups estimate the same shares, item by item; None for a single group.

    The statistic is the largest of all items, sum over groups of (x - mean)^2 / variance, and its
    p-value is multiplied by their number: whatever items go together, it is valid.
    """
    if len(parts) < 2:
        return None
    values = np.array([part.value for part in parts])
    weights = np.array([part.weight for part in parts])
    pooled = np.clip(weights @ values / weights.sum(), 0, 1)
    precision = 1 / np.array([part.variance(pooled) for part in parts])
    mean = (precision * values).sum(axis=0) / precision.sum(axis=0)
    largest = float((precision * (values - mean) ** 2).sum(axis=0).max())
    df = len(parts) - 1
    return Homogeneity(largest, df, min(1.0, float(chdtrc(df, largest)) * values.shape[1]))


def counted(evidence: Evidence) -> tuple[Covers, Strata]:
    """Return the family of a set's reports, and their counts by stratum."""
    return evidence.family.covered(), cast("Strata", evidence.disclosed)
