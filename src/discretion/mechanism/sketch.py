"""Sketches: texts of which there is no list, put by each cohort into a few buckets of its own.

A text is known by its fingerprint, two integers u and w below a prime P. Cohort j puts it into the
bucket of ``(a u + b w + c) mod P``, of which each bucket has an interval; a, b and c come from the
SHA-256 of j, so they are public and the same in every language. Where a text has several buckets,
further functions of the cohort give them.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from discretion.mechanism.hashing import Functions
from discretion.schema.text import PRIME, hashed_integers


def bucket(cohort: int, code: int, n_buckets: int, index: int = 0) -> int:
    """Return the bucket into which a function of a cohort, as a rule its first, puts a text."""
    (a, b, c), (high, low) = coefficients(cohort, index), divmod(code, PRIME)
    return (a * high + b * low + c) % PRIME * n_buckets // PRIME


@cache
def coefficients(cohort: int, index: int = 0) -> tuple[int, ...]:
    """Return a, b and c of one of the functions of a cohort."""
    return hashed_integers(f"cohort {cohort} {index}", 3)


@dataclass(frozen=True, slots=True)
class Buckets(Functions):
    """The buckets of each cohort. A function is a cohort."""

    cohorts: int
    n_buckets: int

    @property
    def functions(self) -> int:
        return self.cohorts

    @property
    def room(self) -> int:
        return self.cohorts * self.n_buckets

    def bucket(self, function: int, code: int) -> int:
        return bucket(function, code, self.n_buckets)

    def sharing(self, codes: int) -> Fraction:
        """Return the probability over all coefficients, of which the cohorts have a few."""
        least, larger = divmod(PRIME, self.n_buckets)
        ways = larger * (least + 1) ** codes + (self.n_buckets - larger) * least**codes
        return Fraction(ways, PRIME**codes)


@dataclass(frozen=True, slots=True)
class Signs(Functions):
    """Parities of the number of a text's bucket. A function is a cohort and a row of parities."""

    cohorts: int
    bits: int  # of the number of a bucket

    @property
    def signed(self) -> bool:
        return True

    @property
    def n_buckets(self) -> int:
        return 2

    @property
    def functions(self) -> int:
        return self.cohorts << self.bits

    @property
    def room(self) -> int:
        return 2 * self.functions

    def bucket(self, function: int, code: int) -> int:
        cohort, row = divmod(function, 1 << self.bits)
        return (row & bucket(cohort, code, 1 << self.bits)).bit_count() & 1

    def sharing(self, codes: int) -> Fraction:
        """Texts of one bucket have one sign; those of others agree half of the time."""
        buckets = Buckets(self.cohorts, 1 << self.bits)
        two, three = buckets.sharing(2), buckets.sharing(3)
        if codes == 2:
            return two + (1 - two) / 2
        return three + 3 * (two - three) / 2 + (1 - 3 * two + 2 * three) / 4
