"""The dependence of attributes as a picture: who depends on whom, and how strongly."""

from typing import Any

from matplotlib.axes import Axes

from discretion.estimate import look
from discretion.estimate.look import LIGHT, Palette
from discretion.estimate.plot import Picture, Png
from discretion.synthesis.dependence import Dependence
from discretion.synthesis.layout import Place, places, rows, width, widths

ROW, LEAST, FRAME = 0.34, 2.2, 0.8  # inches: a name, the oval at least, what stands around it
OVAL, NAME = 2.6, 0.085  # inches: the oval's width at least, and a letter of a name beside it
DOT, APART = 70, 8  # points squared, and points: an attribute, and its name from it
LONGEST = 24  # letters of a name


class Drawing(Picture):
    """A picture that says of itself what depends on what."""

    said = ""

    def _repr_png_(self) -> Png:
        png, metadata = super()._repr_png_()
        return png, {**metadata, "alt": self.said}


def plot_dependence(dependence: Dependence, palette: Palette = LIGHT) -> Drawing:
    """Draw the attributes, and a line for each pair that depends: the wider, the stronger.

    Attributes without any are grey. ``palette``: ``estimate.look.DARK`` for dark pages.
    """
    count = len(dependence.attributes)
    names = {name: look.shortened(name, LONGEST) for name in dependence.attributes}
    beside = NAME * max(map(len, names.values())) + 0.2
    height = max(LEAST, ROW * rows(count))
    oval = width(height, OVAL)
    size = (oval + 2 * beside, height + FRAME)
    figure = Drawing(figsize=size, facecolor=palette.paper)
    figure.said = f"Dependence of {count} attributes: {summary(dependence)}"
    low, wide, high = 0.35 / size[1], oval / size[0], height / size[1]
    ax = figure.add_axes((beside / size[0], low, wide, high))
    ax.set(xlim=(-1, 1), ylim=(1, -1))
    ax.axis("off")
    _edges(ax, dependence, palette)
    for name, place in places(dependence).items():
        _node(ax, names[name], place, palette, linked=bool(dependence.graph[name]))
    note = f"{summary(dependence)}; the wider a line, the stronger"
    figure.text(
        0.5, 0.1 / size[1], note, ha="center", color=palette.muted, fontsize=look.SMALL, wrap=True
    )
    return figure


def summary(dependence: Dependence) -> str:
    """Say how many pairs depend."""
    found, pairs = len(dependence.edges), len(dependence.pairs)
    return f"{found} of {pairs} pairs depend"


def _edges(ax: Axes, dependence: Dependence, palette: Palette) -> None:
    where = places(dependence)
    for (one, other), wide in widths(dependence).items():
        a, b = where[one], where[other]
        line: dict[str, Any] = {"linewidth": wide, "solid_capstyle": "round", "clip_on": False}
        ax.plot([a.x, b.x], [a.y, b.y], color=palette.first_soft, zorder=1, **line)


def _node(ax: Axes, name: str, place: Place, palette: Palette, *, linked: bool) -> None:
    color = palette.first if linked else palette.rule
    ax.scatter([place.x], [place.y], DOT, color=color, zorder=2, clip_on=False)
    ax.annotate(
        name,
        (place.x, place.y),
        xytext=(-APART if place.left else APART, 0),
        textcoords="offset points",
        ha="right" if place.left else "left",
        va="center",
        fontsize=look.TEXT,
        color=palette.ink if linked else palette.muted,
        parse_math=False,
    )
