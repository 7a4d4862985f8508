"""How many random bytes a device reads for one report, on average: most of what it has to do.

A coin reads eight. A number below n reads the fewest bytes that hold n - 1 and starts again where
their 2^b values are n or more, so on average 2^b / n times.
"""

from fractions import Fraction

from discretion.mechanism.bloom import Bloom
from discretion.mechanism.choice import Choice
from discretion.mechanism.hashed import Hashed
from discretion.mechanism.histogram import Histogram
from discretion.mechanism.law import Law
from discretion.mechanism.subset import Subset
from discretion.mechanism.unary import Unary
from discretion.randomness import ONE

COIN = 8
DIGIT = 8


def mean_bytes(law: Law) -> Fraction:
    """Return how many random bytes a report about a label takes: the same for every code.

    Where what is kept is told again, in the first round; the cohort is drawn before.
    """
    match law:
        case Choice():
            return COIN + (1 - law.inclusion.own) * _below(law.size - 1)
        case Unary():
            return Fraction(COIN * law.size)
        case Histogram():
            return Fraction(DIGIT * law.size)
        case Bloom(coding=coding):
            return Fraction(COIN * coding.bits * (1 if law.instant is None else 2))
        case Subset(count=count):
            others, lacked = law.size - 1, 1 - law.inclusion.own  # then one more is drawn, first
            return COIN + _sample(others, count - 1) + lacked * _below(others - count + 1)
        case Hashed(hashing=hashing, keep=keep):
            other = (1 - Fraction(keep, ONE)) * _below(hashing.cells - 1)
            return _below(hashing.functions) + COIN + other
        case _:
            raise TypeError(f"no draws are known of {law!r}")


def _sample(n: int, count: int) -> Fraction:
    """Return what Floyd's algorithm reads for so many of n."""
    return sum((_below(top + 1) for top in range(n - count, n)), Fraction())


def _below(n: int) -> Fraction:
    bits = (n - 1).bit_length()
    return Fraction((bits + 7) // 8 << bits, n)
