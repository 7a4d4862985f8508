"""The figures of the PLDP page, drawn without pyplot and without a display."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from discretion.render.theme import LIGHT, SMALL, TEXT
from papers.pldp import (
    BUDGETS,
    DRAWN,
    S1,
    S2,
    SETTING1,
    SETTING2,
    SETTING3,
    Findings,
    Means,
)
from papers.published import TABLE2
from papers.trial import APART, KNOWN, OURS, PLDP, Way

HEIGHT, PANEL = 2.3, 2.2  # inches, of one chart
GREEN, VIOLET = "#1a7f4b", "#7d4fa8"
STYLES: dict[str, tuple[str, str, str]] = {  # colour, marker, line
    "blind": (LIGHT.first, "o", "-"),
    "map": (LIGHT.first, "o", ":"),
    "independent": (LIGHT.muted, "s", "-"),
    "lasso": (GREEN, "^", "-"),
    "entropy-split": (VIOLET, "v", "-"),
    "PLDP, printed": (LIGHT.second, "D", "-"),
}
PRINTED = "PLDP, printed"
LASSO, SPLIT = (Way(method, True) for method in PLDP)


def write(findings: Findings, place: Path) -> Iterator[str]:
    """Write every figure that there are findings for; yield the names of the files."""
    drawn = {"pldp-table-2.svg": table2(findings)}
    if findings.scope.figures:
        drawn["pldp-figure-5.svg"] = figure5(findings)
        drawn["pldp-figure-6.svg"] = figure6(findings)
        drawn["pldp-figure-7.svg"] = figure7(findings)
    for name, figure in drawn.items():
        save(figure, place / name)
        yield name


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the same one gives the same bytes."""
    with rc_context({"svg.hashsalt": path.name, "svg.fonttype": "none"}):
        figure.savefig(path, metadata={"Date": None})


def table2(findings: Findings) -> Figure:
    """Draw Table 2: distance by k, a column for each data set and a row for each setting."""
    names = [dataset.name for dataset in findings.scope.datasets]
    figure = sheet(len(names), 2)
    axes = figure.subplots(2, len(names), sharex=True, sharey=True, squeeze=False)
    for row, setting in zip(axes, (S1, S2), strict=True):
        for ax, name in zip(row, names, strict=True):
            _curve(ax, np.array(TABLE2[name, setting.name]), PRINTED)
            for way in (APART, LASSO, SPLIT, OURS, KNOWN):
                _mean(ax, findings.of(name, setting.name, way), way)
            frame(ax, f"{name}, {setting.name}", range(1, 6))
        row[0].set_ylabel("AVD", fontsize=SMALL)
        row[0].set_ylim(bottom=0)
    legend(figure, axes[0, 0])
    return figure


def figure5(findings: Findings) -> Figure:
    """Draw distance and time by k on Adult, under the three settings."""
    figure = sheet(4, 1)
    axes = figure.subplots(1, 4)
    for ax, setting in zip(axes, (SETTING1, SETTING2, None), strict=False):
        for way in reversed(DRAWN):
            if setting is None:
                _mean(ax, third(findings, way), way)
            else:
                _mean(ax, findings.of("Adult", setting.name, way), way)
        frame(ax, f"(a) {setting.name if setting else 'Setting#3'}", range(1, 5))
        ax.set_ylim(0, 1)
    axes[0].set_ylabel("AVD", fontsize=SMALL)
    for way, times in reversed(list(findings.by_order.items())):
        _curve(axes[3], np.array(times), way.method)
    frame(axes[3], "(b) seconds", range(1, 5))
    axes[3].set_yscale("log")
    axes[3].yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    legend(figure, axes[0])
    return figure


def figure6(findings: Findings) -> Figure:
    """Draw distance by k on each data set, under Settings #1 and #2."""
    names = [dataset.name for dataset in findings.scope.datasets]
    figure = sheet(len(names), 2)
    axes = figure.subplots(2, len(names), sharex=True, sharey=True, squeeze=False)
    for row, setting in zip(axes, (SETTING1, SETTING2), strict=True):
        for ax, name in zip(row, names, strict=True):
            for way in reversed(DRAWN):
                _mean(ax, findings.of(name, setting.name, way), way)
            frame(ax, f"{name}, {setting.name}", range(1, 5))
        row[0].set_ylabel("AVD", fontsize=SMALL)
        row[0].set_ylim(bottom=0)
    legend(figure, axes[0, 0])
    return figure


def figure7(findings: Findings) -> Figure:
    """Draw the time of a pair's estimate by the average budget."""
    figure = sheet(2, 1)
    ax = figure.subplots()
    colours = (LIGHT.first, LIGHT.second, GREEN, VIOLET)
    for (name, times), colour in zip(findings.by_budget.items(), colours, strict=False):
        ax.plot(BUDGETS, times, color=colour, marker="o", markersize=3, label=name)
    frame(ax, "seconds for two attributes", BUDGETS, "average budget")
    ax.set_ylim(bottom=0)
    legend(figure, ax)
    return figure


def third(findings: Findings, way: Way) -> Means:
    """Return the distances (seeds, k) under Setting#3: at k those with the average budget k."""
    columns = [findings.of("Adult", setting.name, way) for setting in SETTING3]
    return np.column_stack([column[:, k] for k, column in enumerate(columns) if column.size])


def sheet(columns: int, rows: int) -> Figure:
    """Return a figure with room for so many charts."""
    return Figure(figsize=(PANEL * columns, HEIGHT * rows + 0.4), layout="constrained")


def _mean(ax: Axes, distances: Means, way: Way) -> None:
    if distances.size:
        _curve(ax, distances.mean(axis=0), way.method)


def _curve(ax: Axes, values: Means, name: str) -> None:
    colour, marker, line = STYLES[name]
    label = {"blind": "ours, secret", "map": "ours, disclosed"}.get(name, name)
    at = np.arange(1, len(values) + 1)
    ax.plot(at, values, color=colour, marker=marker, linestyle=line, markersize=3.5, label=label)


def frame(ax: Axes, title: str, ticks: Sequence[float], below: str = "k") -> None:
    """Give a chart its title, ticks and grid."""
    ax.set_title(title, loc="left", fontsize=TEXT, color=LIGHT.ink)
    ax.set_xticks(ticks)
    ax.set_xlabel(below, fontsize=SMALL)
    ax.tick_params(labelsize=SMALL, colors=LIGHT.muted)
    ax.grid(axis="y", color=LIGHT.rule, linewidth=0.5)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def legend(figure: Figure, ax: Axes, columns: int = 6) -> None:
    """Put the legend of one chart below all of them."""
    handles, labels = ax.get_legend_handles_labels()
    figure.legend(
        handles,
        labels,
        loc="outside lower center",
        ncols=columns,
        fontsize=SMALL,
        frameon=False,
    )
