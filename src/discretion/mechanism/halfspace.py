"""Half space: signs of several numbers, more often those that mostly agree with the true ones.

A code has a bit for each of d numbers at two levels. With C the number of sign patterns that agree
with a code in more than d / 2 places,

Law      P(y | x) = keep / ONE / C                  if y agrees with x in more than d / 2 places,
                    (ONE - keep) / ONE / (2^d - C)  if it does not
Report   y is the pattern
Source   Duchi, Jordan and Wainwright (2018), arXiv:1302.3203; for even d, where ties are not
         agreement, the coin is that of Wang et al. (2019), arXiv:1907.00782.
Proof    docs/proofs/numbers.md
"""

from dataclasses import dataclass
from fractions import Fraction
from math import comb

from discretion.mechanism.form import Form
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import OneStage
from discretion.mechanism.subset import sample
from discretion.randomness import ONE, Source


@dataclass(frozen=True, slots=True)
class HalfSpace(OneStage):
    """A pattern of ``numbers`` signs that mostly agrees with probability ``keep / ONE``."""

    numbers: int
    keep: int

    @property
    def size(self) -> int:
        return 1 << self.numbers

    @property
    def n_bytes(self) -> int:
        return (self.numbers + 7) // 8

    @property
    def form(self) -> Form:
        return Form(self.size)

    @property
    def agreeing(self) -> int:
        """C, the patterns on the side of a code."""
        return sum(comb(self.numbers, j) for j in self._sides[1])

    @property
    def ratio(self) -> Fraction:
        c = self.agreeing
        return Fraction(self.keep * (self.size - c), (ONE - self.keep) * c)

    def own_level(self, levels: int) -> Fraction:
        """Return how often a report has the own sign of one of the numbers: two levels each."""
        return self.own

    @property
    def own(self) -> Fraction:
        """How often one number's sign is its own."""
        away, near = (sum(comb(self.numbers - 1, j - 1) for j in s if j) for s in self._sides)
        c = self.agreeing
        return Fraction(self.keep * near, ONE * c) + Fraction(
            (ONE - self.keep) * away, ONE * (self.size - c)
        )

    def perturb(self, code: int, source: Source) -> int:
        side = self._sides[source.coin(self.keep)]
        index = source.below(sum(comb(self.numbers, j) for j in side))
        for agree in side:
            if index < comb(self.numbers, agree):
                break
            index -= comb(self.numbers, agree)
        y = code
        for i in sample(self.numbers, self.numbers - agree, source):
            y ^= 1 << i
        return y

    def probability(self, y: int, code: int) -> Fraction:
        if 2 * (code ^ y).bit_count() < self.numbers:
            return Fraction(self.keep, ONE * self.agreeing)
        return Fraction(ONE - self.keep, ONE * (self.size - self.agreeing))

    @property
    def _sides(self) -> tuple[range, range]:
        """In how many places a pattern agrees on the far side, and on the near one."""
        half = self.numbers // 2
        return range(half + 1), range(half + 1, self.numbers + 1)


def signs(size: int, level: int) -> HalfSpace:
    """Duchi's mechanism for several numbers; ``size`` is that of all patterns, a power of two."""
    law = HalfSpace(size.bit_length() - 1, 0)
    near, top = law.agreeing, odds(level)
    return HalfSpace(law.numbers, ONE * near * top // (near * top + (size - near) * ONE))
