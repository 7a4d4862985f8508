"""How a joint estimate looks: as text, and as an HTML table in a notebook."""

from html import escape

import numpy as np

from discretion.estimate.consistency import LINEAR
from discretion.estimate.show import UNPROCESSED
from discretion.joints.result import JointEstimate

MOST_ROWS = 30  # cells that are printed, the most frequent first


def about(estimate: JointEstimate) -> str:
    """Name the attributes, and what they are conditional on."""
    names = " x ".join(estimate.attributes)
    if estimate.given:
        names += " given " + ", ".join(f"{a} = {label}" for a, label in estimate.given.items())
    return names


def summary(estimate: JointEstimate) -> str:
    """Say in one line what was estimated, from how much."""
    parts = [
        f"{about(estimate)}: {estimate.method} estimate from {estimate.n:,} reports"
        + "".join(f", then {step}" for step in estimate.steps)
    ]
    whole = [n for a, n in estimate.holding.items() if set(a) == set(estimate.attributes)]
    if whole and len(estimate.attributes) > 1:
        parts.append(f"{whole[0]:,} answer about all of them")
    if estimate.basis != estimate.method:
        parts.append(f"intervals: {estimate.basis}")
    if not LINEAR.issuperset(estimate.steps):
        parts.append(UNPROCESSED)
    if estimate.unidentified:
        sets = ", ".join(" x ".join(names) for names in estimate.unidentified)
        parts.append(f"not in the data: interactions of {sets}")
    return "; ".join(parts)


def rows(estimate: JointEstimate) -> list[tuple[str, ...]]:
    """Return labels, value, standard error and 95 % interval as text, a row a cell."""
    order = np.argsort(-estimate.value, axis=None, kind="stable")[:MOST_ROWS]
    if estimate.value.size <= MOST_ROWS:
        order = np.arange(estimate.value.size)
    cells = zip(*np.unravel_index(order, estimate.value.shape), strict=True)
    stderr, interval = estimate.stderr, estimate.interval()
    return [
        (
            *(own[at] for own, at in zip(estimate.labels, cell, strict=True)),
            f"{estimate.value[cell]:.4f}",
            f"{stderr[cell]:.4f}",
            f"{interval[cell][0]:.4f} to {interval[cell][1]:.4f}",
        )
        for cell in cells
    ]


def text(estimate: JointEstimate) -> str:
    """Write a table for a terminal."""
    table = [(*estimate.attributes, "value", "stderr", "95 % interval"), *rows(estimate)]
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    labels = len(estimate.attributes)
    lines = [
        "  ".join(
            cell.ljust(width) if i < labels else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in table
    ]
    return "\n".join([summary(estimate), *lines, *_rest(estimate)])


def html(estimate: JointEstimate) -> str:
    """Write a table for a notebook."""
    names = (*estimate.attributes, "value", "stderr", "95 % interval")
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows(estimate)
    )
    caption = escape("; ".join([summary(estimate), *_rest(estimate)]))
    return (
        f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
    )


def _rest(estimate: JointEstimate) -> list[str]:
    hidden = estimate.value.size - MOST_ROWS
    return [f"and {hidden:,} cells that are less frequent"] if hidden > 0 else []
