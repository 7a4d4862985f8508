"""How estimates of numbers are shown: as text, as tables, and a density as steps with a band."""

from itertools import pairwise
from math import isnan
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from discretion.estimate.estimate import FEW, ROUGH
from discretion.extras import needed
from discretion.numbers.curves import CurveEstimate, HistogramEstimate
from discretion.numbers.result import ExtremeEstimate, NumberEstimate
from discretion.render.formats import interval, number, on_grid
from discretion.render.tables import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def scalar(estimate: NumberEstimate) -> str:
    """Write one line: the value, its error and its interval."""
    low, high = estimate.interval()
    write = number if estimate.what == "variance" else estimate.write  # its unit is a square
    head = f"{_about(estimate)}: {write(estimate.value)}"
    differ = number if estimate.what == "variance" else estimate.write_difference
    error = f"stderr {differ(estimate.stderr)}, 95 % interval {interval(low, high, write)}"
    outside = estimate.unclipped != estimate.value
    likely = estimate.method == "likelihood"
    reports = _reports(estimate.n) if likely else f"{estimate.n:,} reports"
    kept = f", {write(estimate.unclipped)} unclipped" if outside else ""
    return f"{head}{kept} ({error}; {estimate.method} estimate, {reports}{_weights(estimate)})"


def curve(estimate: CurveEstimate) -> Table:
    """Return quantiles by their level, or shares by the number."""
    head = ("level", "quantile") if estimate.what == "quantile" else (estimate.attribute, "share")
    cells = zip(estimate.at, estimate.value, estimate.interval(), strict=True)
    columns = number, estimate.write
    name, write = columns if estimate.what == "quantile" else reversed(columns)
    rows = [
        (name(at), write(value), interval(low, high, write)) for at, value, (low, high) in cells
    ]
    title = f"{estimate.title}: {_reports(estimate.n)}{_weights(estimate)}"
    return Table((*head, "95 % interval"), rows, title, left=frozenset())


def histogram(estimate: HistogramEstimate) -> Table:
    """Return the share of each bin."""
    write = estimate.write
    cells = zip(pairwise(estimate.edges), estimate.value, estimate.interval(), strict=True)
    rows = [
        (interval(*bin, write), f"{value:.4f}", f"{low:.4f} to {high:.4f}")
        for bin, value, (low, high) in cells
    ]
    title = f"{estimate.title}: {_reports(estimate.n)}{_weights(estimate)}"
    return Table((estimate.attribute, "share", "95 % interval"), rows, title, left=frozenset())


def plot(
    estimate: HistogramEstimate,
    ax: "Axes | None" = None,
    confidence: float = 0.95,
    truth: npt.ArrayLike | None = None,
) -> "Axes":
    """Draw the density in each bin with its interval, and the true numbers' if they are given."""
    with needed("plot()"):
        from discretion.render.figures import plot_density

    ends = np.column_stack([estimate.value, estimate.interval(confidence)])
    widths, real = np.diff(estimate.edges), None
    if truth is not None:
        counts, _ = np.histogram(np.asarray(truth, np.float64), estimate.edges)
        real = counts / counts.sum() / widths
    unit = estimate.legend.unit(estimate.attribute)
    note = f"{unit and f'{unit}; '}density with {confidence:.0%} intervals, {estimate.n:,} reports"
    density, title = ends / widths[:, None], estimate.legend.question(estimate.attribute)
    moment = estimate.legend.moments.get(estimate.attribute)
    write = on_grid if moment is None else moment.write
    ticks = estimate.legend.ticks(estimate.attribute, estimate.edges[0], estimate.edges[-1])
    return plot_density(title, note, estimate.edges, density, ax, real, write, ticks)


def extreme(estimate: ExtremeEstimate) -> str:
    """Say which quantile stands for the extreme, and why."""
    write = estimate.write
    if isnan(estimate.limit()):
        end = "smallest" if estimate.what == "minimum" else "largest"
        return (
            f"{_about(estimate)}: {write(estimate.value)} by PENA's formula, "
            f"the {end} of {estimate.n:,} responses, which depends on the budgets alone"
        )
    share, side = f"{100 * min(estimate.level, 1 - estimate.level):.2g} %", "at least"
    lowest, below = "lowest", "below"
    if estimate.what == "maximum":
        side, lowest, below = "at most", "highest", "above"
    return (
        f"{_about(estimate)}: {write(estimate.value)} is the {lowest} "
        f"quantile that {estimate.n:,} reports resolve ({share} of people are {below}); it is "
        f"{side} {write(estimate.limit())} with 95 % confidence. The {estimate.what} itself "
        "leaves no trace in private reports."
    )


def _reports(n: int) -> str:
    """Say how many reports there are, and what that means for intervals."""
    return f"{n:,} reports" + (f"; {ROUGH}" if n < FEW else "")


def _weights(estimate: NumberEstimate | CurveEstimate | HistogramEstimate) -> str:
    """Say to which margins it was weighted, if it was."""
    return "" if estimate.weighted is None else f"; {estimate.weighted.note}"


def _about(estimate: NumberEstimate | ExtremeEstimate) -> str:
    """Say what was estimated of which number; a question comes first, as it is a sentence."""
    if estimate.title == estimate.attribute:
        return f"{estimate.what} of {estimate.attribute}"
    return f"{estimate.title} {estimate.what}"
