"""PLDP's estimator (Shen, Xia and Yu 2021, Eq. 16), for comparison only.

It debiases everybody with q at the average budget. Since q is convex in epsilon, the mean of q is
larger, and each frequency comes out too large by (1 - f)(mean q - q(avg)) / (1/2 - q(avg)), however
many owners there are. The printed denominator, 1/2 - s q, is mended to 1/2 - q.
"""

from collections.abc import Mapping

import numpy as np

from discretion.budget import Average
from discretion.errors import EstimateError
from discretion.estimate.noise import Noise, Vector, simplex
from discretion.estimate.spread import Known, Spread
from discretion.family.counts import Tally
from discretion.mechanism.unary import oue
from discretion.plan import Plan


def pldp(plan: Plan, tally: Tally, reports: Mapping[int, int]) -> tuple[Vector, Spread]:
    """Return the paper's estimate; its covariance is that of owners who all had the average.

    ``reports``: how many there are of each level.
    """
    law = oue(len(tally.supports), average_level(plan, reports))
    p, q = float(law.inclusion.own), float(law.inclusion.other)
    value: Vector = (tally.supports / tally.n - q) / (p - q)
    f, noise = simplex(value), Noise.of(law)  # no contrast is taken here
    covariance = np.diag(noise.constant + noise.linear * f) - np.outer(f, f)
    return value, Known(covariance / tally.n)


def average_level(plan: Plan, reports: Mapping[int, int]) -> int:
    """Return the plan's average budget; without one, the mean of the levels that were sent."""
    if isinstance(plan.policy, Average):
        return plan.policy.average
    if plan.secret:
        raise EstimateError("pldp needs a plan with an average budget, or disclosed levels")
    return round(sum(level * n for level, n in reports.items()) / sum(reports.values()))
