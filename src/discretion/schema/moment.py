"""Dates and times of day: numbers with a notation of their own.

A date is the number of days since 1970-01-01, a time of day the minutes since midnight. Grids,
laws and estimates are those of numbers; only what people and files write is different. Round ones
are first days of years, months and weeks, or hours and parts of them.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time
from fractions import Fraction
from math import ceil, floor, isfinite
from typing import Any, ClassVar

from discretion.errors import RecordError
from discretion.schema.numeric import Numeric, exact

EPOCH = date(1970, 1, 1).toordinal()
FIRST, LAST = date.min.toordinal() - EPOCH, date.max.toordinal() - EPOCH
DAY, MIDNIGHT = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII), 24 * 60
UNKNOWN = "unknown"
CLOCK = re.compile(r"(\d{2}):(\d{2})(?::(\d{2}))?", re.ASCII)
TICKS = 6  # periods of an axis, at most
MINUTES = (1, 5, 10, 15, 30, 60, 120, 180, 240, 360)
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
MONDAY = 4  # 1970-01-05


class Moment(Numeric):
    """A number that people write as a date or as a time of day."""

    kind: ClassVar[str]
    example: ClassVar[str]
    calendar = True

    @property
    def document(self) -> dict[str, Any]:
        plain = super().document
        del plain["exponent"]
        return {**plain, "kind": self.kind}

    @property
    def ends(self) -> tuple[object, object]:
        return self.write(self.low), self.write(self.high)

    def _read(self, value: object) -> Fraction | float:
        return self._number(value)

    def _number(self, value: object) -> Fraction:
        try:
            return value if isinstance(value, Fraction) else self.exact(value)
        except (TypeError, ValueError):
            rule = f"must be a {self.kind} such as {self.example}"
            raise RecordError(self.name, rule, value) from None

    def point(self, value: object) -> Fraction:
        try:
            return self.exact(value)
        except (TypeError, ValueError):
            return exact(value)  # the number that it is

    def about(self, number: Fraction) -> str:
        return self.written(float(number))

    def write(self, point: float) -> str:
        return self.written(point)

    @staticmethod
    def written(point: float) -> str:
        """Write a number."""
        raise NotImplementedError

    @staticmethod
    def value_of(point: float) -> date | time:
        """Return a number as Python has it."""
        raise NotImplementedError

    @staticmethod
    def exact(value: object) -> Fraction:
        """Return what is written as a number, or raise ``TypeError`` or ``ValueError``."""
        raise NotImplementedError


class Date(Moment):
    """A day: of a moment in time, the day on which it is."""

    kind = "date"
    example = "2026-05-31"
    difference = "days"

    @staticmethod
    def exact(value: object) -> Fraction:
        if isinstance(value, str):
            if not DAY.fullmatch(value):
                raise ValueError(value)
            value = date.fromisoformat(value)
        if not isinstance(value, date):
            raise TypeError(value)
        return Fraction(value.toordinal() - EPOCH)

    @staticmethod
    def written(point: float) -> str:
        return Date.value_of(point).isoformat() if isfinite(point) else UNKNOWN

    @staticmethod
    def value_of(point: float) -> date:
        return date.fromordinal(round(min(max(point, FIRST), LAST)) + EPOCH)


class Time(Moment):
    """A time of day, from 00:00 to 24:00."""

    kind = "time"
    example = "08:30"
    difference = "minutes"

    @staticmethod
    def exact(value: object) -> Fraction:
        if isinstance(value, datetime):
            value = value.time()
        if isinstance(value, time):
            seconds = Fraction(value.microsecond, 10**6) + value.second
            return 60 * value.hour + value.minute + seconds / 60
        written = CLOCK.fullmatch(value) if isinstance(value, str) else None
        if written is None:
            raise ValueError(value)
        hours, minutes, rest = (int(part or 0) for part in written.groups())
        found = 60 * hours + minutes + Fraction(rest, 60)
        if minutes > 59 or rest > 59 or found > MIDNIGHT:
            raise ValueError(value)
        return found

    @staticmethod
    def written(point: float) -> str:
        if not isfinite(point):
            return UNKNOWN
        hours, minutes = divmod(round(min(max(point, 0), MIDNIGHT)), 60)
        return f"{hours:02}:{minutes:02}"

    @staticmethod
    def value_of(point: float) -> time:
        seconds = min(max(round(60 * point), 0), 60 * MIDNIGHT - 1)
        return time(seconds // 3600, seconds // 60 % 60, seconds % 60)


MOMENTS: dict[str, type[Moment]] = {each.kind: each for each in (Date, Time)}


def round_points(moment: Moment, low: float, high: float) -> list[float]:
    """Return a few round dates, or times of day, in a range: where an axis has its ticks."""
    if isinstance(moment, Date):
        return [day for day in round_days(floor(low), ceil(high), TICKS) if low <= day <= high]
    step = next((each for each in MINUTES if (high - low) / each <= TICKS), MINUTES[-1])
    return [i * step for i in range(ceil(low / step), floor(high / step) + 1)]


def round_days(low: int, high: int, most: int) -> list[int]:
    """Return the first days of periods that cover a range; the last day is where they end.

    The periods are the shortest of which at most ``most`` are needed: days, weeks, months, or more.
    """
    for first, day_of in _periods(low):
        days = [day_of(first)]
        while days[-1] < high and len(days) <= most:
            days.append(day_of(first + len(days)))
        if days[-1] >= high:
            return days
    return [low, high]


def _periods(low: int) -> Iterator[tuple[int, Callable[[int], int]]]:
    """Yield periods from short to long: which of them a day is in, and on which day one begins."""
    yield low, lambda period: min(period, LAST)
    yield (low - MONDAY) // 7, lambda period: min(max(7 * period + MONDAY, FIRST), LAST)
    start = date.fromordinal(low + EPOCH)
    month = 12 * start.year + start.month - 1
    for months in MONTHS:
        yield month // months, lambda period, months=months: _day_of(period * months)  # type: ignore[misc]


def _day_of(month: int) -> int:
    """Return the first day of a month that is counted from the year 0."""
    year, rest = divmod(month, 12)
    if year < date.min.year:
        return FIRST
    return LAST if year > date.max.year else date(year, rest + 1, 1).toordinal() - EPOCH
