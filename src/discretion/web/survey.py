"""What a page says to owners beside the plan: who asks, and what a level brings.

The levels that it shows are stops. A policy may allow thousands of them; five that differ in what
they mean are a choice.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import ceil

from discretion.family import of
from discretion.plan import Plan

SHOWN = 5
STRONG, LIGHT = 250, 4000  # thousandths: levels outside are shown only if none is between
OFF = Fraction(1, 50)  # the half of an interval: two points, or a fiftieth of the range
NORMAL = Fraction(196, 100)  # standard errors of it, at 95 %


def survey(
    plan: Plan,
    asker: str,
    purpose: str,
    retention: int,
    round: int | None,
    *,
    token: bool,
    results: bool = False,
) -> dict[str, object]:
    """Return the survey document; what protects owners is in the plan."""
    return {
        "plan": plan.id,
        "name": plan.name,
        "asker": asker,
        "purpose": purpose,
        "retention": retention,
        "round": round,
        "token": token,
        "results": results,
        "stops": _stops(plan),
    }


@cache
def _stops(plan: Plan) -> Mapping[str, object]:
    return {name: [asdict(stop) for stop in stops(plan, name)] for name in plan.names}


@dataclass(frozen=True, slots=True)
class Stop:
    """A level, and how many people are needed if all choose it; None where that is not known."""

    level: int
    people: int | None


def stops(plan: Plan, name: str) -> list[Stop]:
    """Return the stops of an attribute or bundle, the strongest protection first."""
    return [Stop(level, people(plan, name, level)) for level in shown(plan.questions[name].menu)]


def shown(menu: tuple[int, ...]) -> list[int]:
    """Choose levels from a menu: all of a short one, else some whose ratios are alike."""
    if len(menu) <= SHOWN:
        return list(menu)
    low, high = max(menu[0], STRONG), min(menu[-1], LIGHT)
    if low >= high:
        low, high = menu[0], menu[-1]
    wanted = [low * (high / low) ** (i / (SHOWN - 1)) for i in range(SHOWN)]
    return sorted({_nearest(menu, level) for level in wanted})


def people(plan: Plan, name: str, level: int) -> int | None:
    """Return how many people at this level estimate a share to two points, at 95 %.

    Of a number: its mean, to a fiftieth of the range.
    """
    variance = of(plan.questions[name]).variance(level)
    return None if variance is None else ceil(variance * (NORMAL / OFF) ** 2)


def _nearest(menu: tuple[int, ...], wanted: float) -> int:
    at = bisect_left(menu, wanted)
    return min(menu[max(at - 1, 0) : at + 1], key=lambda level: abs(level - wanted))
