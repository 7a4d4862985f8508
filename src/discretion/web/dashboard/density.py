"""The density of a number as a picture: steps with a band, and the mean with its interval."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from discretion.synthesis.markup import element, text
from discretion.web.dashboard.picture import Axis, length, picture, rectangle, steps
from discretion.web.dashboard.words import measure, on_grid

WIDTH, HEIGHT, TOP, FOOT, SIDE = 360, 130, 8, 24, 24
ROOM = 1.05  # of the highest step


def density_chart(name: str, document: Mapping[str, Any]) -> str:
    """Draw the estimated density and its 95 % band over the range, and the mean."""
    density, edges = document["density"], document["density"]["edges"]
    widths = [b - a for a, b in pairwise(edges)]
    value, low, high = (
        [share / width for share, width in zip(density[key], widths, strict=True)]
        for key in ("value", "low", "high")
    )
    across = Axis(edges[0], edges[-1], SIDE, WIDTH - SIDE)
    up = Axis(0.0, ROOM * max(high), TOP + HEIGHT, TOP)
    x = [across.place(edge) for edge in edges]
    band = [
        *steps(x, [up.place(y) for y in high]),
        *reversed(list(steps(x, [up.place(y) for y in low]))),
    ]
    line = " ".join(steps(x, [up.place(y) for y in value]))
    parts = [
        element("polygon", points=" ".join(band), class_="bar"),
        element("polyline", points=line, class_="estimate"),
        *_mean(document["mean"], across),
        *_axis(across),
    ]
    said = f"The density of {name} with its 95 % band: {_told(edges, value)} Numbers: table below."
    return picture(WIDTH, TOP + HEIGHT + FOOT, said, parts, "density")


def _mean(mean: Mapping[str, Any], across: Axis) -> list[str]:
    write = measure(mean["stderr"])
    told = text("title", f"mean {write(mean['value'])}")
    x, y = length(across.place(mean["value"])), TOP + HEIGHT
    line = element("line", told, x1=x, x2=x, y1=TOP, y2=y, class_="mean")
    if mean["low"] is None or mean["high"] is None:
        return [line]
    ends = across.place(mean["low"]), across.place(mean["high"])
    return [line, rectangle(*ends, y - 5, 5, "interval")]


def _axis(across: Axis) -> list[str]:
    y = TOP + HEIGHT
    parts = [element("line", x1=across.start, x2=across.end, y1=y, y2=y, class_="axis")]
    for tick in across.ticks:
        x = length(across.place(tick))
        parts.append(element("line", x1=x, x2=x, y1=y, y2=y + 4, class_="axis"))
        parts.append(text("text", on_grid(tick), x=x, y=y + 17, class_="tick"))
    return parts


def _told(edges: list[float], value: list[float]) -> str:
    top = max(range(len(value)), key=value.__getitem__)
    return f"highest between {on_grid(edges[top])} and {on_grid(edges[top + 1])}."
