"""Rational bounds of the exponential, independent of ``discretion.mechanism.odds``."""

from fractions import Fraction
from functools import cache

TERMS = 120  # for x <= 20 the rest of the series is below 1e-30 of the sum


@cache
def exp_lower(x: Fraction) -> Fraction:
    """Return a partial sum of the series: at most e^x for x >= 0."""
    term = total = Fraction(1)
    for k in range(1, TERMS):
        term = term * x / k
        total += term
    return total


@cache
def exp_upper(x: Fraction) -> Fraction:
    """Return the partial sum and a geometric bound of the rest: at least e^x for 0 <= x <= 20."""
    term = Fraction(1)
    for k in range(1, TERMS + 1):
        term = term * x / k
    return exp_lower(x) + term / (1 - x / (TERMS + 1))
