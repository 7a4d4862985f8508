"""Estimates as bars with intervals, without pyplot and without a display.

A figure made here belongs to its caller alone; in a notebook it shows itself.
"""

from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from discretion.errors import EstimateError
from discretion.estimate import look
from discretion.estimate.look import LIGHT
from discretion.estimate.noise import Vector
from discretion.estimate.result import FrequencyEstimate

SHARP = 2  # pixels of a notebook's picture for each that it shows
Codes = npt.NDArray[np.int64]
Png = tuple[bytes, dict[str, object]]
_NOTE: dict[str, Any] = {"fontsize": look.SMALL, "color": LIGHT.muted}


class Picture(Figure):
    """A figure that a notebook shows, also where pyplot does not know it."""

    def _repr_png_(self) -> Png:
        width, height = (round(inches * self.dpi) for inches in self.get_size_inches())
        names = ", ".join(ax.get_title(loc="left") for ax in self.axes)
        alt = f"Bars with intervals: the frequencies of {names}"
        with BytesIO() as file:
            self.savefig(file, format="png", dpi=self.dpi * SHARP)
            return file.getvalue(), {"width": width, "height": height, "alt": alt}


class Chart(Axes):
    """The only axes of a picture."""

    def _repr_png_(self) -> Png | None:
        return self.figure._repr_png_() if isinstance(self.figure, Picture) else None


def plot(
    estimate: FrequencyEstimate,
    ax: Axes | None = None,
    confidence: float = 0.95,
    truth: npt.ArrayLike | None = None,
) -> Axes:
    """Draw one horizontal bar a value, with its interval, and a line at the truth if it is given.

    Of more than 25 values the most frequent are drawn, and the others counted below.
    """
    codes, real = _shown(estimate), _checked(estimate, truth)
    if ax is None:
        size = (look.WIDTH, look.FRAME + look.ROW * len(codes))
        ax = Picture(figsize=size, layout="constrained").add_subplot(axes_class=Chart)
    _draw(estimate, codes, ax, confidence, real)
    _name(estimate, codes, ax, look.LONGEST_LABEL)
    ax.set_ylim(len(codes) - 0.5, -0.5)
    notes = (_caption(confidence, known=real is not None), *_rest(estimate, codes))
    ax.set_xlabel("\n".join([notes[0], "; ".join(notes[1:])]).rstrip(), **_NOTE)
    return ax


def plot_frequencies(
    estimates: Iterable[FrequencyEstimate],
    truth: Mapping[str, npt.ArrayLike] | None = None,
    *,
    confidence: float = 0.95,
    columns: int = 3,
    same_scale: bool = True,
) -> Figure:
    """Draw one chart an estimate, side by side in one figure.

    ``truth``: by attribute, the true frequencies in the order of its values. ``same_scale=False``
    lets every chart fill its width, for attributes whose frequencies are of different sizes.
    """
    drawn, known = list(estimates), dict(truth or {})
    if not drawn or columns < 1:
        count = f"{len(drawn)} estimates in {columns} columns"
        raise EstimateError(f"there must be at least one estimate and one column, got {count}")
    if stray := known.keys() - {estimate.attribute for estimate in drawn}:
        raise EstimateError(f"truth must be about what is plotted, got {', '.join(sorted(stray))}")
    codes = [_shown(estimate) for estimate in drawn]
    longest = max(len(e.labels[code]) for e, own in zip(drawn, codes, strict=True) for code in own)
    figure, charts = _panels([len(own) for own in codes], columns, longest)
    for estimate, own, ax in zip(drawn, codes, charts, strict=True):
        _draw(estimate, own, ax, confidence, _checked(estimate, known.get(estimate.attribute)))
        _name(estimate, own, ax, look.LONGEST_LABEL_OF_SEVERAL)
        ax.set_xlabel(";\n".join(_rest(estimate, own)), **_NOTE)
    if same_scale:
        right = max(ax.get_xlim()[1] for ax in charts)
        for ax in charts:
            ax.set_xlim(0, right)
    figure.supxlabel(_caption(confidence, known=bool(known)), **_NOTE)
    return figure


