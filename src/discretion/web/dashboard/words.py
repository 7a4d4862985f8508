"""Numbers in words: as many digits as they are worth, and what liars could do to them."""

from collections.abc import Callable, Mapping, Sequence
from math import floor, log10
from typing import Any

from discretion.budget import epsilon
from discretion.synthesis.words import counted, percent

Write = Callable[[float], str]
UNKNOWN = "unknown"
UNLIMITED = "without limit"
BASES = {
    "worst": "at most",
    "one level": "at most, if all of them choose one level",
    "attack": "in an attack that was tried; perhaps more",
}

FUNCTIONS = {
    "": "",
    "drawn": ", with whatever hash functions they choose",
    "assigned": ", with the hash functions that they were given",
}


def measure(error: float | None) -> Write:
    """Return how values are written whose standard error is known: to two digits of that."""
    digits = 1 - floor(log10(error)) if error else 2
    places = min(max(digits, 0), 6)
    return lambda value: f"{value:,.{places}f}"


def on_grid(value: float) -> str:
    """Write a number of the plan's grid, which has few digits."""
    return f"{value:,.6g}"


def points(share: float) -> str:
    """Write a difference of shares."""
    return f"{100 * share:.1f} points"


def between(low: float | None, high: float | None, write: Write) -> str:
    """Write an interval."""
    if low is None or high is None:
        return UNKNOWN
    return f"{write(low)} to {write(high)}"


def worth(document: Mapping[str, Any]) -> str:
    """Say how many answers an estimate has, what they are worth, and how it was made."""
    n, effective = document["reports"], document["effective_n"]
    said = counted(n, "answer")
    if effective is not None:
        precise = max(min(effective, n), 1)
        said += f", as precise as {precise:,.0f} without noise"
    return f"{said}; method {document['method']}."


def liars(margins: Sequence[Mapping[str, Any]], write: Write) -> str:
    """Say how far shares of liars move an estimate, the one of several that they move most."""
    told = [f"in {percent_of(each['share'])} by {_most(each, write)}" for each in margins]
    basis = BASES[margins[0]["basis"]] + FUNCTIONS[margins[0]["functions"]]
    return f"Lies among all reports could move it: {', '.join(told)} ({basis})."


def moved(down: float | None, up: float | None, write: Write) -> str:
    """Write how far something is moved, down and up."""
    if down is None or up is None:
        return UNLIMITED
    return f"−{write(abs(down))}, +{write(abs(up))}"


def percent_of(share: float) -> str:
    """Write a round share in per cent."""
    return f"{100 * share:g} %"


def shown_level(level: int) -> str:
    """Write a level as its epsilon."""
    return epsilon(level) if level else "secret"


def answers(count: int, share: float | None) -> str:
    """Write a count, and its share of the weight where that is known."""
    return f"{count:,}" if share is None else f"{count:,} ({percent(share)})"


def _most(margin: Mapping[str, Any], write: Write) -> str:
    found = [each["margin"] for each in margin["margins"]]
    return UNLIMITED if None in found else write(max(found))
