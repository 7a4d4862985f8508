"""e to the epsilon as an integer, rounded down, the same in every language."""

from functools import cache

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
