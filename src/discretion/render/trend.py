"""Upright bars in a row: counts over time, or a histogram."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from discretion.render.formats import Write
from discretion.render.markup import Markup, text
from discretion.render.svg import LETTER, Axis, level, picture, rectangle, up_to, words

WIDTH, HEIGHT, TOP, FOOT, LEFT, RIGHT = 400, 90, 8, 22, 48, 4
WIDEST = 30.0  # pixels of a bar: a few do not fill the page
GAP = 2  # letters between the names of a histogram, at least
ENDS = 160  # pixels from the start of the first name to the end of the last, at least


class Column(NamedTuple):
    """A bar: its height, and what it is."""

    height: float
    title: str


def trend_chart(
    columns: Sequence[Column],
    ends: Sequence[str],
    label: str,
    write: Write,
    *,
    whole: bool = False,
) -> Markup:
    """Draw columns from left to right with the names of the first and the last.

    One name more than there are columns: they stand where columns meet, as of a histogram.
    ``whole``: heights are counts, so that only whole numbers are ticks.
    """
    up = Axis(0.0, up_to(max(column.height for column in columns)), TOP + HEIGHT, TOP)
    histogram = len(ends) > len(columns)
    right = max(RIGHT, LETTER * len(ends[-1]) / 2) if histogram else RIGHT
    wide = min((WIDTH - LEFT - right) / len(columns), WIDEST)
    width = max(LEFT + wide * len(columns) + right, 300.0)
    parts: list[Markup] = []
    for tick in up.ticks:
        if not whole or tick == int(tick):
            y = up.pixel(tick)
            parts.append(level(y, LEFT, width - right, "ruler"))
            parts.append(words(write(tick), LEFT - 6, y + 4, "last"))
    for i, column in enumerate(columns):
        x, y = LEFT + wide * i, up.pixel(column.height)
        title = text("title", column.title)
        parts.append(rectangle(x + 1, x + wide - 1, y, TOP + HEIGHT - y, "bar", title))
    foot = TOP + HEIGHT + 16
    if histogram:
        every = ceil(LETTER * (max(map(len, ends)) + GAP) / wide)
        edges = list(enumerate(ends))[::every]
        parts += [words(end, LEFT + wide * i, foot, "tick") for i, end in edges]
        return picture(width, TOP + HEIGHT + FOOT, label, parts, "trend")
    parts.append(words(ends[0], LEFT, foot, "first"))
    if len(columns) > 1:
        parts.append(words(ends[1], LEFT + max(wide * len(columns), ENDS), foot, "last"))
    return picture(width, TOP + HEIGHT + FOOT, label, parts, "trend")
