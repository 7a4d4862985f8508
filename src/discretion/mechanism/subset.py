"""Subset: a set of ``count`` codes that holds the true one if a coin says so, else lacks it.

Law      P(y | x) = keep / ONE / C(size - 1, count - 1)       if x is in the set,
                    (ONE - keep) / ONE / C(size - 1, count)   if it is not
Report   y is the bit set, and its own support
Source   Wang et al. (2016), arXiv:1607.08025; Ye and Barg (2018), arXiv:1702.00610: with the best
         count no mechanism does better at the uniform distribution.
Proof    docs/proofs/shapes.md
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from discretion.mechanism.form import Form, Inclusion
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import OneStage, Supporting
from discretion.randomness import COIN_BYTES, ONE, Source, bytes_below, bytes_of_sample


@dataclass(frozen=True, slots=True)
class Subset(Supporting, OneStage):
    """``count`` of the codes, the true one among them with probability ``keep / ONE``."""

    size: int
    count: int
    keep: int

    @property
    def n_bytes(self) -> int:
        return (self.size + 7) // 8

    @property
    def form(self) -> Form:
        return Form(n_bits=self.size, ones=self.count)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep * (self.size - self.count), (ONE - self.keep) * self.count)

    @property
    def inclusion(self) -> Inclusion:
        """Return how often codes are in the set.

        With m = size - 1 others, a set that holds x has count - 1 of them, one that lacks x has
        count; a pair of others is in a uniform c-set with probability c (c - 1) / (m (m - 1)).
        """
        held, lacked = Fraction(self.keep, ONE), Fraction(ONE - self.keep, ONE)
        m, c = self.size - 1, self.count
        pair = (held * (c - 1) * (c - 2) + lacked * c * (c - 1)) / (m * (m - 1)) if m > 1 else 0
        return Inclusion(
            own=held,
            other=(held * (c - 1) + lacked * c) / m,
            own_pair=held * (c - 1) / m,
            other_pair=Fraction(pair),
        )

    @property
    def support_size(self) -> int:
        return self.count

    @property
    def extremes(self) -> tuple[int, int]:
        return self.count, self.count

    @property
    def random_bytes(self) -> Fraction:
        others, lacked = self.size - 1, 1 - self.inclusion.own  # then one more is drawn, first
        more = lacked * bytes_below(others - self.count + 1)
        return COIN_BYTES + bytes_of_sample(others, self.count - 1) + more

    def perturb(self, code: int, source: Source) -> int:
        held = source.coin(self.keep)
        others = sample(self.size - 1, self.count - held, source)
        y = held << code
        for i in others:
            y |= 1 << (i + (i >= code))
        return y

    def probability(self, y: int, code: int) -> Fraction:
        if not self.form.admits(y):
            return Fraction(0)
        if y >> code & 1:
            return Fraction(self.keep, ONE * comb(self.size - 1, self.count - 1))
        return Fraction(ONE - self.keep, ONE * comb(self.size - 1, self.count))

    def support(self, y: int) -> int:
        return y


def subset(size: int, level: int) -> Subset:
    """Subset selection with the best number of codes for this size and level."""
    top = odds(level)
    count = _best_count(size, top)
    return Subset(size, count, ONE * count * top // (count * top + (size - count) * ONE))


def _best_count(size: int, top: int) -> int:
    """Minimise (c e + size - c)^2 / (c (size - c)), one over the Fisher eigenvalue, in integers.

    It falls and then rises, with its least real point at size / (e + 1).
    """
    below = max(1, min(size - 1, size * ONE // (top + ONE)))
    above = min(size - 1, below + 1)
    cost = {c: (c * top + (size - c) * ONE) ** 2 for c in (below, above)}
    better = cost[above] * below * (size - below) < cost[below] * above * (size - above)
    return above if better else below


def sample(n: int, count: int, source: Source) -> set[int]:
    """Draw a uniform ``count``-subset of range(n), by Floyd's algorithm."""
    chosen: set[int] = set()
    for top in range(n - count, n):
        drawn = source.below(top + 1)
        chosen.add(top if drawn in chosen else drawn)
    return chosen
