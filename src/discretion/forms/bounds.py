"""The ends of a number, from a constraint such as ``. >= 0 and . <= 120 or . = 999``."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from discretion.forms.expression import Complex, evaluate

Read = Callable[[str], Fraction]  # a constant, as the kind of the question has it


@dataclass(frozen=True)
class Bounds:
    """The ends, where a constraint states them, and whether each belongs to what is allowed.

    ``apart`` are single values beside the range, as codes for "don't know" are.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    low_open: bool = False
    high_open: bool = False
    apart: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()  # conditions that narrow it in ways that a range does not

    @property
    def single(self) -> bool:
        """Whether it is one value."""
        return bool(self.apart) and self.low == self.high


def read_bounds(text: str, read: Read, today: date) -> Bounds:
    """Return the bounds that a constraint states, or raise ``Complex``."""
    return evaluate(text, _Bounding(read), today)


@dataclass(frozen=True)
class _Bounding:
    read: Read

    def compare(self, field: str, sign: str, value: str) -> Bounds:
        if field:
            raise Complex(f"it is about ${{{field}}}")
        try:
            number = self.read(value)
        except (TypeError, ValueError):
            raise Complex(f"{value!r} is no value of this question") from None
        match sign:
            case "<" | "<=":
                return Bounds(high=number, high_open=sign == "<")
            case ">" | ">=":
                return Bounds(low=number, low_open=sign == ">")
            case "=":
                return Bounds(number, number, apart=(value,))
        return Bounds(unread=(f"is not {value}",))

    def both(self, one: Bounds, other: Bounds) -> Bounds:
        if one.single or other.single:
            raise Complex("it allows a single value")
        low, low_open = max(
            ((each.low, each.low_open) for each in (one, other) if each.low is not None),
            default=(None, False),
        )
        high, high_open = min(
            ((each.high, not each.high_open) for each in (one, other) if each.high is not None),
            default=(None, True),
        )
        apart, unread = (*one.apart, *other.apart), (*one.unread, *other.unread)
        return Bounds(low, high, low_open, not high_open, apart, unread)

    def either(self, one: Bounds, other: Bounds) -> Bounds:
        """Keep a range, and single values beside it."""
        points, ranges = list[Bounds](), list[Bounds]()
        for each in (one, other):
            (points if each.single else ranges).append(each)
        if not points:
            raise Complex("it allows two ranges")
        apart = tuple(value for each in (*ranges, *points) for value in each.apart)
        return replace((ranges or points)[0], apart=apart)

    def negate(self, one: Bounds) -> Bounds:
        raise Complex("not() is not read here")
