"""Sketches: texts of which there is no list, put by each cohort into a few cells of its own.

A text is known by its fingerprint, two integers u and w below a prime P. Cohort j puts it into the
cell of ``(a u + b w + c) mod P``, of which each cell has an interval; a, b and c come from the
SHA-256 of j, so they are public and the same in every language. Where a text has several cells,
further functions of the cohort give them.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from discretion.schema.text import PRIME, hashed_integers


def bucket(cohort: int, code: int, cells: int, place: int = 0) -> int:
    """Return the cell into which a function of a cohort, as a rule its first, puts a text."""
    (a, b, c), (high, low) = coefficients(cohort, place), divmod(code, PRIME)
    return (a * high + b * low + c) % PRIME * cells // PRIME


@cache
def coefficients(cohort: int, place: int = 0) -> tuple[int, ...]:
    """Return a, b and c of one of the functions of a cohort."""
    return hashed_integers(f"cohort {cohort} {place}", 3)


@dataclass(frozen=True, slots=True)
class Buckets:
    """The cells of each cohort. A function is a cohort."""

    cohorts: int
    cells: int

    @property
    def functions(self) -> int:
        return self.cohorts

    @property
    def room(self) -> int:
        return self.cohorts * self.cells

    def cell(self, function: int, code: int) -> int:
        return bucket(function, code, self.cells)

    def sharing(self, codes: int) -> Fraction:
        """Return the chance over all coefficients, of which the cohorts have a few."""
        least, larger = divmod(PRIME, self.cells)
        ways = larger * (least + 1) ** codes + (self.cells - larger) * least**codes
        return Fraction(ways, PRIME**codes)


@dataclass(frozen=True, slots=True)
class Signs:
    """Parities of the number of a text's cell. A function is a cohort and a row of parities."""

    cohorts: int
    bits: int  # of the number of a cell

    @property
    def cells(self) -> int:
        return 2

    @property
    def functions(self) -> int:
        return self.cohorts << self.bits

    @property
    def room(self) -> int:
        return 2 * self.functions

    def cell(self, function: int, code: int) -> int:
        cohort, row = divmod(function, 1 << self.bits)
        return (row & bucket(cohort, code, 1 << self.bits)).bit_count() & 1

    def sharing(self, codes: int) -> Fraction:
        """Texts of one cell have one sign; those of others agree by chance."""
        buckets = Buckets(self.cohorts, 1 << self.bits)
        two, three = buckets.sharing(2), buckets.sharing(3)
        if codes == 2:
            return two + (1 - two) / 2
        return three + 3 * (two - three) / 2 + (1 - 3 * two + 2 * three) / 4
