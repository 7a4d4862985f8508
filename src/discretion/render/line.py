"""A curve over rounds: a line with its band, a dot for each round by itself, and what changed."""

from collections.abc import Sequence
from typing import NamedTuple

from discretion.render.bars import Interval
from discretion.render.formats import Write
from discretion.render.markup import Markup, element, text
from discretion.render.svg import Axis, length, level, picture, upright, words

WIDTH, HEIGHT, TOP, FOOT, LEFT, RIGHT = 400, 110, 8, 22, 56, 10
FLAT = 1e-9  # of the axis, at least: a curve may be the same everywhere


class Moment(NamedTuple):
    """A round: the curve with its band, and what the round says by itself."""

    round: int
    curve: Interval
    alone: float
    title: str


def line_chart(
    moments: Sequence[Moment], changed: Sequence[int], label: str, write: Write
) -> Markup:
    """Draw the curve from the first round to the last; ``changed`` rounds are marked."""
    rounds = [moment.round for moment in moments]
    low = min(min(moment.curve.low, moment.alone) for moment in moments)
    high = max(max(moment.curve.high, moment.alone) for moment in moments)
    spare = max((high - low) / 10, FLAT)
    up = Axis(low - spare, high + spare, TOP + HEIGHT, TOP)
    across = Axis(rounds[0], rounds[-1], LEFT + 6, WIDTH - RIGHT)
    parts: list[Markup] = []
    for tick in up.ticks:
        y = up.pixel(tick)
        parts.append(level(y, LEFT, WIDTH - RIGHT, "ruler"))
        parts.append(words(write(tick), LEFT - 6, y + 4, "last"))
    for round in changed:
        said = text("title", f"round {round}: something changed")
        parts.append(upright(across.pixel(round), TOP, TOP + HEIGHT, "mean", said))
    top = _corners(moments, [m.curve.high for m in moments], across, up)
    bottom = _corners(moments, [m.curve.low for m in moments], across, up)
    parts.append(element("polygon", points=" ".join([*top, *reversed(bottom)]), class_="bar"))
    line = _corners(moments, [m.curve.value for m in moments], across, up)
    parts.append(element("polyline", points=" ".join(line), class_="estimate"))
    for moment in moments:
        place = {"cx": length(across.pixel(moment.round)), "cy": length(up.pixel(moment.alone))}
        parts.append(element("circle", text("title", moment.title), **place, r=2.5, class_="alone"))
    foot = TOP + HEIGHT + 16
    parts.append(words(f"round {rounds[0]}", LEFT, foot, "first"))
    parts.append(words(f"round {rounds[-1]}", WIDTH - RIGHT, foot, "last"))
    return picture(WIDTH, TOP + HEIGHT + FOOT, label, parts, "trend")


def _corners(
    moments: Sequence[Moment], heights: Sequence[float], across: Axis, up: Axis
) -> list[str]:
    pairs = zip(moments, heights, strict=True)
    return [f"{length(across.pixel(m.round))},{length(up.pixel(y))}" for m, y in pairs]
