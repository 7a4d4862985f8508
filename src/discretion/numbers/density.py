"""The distribution of a number on a grid, from reports of many levels, and what follows from it.

All reports have one likelihood. Its maximum over the probabilities of bins is the estimate, and
what it says about F(t), the chance of a number up to t, is read off its profile: F(t) may be p if
the best distribution with F(t) = p lacks no more than

    2 (log-likelihood of the best one - that of the best with F(t) = p) <= share * chi2(confidence)

Both maxima are over distributions, none of which is negative anywhere. That is worth a lot where
noise is large, and an interval remains right where reports say next to nothing (Duchi's two
points tell the mean only, so F(t) has the bounds that the mean gives it). Bins are finer around t:
where in a bin its numbers are heaped decides F(t), and reports hardly tell.

A quantile is inverted from the same profile: t may be the level-a quantile if some distribution
with F(t - 1) <= a <= F(t) is likely enough. So a heap of numbers at t is a point of the interval,
not an exception.

What the truth itself lacks is chi2 where no bin is near empty, and mostly less where many are
(Banerjee and Wellner 2001; not always: Batlle and others 2023, arXiv:2310.02461). How much depends
on the laws and counts, so reports are drawn anew from the fit to see. Quantiles from the first to
the last decile allow that share. Everything else allows chi2 itself: F(t) may be asked for just at
a heap, and there the truth lacks that much. Coverage: tests/sampling/test_quantiles.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2

from discretion.estimate.likelihood import maximise
from discretion.estimate.mle import inverse
from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.profile import ROUNDING, Lens, Profile, Question, SqueezedLikelihood
from discretion.numbers.sieve import TINY, Channel, Edges, Sieve

__all__ = ["Channel", "Density", "fit_density"]

DECILES = np.arange(1, 10) / 10
DRAWS, SEED = 12, 2001  # of reports, to see how much the truth lacks at each decile
CAUTION = 1.1  # times the share found, since heaps that do not show make the truth lack more
LEAST = 0.3  # of chi2, where the truth lacks next to nothing, since reports tell nothing there


@dataclass(frozen=True, eq=False)
class Density:
    """Probabilities of bins of a grid; positions count its steps, from 0."""

    edges: Edges  # (bins + 1,): bin j is the grid points edges[j] to edges[j + 1] - 1
    value: Vector  # (bins,), of which all points in a bin have the same share
    reports: int
    profile: Profile
    lens: Lens | None  # None where it was smoothed

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
        allowed = float(chi2.ppf(confidence, 1))
        places = np.atleast_1d(np.asarray(points, dtype=float))
        found = np.array([self.ask(t).bounds(allowed) for t in places])
        value = self.cdf(places)
        return np.stack([np.minimum(found[:, 0], value), np.maximum(found[:, 1], value)], axis=1)

    def quantile(self, levels: npt.ArrayLike) -> Vector:
        """Return the first grid point at which F reaches each level."""
        wanted = np.atleast_1d(np.asarray(levels, dtype=float)) - ROUNDING
        found = np.searchsorted(self._curve, wanted)
        return np.minimum(found, len(self._curve) - 1).astype(float)

    def quantile_interval(self, levels: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        """Return for each level the first and last grid point that may be the quantile: (k, 2)."""
        middles = self.quantile(levels).astype(int)
        wanted = np.atleast_1d(np.asarray(levels, dtype=float))
        asked = zip(wanted, middles, self.allowed(wanted, confidence), strict=True)
        return np.array([self._span(*each) for each in asked], dtype=float)

    def allowed(self, levels: Vector, confidence: float = 0.95) -> Vector:
        """Return how much a distribution may lack that has a quantile of each level somewhere."""
        inner = (levels > DECILES[0] - ROUNDING) & (levels < DECILES[-1] + ROUNDING)
        share = self.share if inner.any() else 1.0
        lacks: Vector = chi2.ppf(confidence, 1) * np.where(inner, share, 1.0)
        return lacks

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

    @cached_property
    def share(self) -> float:
        """How much the truth lacks at a decile, on average; of chi2 that is one.

        Reports are drawn anew, from a distribution that is as smooth as those at hand allow.
        """
        if self.lens is None:
            return 1.0
        rng = np.random.default_rng(SEED)
        truth = self._likely_truth(self.lens.sieve.about, rng)
        lacks = []
        for t in self.quantile(DECILES):
            own, question = self.lens.spread(truth, t), self.ask(t)
            for _ in range(DRAWS):
                drawn = replace(question, profile=question.profile.redrawn(own, rng))
                lacks.append(drawn.lack(float(question.row @ own)))
        return float(np.clip(CAUTION * np.mean(lacks), LEAST, 1.0))

    def _likely_truth(self, smooth: Vector, rng: np.random.Generator) -> Vector:
        """Return a distribution between a smooth one and the most likely one.

        It is in the middle, or nearer to the most likely one where the smooth one lacks more than
        it would if it were the truth: where there are heaps.
        """
        lacked = self.profile.lack(smooth) - self.profile.lack(self.value)
        drawn = [self.profile.redrawn(smooth, rng) for _ in range(DRAWS)]
        lacks = [other.lack(smooth) - other.lack(other.best()) for other in drawn]
        part = np.sqrt(min(float(np.mean(lacks)) / max(lacked, TINY), 1.0)) / 2
        mixed: Vector = part * smooth + (1 - part) * self.value
        return mixed

    def interval(self, row: Vector, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of row @ f, any linear function of the probabilities."""
        here = float(row @ self.value)
        low, high = Question(self.profile, row).bounds(float(chi2.ppf(confidence, 1)))
        return min(low, here), max(high, here)

    def ask(self, t: float) -> Question:
        """Ask for F(t), of a position t."""
        if self.lens is None:
            return Question(self.profile, self.below(t)[0])
        return self.lens.at(int(np.clip(np.floor(t), -1, self.edges[-1])))

    def below(self, points: npt.ArrayLike) -> Matrix:
        """Return the share of each bin's grid points that lie up to each position."""
        steps = np.floor(np.atleast_1d(np.asarray(points, dtype=float)))[:, None]
        shares: Matrix = np.clip((steps + 1 - self.edges[:-1]) / np.diff(self.edges), 0.0, 1.0)
        return shares

    def _span(self, level: float, middle: int, allowed: float) -> tuple[int, int]:
        """Return the points t around the middle for which F(t - 1) <= level <= F(t) may be."""

        def may_reach(t: int) -> bool:
            return self.ask(t).lack(level) <= allowed

        end = len(self._curve) - 1
        first = _first(lambda t: t == middle or may_reach(t), 0, middle)
        last = _first(lambda t: t == end or not may_reach(t), middle, end)
        return first, last

    def _stderr(self, row: Vector) -> float:
        """Return the distance at which one is lacked, to the side where it is longer."""
        here, (low, high) = float(row @ self.value), Question(self.profile, row).bounds(1.0)
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
    profile, lens = Profile.around(value, likelihood), None
    if smoothing > 0:
        profile = profile.smoother(smoothing, sieve.about)
        value = profile.best()
        value = value / value.sum()
    else:
        lens = Lens.over(sieve, value)
    return Density(sieve.edges, value, round(sieve.counts.sum()), profile, lens)


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number from low to high that holds, as all after it do, and high does."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low
