"""Coin and uniform: keep the code if a coin says so, else report a uniform other one.

Law      P(y | x) = keep / ONE if y == x else (ONE - keep) / ONE / (size - 1)
Report   y is the code reported, its support that code alone
Source   Warner (1965) for two values; Kairouz, Bonawitz and Ramage (2016), arXiv:1602.07387.
Proof    docs/proofs/shapes.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.form import Form, Inclusion
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import OneStage, Supporting
from discretion.randomness import COIN_BYTES, ONE, Source, bytes_below


@dataclass(frozen=True, slots=True)
class Choice(Supporting, OneStage):
    """One code, kept with probability ``keep / ONE``."""

    size: int
    keep: int

    @property
    def n_bytes(self) -> int:
        return ((self.size - 1).bit_length() + 7) // 8

    @property
    def form(self) -> Form:
        return Form(self.size)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep * (self.size - 1), ONE - self.keep)

    @property
    def inclusion(self) -> Inclusion:
        other = Fraction(ONE - self.keep, ONE * (self.size - 1))
        return Inclusion(Fraction(self.keep, ONE), other, Fraction(0), Fraction(0))

    @property
    def support_size(self) -> int:
        return 1

    @property
    def extremes(self) -> tuple[int, int]:
        return 1, 1

    @property
    def random_bytes(self) -> Fraction:
        return COIN_BYTES + (1 - self.inclusion.own) * bytes_below(self.size - 1)

    def perturb(self, code: int, source: Source) -> int:
        if source.coin(self.keep):
            return code
        other = source.below(self.size - 1)
        return other + (other >= code)

    def probability(self, y: int, code: int) -> Fraction:
        return self.inclusion.own if y == code else self.inclusion.other

    def own_level(self, levels: int) -> Fraction:
        """Return how often the cell, of a bundle with so many levels each, has one's own level."""
        keep, other = self.means
        return keep + other * (Fraction(self.size, levels) - 1)

    def support(self, y: int) -> int:
        return 1 << y


def grr(size: int, level: int) -> Choice:
    """Generalised randomised response; on two values, Warner's binary one."""
    top = odds(level)
    return Choice(size, ONE * top // (top + (size - 1) * ONE))  # down: towards more privacy
