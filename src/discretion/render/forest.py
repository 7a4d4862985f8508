"""Values with intervals below one another on one axis: groups side by side, means, differences."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from discretion.render.bars import Interval
from discretion.render.formats import Write, interval
from discretion.render.labels import Label, isolated
from discretion.render.markup import Markup, element, text
from discretion.render.svg import LETTER, Axis, length, picture, rectangle, upright, words

MOST_ROWS = 60
WIDTH, TOP, FOOT = 360, 6, 22
ROW, HEAD = 21, 22  # heights of a row, and of what stands above some of them
LONGEST = 22  # letters of a label, in one line or two
WHISKER, DOT = 5, 3.8
SPARE = 0.04  # of the axis: free beyond the outermost ends
UNLEARNT = "not learnt"


class Row(NamedTuple):
    """A label and what is estimated; nothing where that is not known."""

    label: str
    own: Interval | None


class Block(NamedTuple):
    """Rows that are compared with each other, under a title or none."""

    title: str
    rows: Sequence[Row]


def forest_chart(
    blocks: Sequence[Block],
    label: str,
    write: Write,
    tick: Write,
    *,
    shares: bool = False,
    zero: bool = False,
) -> Markup:
    """Draw a dot with its interval for each row, and its value beside it.

    ``tick`` writes the numbers of the axis. ``shares`` lie between 0 and 1 at most; ``zero``: a
    line stands there.
    """
    known = [row.own for block in blocks for row in block.rows if row.own is not None]
    said = [write(own.value) for own in known]
    right = 8 + LETTER * max(map(len, said), default=0)
    names = [Label.of(row.label, LONGEST) for block in blocks for row in block.rows]
    left = 10 + max((name.width for name in names), default=0.0)
    axis = Axis(*_span(known, shares=shares, zero=zero), left, WIDTH - right)
    parts, y = list[Markup](), float(TOP)
    for block in blocks:
        if block.title:
            parts.append(words(isolated(block.title), 0, y + 15, "first side"))
            y += HEAD
        for row in block.rows:
            parts += _row(row, axis, y, write)
            y += ROW
    grid = _grid(axis, y, tick, zero=zero)
    return picture(WIDTH, y + FOOT, label, [*grid, *parts], "forest")


def fitting(blocks: Sequence[Block], most: int = MOST_ROWS) -> tuple[list[Block], int]:
    """Return as many rows as a picture has room for, and how many are left out."""
    kept, room = list[Block](), most
    for block in blocks:
        if room > 0:
            kept.append(Block(block.title, block.rows[:room]))
            room -= len(kept[-1].rows)
    whole = sum(len(block.rows) for block in blocks)
    return kept, whole - sum(len(block.rows) for block in kept)


def _span(known: Sequence[Interval], *, shares: bool, zero: bool) -> tuple[float, float]:
    ends = [end for own in known for end in own]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    if shares and not zero:
        return 0.0, min(high * (1 + SPARE), 1.0) or 1.0
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    spare = SPARE * ((high - low) or abs(high) or 1.0)
    return low - spare, high + spare


def _row(row: Row, axis: Axis, y: float, write: Write) -> Iterator[Markup]:
    middle = y + ROW / 2
    yield Label.of(row.label, LONGEST).draw(axis.start - 6, middle + 4, "label")
    if row.own is None:
        yield words(UNLEARNT, axis.start + 4, middle + 4, "none")
        return
    value, low, high = row.own
    title = text("title", f"{row.label}: {write(value)} ({interval(low, high, write)})")
    at = {"cx": length(axis.pixel(value)), "cy": length(middle)}
    ends = axis.pixel(low), axis.pixel(high)
    whisker = rectangle(*ends, middle - WHISKER / 2, WHISKER, "bar")
    yield element("g", title, whisker, element("circle", **at, r=DOT, class_="interval"))
    yield words(write(value), WIDTH, middle + 4, "last amount")


def _grid(axis: Axis, bottom: float, write: Write, *, zero: bool) -> Iterator[Markup]:
    ticks = axis.ticks
    gap = axis.pixel(ticks[1]) - axis.pixel(ticks[0]) if len(ticks) > 1 else WIDTH
    wide = LETTER * max((len(write(tick)) for tick in ticks), default=0)
    every = max(int(-(-wide // gap)), 1)
    for tick in ticks[::every]:
        x = axis.pixel(tick)
        yield upright(x, TOP, bottom, "ruler")
        yield words(write(tick), x, bottom + 15, "tick")
    if zero:
        yield upright(axis.pixel(0.0), TOP, bottom, "truth")
