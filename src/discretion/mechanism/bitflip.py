"""Bit flip: the bits of a few codes, which a device draws once, each flipped by its own coin.

Law      a device has a set of ``sampled`` codes, each set as likely; the bit of each is one with
         probability keep / ONE if it is x, else with the other one
Report   y is the set of codes, and above it their bits, those of smaller codes lower
Privacy  the largest ratio is (keep / (ONE - keep))^2 <= e^epsilon, as two bits differ; where one
         bit is reported only one does, and it has the whole level
Source   Ding, Kulkarni and Yekhanin (2017), arXiv:1712.01524: dBitFlip; where answers are repeated,
         dBitFlipPM. The paper gives a single bit half of the level.
Proof    docs/proofs/shapes.md
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import ByCohort, Encoded
from discretion.randomness import COIN_BYTES, ONE, Source


@dataclass(frozen=True, slots=True)
class BitFlip(Encoded, ByCohort):
    """Bits of sampled codes, kept with probability ``keep / ONE``."""

    encoding: Encoding
    keep: int

    @property
    def cohorts(self) -> int:
        return self.encoding.draws

    @property
    def reported(self) -> int:
        """How many bits a report has."""
        return self.encoding.sampled

    @property
    def n_bytes(self) -> int:
        return (self.size + self.reported + 7) // 8

    @property
    def form(self) -> Form:
        return Form(1 << self.reported, n_bits=self.size, ones=self.reported)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep, ONE - self.keep) ** min(self.reported, 2)

    @property
    def lift(self) -> Fraction:
        """Of a set bit over one that is not: a code without a bit lies in the middle."""
        return Fraction(self.keep, ONE - self.keep) ** 2

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        """Of a bit, where one that is not reported counts one half."""
        gap = self._share * self._spread / 2
        return (1 + 2 * gap) / 2, (1 - 2 * gap) / 2

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        """Return those of independent bits with the same covariance of contrasts.

        A bit has the variance v. As a fixed number is reported, the bits of two codes have the
        covariance -c, or c if one of them is the true code: on contrasts that is as if the true
        code's had v - 3 c and others v + c.
        """
        share, square = self._share, self._spread**2
        each = share * (1 - share * square) / 4
        both = share * (1 - share) * square / (4 * (self.size - 1))
        return each - 3 * both, each + both

    @property
    def random_bytes(self) -> Fraction:
        return Fraction(COIN_BYTES * self.reported)

    def alike(self, code: int, cohort: int) -> int:
        """Return the place of a code among the sampled ones, or their number: no other matters."""
        return next((i for i, own in enumerate(self.drawn(cohort)) if own == code), self.reported)

    def drawn(self, cohort: int) -> tuple[int, ...]:
        """Return the sampled codes of a cohort, rising."""
        return tuple(_unranked(cohort, self.size, self.reported))

    def respond(self, code: int, source: Source, cohort: int) -> int:
        y = 0
        for place, own in enumerate(self.drawn(cohort)):
            set_ = source.coin(self.keep if own == code else ONE - self.keep)
            y |= 1 << own | set_ << self.size + place
        return y

    def probability(self, y: int, code: int) -> Fraction:
        found, place = Fraction(1, self.cohorts), self.size
        for own in range(self.size):
            if y >> own & 1:
                right = (y >> place & 1) == (own == code)
                found *= Fraction(self.keep if right else ONE - self.keep, ONE)
                place += 1
        return found

    @property
    def _share(self) -> Fraction:
        return Fraction(self.reported, self.size)

    @property
    def _spread(self) -> Fraction:
        return Fraction(2 * self.keep - ONE, ONE)


def _unranked(rank: int, size: int, count: int) -> Iterator[int]:
    """Yield the set of that number, rising: of c1 < c2 < ... it is C(c1, 1) + C(c2, 2) + ..."""
    found = []
    for place in range(count, 0, -1):
        code = next(c for c in range(size - 1, -1, -1) if comb(c, place) <= rank)
        rank -= comb(code, place)
        found.append(code)
    yield from reversed(found)


@cache
def dbitflip(encoding: Encoding, level: int) -> BitFlip:
    """Bits of a few sampled codes: half of the level for each of the two that differ."""
    top = odds(level, 1000 if encoding.sampled == 1 else 2000)
    return BitFlip(encoding, ONE * top // (top + ONE))  # down: towards more privacy
