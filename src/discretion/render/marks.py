"""Small marks for the cell of a table or a card: a share, a place in an interval, 100 dots."""

from discretion.render.markup import Markup, element
from discretion.render.svg import length, picture, rectangle, upright

GAUGE, HEIGHT = 160, 18
BEYOND = 0.45  # of an interval: how far outside a mark may stand


def gauge(share: float, label: str, mark: float | None = None) -> Markup:
    """Draw a share as a bar on its track, with a line at ``mark``."""
    parts = [
        rectangle(0, GAUGE, 4, 10, "track"),
        rectangle(0, GAUGE * min(share, 1.0), 4, 10, "interval"),
    ]
    if mark is not None:
        parts.append(upright(GAUGE * mark, 0, HEIGHT, "truth"))
    return picture(GAUGE, HEIGHT, label, parts, "small")


def interval_mark(value: float, low: float, high: float, label: str) -> Markup:
    """Draw where a value stands in an interval, or beside it."""
    part = (value - low) / max(high - low, 1e-12)
    x = GAUGE / 4 + GAUGE / 2 * min(max(part, -BEYOND), 1 + BEYOND)
    parts = [
        rectangle(0, GAUGE, 8, 2, "track"),
        rectangle(GAUGE / 4, 3 * GAUGE / 4, 5, 8, "bar"),
        upright(x, 1, 17, "truth"),
    ]
    return picture(GAUGE, HEIGHT, label, parts, "small")


def dots(count: int) -> Markup:
    """Draw a hundred dots, so many of them filled."""
    parts = [
        element(
            "circle",
            cx=length(10 * (i % 10) + 5),
            cy=length(10 * (i // 10) + 5),
            r=3.5,
            class_="kept" if i < count else "other",
        )
        for i in range(100)
    ]
    return picture(100, 100, f"{count} of 100 dots are filled", parts, "dots")
