"""e to a level between integers, by a series of its own: what a law leaks is compared exactly.

The laws are made with ``discretion.mechanism.odds``. An audit that trusted it could not find it
wrong, so nothing is shared with it.
"""

from fractions import Fraction
from functools import lru_cache
from math import ceil, inf, log

BITS = 256  # behind the point, at first; e^20 has 29 before it


def within(ratio: Fraction, level: int, per: int = 1000) -> bool:
    """Whether a ratio is at most e^(level / per), exactly.

    That number is irrational unless the level is zero, so with enough bits one of its bounds
    decides.
    """
    if level == 0:
        return ratio <= 1
    bits = BITS
    while True:
        low, high = _bounds(Fraction(level, per), bits)
        if ratio.numerator << bits <= low * ratio.denominator:
            return True
        if ratio.numerator << bits >= high * ratio.denominator:
            return False
        bits *= 2


def loss(ratio: Fraction | None) -> float:
    """Return the epsilon of a ratio, as a float to be shown; None is a ratio without a bound."""
    if ratio is None:
        return inf
    try:
        return log(ratio)
    except OverflowError:
        return log(ratio.numerator) - log(ratio.denominator)


@lru_cache(maxsize=1024)
def _bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Return whole numbers below and above 2^bits e^x.

    Every term is rounded down and so loses less than one; what is lost reaches the later terms
    multiplied by less than e^x < 3^ceil(x) in all.
    """
    total = term = 1 << bits
    k = 0
    while term:
        k += 1
        term = term * x.numerator // (x.denominator * k)
        total += term
    return total, total + (k + 1) * 3 ** ceil(x)
