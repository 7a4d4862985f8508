"""The distribution of a number on a grid, from reports of many levels, and what follows from it.

All reports have one likelihood. Its maximum over the probabilities of bins is the estimate, and
what it says about F(t), the chance of a number up to t, is read off its profile: F(t) may be p if
the best distribution with F(t) = p lacks no more than

    2 (log-likelihood of the best one - that of the best with F(t) = p) <= SHARE chi2(confidence)

Both maxima are over distributions, none of which is negative anywhere. That is worth a lot where
noise is large, and an interval remains right where reports say next to nothing (Duchi's two
points tell the mean only, so F(t) has the bounds that the mean gives it).

A quantile is inverted from the same profile: t may be the level-a quantile if some distribution
with F(t - 1) <= a <= F(t) is likely enough. So a heap of numbers at t is a point of the interval,
not an exception. Coverage and width: tests/sampling/test_quantiles.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, nnls
from scipy.stats import chi2

from discretion.estimate.expansion import Dense
from discretion.estimate.likelihood import MixtureLikelihood, maximise
from discretion.estimate.mle import inverse
from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.sieve import Channel, Edges, Sieve

__all__ = ["Channel", "Density", "Profile", "fit_density"]

HEAVY = 1e3  # the weight of an equation that must hold, in square roots of reports
SHARE = 0.9  # of chi2: right are 1 for few bins, 0.59 for very many (Banerjee and Wellner 2001)
ROUNDING = 1e-9  # of probabilities
NEAR = 0.01  # of the allowed lack, at which a bound is found: half a percent of its distance


@dataclass(frozen=True)
class SqueezedLikelihood(MixtureLikelihood):
    """The same, with as many rows of scores as bins: many outputs then cost no more than few."""

    def at(self, f: Vector) -> Dense:
        here = super().at(f)
        return replace(here, root=np.asarray(np.linalg.qr(here.root, mode="r")))


@dataclass(frozen=True, eq=False)
class Profile:
    """What distributions lack: |root f - target|^2 above its minimum, for f on the simplex."""

    root: Matrix  # (rows, bins); root' root is the information
    target: Vector  # (rows,)

    @classmethod
    def around(cls, value: Vector, likelihood: SqueezedLikelihood) -> Self:
        """Expand twice the log-likelihood to the second order around its maximum.

        With A' A the curvature, the slope is A' A value. So for f that sum to one the lack is
        |A (f - value) - A value|^2 - n, of which the second term keeps f out of empty bins.
        """
        a = np.sqrt(likelihood.n) * likelihood.at(value).root
        return cls(a - (a @ value)[:, None], a @ value)

    def smoother(self, firmness: float, about: Vector) -> Self:
        """Add a prior: f / about of inner neighbours differ by about firmness^(-1/2)."""
        inner = np.eye(len(about))[1:-1] / about[1:-1, None]
        rows = np.sqrt(firmness) * np.diff(inner, axis=0)
        return type(self)(
            np.vstack([self.root, rows]), np.concatenate([self.target, np.zeros(len(rows))])
        )

    def best(self, *equations: tuple[Vector, float]) -> Vector:
        """Return the f >= 0 that lacks least, of those that sum to one and fulfil equations."""
        bins = self.root.shape[1]
        left, right = [np.ones(bins)], [1.0]
        for row, at in equations:
            scale = np.abs(row).max() or 1.0
            left.append(row / scale)
            right.append(at / scale)
        weight = HEAVY * max(float(np.linalg.norm(self.target)), 1.0)
        f: Vector = nnls(
            np.vstack([self.root, weight * np.array(left)]),
            np.concatenate([self.target, weight * np.array(right)]),
            maxiter=100 * bins,
        )[0]
        return f

    def lack(self, f: Vector) -> float:
        return float(np.sum((self.root @ f - self.target) ** 2))


@dataclass(frozen=True, eq=False)
class Density:
    """Probabilities of bins of a grid; positions count its steps, from 0."""

    edges: Edges  # (bins + 1,): bin j is the grid points edges[j] to edges[j + 1] - 1
    value: Vector  # (bins,), of which all points in a bin have the same share
    reports: int
    profile: Profile

    @property
    def covariance(self) -> Matrix:
        """The inverse information of the bins: wider than the intervals, since it lets f < 0."""
        return inverse(self.profile.root.T @ self.profile.root)

    def cdf(self, points: npt.ArrayLike) -> Vector:
        """Return the chance of a number up to each position."""
        chances: Vector = self.below(points) @ self.value
        return chances

    def cdf_stderr(self, points: npt.ArrayLike) -> Vector:
        return np.array([self._stderr(row) for row in self.below(points)])

    def cdf_interval(self, points: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        """Return for each position the least and the largest F that is likely enough: (k, 2)."""
        return np.array([self.interval(row, confidence) for row in self.below(points)])

    def quantile(self, levels: npt.ArrayLike) -> Vector:
        """Return the first grid point at which F reaches each level."""
        wanted = np.atleast_1d(np.asarray(levels, dtype=float)) - ROUNDING
        found = np.searchsorted(self._curve, wanted)
        return np.minimum(found, len(self._curve) - 1).astype(float)

    def quantile_interval(self, levels: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        """Return for each level the first and last grid point that may be the quantile: (k, 2)."""
        middles = self.quantile(levels).astype(int)
        wanted = np.atleast_1d(np.asarray(levels, dtype=float))
        allowed = SHARE * float(chi2.ppf(confidence, 1))
        return np.array(
            [self._span(a, t, allowed) for a, t in zip(wanted, middles, strict=True)], dtype=float
        )

    @property
    def mean(self) -> float:
        return float(self._moment(0.0, 1) @ self.value)

    @cached_property
    def mean_stderr(self) -> float:
        return self._stderr(self._moment(0.0, 1))

    @property
    def variance(self) -> float:
        return float(self._moment(self.mean, 2) @ self.value)

    @cached_property
    def variance_stderr(self) -> float:
        """By the delta method: the slope of the variance is (x - mean)^2."""
        return self._stderr(self._moment(self.mean, 2))

    def interval(self, row: Vector, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of row @ f, any linear function of the probabilities."""
        return self._bounds(row, SHARE * float(chi2.ppf(confidence, 1)))

    def below(self, points: npt.ArrayLike) -> Matrix:
        """Return the share of each bin's grid points that lie up to each position."""
        steps = np.floor(np.atleast_1d(np.asarray(points, dtype=float)))[:, None]
        shares: Matrix = np.clip((steps + 1 - self.edges[:-1]) / np.diff(self.edges), 0.0, 1.0)
        return shares

    def lack(self, row: Vector, at: float) -> float:
        """Return how much the best distribution with row @ f = at lacks."""
        least = self.profile.lack(self.value)
        return max(self.profile.lack(self.profile.best((row, at))) - least, 0.0)

    def _bounds(self, row: Vector, allowed: float) -> tuple[float, float]:
        here = float(row @ self.value)
        low, high = (self._bound(row, here, end, allowed) for end in (row.min(), row.max()))
        return min(low, here), max(high, here)

    def _bound(self, row: Vector, here: float, end: float, allowed: float) -> float:
        """Return where, from here towards the end, the lack reaches what is allowed."""
        if abs(end - here) <= ROUNDING * max(abs(end), 1.0) or self.lack(row, end) <= allowed:
            return end

        def beyond(at: float) -> float:
            lack = self.lack(row, at)
            return float(np.sqrt(lack / allowed) - 1) if abs(lack / allowed - 1) > NEAR else 0.0

        return float(brentq(beyond, here, end))

    def _span(self, level: float, middle: int, allowed: float) -> tuple[int, int]:
        """Return the points t around the middle for which F(t - 1) <= level <= F(t) may be."""

        def may_reach(t: int) -> bool:
            return self.lack(self.below(t)[0], level) <= allowed

        end = len(self._curve) - 1
        first = _first(lambda t: t == middle or may_reach(t), 0, middle)
        last = _first(lambda t: t == end or not may_reach(t), middle, end)
        return first, last

    def _stderr(self, row: Vector) -> float:
        """Return the distance at which one is lacked, to the side where it is longer."""
        here, (low, high) = float(row @ self.value), self._bounds(row, 1.0)
        return max(high - here, here - low)

    @cached_property
    def _curve(self) -> Vector:
        """F at every grid point."""
        widths = np.diff(self.edges)
        return np.cumsum(np.repeat(self.value / widths, widths))

    def _moment(self, origin: float, power: int) -> Vector:
        """Return the mean of (x - origin)^power over each bin's grid points."""
        x = (np.arange(self.edges[-1]) - origin) ** power
        totals: Vector = np.add.reduceat(x, self.edges[:-1])
        return totals / np.diff(self.edges)


def fit_density(
    channels: Sequence[Channel],
    points: int,
    *,
    bins: int | None = None,
    cuts: Sequence[int] = (),
    smoothing: float = 0.0,
) -> Density:
    """Return the most likely distribution over a grid of so many points.

    ``cuts`` are grid points at which a bin begins, whatever else: ends of owners' ranges.
    ``smoothing`` draws smoother densities: the larger, the firmer the prior that neighbouring bins
    are as likely, relative to a rough first fit, as each other. It smears heaps and steep edges,
    and intervals are then not honest there: leave it out for quantiles and means.
    """
    sieve = Sieve.of(channels, points, bins, cuts)
    likelihood = SqueezedLikelihood(sieve.chance, sieve.counts)
    value = maximise(likelihood, sieve.about)
    profile = Profile.around(value, likelihood)
    if smoothing > 0:
        profile = profile.smoother(smoothing, sieve.about)
        value = profile.best()
        value = value / value.sum()
    return Density(sieve.edges, value, round(sieve.counts.sum()), profile)


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number from low to high that holds, as all after it do, and high does."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
