"""Reports over time as bars: a day each, or as many days together as leave the bars wide enough."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import NamedTuple

from discretion.synthesis.markup import element, text
from discretion.synthesis.words import counted
from discretion.web.dashboard.picture import Axis, length, picture, rectangle, up_to

WIDTH, HEIGHT, TOP, FOOT, LEFT, RIGHT = 400, 90, 8, 22, 48, 4
MOST = 60  # bars
WIDEST = 30.0  # pixels of a bar: a few days do not fill the page


class Span(NamedTuple):
    """Some days one after the other, and the reports that came in them."""

    first: date
    last: date
    reports: int

    def __str__(self) -> str:
        return f"{self.first}" if self.first == self.last else f"{self.first} to {self.last}"


def spans(days: Mapping[date, int]) -> list[Span]:
    """Return all days from the first to the last, those without reports included."""
    if not days:
        return []
    first, last = min(days), max(days)
    each = -(-((last - first).days + 1) // MOST)
    found = []
    while first <= last:
        stop = min(first + timedelta(days=each - 1), last)
        reports = sum(n for day, n in days.items() if first <= day <= stop)
        found.append(Span(first, stop, reports))
        first = stop + timedelta(days=1)
    return found


def days_chart(found: list[Span]) -> str:
    """Draw how many reports came when."""
    most = up_to(max(span.reports for span in found))
    up = Axis(0.0, most, TOP + HEIGHT, TOP)
    wide = min((WIDTH - LEFT - RIGHT) / len(found), WIDEST)
    width = max(LEFT + wide * len(found) + RIGHT, 300.0)
    parts = _grid(up, width)
    for i, span in enumerate(found):
        x, y = LEFT + wide * i, up.place(span.reports)
        told = text("title", f"{span}: {counted(span.reports, 'report')}")
        parts.append(rectangle(x + 1, x + wide - 1, y, TOP + HEIGHT - y, "bar", told))
    y = TOP + HEIGHT + 16
    parts.append(text("text", str(found[0].first), x=LEFT, y=y, class_="first"))
    if len(found) > 1:
        end = length(max(LEFT + wide * len(found), LEFT + 160))
        parts.append(text("text", str(found[-1].last), x=end, y=y, class_="last"))
    said = f"Reports from {found[0].first} to {found[-1].last}. Numbers: table below."
    return picture(width, TOP + HEIGHT + FOOT, said, parts, "days")


def _grid(up: Axis, width: float) -> list[str]:
    parts = []
    for tick in (tick for tick in up.ticks if tick == int(tick)):
        y = up.place(tick)
        line = {"x1": LEFT, "x2": length(width - RIGHT), "y1": length(y), "y2": length(y)}
        parts.append(element("line", **line, class_="ruler"))
        at = {"x": LEFT - 6, "y": length(y + 4)}
        parts.append(text("text", f"{tick:,.0f}", **at, class_="last"))
    return parts
