"""Families of hash functions: public maps from codes to a few cells, of which a report names one.

With a function drawn uniformly from a family, the cells of any three codes are independent of each
other. So how often two or three codes share a cell is known exactly, from the sizes of the cells
alone, and no table of the whole domain is needed.

Proof    docs/proofs/hashing.md
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import count
from math import isqrt
from typing import Protocol

LEAST_PRIME = 32_749  # many more points than cells, so that these are nearly alike
MOST_CELLS = 1 << 10
MOST_ROWS = 4
WORD = 63  # bits that a function and a cell have at most


class Hashing(Protocol):
    """A family of functions from codes to cells."""

    @property
    def cells(self) -> int: ...

    @property
    def functions(self) -> int:
        """How many functions there are; they have the numbers from 0, cohort after cohort."""
        ...

    @property
    def cohorts(self) -> int:
        """How many cohorts of devices there are, which have equally many functions."""
        ...

    @property
    def room(self) -> int:
        """How many outputs a report has to tell apart, at whatever level."""
        ...

    def cell(self, function: int, code: int) -> int:
        """Return where a function puts a code."""
        ...

    def sharing(self, codes: int) -> Fraction:
        """Return how probable it is that so many given codes, up to three, share a cell."""
        ...


@dataclass(frozen=True, slots=True)
class Polynomials:
    """a x^2 + b x + c modulo a prime, of which each cell has an interval.

    Through three points at different places goes exactly one of them, whatever the points are.
    """

    prime: int
    cells: int
    most: int = MOST_CELLS  # cells at any level

    @property
    def cohorts(self) -> int:
        return 1

    @property
    def functions(self) -> int:
        return self.prime**3

    @property
    def room(self) -> int:
        return self.functions * self.most

    def cell(self, function: int, code: int) -> int:
        rest, c = divmod(function, self.prime)
        a, b = divmod(rest, self.prime)
        return ((a * code + b) * code + c) % self.prime * self.cells // self.prime

    def sharing(self, codes: int) -> Fraction:
        least, larger = divmod(self.prime, self.cells)  # points of a cell; some have one more
        ways = larger * (least + 1) ** codes + (self.cells - larger) * least**codes
        return Fraction(ways, self.prime**codes)


@dataclass(frozen=True, slots=True)
class Parities:
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

    @property
    def cells(self) -> int:
        return 1 << self.rows

    @property
    def functions(self) -> int:
        return 1 << self.bits * self.rows

    @property
    def room(self) -> int:
        return 1 << (self.bits + 1) * self.most

    def cell(self, function: int, code: int) -> int:
        found = 0
        for row in range(self.rows):
            own = (function >> row * self.bits) % (1 << self.bits)
            found |= ((own & code).bit_count() & 1) << row
        return found

    def sharing(self, codes: int) -> Fraction:
        return Fraction(1, self.cells ** (codes - 1))


def polynomials(size: int, cells: int, most: int = MOST_CELLS) -> Polynomials:
    """Return polynomials that tell so many codes apart."""
    return Polynomials(prime_from(max(size, LEAST_PRIME)), cells, most)


def rows_at_most(bits: int) -> int:
    """Return how many parities of so many bits fit in a word, with what they come to."""
    return min(MOST_ROWS, WORD // (bits + 1))


@cache
def prime_from(least: int) -> int:
    """Return the first prime that is not below ``least``."""
    return next(n for n in count(least) if all(n % d for d in range(2, isqrt(n) + 1)))
