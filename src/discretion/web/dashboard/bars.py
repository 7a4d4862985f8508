"""Frequencies as bars with intervals, and below each what a share of liars could make of it."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from discretion.estimate.look import MOST_BARS, shortened
from discretion.synthesis.markup import element, text
from discretion.synthesis.words import percent
from discretion.web.dashboard.picture import Axis, length, picture, rectangle, up_to

WIDTH, ROW, TOP, FOOT = 360, 22, 4, 22
LETTER, LONGEST = 7.2, 22  # pixels of a letter; letters of a label
BAR, INTERVAL, LIES = 11, 5, 2  # heights
RIGHT = 16  # for half of the last tick


class Bar(NamedTuple):
    """A label, its frequency with its interval, and where liars could move it."""

    label: str
    value: float
    low: float
    high: float
    least: float | None  # with some liars; None without limit
    most: float | None


def bars_of(document: Mapping[str, Any]) -> list[Bar]:
    """Return a bar for each label, in the plan's order."""
    first = document["margins"][0]["margins"]
    rows = zip(document["frequencies"], first, strict=True)
    return [Bar(row["label"], *_ends(row), *_moved(row, lies)) for row, lies in rows]


def most_frequent(bars: Sequence[Bar]) -> list[Bar]:
    """Return as many as a chart has room for: the most frequent ones, in the plan's order."""
    if len(bars) <= MOST_BARS:
        return list(bars)
    least = sorted((bar.value for bar in bars), reverse=True)[MOST_BARS - 1]
    return [bar for bar in bars if bar.value >= least][:MOST_BARS]


def frequency_chart(name: str, bars: Sequence[Bar], share: str) -> str:
    """Draw bars with intervals on an axis from 0; ``share`` of the reports are the liars."""
    left = 10 + LETTER * max(len(shortened(bar.label, LONGEST)) for bar in bars)
    top = min(up_to(max(max(bar.value, bar.high) for bar in bars)), 1.0)
    axis, bottom = Axis(0.0, top, left, WIDTH - RIGHT), TOP + ROW * len(bars)
    parts = _grid(axis, bottom)
    for row, bar in enumerate(bars):
        y = TOP + ROW * row
        parts.append(_row(bar, axis, y, share))
        label = shortened(bar.label, LONGEST)
        at = {"x": length(left - 6), "y": length(y + 15)}
        parts.append(text("text", label, **at, class_="label"))
    said = f"Frequencies of {name} with 95 % intervals: {_told(bars)}. Numbers: table below."
    return picture(WIDTH, bottom + FOOT, said, parts, "bars")


def _row(bar: Bar, axis: Axis, y: float, share: str) -> str:
    shapes = [
        text("title", f"{_of(bar)}{_lies(bar, share)}"),
        rectangle(axis.place(0.0), axis.place(bar.value), y + 4, BAR, "bar"),
        rectangle(axis.place(bar.low), axis.place(bar.high), y + 7, INTERVAL, "interval"),
    ]
    if bar.least is not None and bar.most is not None:
        ends = axis.place(bar.least), axis.place(bar.most)
        shapes.append(rectangle(*ends, y + 17, LIES, "lies"))
    return element("g", *shapes)


def _grid(axis: Axis, bottom: float) -> list[str]:
    parts = []
    for tick in axis.ticks:
        x = length(axis.place(tick))
        parts.append(element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="ruler"))
        parts.append(text("text", f"{100 * tick:g} %", x=x, y=bottom + 15, class_="tick"))
    return parts


def _ends(row: Mapping[str, Any]) -> tuple[float, float, float]:
    value = row["value"]
    low, high = row["low"], row["high"]
    return value, 0.0 if low is None else low, 1.0 if high is None else high


def _moved(row: Mapping[str, Any], lies: Mapping[str, Any]) -> tuple[float | None, float | None]:
    if lies["down"] is None or lies["up"] is None:
        return None, None
    return row["value"] + lies["down"], row["value"] + lies["up"]


def _told(bars: Sequence[Bar]) -> str:
    return "; ".join(_of(bar) for bar in bars[:5]) + ("; and more" if len(bars) > 5 else "")


def _of(bar: Bar) -> str:
    return f"{bar.label} {percent(bar.value)} ({percent(bar.low)} to {percent(bar.high)})"


def _lies(bar: Bar, share: str) -> str:
    if bar.least is None or bar.most is None:
        return f"; {share} of lies: anything"
    return f"; {share} of lies: {percent(bar.least)} to {percent(bar.most)}"
