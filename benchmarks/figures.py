"""Small plots of how the time grows, in the look of the library's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discretion.estimate.look import LIGHT, SMALL, TEXT, TITLE, WIDTH

COLOURS = (LIGHT.first, LIGHT.ink, LIGHT.second, LIGHT.muted)
HEIGHT = 3.4  # inches
ROOM = 1.8  # times the last point: the end of the axis, so that labels fit in
Points = Sequence[tuple[float, float]]


def growth(lines: Mapping[str, Points], along: str, path: Path) -> None:
    """Draw seconds against ``along`` on logarithmic axes, each line named at its end."""
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    ax = figure.add_subplot()
    for (step, points), colour in zip(lines.items(), COLOURS, strict=False):
        x, seconds = zip(*points, strict=True)
        ax.plot(x, seconds, color=colour, marker="o", markersize=4)
        style: dict[str, Any] = {"color": colour, "fontsize": TEXT, "va": "center"}
        end = (x[-1], seconds[-1])
        ax.annotate(step, end, xytext=(8, 0), textcoords="offset points", **style)
    _name(ax, along, sorted({x for points in lines.values() for x, _ in points}))
    path.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context({"svg.hashsalt": "discretion", "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})  # the same bytes for the same figures


def _name(ax: Axes, along: str, measured: Sequence[float]) -> None:
    """Write what is what, and take away what says nothing."""
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.minorticks_off()
    ax.set_xticks(measured, [f"{x:,.0f}" for x in measured])
    ax.set_xlim(right=measured[-1] * ROOM)
    ax.yaxis.set_major_formatter("{x:g}")
    ax.set_title(f"Seconds as the {along} grow", loc="left", fontsize=TITLE, color=LIGHT.ink)
    ax.set_xlabel(along, fontsize=SMALL, color=LIGHT.muted)
    ax.tick_params(labelsize=SMALL, color=LIGHT.rule, labelcolor=LIGHT.muted)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT.rule)
