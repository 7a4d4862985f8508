"""How an estimate is shown: as text, as a table in a notebook or a terminal, as bars."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.estimate import FEW, ROUGH
from discretion.estimate.result import FrequencyEstimate
from discretion.extras import needed
from discretion.render.bars import MOST_BARS, Bar, Interval, most_frequent
from discretion.render.formats import p_stated
from discretion.render.tables import MOST_ROWS, Scale, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from discretion.render.figures import Bars

UNPROCESSED = "standard errors and intervals: unprocessed"
HEADS = ("value", "stderr", "95 % interval")


def summary(estimate: FrequencyEstimate) -> str:
    """Say in one line what was estimated, from how much, and how well it fits together."""
    title = estimate.legend.title(estimate.attribute)
    if estimate.applies != 1:
        title += f", among the {100 * estimate.applies:.1f} % to whom it applies"
    parts = [
        f"{title}: {estimate.method} estimate for the {estimate.target}"
        + "".join(f", then {step}" for step in estimate.steps),
        f"{estimate.n:,} reports worth {estimate.effective_n:,.0f} unperturbed answers",
    ]
    if estimate.homogeneity is not None:
        parts.append(f"levels agree with {p_stated(estimate.homogeneity.pvalue)}")
    if estimate.weighted is not None:
        parts.append(estimate.weighted.note)
    if estimate.unprocessed is not None:
        parts.append(UNPROCESSED)
    if estimate.n < FEW:
        parts.append(ROUGH)
    return "; ".join(parts)


def table(estimate: FrequencyEstimate, codes: Sequence[int] | None = None) -> Table:
    """Return label, value, standard error and 95 % interval of all codes, or of some."""
    shown = range(len(estimate.labels)) if codes is None else codes
    intervals = intervals_of(estimate)
    labels = labels_of(estimate)
    rows = [(labels[i], *cells(intervals[i], estimate.stderr[i])) for i in shown]
    scale = Scale.of_shares([intervals[i] for i in shown])
    heads, elastic = (estimate.attribute, *HEADS), frozenset({0})
    return Table(heads, rows, summary(estimate), elastic=elastic, scale=scale)


def short(estimate: FrequencyEstimate) -> Table:
    """Return the whole table, or of too many labels the most frequent ones."""
    hidden = len(estimate.labels) - MOST_ROWS
    if hidden <= 0:
        return table(estimate)
    order = np.argsort(-estimate.value, kind="stable")
    rest = estimate.value[order[MOST_ROWS:]].sum()
    together = f", {rest:.4f} together" if estimate.summing else ""
    shown = table(estimate, order[:MOST_ROWS].tolist())
    return replace(shown, note=f"and {hidden:,} that are less frequent{together}")


def labels_of(estimate: FrequencyEstimate) -> list[str]:
    """Return what people call each label."""
    return [estimate.legend.label(estimate.attribute, label) for label in estimate.labels]


def cells(interval: Interval, stderr: float) -> tuple[str, str, str]:
    """Return value, standard error and interval of a frequency as text."""
    return f"{interval.value:.4f}", f"{stderr:.4f}", f"{interval.low:.4f} to {interval.high:.4f}"


def intervals_of(estimate: FrequencyEstimate, confidence: float = 0.95) -> list[Interval]:
    """Return each frequency with its interval as plain numbers."""
    found = np.column_stack([estimate.value, estimate.interval(confidence)])
    return [Interval(*row) for row in found.tolist()]


def plot(
    estimate: FrequencyEstimate,
    ax: "Axes | None" = None,
    confidence: float = 0.95,
    truth: npt.ArrayLike | None = None,
) -> "Axes":
    """Draw one horizontal bar a value, with its interval, and a line at the truth if it is given.

    Of more than 25 values the most frequent are drawn, and the others counted below.
    """
    with needed("plot()"):
        from discretion.render.figures import plot_bars

    chart = _chart(estimate, confidence, truth)
    return plot_bars(chart, _caption(confidence, known=truth is not None), ax)


def plot_frequencies(
    estimates: Iterable[FrequencyEstimate],
    truth: Mapping[str, npt.ArrayLike] | None = None,
    *,
    confidence: float = 0.95,
    columns: int = 3,
    same_scale: bool = True,
) -> "Figure":
    """Draw one chart an estimate, side by side in one figure.

    Parameters
    ----------
    estimates
        Frequencies of one attribute each.
    truth
        By attribute, the true frequencies in the order of its values, where they are known.
    confidence
        Of the intervals.
    columns
        How many charts stand side by side.
    same_scale
        False lets every chart fill its width, for attributes whose frequencies are of different
        sizes.

    Returns
    -------
    A figure of matplotlib.

    Examples
    --------
    >>> import discretion as ds
    >>> reports = ds.simulate(ds.census_plan(), ds.census(10_000, seed=1), seed=1)
    >>> estimates = [ds.frequencies(reports, name) for name in ("travel", "work")]
    >>> figure = ds.plot_frequencies(estimates)
    >>> len(figure.axes)
    2
    """
    with needed("plot_frequencies()"):
        from discretion.render.figures import plot_panels

    drawn, known = list(estimates), dict(truth or {})
    if not drawn or columns < 1:
        count = f"{len(drawn)} estimates in {columns} columns"
        raise EstimateError(f"there must be at least one estimate and one column, got {count}")
    if stray := known.keys() - {estimate.attribute for estimate in drawn}:
        raise EstimateError(f"truth must be about what is plotted, got {', '.join(sorted(stray))}")
    charts = [_chart(each, confidence, known.get(each.attribute)) for each in drawn]
    return plot_panels(
        charts, _caption(confidence, known=bool(known)), columns, same_scale=same_scale
    )


def _chart(estimate: FrequencyEstimate, confidence: float, truth: npt.ArrayLike | None) -> "Bars":
    from discretion.render.figures import Bars

    real = _checked(estimate, truth)
    known = [None] * len(estimate.labels) if real is None else real
    rows = zip(labels_of(estimate), intervals_of(estimate, confidence), known, strict=True)
    bars = [Bar(label, (own,), value) for label, own, value in rows]
    note = f"{', then '.join([estimate.method, *estimate.steps])}, {estimate.n:,} reports"
    name = estimate.legend.question(estimate.attribute)
    if len(bars) <= MOST_BARS:
        return Bars(name, note, bars)
    shown = most_frequent(bars)
    others = estimate.value.sum() - sum(bar.series[0].value for bar in shown)
    rest = (f"the {len(shown)} most frequent of {len(bars):,}", f"the others sum to {others:.3f}")
    return Bars(name, note, shown, rest)


def _caption(confidence: float, *, known: bool) -> str:
    said = f"frequency, with {100 * confidence:.4g}% intervals"
    return f"{said}; dark line: truth" if known else said


def _checked(estimate: FrequencyEstimate, truth: npt.ArrayLike | None) -> list[float] | None:
    if truth is None:
        return None
    known, size = np.asarray(truth, np.float64), len(estimate.labels)
    if known.shape != (size,):
        rule = f"{estimate.attribute}: truth must be one frequency for each of {size} values"
        raise EstimateError(f"{rule}, got shape {known.shape}")
    found: list[float] = known.tolist()
    return found
