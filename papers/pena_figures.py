"""The figures of the PENA page: errors to expect as lines, simulated crowds as marks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from discretion.render.theme import LIGHT, SMALL
from papers.figures import GREEN, VIOLET, frame, legend, save, sheet
from papers.pena import (
    EPSILONS,
    FACTORS,
    LINES,
    OWN_RANGES,
    PRINTED,
    SHARES,
    Findings,
    Point,
    points,
    root_mean_square,
)
from papers.pena_crowd import Pooled, Way

STYLES = {  # colour, marker, line
    Way.PRINTED: (LIGHT.second, "D", "-"),
    Way.SAME: (LIGHT.second, "s", "--"),
    Way.PLAIN: (VIOLET, "v", "-"),
    Way.EQUAL: (LIGHT.muted, "s", "--"),
    Way.DUCHI: (GREEN, "^", "-"),
    Way.WINDOW: (LIGHT.first, "o", "-"),
}
POOLED = {
    Pooled.PRINTED: STYLES[Way.PRINTED],
    Pooled.NAIVE: STYLES[Way.PLAIN],
    Pooled.LIKELIHOOD: STYLES[Way.DUCHI],
    Pooled.WINDOW: STYLES[Way.WINDOW],
}
AXES = (  # of Figures 2 to 4: places, what is below
    (EPSILONS, "ε"),
    (FACTORS, "safe range over the largest"),
    (tuple(100 * share for share in SHARES), "% who take part"),
)
MARK = 4  # points


def write(findings: Findings, place: Path) -> Iterator[str]:
    """Write every figure; yield the names of the files."""
    drawn = {f"pena-figure-{i + 2}.svg": paper(findings, i) for i in range(len(AXES))}
    drawn["pena-own-ranges.svg"] = own_ranges(findings)
    for name, figure in drawn.items():
        save(figure, place / name)
        yield name


def paper(findings: Findings, which: int) -> Figure:
    """Draw a figure of the paper: (a) average and (b) minimum, a column for each column of data."""
    places, below = AXES[which]
    figure = sheet(3, 2)
    axes = figure.subplots(2, len(findings.facts), sharey="row", squeeze=False)
    for column, name in zip(axes.T, findings.facts, strict=True):
        at = points(name)[which]
        for way in LINES:
            _average(column[0], findings, places, at, way)
        frame(column[0], f"(a) average, {name}", places, below)
        for one in (*PRINTED, Way.WINDOW):
            _minimum(column[1], findings, places, at, one)
        frame(column[1], f"(b) minimum, {name}", places, below)
    for row, title in zip(axes, ("relative error, %", "error, % of the largest"), strict=True):
        _percent(row[0], title)
    legend(figure, axes[0, 0], columns=3)
    return figure


def own_ranges(findings: Findings) -> Figure:
    """Draw the errors where owners choose their ranges."""
    figure = sheet(3, 1)
    axes = figure.subplots(1, len(findings.facts), sharey=True, squeeze=False)[0]
    for ax, name in zip(axes, findings.facts, strict=True):
        for way, (colour, marker, line) in POOLED.items():
            runs = [findings.pooled[name, epsilon, way] for epsilon in OWN_RANGES]
            errors = [root_mean_square(np.array([a.error for a in each])) for each in runs]
            values = [100 * error for error in errors]
            ax.plot(OWN_RANGES, values, line, color=colour, marker=marker, ms=MARK, label=str(way))
        frame(ax, name, OWN_RANGES, "ε")
    _percent(axes[0], "relative error, %")
    legend(figure, axes[0], columns=4)
    return figure


def _average(
    ax: Axes, findings: Findings, places: Sequence[float], at: Sequence[Point], way: Way
) -> None:
    colour, marker, line = STYLES[way]
    known = [100 * findings.expected[point, way] for point in at]
    seen = [100 * root_mean_square(findings.errors(point, way)) for point in at]
    ax.plot(places, known, line, color=colour, linewidth=1.2)
    ax.plot(places, seen, marker, color=colour, ms=MARK, label=str(way))


def _minimum(
    ax: Axes, findings: Findings, places: Sequence[float], at: Sequence[Point], way: Way
) -> None:
    colour, marker, line = STYLES[way]
    errors = [100 * root_mean_square(findings.minimum_errors(point, way)) for point in at]
    ax.plot(places, errors, line, color=colour, marker=marker, ms=MARK, linewidth=1.2)


def _percent(ax: Axes, title: str) -> None:
    """Give the axis of a row its logarithmic scale and its title."""
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.set_ylabel(title, fontsize=SMALL)
