"""The density of a number as a picture: steps with a band, and the truth."""

from collections.abc import Iterator, Sequence

import numpy as np

from discretion.cli.demo.number import Number
from discretion.cli.demo.survey import Vector
from discretion.synthesis.markup import element, text

WIDTH, HEIGHT, FOOT = 420, 180, 24
TICKS = 5


def density_chart(number: Number) -> str:
    """Draw the estimated density, its 95 % band and the true one over the range."""
    edges = number.histogram.edges
    low, high = (number.histogram.interval() / np.diff(edges)[:, None]).T
    top = 1.05 * float(max(high.max(), number.heights.max()))
    across = WIDTH * (edges - edges[0]) / (edges[-1] - edges[0])
    band = [*_steps(across, high, top), *reversed(list(_steps(across, low, top)))]
    parts = [
        element("polygon", points=" ".join(band), class_="disclosed bar"),
        _line(_steps(across, number.histogram.density, top), "estimate"),
        _line(_steps(across, number.heights, top), "truth"),
        *_axis(float(edges[0]), float(edges[-1])),
    ]
    label = f"The density of {number.attribute}: estimate with its band, and truth"
    box = f"0 0 {WIDTH} {HEIGHT + FOOT}"
    return element("svg", *parts, viewBox=box, role="img", aria_label=label, class_="density")


def _steps(across: Vector, heights: Vector, top: float) -> Iterator[str]:
    for left, right, height in zip(across, across[1:], heights, strict=False):
        y = HEIGHT * (1 - height / top)
        yield f"{left:.1f},{y:.1f}"
        yield f"{right:.1f},{y:.1f}"


def _line(points: Iterator[str], kind: str) -> str:
    return element("polyline", points=" ".join(points), class_=f"line {kind}")


def _axis(low: float, high: float) -> Sequence[str]:
    rule = element("line", x1=0, x2=WIDTH, y1=HEIGHT, y2=HEIGHT, class_="grid")
    words = []
    for tick in range(TICKS + 1):
        anchor = {0: "start", TICKS: "end"}.get(tick, "middle")
        value = low + (high - low) * tick / TICKS
        place = {"x": WIDTH * tick / TICKS, "y": HEIGHT + 16, "text_anchor": anchor}
        words.append(text("text", f"{value:,.0f}", **place))
    return [rule, *words]
