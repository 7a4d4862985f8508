"""Histogram: a quantised bit per code, a zero or a one with two-sided noise, clipped at both ends.

Law      the quantised bit of code i is d with probability weights[top - d] / WHOLE if i == x, else
         weights[d] / WHOLE, d = 0 to top. But for rounding that is two-sided geometric noise: with
         zero at d = 0 and one at d = top, each step away is e^(-epsilon / (2 top)) times as likely,
         and the ends have what would lie beyond them.
Report   y is the quantised bits, four bits each, that of code 0 in the lowest
Privacy  two quantised bits differ between two codes, and each has half of the level. The largest
         ratio is (weights[0] / weights[top])^2 <= e^epsilon. Beyond an end all numbers say the
         same about the code, so clipping loses nothing.
Source   Wang, Blocki, Li and Jha (2017): summation with histogram encoding, which has Laplace noise
         and sends real numbers.
Proof    docs/proofs/shapes.md
"""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import accumulate

from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form
from discretion.mechanism.matrix import WHOLE
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import Encoded, OneStage
from discretion.randomness import COIN_BYTES, ONE, Source

DEPTH = 4  # binary digits of a quantised bit


@dataclass(frozen=True, slots=True)
class Histogram(Encoded, OneStage):
    """Value d with probability ``weights[d] / WHOLE``, of the true code ``weights[top - d]``."""

    encoding: Encoding  # in which every code has a position of its own
    weights: tuple[int, ...]

    @property
    def n_bytes(self) -> int:
        return (self.size * self.encoding.depth + 7) // 8

    @property
    def form(self) -> Form:
        return Form(n_bits=self.size * self.encoding.depth)

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
        return Fraction(COIN_BYTES * self.size)  # a quantised bit takes a number below 2^62

    def perturb(self, code: int, source: Source) -> int:
        """Draw each by its cumulated weights, with equally many comparisons for every code."""
        others = tuple(accumulate(self.weights[:-1]))
        own = tuple(accumulate(self.weights[:0:-1]))
        y = 0
        for i in range(self.size):
            drawn = bisect_right(own if i == code else others, source.below(WHOLE))
            y |= drawn << self.encoding.depth * i
        return y

    def probability(self, y: int, code: int) -> Fraction:
        found, top = Fraction(1), self.encoding.top
        for i in range(self.size):
            value = y >> self.encoding.depth * i & top
            found *= Fraction(self.weights[top - value if i == code else value], WHOLE)
        return found

    def _moment(self, power: int) -> Fraction:
        """Return the mean power of the quantised bit of another code, as a part of the top."""
        total = sum(value**power * weight for value, weight in enumerate(self.weights))
        return Fraction(total, self.encoding.top**power * WHOLE)


def quantised_bits(size: int) -> Encoding:
    """Return the encoding with one quantised bit per code."""
    return Encoding(size, 1, size, depth=DEPTH)


@cache
def she(encoding: Encoding, level: int) -> Histogram:
    """Summation with histogram encoding: half of the level for each of two quantised bits.

    What the values between leave is divided between the ends as ``sue`` divides a bit.
    """
    step, half = odds(level, 2000 * encoding.top), odds(level, 2000)
    between = [
        WHOLE * (step - ONE) * ONE**value // ((step + ONE) * step**value)
        for value in range(1, encoding.top)
    ]
    rest = WHOLE - sum(between)
    first = rest * half // (half + ONE)  # down: towards more privacy
    return Histogram(encoding, (first, *between, rest - first))