def _panels(bars: list[int], columns: int, longest: int) -> tuple[Picture, list[Axes]]:
    """Return axes for charts of so many bars each; all bars are of one thickness."""
    columns = min(columns, len(bars))
    heights = [max(bars[i : i + columns]) for i in range(0, len(bars), columns)]
    width = look.PANEL + look.LETTER * min(longest, look.LONGEST_LABEL_OF_SEVERAL)
    size = (width * columns, look.FRAME * len(heights) + look.ROW * sum(heights))
    figure = Picture(figsize=size, layout="constrained")
    figure.set_layout_engine("constrained", h_pad=look.GAP, w_pad=look.GAP)
    grid = GridSpec(len(heights), columns, figure, height_ratios=heights)
    charts = [figure.add_subplot(grid[divmod(i, columns)]) for i in range(len(bars))]
    for i, ax in enumerate(charts):
        ax.set_ylim(heights[i // columns] - 0.5, -0.5)  # drawing does not change it any more
    return figure, charts


def _draw(
    estimate: FrequencyEstimate, codes: Codes, ax: Axes, confidence: float, truth: Vector | None
) -> None:
    low, high = estimate.interval(confidence)[codes].T
    value = estimate.value[codes].clip(low, high)
    places, most = np.arange(len(codes)), float(high.max())
    ax.barh(places, value, look.BAR, color=LIGHT.first_soft)
    reach = [value - low, high - value]
    ax.errorbar(value, places, xerr=reach, fmt="none", ecolor=LIGHT.first, elinewidth=look.INTERVAL)
    if truth is not None:
        half, real = look.TICK / 2, truth[codes]
        ax.vlines(
            real, places - half, places + half, LIGHT.ink, linewidth=look.TRUTH, label="truth"
        )
        most = max(most, float(real.max()))
    ax.set_xlim(0, look.ROOM * most if most else 1)


def _name(estimate: FrequencyEstimate, codes: Codes, ax: Axes, longest: int) -> None:
    """Write what is what, and take away what says nothing."""
    labels = [look.shortened(estimate.labels[code], longest) for code in codes]
    text: dict[str, Any] = {"color": LIGHT.ink, "parse_math": False}
    ax.set_yticks(range(len(codes)), labels, fontsize=look.TEXT, **text)
    name = look.shortened(estimate.attribute, look.LONGEST_LABEL)
    ax.set_title(name, loc="left", fontsize=look.TITLE, pad=look.HEAD, **text)
    ax.annotate(
        f"{', then '.join([estimate.method, *estimate.steps])}, {estimate.n:,} reports",
        (0, 1),
        xytext=(0, look.NOTE),
        xycoords="axes fraction",
        textcoords="offset points",
        **_NOTE,
    )
    ax.tick_params(axis="x", labelsize=look.SMALL, color=LIGHT.rule, labelcolor=LIGHT.muted)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LIGHT.rule)


def _shown(estimate: FrequencyEstimate) -> Codes:
    """Return the codes to draw: all in their order, or of too many the most frequent ones."""
    if len(estimate.labels) <= look.MOST_BARS:
        return np.arange(len(estimate.labels))
    return np.argsort(-estimate.value, kind="stable")[: look.MOST_BARS]


def _rest(estimate: FrequencyEstimate, codes: Codes) -> list[str]:
    """Say what is not drawn."""
    others = np.delete(estimate.value, codes)
    if not len(others):
        return []
    count = f"the {len(codes)} most frequent of {len(estimate.labels):,}"
    return [count, f"the others sum to {others.sum():.3f}"]


def _caption(confidence: float, *, known: bool) -> str:
    said = f"frequency, with {100 * confidence:.4g}% intervals"
    return f"{said}; dark line: truth" if known else said


def _checked(estimate: FrequencyEstimate, truth: npt.ArrayLike | None) -> Vector | None:
    if truth is None:
        return None
    known, size = np.asarray(truth, np.float64), len(estimate.labels)
    if known.shape != (size,):
        rule = f"{estimate.attribute}: truth must be one frequency for each of {size} values"
        raise EstimateError(f"{rule}, got shape {known.shape}")
    return known
