"""Bloom: the code's codeword, each bit flipped by its own coin, perhaps once more in every round.

Law      a kept bit is set with probability true / ONE if it is in the codeword of x, else
         false / ONE. Without an instant stage what is kept is sent. With one, each round sends
         every kept one as a one with the first of two public probabilities, and every kept zero as
         a one with the second.
Report   y is the bit set, with the cohort in the bits above
Privacy  the level bounds all that is ever sent about one answer, in however many rounds: the
         largest ratio of what is kept is (true / false)^(2 d) <= e^epsilon, d <= hashes the bits of
         a codeword that another one lacks. Several attributes add up: independent noise does not
         save budget.
Source   Erlingsson, Pihur and Korolova (2014), arXiv:1407.6981: RAPPOR; one hash and a bit for each
         code is its basic form. Ren et al. (2018), LoPub, with true = 1 - f/2, false = f/2 and
         epsilon = 2 hashes ln((2 - f) / f).
Proof    docs/proofs/shapes.md
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Self

from discretion.mechanism.encoding import Encoding, codeword, farthest
from discretion.mechanism.form import Form
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import ByCohort, Encoded
from discretion.randomness import COIN_BYTES, ONE, Source


@dataclass(frozen=True, slots=True)
class Bloom(Encoded, ByCohort):
    """Bits kept with probability ``true / ONE`` in the code's codeword, ``false / ONE`` outside."""

    encoding: Encoding
    true: int
    false: int

    @property
    def n_bytes(self) -> int:
        return (self.encoding.bits + (self.encoding.cohorts - 1).bit_length() + 7) // 8

    @property
    def form(self) -> Form:
        return Form(self.encoding.cohorts, n_bits=self.encoding.bits)

    @property
    def ratio(self) -> Fraction:
        """Of what is kept, hence of everything that is ever sent about one answer."""
        kept = Fraction(self.true * (ONE - self.false), self.false * (ONE - self.true))
        return kept ** farthest(self.encoding)

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        one, zero = (Fraction(heads, ONE) for heads in self.instant or (ONE, 0))
        kept = (Fraction(self.true, ONE), Fraction(self.false, ONE))
        own, other = (p * one + (1 - p) * zero for p in kept)
        return own, other

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        own, other = self.means
        return own * (1 - own), other * (1 - other)

    @property
    def lift(self) -> Fraction:
        own, other = self.means
        return own * (1 - other) / (other * (1 - own))

    @property
    def instant(self) -> tuple[int, int] | None:
        """The coins of the second stage, over ONE; None where there is none."""
        if self.encoding.instant is None:
            return None
        one, zero = (thousandths * ONE // 1000 for thousandths in self.encoding.instant)
        return one, zero

    @property
    def bucket_means(self) -> tuple[Fraction, Fraction]:
        return self.means

    @property
    def signed(self) -> bool:
        return False

    @property
    def random_bytes(self) -> Fraction:
        stages = 1 if self.instant is None else 2
        return Fraction(COIN_BYTES * self.encoding.bits * stages)

    @property
    def permanent(self) -> Self:
        once = replace(self.encoding, instant=None)
        return self if self.encoding == once else replace(self, encoding=once)

    @property
    def instant_ratio(self) -> Fraction | None:
        """Any two words may be kept for two histories, so every bit may differ."""
        if self.instant is None:
            return None
        one, zero = self.instant
        bit = max(Fraction(one, zero), Fraction(ONE - zero, ONE - one))
        return bit**self.encoding.bits

    def respond(self, code: int, source: Source, cohort: int) -> int:
        own = codeword(self.encoding, cohort, code)
        kept = cohort << self.encoding.bits
        for i in range(self.encoding.bits):
            kept |= source.coin(self.true if own >> i & 1 else self.false) << i
        return kept

    def send(self, response: int, source: Source) -> int:
        if self.instant is None:
            return response
        one, zero = self.instant
        y = response >> self.encoding.bits << self.encoding.bits
        for i in range(self.encoding.bits):
            y |= source.coin(one if response >> i & 1 else zero) << i
        return y

    def probability(self, y: int, code: int) -> Fraction:
        held, (own, other) = codeword(self.encoding, y >> self.encoding.bits, code), self.means
        found = Fraction(1, self.encoding.cohorts)
        for i in range(self.encoding.bits):
            heads = own if held >> i & 1 else other
            found *= heads if y >> i & 1 else 1 - heads
        return found


@cache
def bloom(encoding: Encoding, level: int) -> Bloom:
    """Return the law at a level: a codeword's every bit, set or not, has an equal part of it."""
    part = odds(level, 2000 * encoding.hashes)
    keep = ONE * part // (part + ONE)  # down: towards more privacy
    return Bloom(encoding, keep, ONE - keep)
