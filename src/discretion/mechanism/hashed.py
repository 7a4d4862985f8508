"""Hashed: a function drawn from a public family, and the bucket of the code, or another one.

Law      P(f, c | x) = 1 / functions * (keep / ONE if c is the bucket of x,
                                        else (ONE - keep) / ONE / (n_buckets - 1))
Report   y = f * n_buckets + c; its support is all codes that f puts in bucket c
Source   Wang, Blocki, Li and Jha (2017), arXiv:1705.04421: local hashing, best with e^epsilon + 1
         buckets. Bassily and Smith (2015), arXiv:1504.04686: a random projection. Acharya, Sun and
         Zhang (2019), arXiv:1802.04705, and Cormode, Kulkarni and Srivastava (2018): rows of a
         Hadamard matrix, which are parities. Kairouz, Bonawitz and Ramage (2016): cohorts, for
         texts of which there is no list. Apple (2017): a sketch, and the parities of its buckets.
Proof    docs/proofs/hashing.md
"""

from dataclasses import dataclass
from fractions import Fraction

from discretion.mechanism.assigned import assigned
from discretion.mechanism.encoding import Encoding
from discretion.mechanism.form import Form, Inclusion
from discretion.mechanism.hashing import (
    MOST_BUCKETS,
    WORD,
    Hashing,
    Parities,
    polynomials,
    rows_at_most,
)
from discretion.mechanism.law import Law
from discretion.mechanism.odds import odds
from discretion.mechanism.shape import ByCohort, Supporting
from discretion.mechanism.sketch import Buckets, Signs
from discretion.randomness import COIN_BYTES, ONE, Source, bytes_below

LISTED = 1 << WORD  # outputs at any level, up to which a form counts them; parities have more


@dataclass(frozen=True, slots=True)
class Hashed(Supporting, ByCohort):
    """A bucket of one of many functions, that of the code with probability ``keep / ONE``."""

    size: int
    hashing: Hashing
    keep: int

    @property
    def cohorts(self) -> int:
        return self.hashing.cohorts

    @property
    def columns(self) -> int:
        """What a cohort's reports are counted by: the buckets of its functions."""
        return self.hashing.functions // self.cohorts * self.hashing.n_buckets

    @property
    def n_bytes(self) -> int:
        return ((self.hashing.room - 1).bit_length() + 7) // 8

    @property
    def form(self) -> Form:
        outputs = self.hashing.functions * self.hashing.n_buckets
        wide = self.hashing.room > LISTED
        return Form(n_bits=(outputs - 1).bit_length()) if wide else Form(outputs)

    @property
    def ratio(self) -> Fraction:
        return Fraction(self.keep * (self.hashing.n_buckets - 1), ONE - self.keep)

    @property
    def inclusion(self) -> Inclusion:
        """Return how often codes are in the reported bucket, which is that of x or any other."""
        own, each = self.bucket_means
        two, three = self.hashing.sharing(2), self.hashing.sharing(3)
        return Inclusion(
            own=own,
            other=each + (own - each) * two,
            own_pair=own * two,
            other_pair=each * two + (own - each) * three,
        )

    @property
    def bucket_means(self) -> tuple[Fraction, Fraction]:
        own = Fraction(self.keep, ONE)
        return own, (1 - own) / (self.hashing.n_buckets - 1)

    @property
    def signed(self) -> bool:
        return self.hashing.signed

    @property
    def repeats(self) -> bool:
        return True

    @property
    def extremes(self) -> tuple[int, int]:
        return self.hashing.extremes(self.size)

    @property
    def random_bytes(self) -> Fraction:
        other = (1 - Fraction(self.keep, ONE)) * bytes_below(self.hashing.n_buckets - 1)
        return bytes_below(self.hashing.functions) + COIN_BYTES + other

    def for_credential(self, credential: str, plan: str, name: str) -> Law:
        return assigned(self, credential, plan, name)

    def respond(self, code: int, source: Source, cohort: int) -> int:
        own = self.hashing.functions // self.hashing.cohorts
        return self.say(code, cohort * own + source.below(own), source)

    def say(self, code: int, function: int, source: Source) -> int:
        """Draw the report by a given function."""
        bucket = self.hashing.bucket(function, code)
        if not source.coin(self.keep):
            other = source.below(self.hashing.n_buckets - 1)
            bucket = other + (other >= bucket)
        return function * self.hashing.n_buckets + bucket

    def probability(self, y: int, code: int) -> Fraction:
        function, bucket = divmod(y, self.hashing.n_buckets)
        if bucket == self.hashing.bucket(function, code):
            return Fraction(self.keep, ONE * self.hashing.functions)
        others = self.hashing.n_buckets - 1
        return Fraction(ONE - self.keep, ONE * others * self.hashing.functions)

    def support(self, y: int) -> int:
        function, bucket = divmod(y, self.hashing.n_buckets)
        held = (code for code in range(self.size) if self.hashing.bucket(function, code) == bucket)
        return sum(1 << code for code in held)


def hashed(size: int, level: int, hashing: Hashing) -> Hashed:
    """Return the law that keeps the true bucket as often as the level allows."""
    top = odds(level)
    keep = ONE * top // (top + (hashing.n_buckets - 1) * ONE)  # down: towards more privacy
    return Hashed(size, hashing, keep)


def blh(size: int, level: int) -> Hashed:
    """Binary local hashing: two buckets."""
    return hashed(size, level, polynomials(size, 2, most=2))


def olh(size: int, level: int) -> Hashed:
    """Optimal local hashing: the whole number of buckets that is best for the level."""
    return hashed(size, level, polynomials(size, best_buckets(level)))


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
    """O-RR: a bucket of the cohort's, by randomised response."""
    return hashed(encoding.size, level, Buckets(encoding.cohorts, encoding.bits))


def hcms(encoding: Encoding, level: int) -> Hashed:
    """The Hadamard form of the count-mean sketch: a parity of the number of the bucket."""
    return hashed(encoding.size, level, Signs(encoding.cohorts, bits_of(encoding.bits)))


def bits_of(size: int) -> int:
    """Return how many bits distinguish so many codes."""
    return max((size - 1).bit_length(), 1)


def best_buckets(level: int) -> int:
    """Minimise (e + n_buckets - 1)^2 / (n_buckets - 1), the variance of a rare code, in integers.

    It falls and then rises, with its least real point at e + 1 buckets.
    """
    below = min(odds(level) // ONE, MOST_BUCKETS - 2)
    return 1 + (below + 1 if _cost(level, below + 1) < _cost(level, below) else below)


def best_rows(level: int, most: int) -> int:
    """Minimise the same over powers of two."""
    return min(range(1, most + 1), key=lambda rows: _cost(level, (1 << rows) - 1))


def _cost(level: int, others: int) -> Fraction:
    return Fraction((odds(level) + others * ONE) ** 2, others)
