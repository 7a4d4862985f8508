"""The distribution of a number on a grid, from reports of many levels, and what follows from it.

All reports have one likelihood. Its maximum over the probabilities of bins is the estimate, and
what it says about F(t), the probability of a number up to t, is read off its profile: F(t) may be p
if the best distribution with F(t) = p lacks no more than

    2 (log-likelihood of the best one - that of the best with F(t) = p) <= what is allowed

Both maxima are over distributions, none of which is negative anywhere. That is worth a lot where
noise is large, and an interval remains right where reports say next to nothing (Duchi's two
points tell the mean only, so F(t) has the bounds that the mean gives it). Bins are finer around t:
where in a bin its numbers are heaped decides F(t), and reports hardly tell.

A quantile is inverted from the same profile: t may be the level-a quantile if some distribution
with F(t - 1) <= a <= F(t) is likely enough. So a heap of numbers at t is a point of the interval,
not an exception.

How much a distribution may lack that has a quantile at t is drawn, for each t (`redraws.py`).
Everything else allows chi2: F(t), shares of bins, standard errors. Coverage:
tests/sampling/test_quantiles.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri

from discretion.engine import single_threaded
from discretion.estimate.likelihood import SqueezedLikelihood, maximise
from discretion.estimate.mle import inverse
from discretion.estimate.noise import Matrix, Vector
from discretion.numbers.lens import Lens
from discretion.numbers.profile import ROUNDING, Profile, Question
from discretion.numbers.redraws import Redraws
from discretion.numbers.sieve import Channel, Edges, Sieve

__all__ = ["Channel", "Density", "fit_density"]
FIRST_SLACK = 4.0  # by root reports: where the first end of an interval is looked for
AHEAD = np.arange(-3, 4)  # slacks from a level: points that are looked at together
MOST_LINES = 6  # tests with an end to each side, after which what is left is halved
BEYOND = 1.1  # of where a line leads: a little further, so that the end is between two points
LEAP = 3  # times the distance of the last one, at most


@dataclass(frozen=True, eq=False)
class Density:
    """Probabilities of bins of a grid; positions count its steps, from 0."""

    edges: Edges  # (bins + 1,): bin j is the grid points edges[j] to edges[j + 1] - 1
    value: Vector  # (bins,), of which all points in a bin have the same share
    reports: int
    profile: Profile
    redraws: Redraws | None  # None where it was smoothed

    @property
    def covariance(self) -> Matrix:
        """The inverse information of the bins: wider than the intervals, since it lets f < 0.

        No share is further than 1 from where it is, which bounds what reports say nothing about.
        """
        return inverse(self.profile.information + np.eye(len(self.value)))

    def cdf(self, points: npt.ArrayLike) -> Vector:
        """Return the probability of a number up to each position."""
        found: Vector = self.below(points) @ self.value
        return found

    def cdf_stderr(self, points: npt.ArrayLike) -> Vector:
        return np.array([self.stderr(row) for row in self.below(points)])

    @single_threaded
    def cdf_interval(self, points: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        """Return for each position the least and the largest F that is likely enough: (k, 2)."""
        allowed = _allowed(confidence)
        places = np.atleast_1d(np.asarray(points, dtype=float))
        found = np.array([self.ask(t).bounds(allowed) for t in places])
        value = self.cdf(places)
        return np.stack([np.minimum(found[:, 0], value), np.maximum(found[:, 1], value)], axis=1)

    def quantile(self, levels: npt.ArrayLike) -> Vector:
        """Return the first grid point at which F reaches each level."""
        wanted = np.atleast_1d(np.asarray(levels, dtype=float)) - ROUNDING
        found = np.searchsorted(self._curve, wanted)
        return np.minimum(found, len(self._curve) - 1).astype(float)

    @single_threaded
    def quantile_interval(self, levels: npt.ArrayLike, confidence: float = 0.95) -> Matrix:
        """Return for each level the first and last grid point that may be the quantile: (k, 2)."""
        wanted = np.atleast_1d(np.asarray(levels, dtype=float))
        found, slack = [], FIRST_SLACK / np.sqrt(self.reports)
        if self.redraws is not None:
            ends = np.add.outer(slack * AHEAD, wanted).ravel()
            self.redraws.lens.see(self.quantile(ends).astype(int).tolist())
        for level in wanted:
            for side in (-1, 1):
                end = self._end(level, side, confidence, slack)
                found.append(end)
                slack = max(abs(self._curve[end] - level), slack / 2)
        return np.array(found, dtype=float).reshape(-1, 2)

    def may_be_quantile(self, t: int, level: float, confidence: float = 0.95) -> bool:
        """Return whether F(t - 1) <= level <= F(t) may be."""
        middle = int(self.quantile(level)[0])
        return self._beyond(middle, t - middle, level, confidence) <= 0

    @property
    def mean(self) -> float:
        return float(self._moment(0.0, 1) @ self.value)

    @cached_property
    def mean_stderr(self) -> float:
        return self.stderr(self._moment(0.0, 1))

    @property
    def variance(self) -> float:
        return float(self._moment(self.mean, 2) @ self.value)

    @cached_property
    def variance_stderr(self) -> float:
        """By the delta method: the slope of the variance is (x - mean)^2."""
        return self.stderr(self._moment(self.mean, 2))

    @single_threaded
    def interval(self, row: Vector, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of row @ f, any linear function of the probabilities."""
        here = float(row @ self.value)
        low, high = Question(self.profile, row).bounds(_allowed(confidence))
        return min(low, here), max(high, here)

    def ask(self, t: float) -> Question:
        """Ask for F(t), of a position t."""
        if self.redraws is None:
            return Question(self.profile, self.below(t)[0])
        return self.redraws.lens.at(int(np.clip(np.floor(t), -1, self.edges[-1]))).question

    def below(self, points: npt.ArrayLike) -> Matrix:
        """Return the share of each bin's grid points that lie up to each position."""
        steps = np.floor(np.atleast_1d(np.asarray(points, dtype=float)))[:, None]
        shares: Matrix = np.clip((steps + 1 - self.edges[:-1]) / np.diff(self.edges), 0.0, 1.0)
        return shares

    def _end(self, level: float, side: int, confidence: float, slack: float) -> int:
        """Return the last point from the middle to a side that may be the quantile.

        There F is not the level by about this slack: a guess, which saves time if it is good.
        """
        middle, last = int(self.quantile(level)[0]), len(self._curve) - 1
        guess = abs(int(self.quantile(level + side * slack)[0]) - middle)

        def beyond(distance: int) -> float:
            return self._beyond(middle, side * distance, level, confidence)

        return middle + side * furthest(beyond, last - middle if side > 0 else middle, guess)

    def _beyond(self, middle: int, away: int, level: float, confidence: float) -> float:
        """Return how much further from being the quantile a point is than it may be.

        That is in deviations; it is so far away from the middle, the most likely quantile.
        """
        if away == 0:
            return -float(np.sqrt(_allowed(confidence)))
        t = middle + away
        side, at = (1, t) if away < 0 else (-1, t - 1)  # F(t) is too small, F(t - 1) too large
        if self.redraws is None:
            return float(np.sqrt(self.ask(at).lack(level)) - np.sqrt(_allowed(confidence)))
        return self.redraws.beyond(at, level, side, confidence)

    def stderr(self, row: Vector) -> float:
        """Return the standard error of row @ f: where one is lacked, to the longer side."""
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


