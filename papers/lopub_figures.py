"""The figures of the LoPub page: the paper's three estimators beside ours."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discretion.render.theme import LIGHT, SMALL
from papers.figures import GREEN, VIOLET, frame, legend, save, sheet
from papers.lopub import CLASSIFIED, FOREST, SVM, Findings
from papers.lopub_census import TOTALS, Line, Stop
from papers.lopub_crowd import OURS, PAPER, Way
from papers.lopub_published import WORST_FOREST
from papers.lopub_trial import ORDERS

STYLES: dict[Way, tuple[str, str, str]] = {  # colour, marker, line
    Way.LASSO: (GREEN, "^", "-"),
    Way.EM: (LIGHT.second, "D", "-"),
    Way.HYBRID: (VIOLET, "v", "-"),
    Way.LOOSE: (LIGHT.second, "D", ":"),
    Way.EVEN: (LIGHT.first, "o", ":"),
    Way.PERSONAL: (LIGHT.first, "o", "-"),
}
BARS: dict[tuple[Line, Stop | None], str] = {
    **{(Line.FOUR, stop): LIGHT.second_soft for stop in Stop},
    **{(Line.ONE, stop): LIGHT.second for stop in Stop},
    (Line.EVEN, None): LIGHT.first_soft,
    (Line.PERSONAL, None): LIGHT.first,
}
MODELS = (*PAPER, Way.LOOSE, *OURS)
Value = Callable[[str, float, Way], float]  # of a survey at f by a way


def write(findings: Findings, place: Path) -> Iterator[str]:
    """Write every figure; yield the names of the files."""
    drawn = {
        "pairs": pairs(findings),
        "figures-7-12": times(findings),
        "figures-13-18": tables(findings),
        "figures-19-21": identified(findings),
        "figures-22-27": classified(findings),
        "figures-28-30": overall(findings),
        "model": models(findings),
    }
    for name, figure in drawn.items():
        path = place / f"lopub-{name}.svg"
        save(figure, path)
        yield path.name


def pairs(findings: Findings) -> Figure:
    """Draw the central table: the distances of all pairs of Adult as bars."""
    figure = sheet(4, 1)
    figure.set_figheight(3.5)
    axes = figure.subplots(1, len(TOTALS), sharey=True, sharex=True)
    longest = max(max(findings.distances(total, *key)) for total in TOTALS for key in BARS)
    ticks = np.arange(0, longest + 0.1, 0.1).round(1).tolist()
    labels = [line if stop is None else f"{line}, {stop}" for line, stop in BARS]
    for ax, total in zip(axes, TOTALS, strict=True):
        runs = [findings.distances(total, *key) for key in BARS]
        means = [float(np.mean(run)) for run in runs]
        ax.barh(labels, means, color=list(BARS.values()))
        for place, run in enumerate(runs):
            ax.plot(run, [place] * len(run), "|", color=LIGHT.ink, markersize=6)
        ax.axvline(findings.truth("Adult").unrelated, color=LIGHT.muted, linestyle=":")
        frame(ax, f"budget {total:g}", ticks, "total variation")
        ax.grid(axis="y", visible=False)
    axes[0].invert_yaxis()
    return figure


def tables(findings: Findings) -> Figure:
    """Draw Figures 13 to 18: tables estimated by themselves, and ours of the whole model."""

    def value(order: int) -> Value:
        def of(name: str, f: float, way: Way) -> float:
            if way.ours:
                return findings.model(name, f, way, order)
            return findings.estimate(name, f, way, order).distance

        return of

    rows = [(f"k = {order}", value(order)) for order in ORDERS]
    return _lines(findings, rows, (*PAPER, *OURS), "AVD")


def models(findings: Findings) -> Figure:
    """Draw the distances of what a whole model says."""

    def value(order: int) -> Value:
        return lambda name, f, way: findings.model(name, f, way, order)

    return _lines(findings, [(f"k = {order}", value(order)) for order in ORDERS], MODELS, "AVD")


def times(findings: Findings) -> Figure:
    """Draw Figures 7 to 12: the time of one table; ours is that of a model for all tables."""

    def value(order: int) -> Value:
        def of(name: str, f: float, way: Way) -> float:
            if way.ours:
                return findings.seconds(name, f, way)
            return findings.estimate(name, f, way, order).seconds

        return of

    rows = [(f"k = {order}", value(order)) for order in ORDERS]
    return _lines(findings, rows, (*PAPER, Way.PERSONAL), "seconds", log=True)


def overall(findings: Findings) -> Figure:
    """Draw Figures 28 to 30: the time from reports to a model."""
    return _lines(findings, [("", findings.seconds)], MODELS, "seconds", log=True)


def identified(findings: Findings) -> Figure:
    """Draw Figures 19 to 21: how often dependence is told rightly, seen too much, and missed."""

    def value(place: int) -> Value:
        return lambda name, f, way: findings.rates(name, f, way)[place]

    rows = [(title, value(place)) for place, title in enumerate(("right", "added", "lost"))]
    return _lines(findings, rows, (*PAPER, *OURS), "share of pairs")


def classified(findings: Findings) -> Figure:
    """Draw Figures 22 to 27: classifiers that learnt from synthetic rows."""
    names = [truth.survey for truth in findings.truths]
    figure = sheet(len(names), 2)
    axes = figure.subplots(2, len(names), squeeze=False)
    for row, kind in zip(axes, (SVM, FOREST), strict=True):
        for ax, name in zip(row, names, strict=True):
            real = findings.classified(name, CLASSIFIED[0], Way.EM, kind)[1]
            ax.axhline(real, color=LIGHT.ink, linewidth=1, label="real records")
            if kind == FOREST and name in WORST_FOREST:
                worst = WORST_FOREST[name]
                ax.axhline(worst, color=LIGHT.muted, linestyle=":", label="the paper's worst")
            for way in MODELS:
                rates = [findings.classified(name, f, way, kind)[0] for f in CLASSIFIED]
                _curve(ax, CLASSIFIED, rates, way)
            frame(ax, f"{name}, {kind}", CLASSIFIED, "f")
        row[0].set_ylabel("rate", fontsize=SMALL)
    legend(figure, axes[1, 0], columns=4)
    return figure


def _lines(
    findings: Findings,
    rows: Sequence[tuple[str, Value]],
    ways: Sequence[Way],
    beside: str,
    *,
    log: bool = False,
) -> Figure:
    """Draw a chart for each survey and row, with a line for each way."""
    names, chances = [truth.survey for truth in findings.truths], findings.scope.chances
    figure = sheet(len(names), len(rows))
    axes = figure.subplots(len(rows), len(names), squeeze=False)
    for row, (title, value) in zip(axes, rows, strict=True):
        for ax, name in zip(row, names, strict=True):
            for way in ways:
                _curve(ax, chances, [value(name, f, way) for f in chances], way)
            frame(ax, f"{name}, {title}" if title else name, chances, "f")
            if log:
                ax.set_yscale("log")
            else:
                ax.set_ylim(bottom=0)
        row[0].set_ylabel(beside, fontsize=SMALL)
    legend(figure, axes[0, 0], columns=3)
    return figure


def _curve(ax: Axes, at: Sequence[float], values: Sequence[float], way: Way) -> None:
    colour, marker, line = STYLES[way]
    ax.plot(at, values, color=colour, marker=marker, linestyle=line, markersize=3.5, label=way)
