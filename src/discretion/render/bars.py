"""Bars with intervals: how frequent each label is, in one series or several beside each other.

Small ones fit the cell of a table: a share on its track, or a value beside its interval.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple, Self

from discretion.render.formats import RANGE, interval, percent
from discretion.render.labels import Label
from discretion.render.markup import Markup, element, text
from discretion.render.svg import Axis, length, picture, rectangle, up_to, upright, words

MOST_BARS = 25
WIDTH, TOP, FOOT = 360, 4, 22
LONGEST, MOST_LINES = 22, 3  # letters of a label, in one line, and lines
BAR, INTERVAL, BOUND = 11, 5, 2  # heights
EACH, BETWEEN = 12, 10  # a series in a row, and what stands between rows at least
APART = 6  # between the labels of rows, at least
RIGHT, MISS = 50, 36  # for the value at the end of a bar, and for the word that marks a miss
GAUGE, GAUGE_HEIGHT = 160, 18  # of a small bar
BEYOND = 0.45  # of a small interval: how far outside a mark may stand
SIDE_TICKS = 4  # on each side of the truth: more would run into each other


class Interval(NamedTuple):
    """A value and the ends of its interval."""

    value: float
    low: float
    high: float

    def covers(self, truth: float) -> bool:
        """Whether the interval has the truth in it."""
        return self.low <= truth <= self.high


class Bar(NamedTuple):
    """A label, an interval for each series, and what else is known of it."""

    label: str
    series: tuple[Interval, ...]
    truth: float | None = None
    bound: tuple[float, float] | None = None  # how far false reports can move the first series


class _Rows(NamedTuple):
    """Where the bars of each row begin, how high they are together, and where all rows end."""

    tops: list[float]
    high: float
    bottom: float

    @classmethod
    def of(cls, bars: Sequence[Bar], series: int) -> Self:
        """Give each row the room that its bars take, or its label where that takes more."""
        high, end, tops = BETWEEN + EACH * series, float(TOP), []
        for bar in bars:
            whole = max(high, _label(bar.label).height + APART)
            tops.append(end + (whole - high) / 2)
            end += whole
        return cls(tops, high, end)


def most_frequent(bars: Sequence[Bar]) -> list[Bar]:
    """Return all bars in their order, or of too many the most frequent ones, largest first."""
    if len(bars) <= MOST_BARS:
        return list(bars)
    return sorted(bars, key=lambda bar: -bar.series[0].value)[:MOST_BARS]


def room_for(labels: Iterable[str]) -> float:
    """Return where the axis begins, so that the labels fit before it."""
    return 10 + max(_label(label).width for label in labels)


def bar_chart(
    bars: Sequence[Bar],
    label: str,
    *,
    series: Sequence[str] = ("",),
    bound: str = "",
    top: float | None = None,
    left: float | None = None,
    form: str = RANGE,
) -> Markup:
    """Draw bars on an axis from 0 to ``top``, each with its value, its interval and the truth.

    ``bound`` names what the thin line below a bar shows. ``top`` and ``left`` are for charts that
    are compared with each other. ``form`` is how intervals are written.
    """
    most = max(max(each.value, each.high) for bar in bars for each in bar.series)
    left = room_for(bar.label for bar in bars) if left is None else left
    axis = Axis(0.0, min(up_to(most), 1.0) if top is None else top, left, WIDTH - RIGHT)
    rows = _Rows.of(bars, len(series))
    parts = _grid(axis, axis.ticks, rows.bottom, lambda tick: f"{100 * tick:g} %")
    for bar, y in zip(bars, rows.tops, strict=True):
        parts.append(_label(bar.label).draw(left - 6, y + rows.high / 2 + 4, "label"))
        for i, (name, own) in enumerate(zip(series, bar.series, strict=True)):
            parts.append(element("g", *_bar(bar, i, name, own, axis, y, bound, form)))
        if bar.truth is not None:
            x = axis.pixel(bar.truth)
            parts.append(upright(x, y + 1, y + rows.high - 1, "truth"))
    return picture(WIDTH, rows.bottom + FOOT, label, parts, "bars")


def deviation_chart(
    bars: Sequence[Bar],
    label: str,
    *,
    series: Sequence[str] = ("",),
    most: int,
    left: float | None = None,
) -> Markup:
    """Draw how far values and intervals are from the truth, up to ``most`` points."""
    left = room_for(bar.label for bar in bars) if left is None else left
    axis = Axis(-most, most, left, WIDTH - MISS)
    step = ceil(most / SIDE_TICKS)
    ticks = [float(i * step) for i in range(-(most // step), most // step + 1)]
    rows = _Rows.of(bars, len(series))
    parts = _grid(axis, ticks, rows.bottom, lambda tick: f"{tick:+g}" if tick else "truth")
    parts.append(upright(axis.pixel(0.0), TOP, rows.bottom, "truth"))
    for bar, y in zip(bars, rows.tops, strict=True):
        parts.append(_label(bar.label).draw(left - 6, y + rows.high / 2 + 4, "label"))
        for i, (name, own) in enumerate(zip(series, bar.series, strict=True)):
            parts.append(element("g", *_deviation(bar, i, name, own, axis, y)))
    return picture(WIDTH, rows.bottom + FOOT, label, parts, "bars")


def gauge(share: float, label: str, mark: float | None = None) -> Markup:
    """Draw a share as a bar on its track, with a line at ``mark``."""
    parts = [
        rectangle(0, GAUGE, 4, 10, "track"),
        rectangle(0, GAUGE * min(share, 1.0), 4, 10, "interval"),
    ]
    if mark is not None:
        parts.append(upright(GAUGE * mark, 0, GAUGE_HEIGHT, "truth"))
    return picture(GAUGE, GAUGE_HEIGHT, label, parts, "small")


def interval_mark(value: float, low: float, high: float, label: str) -> Markup:
    """Draw where a value stands in an interval, or beside it."""
    part = (value - low) / max(high - low, 1e-12)
    x = GAUGE / 4 + GAUGE / 2 * min(max(part, -BEYOND), 1 + BEYOND)
    parts = [
        rectangle(0, GAUGE, 8, 2, "track"),
        rectangle(GAUGE / 4, 3 * GAUGE / 4, 5, 8, "bar"),
        upright(x, 1, 17, "truth"),
    ]
    return picture(GAUGE, GAUGE_HEIGHT, label, parts, "small")


def _bar(
    bar: Bar, i: int, name: str, own: Interval, axis: Axis, y: float, bound: str, form: str
) -> Iterator[Markup]:
    kind, y = _second(i), y + EACH * i
    yield text("title", _said(bar, name, own, form) + (_bounded(bar, bound) if bound else ""))
    yield rectangle(axis.pixel(0.0), axis.pixel(own.value), y + 4, BAR, f"bar{kind}")
    ends: tuple[float, ...] = axis.pixel(own.low), axis.pixel(own.high)
    yield rectangle(ends[0], ends[1], y + 7, INTERVAL, f"interval{kind}")
    if bar.bound is not None:
        least, most = map(axis.pixel, bar.bound)
        yield rectangle(least, most, y + 17, BOUND, "bound")
        ends = *ends, most
    yield words(percent(own.value), max(*ends, axis.pixel(own.value)) + 5, y + 13.5, "amount")


def _deviation(
    bar: Bar, i: int, name: str, own: Interval, axis: Axis, y: float
) -> Iterator[Markup]:
    truth, kind, middle = bar.truth or 0.0, _second(i), y + EACH * i + 9.5
    value, low, high = (axis.pixel(100 * (end - truth)) for end in own)
    yield text("title", _said(bar, name, own))
    yield rectangle(low, high, middle - INTERVAL / 2, INTERVAL, f"bar{kind}")
    yield element("circle", cx=length(value), cy=length(middle), r=3.8, class_=f"interval{kind}")
    if not own.covers(truth):
        yield words("miss", WIDTH - MISS + 4, middle + 4, "miss")


def _grid(
    axis: Axis, ticks: Sequence[float], bottom: float, write: Callable[[float], str]
) -> list[Markup]:
    parts = []
    for tick in ticks:
        x = axis.pixel(tick)
        parts.append(upright(x, TOP, bottom, "ruler"))
        parts.append(words(write(tick), x, bottom + 15, "tick"))
    return parts


def _label(label: str) -> Label:
    return Label.of(label, LONGEST, MOST_LINES)


def _second(i: int) -> str:
    return " second" if i else ""


def _said(bar: Bar, name: str, own: Interval, form: str = RANGE) -> str:
    series = f", {name}:" if name else ""
    truth = "" if bar.truth is None else f"; truth {percent(bar.truth)}"
    ends = interval(own.low, own.high, percent, form)
    return f"{bar.label}{series} {percent(own.value)} ({ends}){truth}"


def _bounded(bar: Bar, bound: str) -> str:
    if bar.bound is None:
        return f"; {bound}: anything"
    return f"; {bound}: {interval(*bar.bound, percent)}"
