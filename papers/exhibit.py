"""What a page shows: words, tables, and figures, which are drawn without a display."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isnan
from pathlib import Path
from typing import Literal, NamedTuple, Self

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from rich.console import Console, ConsoleOptions, RenderResult

from discretion.render import tables
from discretion.render.theme import LIGHT, SMALL, TEXT

HEIGHT, WIDTH, BELOW = 2.3, 2.2, 0.4  # inches: of one chart, and of the legend
GREEN, VIOLET = "#1a7f4b", "#7d4fa8"
MARK = 3.5  # points


@dataclass(frozen=True)
class Table:
    """Rows under headings, perhaps under a title, as Markdown or on a terminal."""

    heads: Sequence[object]
    rows: Sequence[Sequence[object]]
    title: str = ""

    @classmethod
    def of(
        cls,
        corner: Sequence[str],
        rows: Iterable[Sequence[object]],
        columns: Mapping[str, object],
        cell: Callable[..., object],
        title: str = "",
    ) -> Self:
        """Return what ``cell`` says about each row and column; columns are given by their heads."""
        body = [(*row, *(cell(*row, column) for column in columns.values())) for row in rows]
        return cls((*corner, *columns), body, title)

    def __str__(self) -> str:
        title = f"### {self.title}\n\n" if self.title else ""
        return title + self._of_text(left=range(len(self.heads))).markdown()

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        if self.title:
            yield self.title
        yield self._of_text(left=(0,))

    def _of_text(self, left: Iterable[int]) -> tables.Table:
        heads, *body = ([str(cell) for cell in row] for row in (self.heads, *self.rows))
        return tables.Table(heads, body, left=frozenset(left), elastic=frozenset({0}))


class Tables(tuple[Table, ...]):
    """Several tables, one after the other."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        for i, table in enumerate(self):
            yield from ("", table) if i else (table,)


Exhibit = str | Table | Tables | Figure


def number(value: float) -> str:
    """Return three decimals; a dash where there is no number."""
    return "–" if isnan(value) else f"{value:.3f}"


def percent(value: float, form: str = ".0f") -> str:
    """Return a share in percent; a dash where there is none."""
    return "–" if isnan(value) else f"{100 * value:{form}} %"


class Style(NamedTuple):
    """How a curve is drawn, in matplotlib's words."""

    colour: str
    marker: str = ""
    line: str = "-"


class Curve(NamedTuple):
    """Values at places of an axis; without places, one value everywhere."""

    label: str | None
    at: Sequence[float]
    values: Sequence[float]
    style: Style


class Chart(NamedTuple):
    """Curves over one axis; from 0, up to the top if one is given, or logarithmic."""

    title: str
    ticks: Sequence[float]
    below: str
    curves: Sequence[Curve]
    top: float | None = None
    log: bool = False

    def draw(self, ax: Axes) -> None:
        """Draw the curves and their frame."""
        for label, at, values, (colour, marker, line) in self.curves:
            drawn = (
                ax.plot(at, values, marker=marker, markersize=MARK)[0]
                if at
                else ax.axhline(values[0], linewidth=1)
            )
            drawn.set(color=colour, linestyle=line or "none", label=label)
        frame(ax, self.title, self.ticks, self.below)

    def scale(self, ax: Axes) -> None:
        """Settle the scale, when all charts that share it are drawn."""
        if self.log:
            ax.set_yscale("log")
            ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
            ax.yaxis.set_minor_formatter(NullFormatter())
        else:
            ax.set_ylim(0, self.top)


def grid(
    rows: Sequence[Sequence[Chart]],
    beside: Sequence[str],
    *,
    columns: int,
    width: int | None = None,
    share: bool | Literal["row"] = False,
) -> Figure:
    """Draw rows of charts with a title beside each, and a legend of so many columns below.

    ``width`` is that of the figure in charts, if they are wider or narrower than usual.
    """
    figure = sheet(width or len(rows[0]), len(rows))
    axes = figure.subplots(
        len(rows), len(rows[0]), sharex=share is True, sharey=share, squeeze=False
    )
    drawn = list(zip(axes.flat, chain.from_iterable(rows), strict=True))
    for ax, chart in drawn:
        chart.draw(ax)
    for ax, chart in drawn:
        chart.scale(ax)
    for ax, title in zip(axes[:, 0], beside, strict=True):
        ax.set_ylabel(title, fontsize=SMALL)
    pairs = [pair for ax in axes.flat for pair in zip(*ax.get_legend_handles_labels(), strict=True)]
    handles = {label: handle for handle, label in reversed(pairs)}
    labels = list(dict.fromkeys(label for _, label in pairs))
    figure.legend(
        [handles[label] for label in labels],
        labels,
        loc="outside lower center",
        ncols=columns,
        fontsize=SMALL,
        frameon=False,
    )
    return figure


def sheet(columns: int, rows: int) -> Figure:
    """Return a figure with room for so many charts."""
    return Figure(figsize=(WIDTH * columns, HEIGHT * rows + BELOW), layout="constrained")


def frame(ax: Axes, title: str, ticks: Sequence[float], below: str) -> None:
    """Give a chart its title, ticks and grid."""
    ax.set_title(title, loc="left", fontsize=TEXT, color=LIGHT.ink)
    ax.set_xticks(ticks)
    ax.set_xlabel(below, fontsize=SMALL)
    ax.tick_params(labelsize=SMALL, colors=LIGHT.muted)
    ax.grid(axis="y", color=LIGHT.rule, linewidth=0.5)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same one gives the same bytes."""
    with rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})
