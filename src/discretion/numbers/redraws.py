"""Reports drawn anew, to see how far from the most likely distribution the truth may seem.

Whether F(t) may be p is judged by the excess of p: the signed root of what the best distribution
with F(t) = p lacks. Far from all borders that is a standard normal draw if F(t) = p is true. Where
most bins are empty it is less, since F is known to rise (Banerjee and Wellner 2001). Where a heap
just reaches p it is more, and always to one side: reports blur the heap to both sides of t, so that
F(t) seems to be less than it is (chi2 may be too little: Batlle and others 2023, arXiv:2310.02461).

So reports are drawn anew for each t and p that are asked about, from a distribution with F(t) = p.
The most likely one has the sharpest heaps that the reports allow and, where they tell little, is
one of those that are furthest to a side. For smooth numbers it would be too cautious. So a smooth
one is mixed in: the less, the more the reports speak against it. If p is right, the excess at hand
is like one more draw, so it may be as large as a quantile of Student's t says.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from discretion.estimate.noise import Vector
from discretion.numbers.lens import DRAWS, Closeup, Lens
from discretion.numbers.sieve import TINY, Singles

TOGETHER = 10  # draws, after which it may be certain what all would say:
CERTAIN = 3.0  # standard errors of what all would say, from what these say
PLAIN, HOPELESS = 0.5, 2.0  # of the usual: an excess that is allowed, or not, without draws
WAVES = 2  # over the grid, are smooth: what is much shorter is not
FITTED = 5  # all but e^-5 of a wave is there when a smooth fit ends
MOST_STEPS = 3_000
UNMIXED = 12  # over the number of bins: which part stays as fitted, as heaps show only in many
INNER = 0.1  # levels nearer to 0 or 1 allow no less than is usual: little is known of them


class Smooth(NamedTuple):
    """A smooth distribution, and which part of it to mix in."""

    value: Vector  # (bins,)
    part: float


@dataclass(frozen=True, eq=False)
class Redraws:
    """What reports might have said, had F(t) been what is asked about."""

    lens: Lens

    def beyond(self, t: int, level: float, side: int, confidence: float) -> float:
        """Return by how much the excess of the level is larger than it may be: F(t) may be it at 0.

        F(t) seems to be less (side 1), or more (-1). It may be the level if the excess is no larger
        than most of those that are drawn. Draws end where others would hardly change that.
        """
        closeup = self.lens.at(t)
        usual = _usual(confidence)
        plain = usual * (PLAIN if INNER <= round(level, 9) <= 1 - INNER else 1.0)
        excess = side * closeup.graded.excess(level)
        if not plain < excess < HOPELESS * usual:
            return excess - usual
        drawn, total, squares, beyond = 0, 0.0, 0.0, 0.0
        for some in self.excesses(closeup, level):
            drawn, total = drawn + len(some), total + float(some.sum())
            squares += float(some @ some)
            mean = side * total / drawn
            deviation = sqrt(max(squares - side * mean * total, 0.0) / (drawn - 1))
            beyond = excess - mean - usual * deviation
            unseen = (1 + usual**2 / 2) * (1 / drawn - 1 / DRAWS)  # in variances
            if abs(beyond) > CERTAIN * deviation * sqrt(unseen):
                break
        return beyond

    def excesses(self, closeup: Closeup, level: float) -> Iterator[Vector]:
        """Yield the excess of the level in reports drawn anew, some at a time.

        F(t) is just the level in them.
        """
        pulls = closeup.bins.pulls(self.truth(closeup, level))
        start = None
        for first in range(0, len(pulls), TOGETHER):
            some = pulls[first : first + TOGETHER]
            excesses, start = closeup.graded.excesses(level, some, start)
            yield excesses

    def truth(self, closeup: Closeup, level: float) -> Vector:
        """Return a distribution with F(t) = level over the bins that are finer around t.

        Numbers that are clipped pile up at the ends of the grid, so nothing is smooth there.
        """
        inside, bins = 0 < closeup.t < self.lens.sieve.edges[-1] - 2, closeup.bins
        part = self.smooth.part if inside else 0.0
        likely = bins.narrowed(closeup.graded.best_at(level))
        spread, row = bins.spread(self.smooth.value), closeup.row
        sides = ((level, spread * row), (1 - level, spread * (1 - row)))
        smooth = sum(share * f / max(f.sum(), TINY) for share, f in sides)
        mixed: Vector = part * smooth + (1 - part) * likely / likely.sum()
        return mixed

    @cached_property
    def smooth(self) -> Smooth:
        """Climb from the first fit until waves are there, or it lacks what the truth would."""
        usual, f = self._usual_lack(), self.lens.sieve.about
        most, part = self._climbed(self.lens.value)[0], max(1 - UNMIXED / len(f), 0.0)
        for _ in range(self._steps()):
            value, further = self._climbed(f)
            lack = 2 * (most - value)
            if lack <= usual:
                return Smooth(f, part)
            f = further
        return Smooth(f, part * (usual / lack) ** 2)

    def _climbed(self, f: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood, and f after a step of expectation maximisation."""
        counts, probabilities = self.lens.sieve.counts, self._probabilities
        seen = np.maximum(probabilities @ f.astype(np.float32), TINY, dtype=np.float64)
        return float(counts @ np.log(seen)), f * (
            (counts / (counts.sum() * seen)).astype(np.float32) @ probabilities
        )

    @cached_property
    def _probabilities(self) -> Singles:
        """P(y | bin) in single precision, which is enough to climb, and takes half as long."""
        return self.lens.sieve.probabilities.astype(np.float32)

    def _steps(self) -> int:
        """Return after how many steps of expectation maximisation smooth waves are there.

        A step makes up for so much of what is missing of a wave as reports tell of it: of what a
        mechanism blurs more, less. Heaps, of which they tell far less, take far longer.
        """
        sieve, known, whole = self.lens.sieve, 0.0, 0.0
        f, seen = sieve.about, np.maximum(sieve.probabilities @ sieve.about, TINY)
        x = 2 * np.pi * WAVES * (sieve.edges[:-1] + sieve.edges[1:]) / (2 * sieve.edges[-1])
        for wave in (np.cos(x), np.sin(x)):
            centred = wave - wave @ f
            known += float(sieve.counts @ (sieve.probabilities @ (f * centred) / seen) ** 2)
            whole += float(sieve.counts.sum() * (f @ centred**2))
        return max(1, int(min(FITTED * whole / max(known, TINY), MOST_STEPS)))

    def _usual_lack(self) -> float:
        """Return what the first fit would lack on average if it were the truth."""
        profile, smooth = self.lens.profile, self.lens.sieve.about
        pulls = profile.pulls(smooth, self.lens.noise[:TOGETHER])
        best = profile.best_of(pulls).height[:, 0]
        return float((profile.lack_of(pulls, smooth) - best).mean())


@lru_cache(16)
def _usual(confidence: float) -> float:
    """Return how many deviations one more draw may lie from the mean of all."""
    return float(stdtrit(DRAWS - 1, (1 + confidence) / 2)) * sqrt(1 + 1 / DRAWS)
