"""The mean of a number: decoded reports, those with less noise counting more.

With v_i the variance of a decoded report in stratum i (its noise, and the spread of the numbers),
the weights are 1 / v_i. The spread is estimated from the same reports in a first step; weights that
are a little off cost a little accuracy, and the stated errors are right for any (a sandwich).
"""

from collections.abc import Sequence
from itertools import groupby
from math import inf

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.estimate import FEW
from discretion.estimate.homogeneity import Homogeneity, neighbours, tested
from discretion.estimate.noise import Vector
from discretion.estimate.precision import ScalarPrecisions
from discretion.mechanism.law import Decodable
from discretion.numbers.number_evidence import LawCounts, NumberEvidence, noise_of


def weighted(evidence: NumberEvidence) -> tuple[float, float, float]:
    """Return mean, variance of the mean, and the numbers' own variance, in steps of the grid."""
    parts = decoded(evidence)
    centre, spread = centred(evidence)
    return (*_combined(parts, weights_of(parts, centre, spread)), spread)


def centred(evidence: NumberEvidence) -> tuple[float, float]:
    """Return the mean and the spread at which reports are weighed, in steps of the grid."""
    parts, steps = decoded(evidence), evidence.number.size - 1
    mean, spread = steps / 2, steps**2 / 12
    for _ in range(2):
        weights = weights_of(parts, mean, spread)
        mean = min(max(_average(parts, weights), 0.0), steps)
        spread = _spread(parts, weights, mean, steps)
    return mean, spread


def unweighted(evidence: NumberEvidence) -> tuple[float, float, float]:
    """Return the same with every report counting alike: right also where levels depend on values.

    It costs a lot where levels differ.
    """
    parts = decoded(evidence)
    mean, variance = _combined(parts, np.array([float(part.n) for part in parts]))
    weights = weights_of(parts, mean, (evidence.number.size - 1) ** 2 / 12)
    return mean, variance, _spread(parts, weights, mean, evidence.number.size - 1)


def decoded(evidence: NumberEvidence) -> tuple[LawCounts, ...]:
    """Return the parts that can be decoded, which must be all."""
    if not evidence.decodable:
        raise EstimateError(
            "reports in narrower ranges, or by laplace, have no unbiased decoding: "
            "use method='likelihood'"
        )
    return evidence.parts


def agreement(evidence: NumberEvidence, mean: float, spread: float) -> Homogeneity | None:
    """Test whether groups of neighbouring levels have the same mean; None with fewer than two.

    How much their means may differ follows from the laws, at the common mean and spread: a few
    reports that happen to be equal say nothing about their noise.
    """
    groups = _groups(evidence)
    if len(groups) < 2:
        return None
    centre = min(max(mean, 0.0), evidence.number.size - 1)
    weights = [weights_of(group, centre, spread) for group in groups]
    means = np.array([_average(g, own) for g, own in zip(groups, weights, strict=True)])
    return tested(means[:, None], ScalarPrecisions(np.array([own.sum() for own in weights])))


def homogeneity_of(evidence: NumberEvidence) -> Homogeneity | None:
    """Test the levels at the weighted mean; None where reports have no unbiased decoding."""
    if not evidence.decodable:
        return None
    mean, _, spread = weighted(evidence)
    return agreement(evidence, mean, spread)


def _groups(evidence: NumberEvidence) -> list[list[LawCounts]]:
    """Divide the parts, by level, into groups of neighbours."""
    parts = sorted(decoded(evidence), key=lambda part: part.level)
    levels = [list(same) for _, same in groupby(parts, key=lambda part: part.level)]
    groups = neighbours([sum(part.n for part in level) for level in levels])
    return [[part for level in levels[group] for part in level] for group in groups]


def weights_of(parts: Sequence[LawCounts], mean: float, spread: float) -> Vector:
    """Return the weight of each part: its reports over the variance of one of them."""
    n = np.array([part.n for part in parts])
    return n * weight_of([part.law for part in parts], mean, spread)


def weight_of(laws: Sequence[Decodable], mean: float, spread: float) -> Vector:
    """Return the weight of one report of each law."""
    powers = np.array([1.0, mean, mean**2 + spread])
    noise = np.array([noise_of(law) @ powers for law in laws])
    return 1 / (np.maximum(noise, 0.0) + spread + 1e-12)


def _average(parts: Sequence[LawCounts], weights: Vector) -> float:
    return float(weights @ [part.mean for part in parts] / weights.sum())


def _combined(parts: Sequence[LawCounts], weights: Vector) -> tuple[float, float]:
    """Return the weighted mean and its variance, from how decoded reports scatter around it.

    It is no less than the laws' noise where that is least: all of a few reports may be equal. Fewer
    than 50 reports do not show how they scatter: they may as much as they can.
    """
    mean, shares = _average(parts, weights), weights / weights.sum()
    few = sum(part.n for part in parts) < FEW
    variances = np.array(
        [(part.most_scatter if few else part.scatter(mean), part.least_noise) for part in parts]
    )
    return mean, float((shares**2 / [part.n for part in parts] @ variances).max())


def _spread(parts: Sequence[LawCounts], weights: Vector, mean: float, steps: int) -> float:
    """Estimate the numbers' own variance: what scatters beyond the noise, kept to what can be."""
    powers = np.array([1.0, mean, mean**2])
    excess = np.array([p.scatter(mean) - p.noise @ powers for p in parts])
    slope = np.array([1 + p.noise[2] for p in parts])  # noise may fall where numbers spread
    precise = weights**2 / np.array([p.n for p in parts])
    if precise @ slope**2 <= 1e-6 * precise.sum():
        return 0.0  # two points show no spread, and the variance of a report is the same for all
    found = float(precise @ (slope * excess) / (precise @ slope**2))
    return min(max(found, 0.0), mean * (steps - mean) if 0 < mean < steps else steps**2 / 4)


def mean_limit(epsilons: npt.ArrayLike, low: float = -1.0, high: float = 1.0) -> float:
    """Return the least squared error of the mean of a population on [low, high].

    If a number is either end of its range, a report at epsilon carries at most tanh(epsilon / 2)^2
    of an answer's information, and Duchi's mechanism carries that much; information adds over
    owners, equal or not.

    Parameters
    ----------
    epsilons
        One budget per owner, 0 for those who did not share the number.
    low, high
        The range of the number.

    Returns
    -------
    The limit. It is minimax: of numbers that are spread less than those at the two ends more can be
    known.

    Examples
    --------
    >>> import discretion as ds
    >>> round(ds.mean_limit([1.0] * 10_000) ** 0.5, 4)
    0.0216
    """
    information = float(np.sum(np.tanh(np.asarray(epsilons, np.float64) / 2) ** 2))
    return ((high - low) / 2) ** 2 / information if information else inf
