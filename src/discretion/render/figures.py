"""Charts as figures of matplotlib, without pyplot and without a display.

A figure made here belongs to its caller alone; in a notebook it shows itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.ticker import FuncFormatter

from discretion.render.bars import Bar
from discretion.render.formats import Write, on_grid
from discretion.render.graph import Graph
from discretion.render.labels import END, ISOLATE, cells, wrapped
from discretion.render.theme import LIGHT, SMALL, TEXT, TITLE, WIDTH, Palette

SHARP = 2  # pixels of a notebook's picture for each that it shows
NOTE, HEAD = 5, 17  # points: between the axes and the note, and the title, above them
PANEL, LETTER = 2.5, 0.075  # inches: one of several charts, and a letter beside it
ROW, HIGH_ROW = 0.3, 0.42  # inches: a bar, also beside a label of two lines
FRAME, GAP = 1.1, 0.08  # inches: what stands around all bars, and between charts
CELL, DENSITY = 0.55, 3.0  # inches: the height of a cell, and of a density
BAR, TICK = 0.68, 0.84  # of a row: a bar, and the line at the truth
INTERVAL, TRUTH = 4.0, 1.3  # points: wide enough that the truth does not hide an interval
ROOM = 1.04  # of the largest frequency: the length of the axis
NAME_ROW, LOWEST, AROUND = 0.34, 2.2, 0.8  # inches: a name, the oval at least, what is around it
OVAL, NAME_LETTER = 2.6, 0.085  # inches: the oval's width at least, a letter of a name beside it
DOT, APART = 70, 8  # points squared, and points: a node, and its name from it
BRIGHT = 0.75  # of the darkest shade: beyond, paper is easier to read on it than ink
LONGEST_LABEL, LONGEST_LABEL_OF_SEVERAL = 32, 20
LONGEST_TITLE, AXIS_NAME = 70, 10  # letters across a figure, and the room for an axis' name in them
MOST_LINES, TITLE_LINE = 3, 0.2  # of titles and labels of cells; inches of a further line

Png = tuple[bytes, dict[str, object]]
Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
PLAIN: dict[str, Any] = {"parse_math": False}  # what authors wrote is no formula
MUTED: dict[str, Any] = {"fontsize": SMALL, "color": LIGHT.muted}


class Picture(Figure):
    """A figure that a notebook shows, also where pyplot does not know it."""

    alt = ""  # what it shows, for those who do not see it

    def _repr_png_(self) -> Png:
        width, height = (round(inches * self.dpi) for inches in self.get_size_inches())
        with BytesIO() as file:
            self.savefig(file, format="png", dpi=self.dpi * SHARP)
            return file.getvalue(), {"width": width, "height": height, "alt": self.alt}


class Chart(Axes):
    """The only axes of a picture."""

    def _repr_png_(self) -> Png | None:
        return self.figure._repr_png_() if isinstance(self.figure, Picture) else None


def new_axes(width: float, height: float, alt: str) -> Axes:
    """Return the axes of a new picture."""
    picture = Picture(figsize=(width, height), layout="constrained")
    picture.alt = alt
    return picture.add_subplot(axes_class=Chart)


@dataclass(frozen=True, slots=True)
class Bars:
    """What one chart of bars shows."""

    name: str
    note: str  # how it was made
    bars: Sequence[Bar]
    rest: Sequence[str] = ()  # what is not drawn

    @property
    def longest(self) -> int:
        return max(cells(bar.label) for bar in self.bars)

    def draw(self, ax: Axes, title: str, longest: int = LONGEST_LABEL) -> None:
        """Draw one horizontal bar for each label, with its interval and its truth."""
        positions = np.arange(len(self.bars))
        value, low, high = np.array([bar.series[0] for bar in self.bars]).T
        most, inside = float(high.max()), value.clip(low, high)
        ax.barh(positions, inside, BAR, color=LIGHT.first_soft)
        arms = [inside - low, high - inside]
        ax.errorbar(
            inside, positions, xerr=arms, fmt="none", ecolor=LIGHT.first, elinewidth=INTERVAL
        )
        if truth := [bar.truth for bar in self.bars if bar.truth is not None]:
            ends = positions - TICK / 2, positions + TICK / 2
            ax.vlines(truth, *ends, LIGHT.ink, linewidth=TRUTH, label="truth")
            most = max(most, *truth)
        ax.set_xlim(0, ROOM * most if most else 1)
        self._name(ax, title, longest)

    def _name(self, ax: Axes, title: str, longest: int) -> None:
        """Write what is what, and take away what says nothing."""
        labels = [lines(bar.label, longest) for bar in self.bars]
        ink: dict[str, Any] = {"color": LIGHT.ink, **PLAIN}
        ax.set_yticks(range(len(labels)), labels, fontsize=TEXT, **ink)
        ax.set_title(title, loc="left", fontsize=TITLE, pad=HEAD, **ink)
        above: dict[str, Any] = {"xytext": (0, NOTE), "textcoords": "offset points"}
        ax.annotate(self.note, (0, 1), xycoords="axes fraction", **above, **MUTED)
        ax.tick_params(axis="x", labelsize=SMALL, color=LIGHT.rule, labelcolor=LIGHT.muted)
        ax.tick_params(axis="y", length=0)
        ax.spines[["top", "right"]].set_visible(False)
        ax.spines[["left", "bottom"]].set_color(LIGHT.rule)


def plot_bars(chart: Bars, caption: str, ax: Axes | None = None) -> Axes:
    """Draw one chart of bars, on ``ax`` or in a new picture."""
    title = title_lines(chart.name, min(chart.longest, LONGEST_LABEL))
    if ax is None:
        height = FRAME + _more(title) + _row(chart.longest, LONGEST_LABEL) * len(chart.bars)
        ax = new_axes(WIDTH, height, f"Bars with intervals: the frequencies of {chart.name}")
    chart.draw(ax, title)
    ax.set_ylim(len(chart.bars) - 0.5, -0.5)
    ax.set_xlabel("\n".join([caption, "; ".join(chart.rest)]).rstrip(), **MUTED)
    return ax


def plot_panels(
    charts: Sequence[Bars], caption: str, columns: int = 3, *, same_scale: bool = True
) -> Picture:
    """Draw several charts of bars side by side in one picture."""
    figure, panels = _panels(charts, columns)
    for chart, ax in zip(charts, panels, strict=True):
        title = lines(chart.name, LONGEST_LABEL, MOST_LINES)
        chart.draw(ax, title, LONGEST_LABEL_OF_SEVERAL)
        ax.set_xlabel(";\n".join(chart.rest), **MUTED)
    if same_scale:
        right = max(ax.get_xlim()[1] for ax in panels)
        for ax in panels:
            ax.set_xlim(0, right)
    figure.supxlabel(caption, **MUTED)
    names = ", ".join(chart.name for chart in charts)
    figure.alt = f"Bars with intervals: the frequencies of {names}"
    return figure


def _panels(charts: Sequence[Bars], columns: int) -> tuple[Picture, list[Axes]]:
    """Return axes for charts of so many bars each; all bars are of one thickness."""
    bars, columns = [len(chart.bars) for chart in charts], min(columns, len(charts))
    heights = [max(bars[i : i + columns]) for i in range(0, len(bars), columns)]
    longest = max(chart.longest for chart in charts)
    row = _row(longest, LONGEST_LABEL_OF_SEVERAL)
    wide = PANEL + LETTER * min(longest, LONGEST_LABEL_OF_SEVERAL)
    size = wide * columns, FRAME * len(heights) + row * sum(heights)
    figure = Picture(figsize=size, layout="constrained")
    figure.set_layout_engine("constrained", h_pad=GAP, w_pad=GAP)
    grid = GridSpec(len(heights), columns, figure, height_ratios=heights)
    panels = [figure.add_subplot(grid[divmod(i, columns)]) for i in range(len(bars))]
    for i, ax in enumerate(panels):
        ax.set_ylim(heights[i // columns] - 0.5, -0.5)  # drawing does not change it any more
    return figure, panels


def plot_heat(
    title: str,
    names: Sequence[str],
    labels: Sequence[Sequence[str]],
    value: Matrix,
    interval: Matrix | None = None,  # (rows, columns, 2), where there is room to write it
    ax: Axes | None = None,
) -> Axes:
    """Draw the first name down, the second across, the shade the value."""
    down, across = labels
    head = title_lines(title, min(max(map(cells, down)), LONGEST_LABEL_OF_SEVERAL) + AXIS_NAME)
    if ax is None:
        height = FRAME + _more(head) + 1.2 + CELL * len(down)
        ax = new_axes(WIDTH, height, f"Heat map: the probabilities of {title}")
    shades = LinearSegmentedColormap.from_list("cells", [LIGHT.paper, LIGHT.first])
    top = float(value.max())
    ax.imshow(value, cmap=shades, vmin=0.0, vmax=top, aspect="auto")
    small: dict[str, Any] = {"fontsize": SMALL, **PLAIN}
    ax.set_xticks(np.arange(len(across)), _short(across), rotation=30, ha="right", **small)
    ax.set_yticks(np.arange(len(down)), _short(down), **small)
    ax.set_ylabel(lines(names[0], LONGEST_LABEL, MOST_LINES), **PLAIN)
    ax.set_xlabel(lines(names[1], LONGEST_LABEL, MOST_LINES), **PLAIN)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    if interval is not None:
        for (row, column), share in np.ndenumerate(value):
            low, high = 100 * interval[row, column]
            colour = LIGHT.paper if share > BRIGHT * top else LIGHT.ink
            written = f"{100 * share:.1f}\n{low:.1f}–{high:.1f}"
            ax.text(column, row, written, ha="center", va="center", fontsize=SMALL, color=colour)
    ax.set_title(head, loc="left", **PLAIN)
    return ax


def _short(labels: Sequence[str]) -> list[str]:
    return [lines(label, LONGEST_LABEL_OF_SEVERAL, MOST_LINES) for label in labels]


def lines(label: str, longest: int, most: int = 2) -> str:
    """Return a label in lines; matplotlib finds the direction of each by itself."""
    return "\n".join(wrapped(label, longest, most)).replace(ISOLATE, "").replace(END, "")


def _row(longest: int, room: int) -> float:
    """Return the height of a bar, in inches, beside labels of so many letters."""
    return ROW if longest <= room else HIGH_ROW


def title_lines(title: str, beside: int = 0) -> str:
    """Return a title in lines, above axes that have labels of so many letters beside them."""
    return lines(title, LONGEST_TITLE - beside, MOST_LINES)


def _more(title: str) -> float:
    """Return the height of the further lines of a title, in inches."""
    return TITLE_LINE * title.count("\n")


def plot_density(
    title: str,
    note: str,
    edges: Vector,
    density: Matrix,  # (bins, 3): value, low, high
    ax: Axes | None = None,
    truth: Vector | None = None,
    write: Write = on_grid,
    ticks: Sequence[float] | None = None,
) -> Axes:
    """Draw the density in each bin with its interval, and the true one where it is given."""
    head = title_lines(title)
    if ax is None:
        height = DENSITY + _more(head)
        ax = new_axes(WIDTH, height, f"Steps with a band: the density of {title}")
    value, low, high = density.T
    bottom, top_of = (np.append(each, each[-1]) for each in (low, high))  # steps after each edge
    band: dict[str, Any] = {"color": LIGHT.first_soft, "alpha": 0.6, "linewidth": 0}
    ax.fill_between(edges, bottom, top_of, step="post", **band)
    ax.stairs(value, edges, color=LIGHT.first, linewidth=1.6)
    top = float(np.quantile(high, 0.95)) if len(high) > 4 else float(high.max())
    if truth is not None:
        ax.stairs(truth, edges, color=LIGHT.ink, linewidth=TRUTH)
        top = max(top, float(truth.max()))
    ax.set_ylim(0, 1.05 * max(top, float(value.max())))
    ax.set_xlim(edges[0], edges[-1])
    ax.set_title(head, loc="left", fontsize=TITLE, color=LIGHT.ink, **PLAIN)
    ax.set_yticks([])
    if ticks is not None:
        ax.set_xticks(ticks)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: write(x)))
    ax.tick_params(axis="x", labelsize=SMALL, colors=LIGHT.muted)
    ax.spines[["left", "top", "right"]].set_visible(False)
    ax.spines["bottom"].set_color(LIGHT.rule)
    ax.set_xlabel(note + ("; dark: the truth" if truth is not None else ""), **MUTED)
    return ax


def plot_graph(graph: Graph, summary: str, alt: str, palette: Palette = LIGHT) -> Picture:
    """Draw the names, and a line for each link: the wider, the stronger."""
    beside = NAME_LETTER * graph.longest + 0.2
    wide, high = graph.oval(NAME_ROW, LOWEST, OVAL)
    width, height = wide + 2 * beside, high + AROUND
    figure = Picture(figsize=(width, height), facecolor=palette.paper)
    figure.alt = alt
    ax = figure.add_axes((beside / width, 0.35 / height, wide / width, high / height))
    ax.set(xlim=(-1, 1), ylim=(1, -1))
    ax.axis("off")
    for (one, other), thick in graph.widths.items():
        ends = np.array([graph.positions[one], graph.positions[other]]).T
        line: dict[str, Any] = {"linewidth": thick, "solid_capstyle": "round", "clip_on": False}
        ax.plot(*ends, color=palette.first_soft, zorder=1, **line)
    for name in graph.names:
        _node(ax, graph, name, palette)
    note: dict[str, Any] = {"ha": "center", "color": palette.muted, "fontsize": SMALL, "wrap": True}
    figure.text(0.5, 0.1 / height, f"{summary}; the wider a line, the stronger", **note)
    return figure


def _node(ax: Axes, graph: Graph, name: str, palette: Palette) -> None:
    position, linked = graph.positions[name], name in graph.linked
    dot = palette.first if linked else palette.rule
    ax.scatter([position.x], [position.y], DOT, color=dot, zorder=2, clip_on=False)
    ax.annotate(
        "\n".join(graph.labels[name].lines),
        position,
        xytext=(-APART if position.left else APART, 0),
        textcoords="offset points",
        ha="right" if position.left else "left",
        va="center",
        fontsize=TEXT,
        color=palette.ink if linked else palette.muted,
        **PLAIN,
    )
