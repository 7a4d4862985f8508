"""Hashed: a function drawn from a public family, and the cell it puts the code in, or another one.

Law      P(f, c | x) = 1 / functions * (keep / ONE if c is the cell of x,
                                        else (ONE - keep) / ONE / (cells - 1))
Report   y = f * cells + c; its support is all codes that f puts in cell c
Source   Wang, Blocki, Li and Jha (2017), arXiv:1705.04421: local hashing, best with e^epsilon + 1
         cells. Bassily and Smith (2015), arXiv:1504.04686: a random projection. Acharya, Sun and
         Zhang (2019), arXiv:1802.04705, and Cormode, Kulkarni and Srivastava (2018): rows of a
         Hadamard matrix, which are parities. Kairouz, Bonawitz and Ramage (2016): cohorts, for
         texts of which there is no list. Apple (2017): a sketch, and the parities of its cells.
Proof    docs/proofs/hashing.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism import draws
from discretion.mechanism.assigned import assigned
from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form
from discretion.mechanism.hashing import (
    MOST_CELLS,
    Hashing,
    Parities,
    polynomials,
    rows_at_most,
)
from discretion.mechanism.law import Inclusion, Law
from discretion.mechanism.odds import odds
from discretion.mechanism.sketch import Buckets, Signs
from discretion.mechanism.stages import ByCohort
from discretion.randomness import ONE, Source


@dataclass(frozen=True, slots=True)
class Hashed(ByCohort):
    """A cell of one of many functions, that of the code with probability ``keep / ONE``."""

    size: int
    hashing: Hashing
    keep: int

    @property
    def cohorts(self) -> int:
        return self.hashing.cohorts

    @property
    def columns(self) -> int:
        """What a cohort's reports are counted by: the cells of its functions."""
        return self.hashing.functions // self.cohorts * self.hashing.cells

    @property
    def n_bytes(self) -> int:
        return ((self.hashing.room - 1).bit_length() + 7) // 8

    @property
    def form(self) -> Form:
        return Form(self.hashing.functions * self.hashing.cells)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep * (self.hashing.cells - 1), ONE - self.keep)

    @property
    def inclusion(self) -> Inclusion:
        """Return how often codes are in the cell that is told, which is that of x or any other."""
        own = Fraction(self.keep, ONE)
        each = (1 - own) / (self.hashing.cells - 1)
        two, three = self.hashing.sharing(2), self.hashing.sharing(3)
        return Inclusion(
            own=own,
            other=each + (own - each) * two,
            own_pair=own * two,
            other_pair=each * two + (own - each) * three,
        )

    @property
    def random_bytes(self) -> Fraction:
        other = (1 - Fraction(self.keep, ONE)) * draws.below(self.hashing.cells - 1)
        return draws.below(self.hashing.functions) + draws.COIN + other

    def for_credential(self, credential: str, plan: str, name: str) -> Law:
        return assigned(self, credential, plan, name)

    def respond(self, code: int, source: Source, cohort: int) -> int:
        own = self.hashing.functions // self.hashing.cohorts
        return self.say(code, cohort * own + source.below(own), source)

    def say(self, code: int, function: int, source: Source) -> int:
        """Draw the report by a given function."""
        cell = self.hashing.cell(function, code)
        if not source.coin(self.keep):
            other = source.below(self.hashing.cells - 1)
            cell = other + (other >= cell)
        return function * self.hashing.cells + cell

    def probability(self, y: int, code: int) -> Fraction:
        function, cell = divmod(y, self.hashing.cells)
        if cell == self.hashing.cell(function, code):
            return Fraction(self.keep, ONE * self.hashing.functions)
        others = self.hashing.cells - 1
        return Fraction(ONE - self.keep, ONE * others * self.hashing.functions)

    def support(self, y: int) -> int:
        function, cell = divmod(y, self.hashing.cells)
        held = (code for code in range(self.size) if self.hashing.cell(function, code) == cell)
        return sum(1 << code for code in held)


def hashed(size: int, level: int, hashing: Hashing) -> Hashed:
    """Return the law that tells cells as truly as the level allows."""
    top = odds(level)
    keep = ONE * top // (top + (hashing.cells - 1) * ONE)  # down: towards more privacy
    return Hashed(size, hashing, keep)


def blh(size: int, level: int) -> Hashed:
    """Binary local hashing: two cells."""
    return hashed(size, level, polynomials(size, 2, most=2))


def olh(size: int, level: int) -> Hashed:
    """Optimal local hashing: the whole number of cells that is best for the level."""
    return hashed(size, level, polynomials(size, best_cells(level)))


def hrr(size: int, level: int) -> Hashed:
    """Hadamard randomised response: one coefficient of the transform, which is a parity.

    It is also S-Hist, a bit of a projection with orthogonal columns of ones and minus ones.
    """
    return hashed(size, level, Parities(bits_of(size), 1))


def hadamard(size: int, level: int) -> Hashed:
    """Hadamard response for every budget: as many coefficients as are best for the level."""
    bits = bits_of(size)
    most = rows_at_most(bits)
    return hashed(size, level, Parities(bits, best_rows(level, most), most))


def orr(encoding: Encoding, level: int) -> Hashed:
    """O-RR: a cell of the cohort's, by randomised response."""
    return hashed(encoding.size, level, Buckets(encoding.cohorts, encoding.bits))


def hcms(encoding: Encoding, level: int) -> Hashed:
    """The Hadamard form of the count-mean sketch: a parity of the number of the cell."""
    return hashed(encoding.size, level, Signs(encoding.cohorts, bits_of(encoding.bits)))


def bits_of(size: int) -> int:
    """Return how many bits tell so many codes apart."""
    return max((size - 1).bit_length(), 1)


def best_cells(level: int) -> int:
    """Minimise (e + cells - 1)^2 / (cells - 1), the variance of a rare code, in integers.

    It falls and then rises, with its least real point at e + 1 cells.
    """
    below = min(odds(level) // ONE, MOST_CELLS - 2)
    return 1 + (below + 1 if _cost(level, below + 1) < _cost(level, below) else below)


def best_rows(level: int, most: int) -> int:
    """Minimise the same over powers of two."""
    return min(range(1, most + 1), key=lambda rows: _cost(level, (1 << rows) - 1))


def _cost(level: int, others: int) -> Fraction:
    return Fraction((odds(level) + others * ONE) ** 2, others)
