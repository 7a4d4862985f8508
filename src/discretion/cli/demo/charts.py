"""The charts of the demonstration's page: SVG that takes its colours from the page.

Lengths are in the units of each picture's ``viewBox``; the page scales them to its width.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil

from discretion.cli.demo.survey import VARIANTS, Comparison
from discretion.cli.demo.words import belief, of_hundred, percent
from discretion.device.promise import at_most
from discretion.synthesis.markup import element, text

WIDTH, LEFT, RIGHT = 324, 112, 292  # a chart; its plot begins and ends here
ROW, TOP, AXIS = 32, 4, 22  # a value's height, and what stands above and below all values
BAR, INTERVAL = 11, 5  # the height of a bar, and of an interval on it
OFFSETS = dict(zip(VARIANTS, (10, 22), strict=True))  # the middle of each variant's line in a row
MOST_TICKS = 4  # on each side of the truth: more would run into each other

Place = Callable[[float], float]


def frequency_chart(comparison: Comparison, top: float) -> str:
    """Draw bars with intervals on an axis from 0 to ``top``, and the truth as a line."""
    place = _scale(0.0, top)
    parts = [_axis(comparison, place, [i / 5 for i in range(round(top * 5) + 1)], _percent)]
    for code, label in enumerate(comparison.labels):
        parts.append(_label(label, code))
        for variant in VARIANTS:
            value, low, high, _ = comparison.reading(variant, code)
            y = _middle(code, variant)
            parts.append(
                element(
                    "g",
                    text("title", _told(comparison, variant, code)),
                    _rect(place(0), place(max(value, 0)), y, BAR, f"{variant} bar"),
                    _rect(place(low), place(high), y, INTERVAL, variant),
                )
            )
        x, y = _n(place(comparison.truth[code])), TOP + ROW * code
        parts.append(element("line", x1=x, x2=x, y1=y + 1, y2=y + ROW - 1, class_="truth"))
    return _picture(comparison, "How frequent each value is: bars with 95 % intervals", parts)


def error_chart(comparison: Comparison, reach: int) -> str:
    """Draw how far estimates and intervals are from the truth, in points, up to ``reach``."""
    place, step = _scale(-reach, reach), ceil(reach / MOST_TICKS)
    ticks = [i * step for i in range(-(reach // step), reach // step + 1)]
    middle, bottom = _n(place(0)), TOP + ROW * len(comparison.labels)
    parts = [
        _axis(comparison, place, ticks, _points),
        element("line", x1=middle, x2=middle, y1=TOP, y2=bottom, class_="truth"),
    ]
    for code, label in enumerate(comparison.labels):
        parts.append(_label(label, code))
        for variant in VARIANTS:
            *numbers, holds = comparison.reading(variant, code)
            value, low, high = (100 * (number - comparison.truth[code]) for number in numbers)
            y = _middle(code, variant)
            shapes = [
                text("title", _told(comparison, variant, code)),
                _rect(place(low), place(high), y, INTERVAL, f"{variant} bar"),
                element("circle", cx=_n(place(value)), cy=y, r=3.8, class_=variant),
            ]
            if not holds:
                shapes.append(text("text", "miss", x=RIGHT + 4, y=y + 4, class_="miss"))
            parts.append(element("g", *shapes))
    return _picture(comparison, "How far the estimates are from the truth, in points", parts)


def top_of(comparisons: Sequence[Comparison]) -> float:
    """Return the end of an axis that has room for all frequencies: a multiple of 20 %."""
    most = max(e.interval().max() for c in comparisons for e in c.estimates.values())
    return ceil(most * 5) / 5


def reach_of(comparisons: Sequence[Comparison]) -> int:
    """Return the end of an axis that has room for all distances from the truth: whole points."""
    far = max(
        abs(e.interval() - c.truth[:, None]).max()
        for c in comparisons
        for e in c.estimates.values()
    )
    return ceil(100 * far)


def dots(share: Fraction) -> str:
    """Draw a hundred dots, as many of them filled as reports of a hundred hold the true answer."""
    count = of_hundred(share)
    circles = [
        element(
            "circle",
            cx=10 * (i % 10) + 5,
            cy=10 * (i // 10) + 5,
            r=3.5,
            class_="kept" if i < count else "other",
        )
        for i in range(100)
    ]
    label = f"{count} of 100 dots are filled"
    return element("svg", *circles, viewBox="0 0 100 100", role="img", aria_label=label)


def belief_bar(ratio: Fraction) -> str:
    """Draw how sure one can be: half before, at most so much after."""
    sure = float(100 * belief(ratio))
    shapes = [
        element("rect", x=0, y=4, width=200, height=14, rx=2, class_="track"),
        element("rect", x=0, y=4, width=_n(2 * sure), height=14, rx=2, class_="disclosed"),
        element("line", x1=100, x2=100, y1=0, y2=22, class_="truth"),
    ]
    label = f"50 % before, at most {at_most(100 * belief(ratio))} % after"
    return element("svg", *shapes, viewBox="0 0 200 22", role="img", aria_label=label)


def _told(comparison: Comparison, variant: str, code: int) -> str:
    value, low, high, _ = comparison.reading(variant, code)
    said = f"{comparison.labels[code]}, {variant}: {percent(value)} %"
    truth = percent(comparison.truth[code])
    return f"{said} ({percent(low)} to {percent(high)}); truth {truth} %"


def _scale(start: float, end: float) -> Place:
    return lambda value: LEFT + (RIGHT - LEFT) * (value - start) / (end - start)


def _middle(code: int, variant: str) -> int:
    return TOP + ROW * code + OFFSETS[variant]


def _n(length: float) -> str:
    return f"{length:.1f}"


def _rect(start: float, end: float, middle: float, height: float, kind: str) -> str:
    y, width = _n(middle - height / 2), _n(max(end - start, 0.5))
    return element("rect", x=_n(start), y=y, width=width, height=height, class_=kind)


def _label(label: str, code: int) -> str:
    return text("text", label, x=LEFT - 6, y=TOP + ROW * code + 20, class_="label")


def _axis(
    comparison: Comparison, place: Place, ticks: Sequence[float], written: Callable[[float], str]
) -> str:
    bottom = TOP + ROW * len(comparison.labels)
    parts = []
    for tick in ticks:
        x = _n(place(tick))
        parts.append(element("line", x1=x, x2=x, y1=TOP, y2=bottom, class_="grid"))
        parts.append(text("text", written(tick), x=x, y=bottom + 15, class_="tick"))
    return element("g", *parts)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _points(value: float) -> str:
    return f"{value:+.0f}" if value else "truth"


def _picture(comparison: Comparison, what: str, parts: Sequence[str]) -> str:
    height = TOP + ROW * len(comparison.labels) + AXIS
    label = f"{comparison.attribute}. {what}. The numbers are in the table below."
    box = f"0 0 {WIDTH} {height}"
    return element("svg", *parts, viewBox=box, role="img", aria_label=label)
