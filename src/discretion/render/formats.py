"""How numbers and lists are written: as many digits as they are worth, and no more."""

import re
from collections.abc import Callable, Iterable, Sequence
from math import floor, isfinite, log10
from textwrap import shorten

Write = Callable[[float], str]
UNKNOWN = "unknown"
LONGEST_LIST = 200  # letters
FORMULA = re.compile(r"\s*(?![+-]?[\d.,]+$)[=+@-]")  # what a spreadsheet would work out
RANGE = "{low} to {high}"  # of an interval; other languages have others


def some(names: Iterable[str]) -> str:
    """List names, as many as a line has room for."""
    return shorten(", ".join(names), LONGEST_LIST, placeholder=" ...")


def percent(share: float) -> str:
    """Write a share in per cent: ``12.3 %``."""
    return f"{100 * share:.1f} %"


def round_percent(share: float) -> str:
    """Write a share that is a round number: ``5 %``."""
    return f"{100 * share:g} %"


def in_percent(share: float) -> str:
    """Write a share in per cent without the sign, which then stands above: ``12.34``."""
    return f"{100 * share:.2f}"


def points(share: float) -> str:
    """Write a difference of shares: ``1.2 points``."""
    return f"{100 * share:.1f} points"


def number(value: float, digits: int = 4) -> str:
    """Write a number with so many digits, or all that stand before the point, thousands apart."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.{digits}g}"


def on_grid(value: float) -> str:
    """Write a number of a plan's grid, which has few digits."""
    return f"{value:,.6g}"


def measured(stderr: float | None) -> Write:
    """Return how values with this standard error are written: to two digits of it."""
    digits = 1 - floor(log10(stderr)) if stderr else 2
    places = min(max(digits, 0), 6)
    return lambda value: f"{value:,.{places}f}"


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would work out a cell with this text."""
    return FORMULA.match(text) is not None


def with_unit(write: Write, unit: str) -> Write:
    """Return how numbers are written with a unit, from which no line break parts them."""
    return (lambda value: f"{write(value)}\N{NO-BREAK SPACE}{unit}") if unit else write


def interval(low: float | None, high: float | None, write: Write, form: str = RANGE) -> str:
    """Write an interval: ``0.1 to 0.3``."""
    if low is None or high is None:
        return UNKNOWN
    return form.format(low=write(low), high=write(high))


def privacy_loss(loss: float) -> str:
    """Write a privacy loss, which may be infinite."""
    return f"{loss:.4g}" if isfinite(loss) else "no bound"


def p_value(p: float) -> str:
    """Write a p-value."""
    return "< 0.0001" if p < 1e-4 else f"{p:.2g}"


def p_stated(p: float) -> str:
    """Write a p-value within a sentence: ``p = 0.34``."""
    return f"p {p_value(p)}" if p < 1e-4 else f"p = {p_value(p)}"


def counted(count: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def listed(items: Sequence[str], most: int | None = None) -> str:
    """Write items as people list them; of a long list the first ones, and how many there are."""
    if most is not None and len(items) > most:
        return f"{', '.join(items[:most])} and {len(items) - most} more"
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
