"""The grade of an answer: its level, and the range in which it was given.

Both are chosen by the owner and travel in the report, and the law follows from them; in tables and
aggregates they are one integer, which is the level itself where the range is all of the grid.
"""

from discretion.budget.level import MOST

RANGE = 1 << 15  # between two ranges; larger than any level
assert RANGE > MOST


def grade_of(level: int, place: int) -> int:
    """Return the grade of a level and the place of a range, 0 for all of the grid."""
    return place * RANGE + level


def level_of(grade: int) -> int:
    """Return the level of a grade."""
    return grade % RANGE


def place_of(grade: int) -> int:
    """Return the place of its range."""
    return grade // RANGE
