"""The density of a number: steps with a band, and where they are known its mean and the truth."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil

from discretion.render.bars import Interval
from discretion.render.formats import Write, on_grid
from discretion.render.markup import Markup, element, text
from discretion.render.svg import LETTER, Axis, level, picture, rectangle, steps, upright, words

WIDTH, HEIGHT, TOP, FOOT, SIDE = 360, 130, 8, 24, 24
ROOM = 1.05  # of the highest step


def density_chart(
    edges: Sequence[float],
    shares: Sequence[Interval],
    label: str,
    *,
    mean: Interval | None = None,
    mean_label: str = "",
    truth: Sequence[float] = (),
    write: Write = on_grid,
    ticks: Sequence[float] | None = None,
) -> Markup:
    """Draw the density of shares in bins with its band; ``truth`` has the true shares.

    ``ticks`` are round values where those of numbers are not: of dates, say.
    """
    across = Axis(edges[0], edges[-1], SIDE, WIDTH - SIDE)
    value, low, high = (_heights(edges, each) for each in zip(*shares, strict=True))
    real = _heights(edges, truth) if truth else []
    up = Axis(0.0, ROOM * max(*high, *real), TOP + HEIGHT, TOP)
    band = [*_steps(across, up, edges, high), *reversed(_steps(across, up, edges, low))]
    parts = [
        element("polygon", points=" ".join(band), class_="bar"),
        element("polyline", points=" ".join(_steps(across, up, edges, value)), class_="estimate"),
    ]
    if real:
        line = " ".join(_steps(across, up, edges, real))
        parts.append(element("polyline", points=line, class_="estimate truth"))
    if mean is not None:
        parts += _mean(mean, mean_label, across)
    return picture(
        WIDTH, TOP + HEIGHT + FOOT, label, [*parts, *_axis(across, write, ticks)], "density"
    )


def _heights(edges: Sequence[float], shares: Sequence[float]) -> list[float]:
    return [share / (b - a) for share, (a, b) in zip(shares, pairwise(edges), strict=True)]


def _steps(across: Axis, up: Axis, edges: Sequence[float], heights: Sequence[float]) -> list[str]:
    return list(steps([across.pixel(x) for x in edges], [up.pixel(y) for y in heights]))


def _mean(mean: Interval, label: str, across: Axis) -> list[Markup]:
    y = TOP + HEIGHT
    line = upright(across.pixel(mean.value), TOP, y, "mean", text("title", label))
    if mean.low == mean.high:
        return [line]
    return [line, rectangle(across.pixel(mean.low), across.pixel(mean.high), y - 5, 5, "interval")]


def _axis(across: Axis, write: Write, ticks: Sequence[float] | None) -> list[Markup]:
    y, marks = TOP + HEIGHT, across.ticks if ticks is None else ticks
    parts = [level(y, across.start, across.end, "axis")]
    parts += [upright(across.pixel(tick), y, y + 4, "axis") for tick in marks]
    gaps = (across.pixel(b) - across.pixel(a) for a, b in pairwise(marks))
    room = min(gaps, default=across.end - across.start)
    every = ceil(LETTER * max((len(write(tick)) for tick in marks), default=0) / room) or 1
    for tick in marks[::every]:  # dates are too long to stand at every one
        half = LETTER * len(write(tick)) / 2  # it may not begin or end outside the picture
        x = min(max(across.pixel(tick), half), WIDTH - half)
        parts.append(words(write(tick), x, y + 17, "tick"))
    return parts
