"""What all SVG charts share: a box with a text alternative, an axis, lengths as text.

Lengths are in units of the picture's box, which are about pixels on a phone. Colours are those of
the page, by class: no element has a style, as the policy of served pages forbids it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from discretion.render.markup import Markup, element, text

TICKS = 5  # intervals of an axis, at most
SCALE = 1.35  # of a picture where there is room: it is drawn for a phone
LETTER = 7.2  # pixels of a letter


@dataclass(frozen=True, slots=True)
class Axis:
    """Pixels from ``start`` to ``end`` for values from ``low`` to ``high``."""

    low: float
    high: float
    start: float
    end: float

    def pixel(self, value: float) -> float:
        """Return the pixel of a value; what lies outside is at the end."""
        part = (value - self.low) / (self.high - self.low or 1.0)
        return self.start + (self.end - self.start) * min(max(part, 0.0), 1.0)

    @property
    def ticks(self) -> list[float]:
        """Round values that people read, a few of them."""
        step = step_of(self.high - self.low)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [i * step for i in range(first, last + 1)]


def step_of(span: float) -> float:
    """Return the step of ticks: 1, 2 or 5 times a power of ten, so that there are a few."""
    if span <= 0:
        return 1.0
    rough = span / TICKS
    unit = 10.0 ** floor(log10(rough))
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough * (1 - 1e-9))


def up_to(most: float) -> float:
    """Return the end of an axis that begins at 0 and has room for the largest value."""
    step = step_of(most)
    return step * max(ceil(most / step - 1e-9), 1)


def length(value: float) -> str:
    """Write a length."""
    return f"{value:.1f}"


def rectangle(
    start: float, end: float, top: float, height: float, kind: str, *inside: str
) -> Markup:
    """Draw a rectangle, at least half a pixel wide, so that it is seen."""
    x, width = length(min(start, end)), length(max(abs(end - start), 0.5))
    size = {"x": x, "y": length(top), "width": width, "height": length(height)}
    return element("rect", *inside, **size, class_=kind)


def upright(x: float, top: float, bottom: float, kind: str, *inside: str) -> Markup:
    """Draw a line from top to bottom."""
    ends = {"x1": length(x), "x2": length(x), "y1": length(top), "y2": length(bottom)}
    return element("line", *inside, **ends, class_=kind)


def level(y: float, left: float, right: float, kind: str) -> Markup:
    """Draw a line from left to right."""
    ends = {"x1": length(left), "x2": length(right), "y1": length(y), "y2": length(y)}
    return element("line", **ends, class_=kind)


def words(content: str, x: float, y: float, kind: str, **more: object) -> Markup:
    """Write text at a place."""
    return text("text", content, x=length(x), y=length(y), class_=kind, **more)


def steps(edges: Sequence[float], heights: Sequence[float]) -> Iterator[str]:
    """Yield the corners of a line of steps."""
    for left, right, y in zip(edges, edges[1:], heights, strict=False):
        yield f"{left:.1f},{y:.1f}"
        yield f"{right:.1f},{y:.1f}"


def picture(width: float, height: float, label: str, parts: Sequence[str], kind: str) -> Markup:
    """Return a picture as wide as its box, or as its place where that is narrower."""
    box = f"0 0 {length(width)} {length(height)}"
    given = {"viewBox": box, "width": length(SCALE * width), "role": "img", "aria_label": label}
    return element("svg", *parts, **given, class_=kind)
