"""Does the budget an owner chooses depend on her value? A test over groups of neighbouring levels.

Pooling over levels is right only if it does not. With P_g the inverse covariance of the estimate of
a group, the statistic is the sum over groups of (x_g - x)' P_g (x_g - x), x being the estimate that
makes it least: chi-square with (groups - 1) times the rank of P_g degrees of freedom. An estimate
from several attributes takes as many tests, and warns no more often than one: p-values are adjusted
for their number (Holm 1979).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from discretion.errors import DependenceWarning, warn
from discretion.estimate.linear import Pooled
from discretion.estimate.noise import Matrix, simplex
from discretion.estimate.precision import Precisions
from discretion.render.formats import p_stated

MOST_GROUPS = 8
FEWEST_REPORTS = 100  # below, a group is joined to its neighbour: the test needs normal errors
ALPHA = 0.001  # a warning at 5 % would cry wolf at every twentieth attribute


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """The test's result; a small ``pvalue`` speaks against pooling."""

    statistic: float
    df: int
    pvalue: float


def neighbours(reports: Sequence[int]) -> list[slice]:
    """Divide levels, given how many reports each has, into at most 8 groups of neighbours.

    Of up to 8 levels each group has 100 reports or more; of more levels also an eighth of all. What
    is left over at the end is a group of its own from 100 reports on: that is all the test needs,
    and the highest levels, which say most, stay apart.
    """
    enough = FEWEST_REPORTS
    if len(reports) > MOST_GROUPS:
        enough = max(enough, -(-sum(reports) // MOST_GROUPS))
    starts, own = [0], 0
    for i, n in enumerate(reports):
        if own >= enough:
            starts.append(i)
            own = 0
        own += n
    if len(starts) > 1 and own < FEWEST_REPORTS:
        starts.pop()
    return [slice(a, b) for a, b in zip(starts, [*starts[1:], len(reports)], strict=True)]


def homogeneity(parts: Sequence[Pooled]) -> Homogeneity | None:
    """Test whether all groups estimate the same frequencies.

    None with fewer than two groups, and where one of them does not distinguish all codes.
    """
    if len(parts) < 2 or not all(part.identifiable for part in parts):
        return None
    values = np.array([part.value for part in parts])
    weights = np.array([part.weight for part in parts])
    f = simplex(weights @ values / weights.sum())
    return tested(values, type(parts[0]).precisions(parts, f))


def tested(values: Matrix, precisions: Precisions) -> Homogeneity:
    """Test whether estimates (groups, size) with these inverse covariances estimate the same."""
    apart = values - precisions.solve((precisions @ values).sum(axis=0))
    statistic = float(np.sum(apart * (precisions @ apart)))
    df = (len(values) - 1) * precisions.rank
    return Homogeneity(statistic, df, float(chdtrc(df, statistic)))


def holm(pvalues: Sequence[float]) -> list[float]:
    """Return p-values adjusted for their number m: the smallest times m, the next times m - 1..."""
    order = np.argsort(pvalues, kind="stable")
    factors = np.arange(len(order), 0, -1)
    rising = np.maximum.accumulate(np.array(pvalues, np.float64)[order] * factors)
    adjusted = np.empty(len(order))
    adjusted[order] = np.minimum(rising, 1.0)
    return adjusted.tolist()


Tests = Mapping[str, Homogeneity | None]  # by attribute or bundle; None where it was not tested


def dependent(tests: Tests) -> dict[str, float]:
    """Return the attributes whose levels depend on values, with p-values for the number of tests.

    If no levels do, some attribute is named with a probability of 0.1 % at most.
    """
    pvalues = {name: test.pvalue for name, test in tests.items() if test is not None}
    adjusted = zip(pvalues, holm([*pvalues.values()]), strict=True)
    return {name: p for name, p in adjusted if p < ALPHA}


def warn_if_dependent(tests: Tests, remedy: str) -> None:
    """Warn where pooling over levels would be biased, and say what to do about it."""
    if found := dependent(tests):
        p = min(found.values())
        warn(
            f"{', '.join(found)}: owners' budgets and values look dependent ({p_stated(p)}); "
            f"pooled estimates may be biased: {remedy}",
            DependenceWarning,
        )
