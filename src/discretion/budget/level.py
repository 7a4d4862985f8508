"""Levels: epsilon in integer thousandths, so that sums are exact and a ledger never drifts."""

from decimal import Decimal

from discretion.errors import BudgetError
from discretion.schema.numeric import exact

MOST = 20_000  # an epsilon of 20 lets a report say nearly everything; more is not privacy


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
