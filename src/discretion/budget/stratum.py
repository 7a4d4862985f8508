"""The stratum of an answer: its level, and the range in which it was given, as one integer.

Both are chosen by the owner and travel in the report, and the law follows from them. Where the
range is all of the grid, the stratum is the level itself.
"""

from discretion.budget.level import MOST

RANGE = 1 << 15  # between two ranges; larger than any level
assert RANGE > MOST


def stratum_of(level: int, range_index: int) -> int:
    """Return the stratum of a level and a range of the menu, of which 0 is all of the grid."""
    return range_index * RANGE + level


def level_of(stratum: int) -> int:
    """Return the level of a stratum."""
    return stratum % RANGE


def range_of(stratum: int) -> int:
    """Return the index of its range on the menu."""
    return stratum // RANGE
