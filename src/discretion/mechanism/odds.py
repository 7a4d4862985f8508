"""e to the epsilon as an integer, rounded down, the same in every language."""

from fractions import Fraction
from functools import cache
from math import log

from discretion.randomness import ONE

GUARD = 128  # extra bits; the series loses fewer than 64 of them for levels up to 20,000


@cache
def odds(level: int, per: int = 1000) -> int:
    """Return floor(ONE * e^(level / per)), by an integer Taylor series.

    Every term is rounded down, so the sum is too small by less than e^(level / per) per term: far
    below ``1 << 64`` units of ``1 << -GUARD``. The floor is right unless it would change within
    that distance, and then the sum is taken again with more guard bits.
    """
    guard = GUARD
    while True:
        total, term, k = 0, ONE << guard, 0
        while term:
            total, k = total + term, k + 1
            term = term * level // (per * k)
        if (total + (1 << guard // 2)) >> guard == total >> guard:
            return total >> guard
        guard *= 2


def level_above(ratio: Fraction) -> int:
    """Return the least level, 1 or more, with odds(level) / ONE >= ratio.

    Since ``odds`` rounds down, e to that level is never below the ratio.
    """
    over, under = ratio.as_integer_ratio()
    level = max(1, int(1000 * (log(over) - log(under))) - 1)  # a start that is not above it
    while odds(level) * under < ONE * over:
        level += 1
    return level
