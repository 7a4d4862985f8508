"""Families of hash functions: public maps from codes to buckets, of which a report names one.

With a function drawn uniformly from a family, the buckets of any three codes are independent. So
the probability that two or three codes share a bucket is known exactly from the sizes of the
buckets, and no table of the whole domain is needed.

Proof    docs/proofs/hashing.md
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from math import isqrt
from typing import Protocol

LEAST_PRIME = 32_749  # many more points than buckets, so that these are nearly alike
MOST_BUCKETS = 1 << 10
MOST_ROWS = 4
WORD = 62  # bits that a function and a bucket have at most


class Functions:
    """Functions that may put any codes together."""

    __slots__ = ()

    @property
    def signed(self) -> bool:
        return False

    def extremes(self, size: int) -> tuple[int, int]:
        return 1, size - 1


class Hashing(Protocol):
    """A family of functions from codes to buckets."""

    @property
    def n_buckets(self) -> int: ...

    @property
    def functions(self) -> int:
        """How many functions there are; they have the numbers from 0, cohort after cohort."""

    @property
    def cohorts(self) -> int:
        """How many cohorts of devices there are, which have equally many functions."""

    @property
    def room(self) -> int:
        """How many outputs a report has to distinguish, at whatever level."""

    @property
    def signed(self) -> bool:
        """Whether a cohort's functions are rows of signs, one for each of its buckets."""

    def extremes(self, size: int) -> tuple[int, int]:
        """Return the fewest codes of so many in the bucket of one, the most in another bucket."""

    def bucket(self, function: int, code: int) -> int:
        """Return where a function puts a code."""

    def sharing(self, codes: int) -> Fraction:
        """Return how probable it is that so many given codes, up to three, share a bucket."""


@dataclass(frozen=True, slots=True)
class Polynomials(Functions):
    """a x^2 + b x + c modulo a prime, of which each bucket has an interval.

    Through three points at different places goes exactly one of them, whatever the points are.
    """

    prime: int
    n_buckets: int
    most: int = MOST_BUCKETS  #  buckets at any level

    @property
    def cohorts(self) -> int:
        return 1

    @property
    def functions(self) -> int:
        return self.prime**3

    @property
    def room(self) -> int:
        return self.functions * self.most

    def bucket(self, function: int, code: int) -> int:
        rest, c = divmod(function, self.prime)
        a, b = divmod(rest, self.prime)
        return ((a * code + b) * code + c) % self.prime * self.n_buckets // self.prime

    def sharing(self, codes: int) -> Fraction:
        least, larger = divmod(self.prime, self.n_buckets)  # points of a bucket; some have one more
        ways = larger * (least + 1) ** codes + (self.n_buckets - larger) * least**codes
        return Fraction(ways, self.prime**codes)


@dataclass(frozen=True, slots=True)
class Lasting(Polynomials):
    """Polynomials of which a device keeps one, as its cohort. Each bucket has an interval."""

    @property
    def cohorts(self) -> int:
        return self.functions


@dataclass(frozen=True, slots=True)
class Parities(Functions):
    """``rows`` bits, each the parity of some bits of the code: a matrix over the field of two.

    The function's number has the matrix, row after row. Two differences of three codes are never
    multiples of each other but equal or zero, so a random matrix maps them independently.
    """

    bits: int  # of a code
    rows: int
    most: int = 1  # rows at any level

    @property
    def cohorts(self) -> int:
        return 1

    def extremes(self, size: int) -> tuple[int, int]:
        """Return the bounds; codes that are not there may be any."""
        held = max(1, (1 << max(self.bits - self.rows, 0)) - (1 << self.bits) + size)
        return held, min(size - 1, 1 << self.bits - 1)

    @property
    def n_buckets(self) -> int:
        return 1 << self.rows

    @property
    def functions(self) -> int:
        return 1 << self.bits * self.rows

    @property
    def room(self) -> int:
        return 1 << (self.bits + 1) * self.most

    def bucket(self, function: int, code: int) -> int:
        found = 0
        for row in range(self.rows):
            own = (function >> row * self.bits) % (1 << self.bits)
            found |= ((own & code).bit_count() & 1) << row
        return found

    def sharing(self, codes: int) -> Fraction:
        return Fraction(1, self.n_buckets ** (codes - 1))


def polynomials(size: int, n_buckets: int, most: int = MOST_BUCKETS) -> Polynomials:
    """Return polynomials that distinguish so many codes."""
    return Polynomials(prime_from(max(size, LEAST_PRIME)), n_buckets, most)


def rows_at_most(bits: int) -> int:
    """Return how many parities of so many bits fit in a word, with what they come to."""
    return min(MOST_ROWS, WORD // (bits + 1))


@cache
def prime_from(least: int) -> int:
    """Return the first prime that is not below ``least``."""
    return next(n for n in count(least) if all(n % d for d in range(2, isqrt(n) + 1)))
