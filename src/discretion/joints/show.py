"""How a joint estimate is shown: as text, as a table in a notebook or a terminal, as a heat map."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.estimate import FEW, ROUGH
from discretion.estimate.homogeneity import dependent
from discretion.estimate.show import HEADS, UNPROCESSED
from discretion.estimate.show import cells as written
from discretion.extras import needed
from discretion.joints.posterior import BASIS
from discretion.joints.result import JointEstimate
from discretion.labels.consistency import LINEAR
from discretion.render.bars import Interval
from discretion.render.tables import Scale, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_ROWS = 30  # cells that are printed, the most frequent first
MOST_WRITTEN = 9  # columns up to which the values stand in the cells of a map
MOST_COLUMNS = 6  # of a crosstab
MOST_LABELS = 40
WIDE = 0.8  # of [0, 1]: an interval that says next to nothing

Array = npt.NDArray[np.float64]


def about(estimate: JointEstimate, name: Callable[[str], str] = str) -> str:
    """Name the attributes, and what they are conditional on."""
    names = " x ".join(map(name, estimate.attributes))
    if not estimate.given:
        return names
    known = estimate.given.items()
    labels = (f"{name(a)} = {estimate.legend.label(a, code)}" for a, code in known)
    return f"{names} given {', '.join(labels)}"


def summary(estimate: JointEstimate) -> str:
    """Say in one line what was estimated, from how much."""
    named = about(estimate, estimate.legend.title)
    parts = [
        f"{named}: {estimate.method} estimate from {estimate.n:,} reports"
        + "".join(f", then {step}" for step in estimate.steps)
    ]
    if estimate.weighted is not None:
        parts.append(estimate.weighted.note)
    if estimate.n < FEW:
        parts.append(ROUGH)
    whole = [n for a, n in estimate.holding.items() if set(a) == set(estimate.attributes)]
    if whole and len(estimate.attributes) > 1:
        parts.append(f"{whole[0]:,} answer about all of them")
    if estimate.basis != estimate.method:
        cells = ", for the average cell" if estimate.basis == BASIS else ""
        parts.append(f"intervals: {estimate.basis}{cells}")
    if not LINEAR.issuperset(estimate.steps):
        parts.append(UNPROCESSED)
    if estimate.unidentified:
        parts.append(f"not in the data: interactions of {_sets(estimate.unidentified)}")
    if chosen := dependent(estimate.homogeneity):
        parts.append(f"levels depend on values: {', '.join(chosen)}")
    if estimate.untested:
        parts.append(f"not tested: interactions of {_sets(estimate.untested)}")
    for what, found in (("let in", estimate.let_in), ("left out", estimate.left_out)):
        if found:
            parts.append(f"interactions {what}: {', '.join(map(str, found))}")
    return "; ".join(parts)


def _sets(found: Sequence[Sequence[str]]) -> str:
    return ", ".join(" x ".join(names) for names in found)


def most_frequent(estimate: JointEstimate) -> list[int]:
    """Return which cells are shown: all in their order, or of too many the most frequent ones."""
    if estimate.value.size <= MOST_ROWS:
        return list(range(estimate.value.size))
    found: list[int] = np.argsort(-estimate.value, axis=None, kind="stable")[:MOST_ROWS].tolist()
    return found


def labels_of(estimate: JointEstimate) -> list[list[str]]:
    """Return what people call the labels of each attribute."""
    pairs = zip(estimate.attributes, estimate.labels, strict=True)
    return [[estimate.legend.label(name, label) for label in own] for name, own in pairs]


def table(estimate: JointEstimate, cells: Sequence[int]) -> Table:
    """Return labels, value, standard error and 95 % interval of some cells."""
    ends = np.column_stack([estimate.value.ravel(), estimate.interval().reshape(-1, 2)])
    intervals = [Interval(*row) for row in ends[cells].tolist()]
    where = zip(*np.unravel_index(cells, estimate.value.shape), strict=True)
    stderr, labels = estimate.stderr.ravel()[cells], labels_of(estimate)
    rows = [
        (*(own[i] for own, i in zip(labels, cell, strict=True)), *written(each, error))
        for cell, each, error in zip(where, intervals, stderr, strict=True)
    ]
    heads, left = (*estimate.attributes, *HEADS), frozenset(range(len(labels)))
    hidden, scale = estimate.value.size - len(cells), Scale.of_shares(intervals)
    less = f"and {hidden:,} cells that are less frequent" if hidden else ""
    note = "; ".join(filter(None, [less, spanning(estimate.interval())]))
    return Table(heads, rows, summary(estimate), note, left, left, scale=scale)


def across(estimate: JointEstimate) -> bool:
    """Whether it is of two attributes, and the values of the second fit beside each other."""
    return len(estimate.attributes) == 2 and len(estimate.labels[1]) <= MOST_COLUMNS


def crosstab(estimate: JointEstimate) -> Table:
    """Return the shares of all in per cent: the first attribute down, the second across."""
    down, heads = labels_of(estimate)
    ends = 100 * np.concatenate([estimate.value[..., None], estimate.interval()], axis=-1)
    lines = []
    for label, row in zip(down, ends.tolist(), strict=True):
        lines.append([label, *(f"{value:.1f}" for value, _, _ in row)])
        lines.append(["", *(f"({low:.1f}-{high:.1f})" for _, low, high in row)])
    caption = f"{summary(estimate)}; per cent of all, with 95 % intervals"
    return Table((estimate.attributes[0], *heads), lines, caption, spanning(estimate.interval()))


def spanning(intervals: Array) -> str:
    """Say how many intervals of shares (..., 2) span most of [0, 1], so that they say little."""
    wide = int((intervals[..., 1] - intervals[..., 0] > WIDE).sum())
    if not wide:
        return ""
    rule = (
        f"{wide} of {intervals[..., 0].size} intervals span most of 0 to 1: nothing is learnt there"
    )
    return f"{rule}; fewer bins or groups, more reports or higher levels would show more"


def plot(estimate: JointEstimate, ax: "Axes | None" = None, confidence: float = 0.95) -> "Axes":
    """Draw two attributes: the first down, the second across, the shade the probability."""
    with needed("plot()"):
        from discretion.render.figures import plot_heat

    if len(estimate.attributes) != 2:
        named = ", ".join(estimate.attributes)
        raise EstimateError(f"a heat map shows two attributes: take marginal() first ({named})")
    if max(map(len, estimate.labels)) > MOST_LABELS:
        raise EstimateError(f"a heat map shows at most {MOST_LABELS} values of an attribute")
    interval = estimate.interval(confidence) if len(estimate.labels[1]) <= MOST_WRITTEN else None
    names, labels = [*map(estimate.legend.question, estimate.attributes)], labels_of(estimate)
    return plot_heat(about(estimate), names, labels, estimate.value, interval, ax)
