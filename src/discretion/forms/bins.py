"""Where about ten round bins of a number, a date or a time of day meet.

A question that is for some people only must have bins, beside which "not applicable" is one more
value.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import chain, count, takewhile

from discretion.schema import Time

BINS = 10
MINUTES = (15, 30, 60, 120, 180)  # how far apart times of day are
YEAR = 12  # months


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
