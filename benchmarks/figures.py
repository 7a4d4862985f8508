"""Small plots of how the time grows, in the look of the library's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator

from discretion.render.theme import LIGHT, SMALL, TEXT, TITLE, WIDTH

COLOURS = (LIGHT.first, LIGHT.ink, LIGHT.second, LIGHT.muted)
HEIGHT = 3.4  # inches
ROOM = 1.8  # times the last point: the end of the axis, so that labels fit in
POINTS, APART = 72, 12.0  # to an inch, and between the middles of two labels
DECADE = 20.0  # an axis that spans less has ticks at 2 and 5, too
FEW = 3.0  # and one that spans less than that at all digits
Points = Sequence[tuple[float, float]]


def growth(lines: Mapping[str, Points], along: str, path: Path) -> None:
    """Draw seconds against ``along`` on logarithmic axes, each line named at its end."""
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    ax = figure.add_subplot()
    for points, colour in zip(lines.values(), COLOURS, strict=False):
        ax.plot(*zip(*points, strict=True), color=colour, marker="o", markersize=4)
    _name(ax, along, sorted({x for points in lines.values() for x, _ in points}))
    _label(ax, lines)
    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "discretion", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})  # the same bytes for the same figures


def _label(ax: Axes, lines: Mapping[str, Points]) -> None:
    """Write what each line is at its end, the lowest first, none over another."""
    named = zip(lines.items(), COLOURS, strict=False)
    below = 0.0
    for (step, points), colour in sorted(named, key=lambda each: each[0][1][-1][1]):
        height = ax.transData.transform(points[-1])[1] * POINTS / ax.figure.dpi
        above = max(height, below + APART)
        style: dict[str, Any] = {"color": colour, "fontsize": TEXT, "va": "center"}
        place = (8, above - height)
        ax.annotate(
            step.replace("`", ""), points[-1], xytext=place, textcoords="offset points", **style
        )
        below = above


def _name(ax: Axes, along: str, measured: Sequence[float]) -> None:
    """Write what is what, and take away what says nothing."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.minorticks_off()
    low, high = ax.get_ylim()
    if high < DECADE * low:
        subs = [1.0, 2.0, 5.0] if high > FEW * low else [float(d) for d in range(1, 10)]
        ax.yaxis.set_major_locator(LogLocator(subs=subs))
    ax.set_xticks(measured, [f"{x:,.0f}" for x in measured])
    ax.set_xlim(right=measured[-1] * ROOM)
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_title(f"Seconds as the {along} grow", loc="left", fontsize=TITLE, color=LIGHT.ink)
    ax.set_xlabel(along, fontsize=SMALL, color=LIGHT.muted)
    ax.tick_params(labelsize=SMALL, color=LIGHT.rule, labelcolor=LIGHT.muted)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT.rule)
