"""What all charts have in common: a box with a text alternative, an axis, lengths as text.

Lengths are in units of the picture's box, which are about pixels on a telephone. Colours are those
of the page, by class: no style stands in an element, as the page's policy forbids it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from discretion.synthesis.markup import element

TICKS = 5  # intervals of an axis, at most
SCALE = 1.25  # of a picture where there is room: it is drawn for a telephone


@dataclass(frozen=True, slots=True)
class Axis:
    """Places from ``start`` to ``end``, which are pixels, of values from ``low`` to ``high``."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """Return the pixel of a value; what lies outside is at the end."""
        part = (value - self.low) / (self.high - self.low or 1.0)
        return self.start + (self.end - self.start) * min(max(part, 0.0), 1.0)

    @property
    def ticks(self) -> list[float]:
        """Round values that people read, a few of them."""
        step = step_of(self.high - self.low)
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [i * step for i in range(first, last + 1)]


def step_of(length: float) -> float:
    """Return the step of ticks: 1, 2 or 5 times a power of ten, so that there are a few."""
    if length <= 0:
        return 1.0
    rough = length / TICKS
    unit = 10.0 ** floor(log10(rough))
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= rough * (1 - 1e-9))


def up_to(most: float) -> float:
    """Return the end of an axis that begins at 0 and has room for the largest value."""
    step = step_of(most)
    return step * max(ceil(most / step - 1e-9), 1)


def length(value: float) -> str:
    """Write a length."""
    return f"{value:.1f}"


def rectangle(start: float, end: float, top: float, height: float, kind: str, *inside: str) -> str:
    """Draw a rectangle, at least half a pixel wide, so that it is seen."""
    x, width = length(min(start, end)), length(max(abs(end - start), 0.5))
    size = {"x": x, "y": length(top), "width": width, "height": length(height)}
    return element("rect", *inside, **size, class_=kind)


def steps(edges: Sequence[float], heights: Sequence[float]) -> Iterator[str]:
    """Yield the corners of a line of steps."""
    for left, right, y in zip(edges, edges[1:], heights, strict=False):
        yield f"{left:.1f},{y:.1f}"
        yield f"{right:.1f},{y:.1f}"


def picture(width: float, height: float, said: str, parts: Sequence[str], kind: str) -> str:
    """Return a picture as wide as its box, or as its place where that is narrower."""
    box = f"0 0 {length(width)} {length(height)}"
    given = {"viewBox": box, "width": length(SCALE * width), "role": "img", "aria_label": said}
    return element("svg", *parts, **given, class_=kind)
