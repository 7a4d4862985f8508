"""The range of a number, a date or a time of day, as the constraint of a form states it; its bins.

A question that is for some people only must have bins, beside which "not applicable" is one more
value.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import chain, count, takewhile
from math import ceil, floor
from typing import Any

from discretion.forms.bounds import Bounds, Read, read_bounds
from discretion.forms.expression import Complex
from discretion.forms.unasked import Unaskable
from discretion.forms.workbook import Item
from discretion.plan.attributes import MOST_POINTS
from discretion.schema import Date, Moment, Time

FINE = Decimal("0.1")  # the step of decimal numbers
DECIMAL = ("decimal", "q decimal", "add decimal prompt")
RANGE = ("start", "end", "step")
BINS = 10  # about so many, between round numbers
MINUTES = (15, 30, 60, 120, 180)  # how far apart times of day are
YEAR = 12  # months


@dataclass(frozen=True)
class Measure:
    """What is measured, a number, a date or a time of day: how it is read, written and binned."""

    noun: str
    read: Read  # a constant of the form
    blank: Mapping[str, Any]  # what an author might write, with ends to be changed
    inner: Callable[[Any, Any, Decimal], Iterable[Any]]  # edges of bins between two ends
    made: type[Moment] | None = None
    whole: Mapping[str, Any] = field(default_factory=dict)  # where a form states no ends

    def range_of(self, item: Item, notes: list[str], today: date) -> dict[str, Any]:
        """Return the fields of an attribute between the ends that a form states.

        What is not kept of its constraint is added to the notes.
        """
        if item.type == "range":
            start, end, step = (Decimal(item.fields["parameters"][k]) for k in RANGE)
            first, last, step = min(start, end), max(start, end), abs(step)
            return _on_grid(Fraction(first), Fraction(last - (last - first) % step), step)
        if self.whole and "constraint" not in item.bind:
            return dict(self.whole)
        bounds = self._bounds(item, today)
        notes += _noted(item, bounds, today)
        if bounds.low is None or bounds.high is None:
            ends = (("least", bounds.low), ("most", bounds.high))
            lacks = " and the ".join(end for end, at in ends if at is None)
            reason = f"a {self.noun} needs a range, and the form does not say the {lacks}"
            raise Unaskable(f"{reason} (a constraint such as . >= 0 and . <= 120 does)", self.blank)
        low, high = bounds.low, bounds.high
        if whole := self.made is not None or item.type not in DECIMAL:
            low = Fraction(ceil(low)) + (bounds.low_open and low % 1 == 0)
            high = Fraction(floor(high)) - (bounds.high_open and high % 1 == 0)
        if low >= high:
            raise Unaskable("its constraint leaves no two values")
        if self.made is not None:
            written = [self.made.written(float(end)) for end in (low, high)]
            return {"kind": self.made.kind, "range": written}
        return _on_grid(low, high, Decimal(1) if whole else FINE)

    def with_bins(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields with bins, beside which "not applicable" is one more value."""
        low, high = fields["range"]
        return {**fields, "bins": [low, *self.inner(low, high, fields.get("step", 1)), high]}

    def _bounds(self, item: Item, today: date) -> Bounds:
        text = item.bind.get("constraint", "")
        try:
            return read_bounds(text, self.read, today) if text else Bounds()
        except Complex as error:
            reason = f"its constraint cannot be read ({error}), and a {self.noun} needs its ends"
            raise Unaskable(reason, self.blank) from None


def _noted(item: Item, bounds: Bounds, today: date) -> Iterator[str]:
    if re.search(r"\b(today|now)\b", item.bind.get("constraint", "")):
        yield f"today means {today.isoformat()} in its constraint"
    for rule in bounds.unread:
        yield f"that it {rule} is not checked"
    if bounds.apart:
        values = ", ".join(bounds.apart)
        yield f"{values} beside the range: left out; owners skip the question instead"
    if item.type.lower().replace(" ", "").endswith("datetime"):
        yield "a moment in time: its day is asked"


def _day(text: str) -> Fraction:
    return Date.exact(text[:10] if "T" in text else text)


def _on_grid(low: Fraction, high: Fraction, step: Decimal) -> dict[str, Any]:
    """Return a numeric attribute, on a grid as fine as asked for or as a plan allows."""
    ends = [Decimal(end.numerator) / Decimal(end.denominator) for end in (low, high)]
    if (high - low) % Fraction(step):  # ends with more places than asked for
        step = min(step, *(Decimal(1).scaleb(min(0, _exponent(end))) for end in ends))
    while (high - low) / Fraction(step) >= MOST_POINTS:
        step *= 10
    if (high - low) % Fraction(step):
        raise Unaskable(f"its range {ends[0]} to {ends[1]} is no whole number of steps of {step}")
    return {"kind": "numeric", "range": ends, "step": step}


def _exponent(number: Decimal) -> int:
    return int(number.normalize().as_tuple().exponent)


def round_numbers(low: Decimal, high: Decimal, step: Decimal) -> Iterator[Decimal]:
    """Yield multiples of a round number of steps; the last bin has half of one at least."""
    units = chain.from_iterable((d * 10**e for d in (1, 2, 5)) for e in range(12))
    width = next(step * unit for unit in units if step * unit * BINS >= high - low)
    first = low + width if low % step else (low // width + 1) * width
    return takewhile(lambda edge: edge <= high - width / 2, count(first, width))


def first_days(low: str, high: str, _: Decimal) -> Iterator[str]:
    """Yield first days of years; of months, where there are few years."""
    first, last = date.fromisoformat(low), date.fromisoformat(high)
    begin, end = (day.year * YEAR + day.month - 1 for day in (first, last))
    every = -(-(end - begin) // BINS) or 1
    if every > YEAR // 2:
        every = -(-every // YEAR) * YEAR
    months = range((begin // every + 1) * every, end + 1, every)
    edges = (date(month // YEAR, month % YEAR + 1, 1) for month in months)
    return (edge.isoformat() for edge in edges if first < edge < last)


def full_hours(low: str, high: str, _: Decimal) -> Iterator[str]:
    """Yield full hours, or parts of them where there are few."""
    first, last = (int(Time.exact(end)) for end in (low, high))
    every = next((width for width in MINUTES if width * BINS >= last - first), MINUTES[-1])
    edges = range((first // every + 1) * every, last, every)
    return (Time.written(edge) for edge in edges)


ALL_DAY = {"kind": "time", "range": ["00:00", "23:59"]}
MEASURES = {
    "number": Measure(
        "number",
        Fraction,
        {"kind": "numeric", "range": [Decimal(0), Decimal(100)], "step": Decimal(1)},
        round_numbers,
    ),
    "date": Measure(
        "date", _day, {"kind": "date", "range": ["2000-01-01", "2030-12-31"]}, first_days, Date
    ),
    "time": Measure("time", Time.exact, ALL_DAY, full_hours, Time, ALL_DAY),
}
