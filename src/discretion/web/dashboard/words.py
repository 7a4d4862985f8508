"""Estimates in words: what they are worth, and how far false reports could move them."""

from collections.abc import Sequence

from discretion.budget import epsilon
from discretion.render.formats import Write, counted, percent, round_percent
from discretion.web.dashboard.documents import Bound, Frequencies, Mean, Moved

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
BELOW = "Numbers: table below."


def worth(answer: Frequencies | Mean) -> str:
    """Say how many answers an estimate has, what they are worth, and how it was made."""
    n, effective = answer["reports"], answer["effective_n"]
    said = counted(n, "answer")
    if effective is not None:
        precise = max(min(effective, n), 1)
        said += f", as precise as {precise:,.0f} without noise"
    return f"{said}; method {answer['method']}."


def false_reports(bound: Bound) -> str:
    """Name a share of false reports."""
    return f"{round_percent(bound['share'])} false reports"


def manipulation(bounds: Sequence[Bound], write: Write) -> str:
    """Say how far false reports move an estimate, the one of several that they move most."""
    said = [f"{round_percent(each['share'])} by {_most(each, write)}" for each in bounds]
    basis = BASES[bounds[0]["basis"]] + FUNCTIONS[bounds[0]["functions"]]
    return f"False reports among all reports could move it: {', '.join(said)} ({basis})."


def moved(by: Moved, write: Write) -> str:
    """Write how far something is moved, down and up."""
    down, up = by["down"], by["up"]
    if down is None or up is None:
        return UNLIMITED
    return f"−{write(abs(down))}, +{write(abs(up))}"


def level_name(level: int) -> str:
    """Write a level as its epsilon."""
    return epsilon(level) if level else "secret"


def answers(count: int, share: float | None) -> str:
    """Write a count, and its share of the weight where that is known."""
    return f"{count:,}" if share is None else f"{count:,} ({percent(share)})"


def _most(bound: Bound, write: Write) -> str:
    found = [each["margin"] for each in bound["margins"]]
    known = [margin for margin in found if margin is not None]
    return write(max(known)) if len(known) == len(found) else UNLIMITED
