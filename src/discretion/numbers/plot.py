"""The density of a number as steps with a band, without pyplot and without a display."""

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from discretion.estimate import look
from discretion.estimate.look import LIGHT
from discretion.estimate.plot import Chart, Picture
from discretion.numbers.result import HistogramEstimate

HEIGHT = 3.0  # inches


def plot(
    estimate: HistogramEstimate,
    ax: Axes | None = None,
    confidence: float = 0.95,
    truth: npt.ArrayLike | None = None,
) -> Axes:
    """Draw the density in each bin with its interval, and the true numbers' if they are given."""
    if ax is None:
        size = (look.WIDTH, HEIGHT)
        ax = Picture(figsize=size, layout="constrained").add_subplot(axes_class=Chart)
    widths = np.diff(estimate.edges)
    low, high = (estimate.interval(confidence) / widths[:, None]).T
    ax.fill_between(
        estimate.edges,
        _held(low),
        _held(high),
        step="post",
        color=LIGHT.first_soft,
        alpha=0.6,
        linewidth=0,
    )
    ax.stairs(estimate.density, estimate.edges, color=LIGHT.first, linewidth=1.6)
    top = float(np.quantile(high, 0.95)) if len(high) > 4 else float(high.max())
    if truth is not None:
        real, _ = np.histogram(np.asarray(truth, np.float64), estimate.edges)
        height = real / real.sum() / widths
        ax.stairs(height, estimate.edges, color=LIGHT.ink, linewidth=look.TRUTH)
        top = max(top, float(height.max()))
    ax.set_ylim(0, 1.05 * max(top, float(estimate.density.max())))
    ax.set_xlim(estimate.edges[0], estimate.edges[-1])
    _style(ax, estimate, confidence, known=truth is not None)
    return ax


def _held(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the values with the last one repeated, as steps after each edge need it."""
    return np.append(values, values[-1])


def _style(ax: Axes, estimate: HistogramEstimate, confidence: float, *, known: bool) -> None:
    ax.set_title(estimate.attribute, loc="left", fontsize=look.TITLE, color=LIGHT.ink)
    ax.set_yticks([])
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.6g}"))
    ax.tick_params(axis="x", labelsize=look.SMALL, colors=LIGHT.muted)
    for side in ("left", "top", "right"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(LIGHT.rule)
    note = f"density with {confidence:.0%} intervals, {estimate.n:,} reports"
    ax.set_xlabel(
        note + ("; dark: the truth" if known else ""), fontsize=look.SMALL, color=LIGHT.muted
    )
