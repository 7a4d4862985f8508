"""docs/mechanisms/variance.svg: how noisy each mechanism for labels is, beside the limit."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discretion.estimate.noise import Noise
from discretion.labels.frequencies import largest_eigenvalue
from discretion.mechanism import law
from discretion.render.theme import LIGHT, SMALL, TEXT

LINES = {  # colour and dashes; who shares a line is named with it
    "subset": ("subset", LIGHT.first, "-"),
    "grr": ("grr", LIGHT.second, "-"),
    "oue": ("oue and olh", "#1a7f4b", "-"),
    "hadamard": ("hadamard", "#7d4fa8", "-"),
    "sue": ("sue", "#c2387e", "-"),
    "the": ("the", "#c2387e", ":"),
    "hrr": ("hrr and blh", LIGHT.ink, ":"),
}
LEVELS = tuple(range(250, 6001, 250))
SIZES = tuple(1 << j for j in range(1, 13))
SIZE, LEVEL = 64, 1000  # where the other is drawn
LIMIT = "limit"


def variance(mechanism: str, size: int, level: int) -> float:
    """Return the variance of a contrast from one report, all values being equally frequent."""
    if mechanism == LIMIT:
        return 1 / float(largest_eigenvalue(size, np.array([level / 1000]))[0])
    return 1 / Noise.of(law(mechanism, size, level)).precision(size)


def draw() -> Figure:
    """Draw variances, and below them their ratios to the limit."""
    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    axes = figure.subplots(2, 2, sharex="col")
    by_level = [(SIZE, level) for level in LEVELS]
    by_size = [(size, LEVEL) for size in SIZES]
    for column, (cases, x) in enumerate(
        [(by_level, [level / 1000 for level in LEVELS]), (by_size, SIZES)]
    ):
        _lines(axes[0, column], cases, x, over=False)
        _lines(axes[1, column], cases, x, over=True)
    for ax in axes[:, 1]:
        ax.set_xscale("log", base=2)
    axes[1, 1].set_xticks(SIZES[::2], [f"{size:,}" for size in SIZES[::2]])
    axes[1, 0].set_xlabel(f"epsilon, {SIZE} values", fontsize=SMALL, color=LIGHT.muted)
    axes[1, 1].set_xlabel(f"values, epsilon {LEVEL / 1000:g}", fontsize=SMALL, color=LIGHT.muted)
    axes[0, 0].set_ylabel("variance of one report", fontsize=SMALL, color=LIGHT.muted)
    axes[1, 0].set_ylabel("times the limit", fontsize=SMALL, color=LIGHT.muted)
    handles, names = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside right upper", frameon=False, fontsize=TEXT)
    return figure


def _lines(ax: Axes, cases: Sequence[tuple[int, int]], x: Sequence[float], *, over: bool) -> None:
    limit = np.array([variance(LIMIT, *case) for case in cases])
    below = limit if over else np.ones(len(limit))
    ax.plot(x, limit / below, color=LIGHT.rule, linewidth=6, label=LIMIT, solid_capstyle="round")
    for name, (label, colour, style) in LINES.items():
        found = np.array([variance(name, *case) for case in cases])
        ax.plot(x, found / below, style, color=colour, linewidth=1.6, label=label)
    ax.set_yscale("log")
    if over:
        ax.set_ylim(0.9, 12)
        ax.set_yticks([1, 2, 5, 10], ["1", "2", "5", "10"])
        ax.minorticks_off()
    ax.tick_params(labelsize=SMALL, color=LIGHT.rule, labelcolor=LIGHT.muted)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT.rule)


def save(path: Path) -> None:
    """Write the figure; the same one gives the same bytes."""
    with rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none"}):
        draw().savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
