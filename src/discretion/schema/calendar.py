"""Round dates and times: first days of years, months and weeks; hours and parts of them.

Dates are numbers of days since 1970-01-01, times of day minutes since midnight.
"""

from collections.abc import Callable, Iterator
from datetime import date
from math import ceil, floor

from discretion.schema.moment import EPOCH, FIRST, LAST, Date, Moment

TICKS = 6  # periods of an axis, at most
MINUTES = (1, 5, 10, 15, 30, 60, 120, 180, 240, 360)
MONTHS = (1, 3, 6, 12, 24, 60, 120, 240, 600, 1200)
MONDAY = 4  # 1970-01-05


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
