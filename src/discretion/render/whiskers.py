"""Values with intervals as dots with whiskers: for what is no share of a whole, or many of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from discretion.render.figures import (
    FRAME,
    INTERVAL,
    LONGEST_LABEL,
    MUTED,
    PLAIN,
    ROW,
    lines,
    new_axes,
    title_lines,
)
from discretion.render.formats import Write, on_grid
from discretion.render.theme import LIGHT, SMALL, TEXT, TITLE, WIDTH

DOT_SIZE = 5  # points
MOST_ROWS = 40
BEYOND = 0.05  # of the span: what is left free at both sides


def plot_intervals(
    title: str,
    note: str,
    labels: Sequence[str],
    ends: npt.NDArray[np.float64],  # (rows, 3): value, low, high
    ax: Axes | None = None,
    write: Write = on_grid,
) -> Axes:
    """Draw a dot with a whisker for each label; of too many, the first.

    A line stands at zero if it is within reach of the intervals. What is nan has no dot.
    """
    hidden, labels, ends = len(labels) - MOST_ROWS, labels[:MOST_ROWS], ends[:MOST_ROWS]
    head = title_lines(title, min(max(map(len, labels)), LONGEST_LABEL))
    if ax is None:
        height = FRAME + 0.2 * head.count("\n") + ROW * len(labels)
        ax = new_axes(WIDTH, height, f"Dots with intervals: {title}")
    places, value = np.arange(len(labels)), ends[:, 0]
    arms = np.abs(ends[:, 1:].T - value)
    style: dict[str, Any] = {"color": LIGHT.first, "ecolor": LIGHT.first_soft}
    ax.errorbar(value, places, xerr=arms, fmt="o", ms=DOT_SIZE, elinewidth=INTERVAL, **style)
    seen = ends[np.isfinite(ends)]
    low, high = (float(seen.min()), float(seen.max())) if seen.size else (0.0, 1.0)
    room = BEYOND * ((high - low) or 1.0)
    ax.set_xlim(low - room, high + room)
    if low < 0 < high:
        ax.axvline(0, color=LIGHT.rule, linewidth=1, zorder=0)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ink: dict[str, Any] = {"color": LIGHT.ink, **PLAIN}
    ax.set_yticks(places, [lines(label, LONGEST_LABEL) for label in labels], fontsize=TEXT, **ink)
    ax.set_title(head, loc="left", fontsize=TITLE, **ink)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: write(x)))
    ax.tick_params(axis="x", labelsize=SMALL, color=LIGHT.rule, labelcolor=LIGHT.muted)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT.rule)
    ax.set_xlabel(note + (f"; {hidden:,} more are not drawn" if hidden > 0 else ""), **MUTED)
    return ax
