"""The figures of the PMPM page: errors to expect as lines, simulated crowds as marks."""

from collections.abc import Callable, Iterator, Sequence
from math import exp
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from discretion.render.theme import LIGHT, SMALL
from papers.figures import GREEN, VIOLET, frame, legend, save, sheet
from papers.means import Errors, Way
from papers.pmpm import AT, BUDGETS, DIMENSIONS, TAUS, Findings, Point

COLOURS = {
    Way.RECORD: LIGHT.first,
    Way.ATTRIBUTE: GREEN,
    Way.PMPM: LIGHT.second,
    Way.MPM: LIGHT.muted,
    Way.HARMONY: VIOLET,
    Way.DUCHI: LIGHT.ink,
}
DASHES = dict(zip(TAUS, (":", "-.", "--", "-"), strict=True))
RATIOS = np.linspace(0.05, 1.0, 200)  # k over the budget
LIMIT = 3.0  # of the chart of Figure 3
NEAR, FAR = (Way.RECORD, Way.ATTRIBUTE, Way.PMPM, Way.MPM), (Way.RECORD, Way.PMPM, Way.HARMONY)
At = Callable[[str, float, Way, float], Point]  # survey, place on the axis, way, tau


def write(findings: Findings, place: Path) -> Iterator[str]:
    """Write every figure that there are findings for; yield the names of the files."""
    if not findings.scope.figures:
        return

    def by_count(survey: str, count: float, way: Way, tau: float) -> Point:
        return Point(survey, int(count), AT, way, tau)

    drawn = {
        "3-4": rules(findings),
        "5-6": errors(findings, NEAR, BUDGETS, "budget", findings.point),
        "7-8": errors(findings, (*FAR, Way.DUCHI), BUDGETS, "budget", findings.point),
        "9-10": errors(findings, NEAR, DIMENSIONS, "numbers", by_count),
        "11-12": errors(findings, (*FAR, Way.DUCHI), DIMENSIONS, "numbers", by_count),
    }
    for number, figure in drawn.items():
        name = f"pmpm-figures-{number}.svg"
        save(figure, place / name)
        yield name


def average_error(ratio: Errors, square: float, spread: float) -> Errors:
    """Return the squared error by k / budget, times the budget and n / d, of PM.

    For numbers with this mean of squares and this variance (the paper has a third for both).
    """
    s = np.exp(1 / ratio / 2)
    noise = square / (s - 1) + (s + 3) / (3 * (s - 1) ** 2)
    return (noise + spread) / ratio


def most_personal(budget: float, tau: float, k: int) -> tuple[float, float]:
    """Return the least and the largest level of one of k numbers."""
    return budget / (tau * k), (1 + (tau - 1) * k) * budget / (tau * k)


def rules(findings: Findings) -> Figure:
    """Draw Figure 3, how many to draw, and Figure 4, how far levels can lie apart."""
    figure = sheet(3, 1)
    left, right = figure.subplots(1, 2)
    square, spread = findings.moments
    left.plot(RATIOS, average_error(RATIOS, 1 / 3, 1 / 3), color=LIGHT.second, label="the paper's")
    ours = average_error(RATIOS, square, spread)
    left.plot(RATIOS, ours, color=LIGHT.first, label="of these files")
    frame(left, "Figure 3: error", (0, 0.28, 0.5, 0.75, 1), "k / budget")
    left.set_ylim(0, LIMIT)
    left.legend(fontsize=SMALL, frameon=False)
    for tau, dash in DASHES.items():
        apart = []
        for budget in BUDGETS:
            low, high = most_personal(budget, tau, int(0.28 * budget))
            apart.append(exp(high) - exp(low))
        right.plot(BUDGETS, apart, color=LIGHT.second, linestyle=dash, label=f"τ = {tau:g}")
    frame(right, "Figure 4: largest $e^ε$ less smallest", BUDGETS, "budget")
    right.set_yscale("log")
    right.legend(fontsize=SMALL, frameon=False)
    return figure


def errors(
    findings: Findings, ways: Sequence[Way], places: Sequence[float], below: str, at: At
) -> Figure:
    """Draw the squared errors on both surveys; PMPM has a line for each tau."""
    figure = sheet(3, 1)
    axes = figure.subplots(1, 2, sharey=True)
    for ax, survey in zip(axes, findings.surveys, strict=True):
        for way in ways:
            for tau in TAUS if way is Way.PMPM else TAUS[:1] if way.personal else (0.0,):
                points = [at(survey, place, way, tau) for place in places]
                _line(ax, findings, places, points)
        frame(ax, survey, places, below)
    if Way.DUCHI in ways:
        axes[0].set_yscale("log")  # the axis is shared
    else:
        axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("squared error, 1e-4", fontsize=SMALL)
    legend(figure, axes[0], columns=3)
    return figure


def _line(ax: Axes, findings: Findings, places: Sequence[float], points: Sequence[Point]) -> None:
    way, tau = points[0].way, points[0].tau
    dash = DASHES[tau] if way is Way.PMPM else "-"
    label = f"PMPM, τ = {tau:g}" if way is Way.PMPM else str(way)
    values = [1e4 * findings.expected[point] for point in points]
    ax.plot(places, values, color=COLOURS[way], linestyle=dash, linewidth=1.3, label=label)
    seen = [
        (place, 1e4 * findings.simulated(point)[0])
        for place, point in zip(places, points, strict=True)
        if point in findings.errors
    ]
    if seen:
        ax.plot(*zip(*seen, strict=True), "o", color=COLOURS[way], markersize=3)
