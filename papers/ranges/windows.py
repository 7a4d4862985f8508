"""The square wave with EMS (Li et al. 2020): expectation maximisation, smoothed at each step."""

from math import exp

import numpy as np

from papers.ranges.densities import Crowd, Vector

BINS = 1024  # of values and of reports, at most
MOST = 10_000  # iterations
SMOOTHING = np.array([1, 2, 1]) / 4
STOPPED = 1e-3  # times e^epsilon: by how much the log-likelihood still grows at the end


def ems(crowd: Crowd, epsilon: float, rng: np.random.Generator) -> Vector:
    """Return the shares of equal bins, from continuous reports in as many bins."""
    bins, half = min(crowd.size, BINS), half_width(epsilon)
    reports = reported((crowd.codes + 0.5) / crowd.size, epsilon, rng)
    counts = np.bincount(
        np.minimum((reports + half) / (1 + 2 * half) * bins, bins - 1).astype(np.int64),
        minlength=bins,
    )
    law = _law(bins, epsilon)
    shares, before = np.full(bins, 1 / bins), -np.inf
    for _ in range(MOST):
        expected = law @ shares
        fit = float(counts @ np.log(expected))
        if fit - before < STOPPED * exp(epsilon):
            break
        before = fit
        shares = shares * (law.T @ (counts / expected))
        smooth = np.convolve(np.pad(shares, 1, mode="edge"), SMOOTHING, "valid")
        shares = smooth / smooth.sum()
    return shares


def half_width(epsilon: float) -> float:
    """Return half the width of the wave that the paper finds best."""
    e = exp(epsilon)
    return (epsilon * e - e + 1) / (2 * e * (e - 1 - epsilon))


def reported(values: Vector, epsilon: float, rng: np.random.Generator) -> Vector:
    """Return reports of values from 0 to 1: near the value with e^epsilon times the density."""
    half, e = half_width(epsilon), exp(epsilon)
    near = rng.random(len(values)) < 2 * half * e / (2 * half * e + 1)
    u = rng.random(len(values))
    far = np.where(u < values, u - half, u + half)  # the length of all that is far is one
    return np.where(near, values + half * (2 * u - 1), far)


def _law(bins: int, epsilon: float) -> Vector:
    """Return the chance of each bin of reports (a row) given a value spread over its bin."""
    half, e = half_width(epsilon), exp(epsilon)
    edges = np.linspace(-half, 1 + half, bins + 1)
    middles = (np.arange(bins) + 0.5) / bins
    high = np.minimum(edges[1:, None], middles + half)
    near = np.maximum(high - np.maximum(edges[:-1, None], middles - half), 0)
    law = (near * (e - 1) + (edges[1] - edges[0])) / (2 * half * e + 1)
    return np.asarray(law / law.sum(axis=0))
