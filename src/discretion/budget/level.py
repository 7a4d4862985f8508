"""Levels: epsilon in integer thousandths, so that sums are exact and a ledger never drifts.

An owner chooses a level, and for some numbers a range. Both travel in the report, and the law
follows from them. Together they are one integer, the stratum of the answer, which is the level
itself where the range is all of the grid.
"""

from decimal import Decimal

from discretion.errors import BudgetError
from discretion.schema.numeric import exact

MOST = 20_000  # an epsilon of 20 lets a report say nearly everything; more is not privacy
RANGE = 1 << 15  # between two ranges; larger than any level
assert RANGE > MOST


def thousandths(value: object) -> int:
    """Return epsilon as a positive whole number of thousandths, or refuse it."""
    try:
        level = exact(value) * 1000
    except (TypeError, ValueError, OverflowError):
        raise BudgetError("epsilon must be a number", repr(value)) from None
    if level <= 0:
        raise BudgetError("epsilon must be above zero (leave the attribute out instead)", value)
    if level.denominator != 1:
        raise BudgetError("epsilon must be a whole number of thousandths", value)
    return int(level)


def epsilon(level: int) -> str:
    """Write a level the way people write epsilon: 3500 -> '3.5'."""
    return f"{(Decimal(level) / 1000).normalize():f}"


def stratum_of(level: int, range_index: int) -> int:
    """Return the stratum of a level and a range of the menu, of which 0 is all of the grid."""
    return range_index * RANGE + level


def level_of(stratum: int) -> int:
    """Return the level of a stratum."""
    return stratum % RANGE


def range_of(stratum: int) -> int:
    """Return the index of its range on the menu."""
    return stratum // RANGE
