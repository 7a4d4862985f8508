"""How many random bytes draws read on average: most of what a device has to do.

A coin reads eight. A number below n reads the fewest bytes that hold n - 1 and starts again where
their 2^b values are n or more, so on average 2^b / n times.
"""

from fractions import Fraction

COIN = 8


def below(n: int) -> Fraction:
    """Return what a number below n reads."""
    bits = (n - 1).bit_length()
    return Fraction((bits + 7) // 8 << bits, n)


def sample(n: int, count: int) -> Fraction:
    """Return what Floyd's algorithm reads for so many of n."""
    return sum((below(top + 1) for top in range(n - count, n)), Fraction())
