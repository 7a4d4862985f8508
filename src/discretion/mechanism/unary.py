"""Unary bits: one bit for each code, the true one's set more often, all drawn independently.

Law      bit i is set with probability true / ONE if i == x else false / ONE
Report   y is the bit set, and its own support
Source   Erlingsson, Pihur and Korolova (2014) for the symmetric form; Wang, Blocki, Li and Jha
         (2017) for the optimised one, and for histograms with Laplace noise and a threshold; with a
         budget of its own for each attribute it is the PMOUE of Shen, Xia and Yu (2021).
Proof    docs/proofs/shapes.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.form import Form, Inclusion
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import OneStage, Supporting
from discretion.randomness import COIN_BYTES, ONE, Source


@dataclass(frozen=True, slots=True)
class Unary(Supporting, OneStage):
    """Bits set with probability ``true / ONE`` for the true code, ``false / ONE`` for others."""

    size: int
    true: int
    false: int

    @property
    def n_bytes(self) -> int:
        return (self.size + 7) // 8

    @property
    def form(self) -> Form:
        return Form(n_bits=self.size)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.true * (ONE - self.false), self.false * (ONE - self.true))

    @property
    def inclusion(self) -> Inclusion:
        own, other = Fraction(self.true, ONE), Fraction(self.false, ONE)
        return Inclusion(own, other, own * other, other * other)

    @property
    def extremes(self) -> tuple[int, int]:
        return 1, self.size - 1

    @property
    def random_bytes(self) -> Fraction:
        return Fraction(COIN_BYTES * self.size)

    def perturb(self, code: int, source: Source) -> int:
        y = 0
        for i in range(self.size):
            y |= source.coin(self.true if i == code else self.false) << i
        return y

    def probability(self, y: int, code: int) -> Fraction:
        found = Fraction(1)
        for i in range(self.size):
            heads = self.true if i == code else self.false
            found *= Fraction(heads if y >> i & 1 else ONE - heads, ONE)
        return found

    def support(self, y: int) -> int:
        return y


def sue(size: int, level: int) -> Unary:
    """Symmetric unary encoding: every bit is kept with the same probability."""
    half = odds(level, 2000)  # e to half the epsilon, for a pair of bits
    keep = ONE * half // (half + ONE)
    return Unary(size, keep, ONE - keep)


def oue(size: int, level: int) -> Unary:
    """Optimised unary encoding: the true bit by a fair coin, others set as rarely as allowed."""
    return Unary(size, ONE // 2, -(-ONE * ONE // (odds(level) + ONE)))  # up: towards more privacy


def the(size: int, level: int) -> Unary:
    """Thresholded histogram encoding: each bit is whether it, with Laplace noise, is above one.

    The threshold is the best in hundredths. The noise would have allowed to send the sum itself, so
    the bits spend less than the level.
    """
    return min((_above(size, level, threshold) for threshold in range(51, 100)), key=_cost)


def _above(size: int, level: int, threshold: int) -> Unary:
    """Return how often 1 and 0, with noise of scale 2 / epsilon, exceed so many hundredths."""
    over, under = (odds(level * part, 200_000) for part in (100 - threshold, threshold))
    return Unary(size, ONE + -ONE * ONE // (2 * over), -(-ONE * ONE // (2 * under)))


def _cost(law: Unary) -> Fraction:
    """Return the variance of a rare code."""
    return Fraction(law.false * (ONE - law.false), (law.true - law.false) ** 2)
