"""Histogram: a digit for each code, a zero or a one with two-sided noise, cut off at both ends.

Law      the digit of code i is d with probability weights[top - d] / WHOLE if i == x, else
         weights[d] / WHOLE, d = 0 to top. But for rounding that is two-sided geometric noise: with
         0 as digit 0 and 1 as digit top, each step away is e^(-epsilon / (2 top)) times as likely,
         and the ends have what would lie beyond them.
Report   y is the digits, four bits each, that of code 0 in the lowest
Privacy  the level is halved: two digits differ between two codes, and each is told with half of it.
         The largest ratio is (weights[0] / weights[top])^2 <= e^epsilon. Beyond an end all numbers
         say the same about the code, so cutting them off loses nothing.
Source   Wang, Blocki, Li and Jha (2017): summation with histogram encoding, which has Laplace noise
         and sends real numbers.
Proof    docs/proofs/shapes.md
"""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate

from discretion.mechanism import draws
from discretion.mechanism.coding import Coding
from discretion.mechanism.form import Form
from discretion.mechanism.matrix import WHOLE
from discretion.mechanism.odds import odds
from discretion.mechanism.stages import OneStage
from discretion.randomness import ONE, Source

DEPTH = 4  # bits of a digit


@dataclass(frozen=True, slots=True)
class Histogram(OneStage):
    """Digit d with probability ``weights[d] / WHOLE``, of the true code ``weights[top - d]``."""

    coding: Coding  # in which every code has a place of its own
    weights: tuple[int, ...]

    @property
    def size(self) -> int:
        return self.coding.size

    @property
    def cohorts(self) -> int:
        return self.coding.cohorts

    @property
    def columns(self) -> int:
        """What reports are counted by: the digits."""
        return self.coding.bits

    @property
    def n_bytes(self) -> int:
        return (self.size * self.coding.depth + 7) // 8

    @property
    def form(self) -> Form:
        return Form(n_bits=self.size * self.coding.depth)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.weights[0], self.weights[-1]) ** 2

    @property
    def lift(self) -> Fraction:
        return self.ratio

    @property
    def means(self) -> tuple[Fraction, Fraction]:
        other = self._moment(1)
        return 1 - other, other

    @property
    def variances(self) -> tuple[Fraction, Fraction]:
        each = self._moment(2) - self._moment(1) ** 2
        return each, each

    @property
    def random_bytes(self) -> Fraction:
        return Fraction(draws.COIN * self.size)  # a digit is a number below 2^62

    def perturb(self, code: int, source: Source) -> int:
        """Draw the digits by cuts between them, with as many comparisons for every digit."""
        others = tuple(accumulate(self.weights[:-1]))
        own = tuple(accumulate(self.weights[:0:-1]))
        y = 0
        for i in range(self.size):
            digit = bisect_right(own if i == code else others, source.below(WHOLE))
            y |= digit << self.coding.depth * i
        return y

    def probability(self, y: int, code: int) -> Fraction:
        chance, top = Fraction(1), self.coding.top
        for i in range(self.size):
            digit = y >> self.coding.depth * i & top
            chance *= Fraction(self.weights[top - digit if i == code else digit], WHOLE)
        return chance

    def _moment(self, power: int) -> Fraction:
        """Return the mean of a power of what a digit of another code tells, in parts of the top."""
        total = sum(digit**power * weight for digit, weight in enumerate(self.weights))
        return Fraction(total, self.coding.top**power * WHOLE)


def digits(size: int) -> Coding:
    """Return a coding with a digit for each code."""
    return Coding(size, 1, size, depth=DEPTH)


@cache
def she(coding: Coding, level: int) -> Histogram:
    """Summation with histogram encoding: half of the level for each of two digits.

    What the digits between leave is divided among the ends as ``sue`` divides a bit.
    """
    step, half = odds(level, 2000 * coding.top), odds(level, 2000)
    between = [
        WHOLE * (step - ONE) * ONE**digit // ((step + ONE) * step**digit)
        for digit in range(1, coding.top)
    ]
    rest = WHOLE - sum(between)
    first = rest * half // (half + ONE)  # down: towards more privacy
    return Histogram(coding, (first, *between, rest - first))