@single_threaded
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
    value = maximise(SqueezedLikelihood(sieve.probabilities, sieve.counts), sieve.about)
    lens = Lens.over(sieve, value)
    profile, redraws = lens.profile, None
    if smoothing > 0:
        profile = profile.smoother(smoothing, sieve.about)
        value = profile.best()
        value = value / value.sum()
    else:
        redraws = Redraws(lens)
    return Density(sieve.edges, value, round(sieve.counts.sum()), profile, redraws)


def _allowed(confidence: float) -> float:
    """Return what one linear function may lack: a quantile of chi2."""
    return float(chdtri(1, 1 - confidence))


def furthest(beyond: Callable[[int], float], most: int, guess: int) -> int:
    """Return the largest of 0 to most at which ``beyond`` is not above 0, as it is not at 0.

    It says by how much a point is rejected: about in proportion to its distance from where it would
    just be accepted. So the next point is where a line through the last ones says that this is
    (regula falsi), and after some of them the middle of what is left. Where ``beyond`` is made of
    draws it may be ragged: the point is then one that is accepted, next to one that is not.
    """
    inside, outside = (0, beyond(0)), (most + 1, 0.0)  # and by how much they are beyond
    origin, wanted, tests = inside[1], float(guess), 0
    while outside[0] - inside[0] > 1:
        point = int(min(max(wanted, inside[0] + 1), outside[0] - 1))
        found = beyond(point)
        if found > 0:
            outside = point, found
        else:
            inside = point, found
        tests += outside[1] > 0
        if tests > MOST_LINES:
            wanted = (inside[0] + outside[0]) / 2
        elif outside[1] > 0:
            wanted = _crossing(inside, outside)
        else:
            wanted = min(BEYOND * _crossing((0, origin), inside), LEAP * point)
    return inside[0]


def _crossing(one: tuple[int, float], other: tuple[int, float]) -> float:
    """Return where the line through two points is zero; infinity if it does not rise."""
    rise = (other[1] - one[1]) / (other[0] - one[0])
    return one[0] - one[1] / rise if rise > 0 else float("inf")
