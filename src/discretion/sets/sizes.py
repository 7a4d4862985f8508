"""How large sets are, from the blanks: blank i is held by those whose set has fewer than i items.

The shares F_i = P(size < i), each pooled over the strata whose length is i or more, are debiased
like those of items. Two blanks go together where the smaller is held, so their covariance is known.
"""

from collections.abc import Mapping

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.family import Covers
from discretion.family.counts import BitCounts
from discretion.family.covers.linear import channel, debiased


def sizes_below(family: Covers, counts: Mapping[int, BitCounts]) -> tuple[Vector, Matrix]:
    """Return P(size < i) for i = 1, 2, ... up to the longest length, and its covariance."""
    strata = [(family.law(stratum), tally) for stratum, tally in counts.items()]
    most = max(law.length for law, _ in strata)
    each, weights = np.zeros((2, len(strata), most))
    for row, (law, tally) in enumerate(strata):
        own = slice(0, law.length)
        each[row, own] = debiased(law, tally)[law.items :]
        weights[row, own] = tally.n / channel(law).variance(np.array([0.0]))
    weights /= weights.sum(axis=0)
    value = (weights * each).sum(axis=0)
    held = np.clip(value, 0, 1)
    total = np.zeros((most, most))
    for row, (law, tally) in enumerate(strata):
        covariance = channel(law).covariance(held, np.minimum.outer(held, held))
        total += np.outer(weights[row], weights[row]) * covariance / tally.n
    return value, total


def sizes(
    family: Covers, counts: Mapping[int, BitCounts]
) -> tuple[tuple[str, ...], Vector, Matrix]:
    """Return the sizes, from 0 to the longest length or more, their shares and the covariance."""
    below, covariance = sizes_below(family, counts)
    most = len(below)
    steps = np.vstack([np.eye(most), np.zeros(most)]) - np.vstack([np.zeros(most), np.eye(most)])
    shares = steps @ below
    shares[-1] += 1
    return (*map(str, range(most)), f"{most} or more"), shares, steps @ covariance @ steps.T
