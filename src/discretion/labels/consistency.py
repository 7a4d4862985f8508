"""Post-processing steps: each maps an estimate onto valid frequencies, and is selected by name.

Unbiased estimates may be negative, and some do not sum to one. With v the estimate of k values, e
its standard errors and [x]+ = max(x, 0), the steps are

    norm      v + d, with the d for which it sums to one
    norm-sub  [v - t]+, with the t for which it sums to one: the nearest point of the simplex
    norm-mul  c [v]+, with the c for which it sums to one
    norm-gls  the nearest point of the simplex in the metric of the covariance (metric.py)
    base-pos  [v]+
    base-cut  v where it is above T = z(1 - 2/k) e, else 0: of the values that nobody has, 2 pass
    power     the mean of each frequency given v, under the power law that fits best (powerlaw.py)

Source: Wang, Lopuhaä-Zwakenberg, Li, Skoric and Li, "Locally Differentially Private Frequency
Estimation with Consistency" (NDSS 2020, arXiv:1905.08320), where all but norm-gls have these
names. Their standard error is one for all values; here each has its own.

norm is linear, and uncertainty follows it exactly. No other step is: what they give is biased, so
standard errors and intervals stay those of what they were given.
"""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import ndtri

from discretion.errors import EstimateError
from discretion.estimate.estimate import check_choice
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.estimate.spread import Spread
from discretion.labels.metric import nearest
from discretion.labels.powerlaw import shrunk

PASSING = (
    2.0  # values that nobody has and base-cut keeps, to be expected at most: the paper's alpha
)
MOST_CELLS = 4096  # of which norm-gls takes the covariance

Step = Callable[[Vector, Spread, int], Vector]


def check_steps(steps: Sequence[str]) -> None:
    """Refuse steps that there are not, and those that come too late to know standard errors."""
    biased = None
    for step in steps:
        check_choice("step", step, STEPS)
        if step in INFORMED and biased is not None:
            rule = f"{step} looks at standard errors, and nobody knows those of {biased}"
            raise EstimateError(f"{rule}: {step} must come first")
        if step not in LINEAR:
            biased = step


def norm(value: Vector) -> Vector:
    """Return the value moved by a constant so that it sums to one."""
    return value + (1 - value.sum()) / len(value)


def centred(covariance: Matrix) -> Matrix:
    """Return the covariance of what ``norm`` gives: H V H, with H = I - 11'/k."""
    rows = covariance - covariance.mean(axis=0)
    return rows - rows.mean(axis=1, keepdims=True)


def norm_mul(value: Vector) -> Vector:
    """Return what is above zero, scaled so that it sums to one."""
    above = np.maximum(value, 0.0)
    if not above.any():
        raise EstimateError("norm-mul needs a value above zero, and there is none")
    return above / above.sum()


def norm_gls(value: Vector, spread: Spread) -> Vector:
    """Return the nearest point of the simplex in the metric of the covariance."""
    if len(value) > MOST_CELLS:
        raise EstimateError(f"norm-gls takes at most {MOST_CELLS:,} values, got {len(value):,}")
    return nearest(norm(value), centred(spread.covariance))


def base_cut(value: Vector, stderr: Vector) -> Vector:
    """Return the value where it is too large for noise, else zero.

    The normal quantile of 1 - 2/k is below zero for less than four values; no threshold is.
    """
    quantile = ndtri(max(1 - PASSING / len(value), 0.5))
    return np.where(value > quantile * stderr, value, 0.0)


def _stderr(spread: Spread) -> Vector:
    return np.sqrt(np.maximum(spread.variance, 0.0))


LINEAR = frozenset({"norm"})
INFORMED = frozenset({"norm-gls", "base-cut", "power"})  # they use the spread
SINGLE = ("base-pos", "base-cut", "power")  # each frequency by itself, whatever all of them sum to
STEPS: dict[str, Step] = {
    "norm": lambda value, _, __: norm(value),
    "norm-sub": lambda value, _, __: simplex(value),
    "norm-mul": lambda value, _, __: norm_mul(value),
    "norm-gls": lambda value, spread, _: norm_gls(value, spread),
    "base-pos": lambda value, _, __: np.maximum(value, 0.0),
    "base-cut": lambda value, spread, _: base_cut(value, _stderr(spread)),
    "power": lambda value, spread, n: shrunk(value, _stderr(spread), n),
}
