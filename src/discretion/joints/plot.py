"""A joint estimate as a heat map, in the look of the other pictures."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from discretion.errors import EstimateError
from discretion.estimate import look
from discretion.estimate.look import LIGHT
from discretion.estimate.plot import Chart, Picture, Png
from discretion.joints.result import JointEstimate
from discretion.joints.show import about

CELL = 0.55  # inches
MOST_WRITTEN = 9  # columns up to which the values stand in the cells
MOST_LABELS = 40
BRIGHT = 0.75  # of the darkest shade: beyond, paper is easier to read on it than ink


class Map(Picture):
    """A picture that says of itself that it is a heat map."""

    def _repr_png_(self) -> Png:
        png, metadata = super()._repr_png_()
        names = ", ".join(ax.get_title(loc="left") for ax in self.axes)
        return png, {**metadata, "alt": f"Heat map: the probabilities of {names}"}


def plot(estimate: JointEstimate, ax: Axes | None = None) -> Axes:
    """Draw two attributes: the first down, the second across, the shade the probability."""
    if len(estimate.attributes) != 2:
        names = ", ".join(estimate.attributes)
        raise EstimateError(f"a heat map shows two attributes: take marginal() first ({names})")
    down, across = estimate.labels
    if max(len(down), len(across)) > MOST_LABELS:
        raise EstimateError(f"a heat map shows at most {MOST_LABELS} values of an attribute")
    if ax is None:
        size = (look.WIDTH, look.FRAME + 1.2 + CELL * len(down))
        ax = Map(figsize=size, layout="constrained").add_subplot(axes_class=Chart)
    shades = LinearSegmentedColormap.from_list("cells", [LIGHT.paper, LIGHT.first])
    top = float(estimate.value.max())
    ax.imshow(estimate.value, cmap=shades, vmin=0.0, vmax=top, aspect="auto")
    words: dict[str, Any] = {"parse_math": False}  # authors' words are no formulas
    small: dict[str, Any] = {"fontsize": look.SMALL, **words}
    ax.set_xticks(np.arange(len(across)), _short(across), rotation=30, ha="right", **small)
    ax.set_yticks(np.arange(len(down)), _short(down), **small)
    ax.set_xlabel(look.shortened(estimate.attributes[1], look.LONGEST_LABEL), **words)
    ax.set_ylabel(look.shortened(estimate.attributes[0], look.LONGEST_LABEL), **words)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    if len(across) <= MOST_WRITTEN:
        _write(estimate, ax, top)
    ax.set_title(look.shortened(about(estimate), 2 * look.LONGEST_LABEL), loc="left", **words)
    return ax


def _short(labels: Sequence[str]) -> list[str]:
    return [look.shortened(label, look.LONGEST_LABEL_OF_SEVERAL) for label in labels]


def _write(estimate: JointEstimate, ax: Axes, top: float) -> None:
    low, high = 100 * np.moveaxis(estimate.interval(), -1, 0)
    for (row, column), value in np.ndenumerate(estimate.value):
        color = LIGHT.paper if value > BRIGHT * top else LIGHT.ink
        text = f"{100 * value:.1f}\n{low[row, column]:.1f}–{high[row, column]:.1f}"
        ax.text(column, row, text, ha="center", va="center", fontsize=look.SMALL, color=color)
