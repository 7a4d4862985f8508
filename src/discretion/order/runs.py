"""Ranges as people name them, and the codes that they are: both ends belong to a range."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import floor, isinf

from discretion.errors import EstimateError
from discretion.order.result import Ends
from discretion.schema import Attribute, Numeric

TO = ".."  # between the ends of a range that is written as a text

Range = str | Sequence[object]


def pair_of(stated: Range) -> tuple[object, object]:
    """Return the two ends of a range as they are stated."""
    if isinstance(stated, str):
        low, to, high = stated.partition(TO)
        if to:
            return low.strip() or None, high.strip() or None
    elif len(stated) == 2:
        return stated[0], stated[1]
    raise EstimateError(f"a range must be two ends, such as 0{TO}20000, got {stated!r}")


def cuts_of(domain: Attribute, low: object, high: object) -> tuple[int, int]:
    """Return the codes below a range, and those up to its end."""
    number = domain.number
    if number is None:
        first = 0 if low is None else domain.code(low)
        last = domain.size - 1 if high is None else domain.code(high)
    else:
        if low is not None and high is not None and _number(number, low) > _number(number, high):
            raise EstimateError(f"a range must have its smaller end first, got {low!r} to {high!r}")
        below = 0 if low is None else max(-floor(-_position(number, low)), 0)
        return below, max(domain.size if high is None else cut_above(number, high), below)
    if first > last:
        raise EstimateError(f"a range must have its smaller end first, got {low!r} to {high!r}")
    return first, last + 1


def cut_above(number: Numeric, end: object) -> int:
    """Return how many codes of a number's grid are at most this number."""
    return min(max(floor(_position(number, end)) + 1, 0), number.size)


def _position(number: Numeric, end: object) -> Fraction:
    """Return where a number lies on the grid of codes; one outside lies beyond its ends."""
    found = _number(number, end)
    if isinstance(found, float):
        return Fraction(number.size if found > 0 else -1)
    steps = (found / number.unit - number.low) / number.stride
    return max(min(steps, Fraction(number.size)), Fraction(-1))


def named(domain: Attribute, pair: tuple[object, object], cuts: Sequence[int]) -> tuple[Ends, Ends]:
    """Return the ends as results have them: numbers, or labels."""
    number = domain.number
    if number is None:
        first, stop = cuts
        return domain.labels[first], domain.labels[stop - 1]
    written = (number.low, number.high)
    low, high = (
        whole * number.unit if end is None else _number(number, end)
        for end, whole in zip(pair, written, strict=True)
    )
    return float(low), float(high)


def _number(number: Numeric, end: object) -> Fraction | float:
    """Return an end of a range, which may be infinite; of a date the number of its day."""
    if isinstance(end, float) and isinf(end):
        return end
    try:
        return number.point(Decimal(end) if isinstance(end, str) and not number.calendar else end)
    except (TypeError, ArithmeticError, ValueError):
        raise EstimateError(f"an end of a range of {number.name} cannot be {end!r}") from None


def equal(domain: Attribute, parts: int) -> list[tuple[object, object]]:
    """Return ranges that divide all codes into equal parts."""
    parts = min(parts, domain.size)
    edges = [domain.size * part // parts for part in range(parts + 1)]
    if domain.number is None:
        return [(domain.labels[low], domain.labels[high - 1]) for low, high in pairwise(edges)]
    number = domain.number

    def at(code: int) -> object:
        return (number.low + code * number.stride) * number.unit

    return [(at(low), at(high - 1)) for low, high in pairwise(edges)]
