"""Does the budget an owner chooses depend on her value? A test over groups of neighbouring levels.

Pooling over levels is right only if it does not. The statistic is the sum over groups of
(f_g - f)' V_g^-1 (f_g - f) on contrasts, chi-square with (groups - 1)(size - 1) degrees of freedom.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
from scipy.special import chdtrc

from discretion.errors import DependenceWarning
from discretion.estimate.linear import Levels, pooled_each
from discretion.estimate.noise import simplex
from discretion.estimate.pool import Pool
from discretion.estimate.precision import Precisions

MOST_GROUPS = 8
FEWEST_REPORTS = 100  # below, a group is joined to its neighbour: the test needs normal errors
ALPHA = 0.001  # a warning at 5 % would cry wolf at every twentieth attribute


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """The test's result; a small ``pvalue`` speaks against pooling."""

    statistic: float
    df: int
    pvalue: float


class Counted(Protocol):
    """Counts of some reports."""

    @property
    def n(self) -> int: ...


Level = TypeVar("Level", bound=tuple[object, Counted])


def groups_of(levels: Sequence[Level]) -> list[list[Level]]:
    """Divide levels, from the smallest up, into at most 8 groups of neighbours."""
    n = sum(tally.n for _, tally in levels)
    enough = FEWEST_REPORTS
    if len(levels) > MOST_GROUPS:
        enough = max(enough, -(-n // MOST_GROUPS))
    groups: list[list[Level]] = [[]]
    for level in levels:
        if sum(tally.n for _, tally in groups[-1]) >= enough:
            groups.append([])
        groups[-1].append(level)
    if len(groups) > 1 and sum(tally.n for _, tally in groups[-1]) < enough:
        last = groups.pop()
        groups[-1] += last
    return groups


def homogeneity(groups: Sequence[Levels]) -> Homogeneity | None:
    """Test whether all groups estimate the same frequencies; None with fewer than two."""
    if len(groups) < 2:
        return None
    parts = pooled_each(groups)
    noises, values = [part.noise for part in parts], np.array([part.value for part in parts])
    weights = np.array([noise.precision(values.shape[1]) for noise in noises])
    f = simplex(weights @ values / weights.sum())
    precisions = Precisions.of(noises, f)
    apart = values - precisions.solve((precisions @ values).sum(axis=0))
    statistic = float(np.sum(apart * (precisions @ apart)))
    df = (len(groups) - 1) * (len(f) - 1)
    return Homogeneity(statistic, df, float(chdtrc(df, statistic)))


def homogeneity_of_pools(parts: Sequence[Pool]) -> Homogeneity | None:
    """Test the same of pools; None also where these do not tell all codes apart."""
    if len(parts) < 2 or not all(part.tells for part in parts):
        return None
    values = np.array([part.value for part in parts])
    shares = np.array([part.n for part in parts]) / sum(part.n for part in parts)
    f = simplex(shares @ values)
    basis = np.linalg.svd(np.ones((1, len(f))))[2][1:]  # orthonormal contrasts
    apart = values @ basis.T
    precisions = [np.linalg.inv(basis @ part.covariance(f) @ basis.T) for part in parts]
    pulls = [precision @ own for precision, own in zip(precisions, apart, strict=True)]
    apart = apart - np.linalg.solve(sum(precisions, np.zeros(2 * (len(f) - 1,))), sum(pulls))
    statistic = sum(float(x @ p @ x) for x, p in zip(apart, precisions, strict=True))
    df = (len(parts) - 1) * (len(f) - 1)
    return Homogeneity(statistic, df, float(chdtrc(df, statistic)))


def warn_if_dependent(
    test: Homogeneity | None, attribute: str, instead: str = "stratified"
) -> None:
    """Warn where pooling over levels would be biased, and say which method would not be."""
    if test is not None and test.pvalue < ALPHA:
        warnings.warn(
            f"{attribute}: owners' budgets and values look dependent (p = {test.pvalue:.2g}); "
            f"pooled estimates may be biased: compare method={instead!r}",
            DependenceWarning,
            stacklevel=3,
        )
