"""How much changed between two rounds, with the error that fits how owners answered again.

fresh, rotate  the noise of two rounds is independent: variances add. The sample is counted twice,
               as if other owners answered: where the same ones did, intervals are too wide
memo           owners who do not change repeat their noise, and how many do is not known. The
               standard error of a difference is at most the sum of both; this is called a bound.
               Where the plan has public groups of owners, their differences say how large it is.
               Both hold also where a second stage repeats only a part of the noise
"""

import numpy as np
from scipy.special import chdtrc

from discretion.comparisons.difference import DifferenceEstimate, SameTest
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.trends.grouped import covariance_of, group_test, moved
from discretion.trends.waves import Rounds, Waves, parts_of

INDEPENDENT, BOUND = "independent rounds", "bound: answers are repeated"


def change(data: Rounds, attribute: str, earlier: int, later: int) -> DifferenceEstimate:
    """Return how far the later round differs from the earlier one, with intervals and a test.

    Parameters
    ----------
    data
        Reports of several rounds, or a list with the reports or counts of each.
    attribute
        Labels, a set, or a number, of which it is the mean.
    earlier, later
        The two rounds. The same owners may have answered both.

    Returns
    -------
    The later estimate less the earlier one. ``test.method`` says where the error comes from: where
    answers are repeated it is a bound, and the test is cautious, unless the plan has groups of
    owners and the reports themselves are there, not only their counts.

    Examples
    --------
    >>> import discretion as ds
    >>> plan = ds.census_plan()
    >>> weeks = [ds.simulate(plan, ds.census(5000, seed=week), seed=week) for week in (1, 2)]
    >>> weeks = [ds.Aggregate.of(week) for week in weeks]
    >>> weeks[1].round = 1
    >>> ds.change(weeks, "travel", 0, 1).test.method
    'bound: answers are repeated'
    """
    if earlier == later:
        raise EstimateError(f"a change must be between two rounds, got {earlier} and {later}")
    parts = parts_of(data, (earlier, later))
    waves = Waves.of(parts, attribute)
    old, new = (waves.rounds.index(round) for round in (earlier, later))
    apart = waves.value[new] - waves.value[old]
    left = moved([parts[earlier], parts[later]], attribute) if waves.repeated else None
    if left is not None:
        covariance = covariance_of(left)
        stderr = np.sqrt(np.diag(covariance))
        test = group_test(apart, covariance, len(left), waves.free)
    elif waves.repeated:
        stderr, test = _bounded(waves, apart)
    else:
        covariance = waves.covariance[new] + waves.covariance[old]
        stderr, test = _independent(covariance, apart, waves.free)
    return DifferenceEstimate(
        attribute,
        waves.labels,
        waves.value[new],
        waves.value[old],
        stderr,
        (waves.reports[new], waves.reports[old]),
        test,
        (f"round {later}", f"round {earlier}"),
        legend=waves.legend,
    )


def _independent(covariance: Matrix, apart: Vector, free: int) -> tuple[Vector, SameTest]:
    stderr = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return stderr, wald(apart, covariance, free, INDEPENDENT)


def _bounded(waves: Waves, apart: Vector) -> tuple[Vector, SameTest]:
    """For vectors with covariances A and B, that of their difference is at most 2 (A + B)."""
    first, second = waves.covariance
    return waves.stderr.sum(axis=0), wald(apart, 2 * (first + second), waves.free, BOUND)


def wald(apart: Vector, covariance: Matrix, free: int, method: str) -> SameTest:
    """Test whether differences with this covariance, the first ``free`` of them, are all zero."""
    kept = slice(0, free)
    statistic = float(apart[kept] @ np.linalg.solve(covariance[kept, kept], apart[kept]))
    return SameTest(statistic, free, float(chdtrc(free, statistic)), method)
