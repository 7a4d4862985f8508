"""The levels that an owner's page shows as stops, and how many people each asks for.

A policy may allow thousands of levels; five that differ in what they mean are a choice.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import cast

import numpy as np

from discretion.aggregate import Outputs
from discretion.family.columns import PooledColumns
from discretion.mechanism import Bloom, Histogram, NumberLaw, SupportLaw
from discretion.plan import Family, Plan

SHOWN = 5
STRONG, LIGHT = 250, 4000  # thousandths: levels outside are shown only if none is between
OFF = Fraction(1, 50)  # the half of an interval: two points, or a fiftieth of the range
NORMAL = Fraction(196, 100)  # standard errors of it, at 95 %


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
    if plan.questions[name].family is Family.BLOCKS:
        return None
    spread = (
        _of_number(plan.questions[name].law(level, Family.NUMBERS))
        if plan.questions[name].family is Family.NUMBERS
        else _of_share(plan, name, level)
    )
    return None if spread is None else ceil(spread * (NORMAL / OFF) ** 2)


def _nearest(menu: tuple[int, ...], wanted: float) -> int:
    at = bisect_left(menu, wanted)
    return min(menu[max(at - 1, 0) : at + 1], key=lambda level: abs(level - wanted))


def _of_share(plan: Plan, name: str, level: int) -> Fraction:
    """Return the variance of a share of a half as estimated from one report."""
    if plan.questions[name].family is Family.COLUMNS:
        return _of_columns(plan, name, level)
    law = plan.questions[name].law(level)
    if isinstance(law, Bloom | Histogram):
        (own, other), hashes = law.means, law.encoding.hashes
        spread = sum(law.variances, Fraction())
    else:
        inclusion = cast("SupportLaw", law).inclusion
        own, other, hashes = inclusion.own, inclusion.other, 1
        spread = own * (1 - own) + other * (1 - other)
    return spread / 2 / (own - other) ** 2 / hashes + Fraction(1, 4)


def _of_columns(plan: Plan, name: str, level: int) -> Fraction:
    """Return the largest of them, each with the other half spread evenly over the other values."""
    law = plan.questions[name].law(level, Family.COLUMNS)
    one = PooledColumns([(law, Outputs(1, np.zeros(law.n_outputs, np.int64)))])
    rest = 0.5 / (law.size - 1)
    halves = (np.where(np.arange(law.size) == v, 0.5, rest) for v in range(law.size))
    return Fraction(max(float(one.covariance(f)[v, v]) for v, f in enumerate(halves)))


def _of_number(law: NumberLaw) -> Fraction | None:
    """Return the variance of a mean as estimated from one report, with the range as its unit.

    The answers are taken to lie at the ends and in the middle alike.
    """
    if not law.pieces:
        return None
    last = law.size - 1
    noise = sum((law.variance(code) for code in (0, last // 2, last)), Fraction(0)) / 3
    return noise / last**2 + Fraction(1, 6)
