"""The error of a change where answers are repeated, from public random groups of owners.

An owner who does not change sends the same report again, so her noise is not in the difference of
two rounds, and nobody sees who that is. But every group's reports are seen in both rounds: how much
the estimate of the change moves when one group is left out says how uncertain it is (the delete-one
jackknife), noise of those who changed and sample included. Owners are counted once.

Source: Efron and Stein (1981), The jackknife estimate of variance.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import fdtrc, stdtr

from discretion.aggregate import Aggregate, including
from discretion.comparisons.difference import SameTest
from discretion.estimate.noise import Matrix, Vector
from discretion.trends.waves import Part, estimated

GROUPS = "groups of owners"
LARGEST = "groups of owners, largest difference"
FEW = 2  # groups for each label, at least, so that a covariance is known well enough


def moved(parts: Sequence[Part], attribute: str) -> Matrix | None:
    """Return the change between two rounds without each group (G, k), if all groups answered."""
    groups = parts[0].plan.groups
    if groups is None or any(isinstance(part, Aggregate) for part in parts):
        return None
    left = [_left_out(part, attribute) for part in parts]
    if any(len(each) < groups.count for each in left):
        return None
    earlier, later = (np.array(each) for each in left)
    return np.asarray(later - earlier)


def _left_out(part: Part, attribute: str) -> list[Vector]:
    """Return the estimate without each group that answered."""
    data = including(part, [attribute])
    assert not isinstance(data, Aggregate)
    counted = [each for each in Aggregate.by_group(data, [attribute]) if each.reports]
    whole = Aggregate.about(data, [attribute])
    return [estimated(whole.without(each), attribute).value for each in counted]


def covariance_of(left: Matrix) -> Matrix:
    """Return the covariance of an estimate that has these values without each group."""
    apart = left - left.mean(axis=0)
    return np.asarray((len(left) - 1) / len(left) * apart.T @ apart)


def group_test(apart: Vector, covariance: Matrix, groups: int, free: int) -> SameTest:
    """Test whether nothing changed, with a covariance that is known from so many groups.

    Of many labels the covariance is not known well enough: then the largest difference decides,
    counted as often as there are labels.
    """
    kept = slice(0, free)
    if free * FEW <= groups:
        precision = np.linalg.pinv(
            covariance[kept, kept], hermitian=True
        )  # nobody may have changed
        statistic = float(apart[kept] @ precision @ apart[kept])
        scaled = statistic * (groups - free) / (free * (groups - 1))
        return SameTest(statistic, free, float(fdtrc(free, groups - free, scaled)), GROUPS)
    error = np.sqrt(np.diag(covariance))
    largest = float(np.max(np.abs(apart) / np.where(error > 0, error, 1.0)))
    beyond = 2 * float(stdtr(groups - 1, -largest))
    return SameTest(largest**2, 1, min(1.0, beyond * len(apart)), LARGEST)
