"""How estimates of numbers look as text."""

from collections.abc import Sequence
from math import isnan

from discretion.numbers.result import (
    CurveEstimate,
    ExtremeEstimate,
    HistogramEstimate,
    NumberEstimate,
)


def number(value: float) -> str:
    """Write a number with as many digits as people read, thousands apart."""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def scalar(estimate: NumberEstimate) -> str:
    """Write one line: the value, its error and its interval."""
    low, high = estimate.interval()
    head = f"{estimate.what} of {estimate.attribute}: {number(estimate.value)}"
    error = f"stderr {number(estimate.stderr)}, 95 % interval {number(low)} to {number(high)}"
    return f"{head} ({error}; {estimate.method} estimate, {estimate.n:,} reports)"


def curve(estimate: CurveEstimate) -> str:
    """Write a table for a terminal."""
    head = ("level", "quantile") if estimate.what == "quantile" else (estimate.attribute, "share")
    rows = [
        (number(at), number(value), f"{number(low)} to {number(high)}")
        for at, value, (low, high) in zip(
            estimate.at, estimate.value, estimate.interval(), strict=True
        )
    ]
    title = f"{estimate.attribute}: {estimate.n:,} reports"
    return "\n".join([title, *_table((*head, "95 % interval"), rows)])


def histogram(estimate: HistogramEstimate) -> str:
    """Write a table for a terminal."""
    ends = zip(estimate.edges, estimate.edges[1:], strict=False)
    cells = zip(ends, estimate.value, estimate.interval(), strict=True)
    rows = [
        (f"{number(a)} to {number(b)}", f"{value:.4f}", f"{low:.4f} to {high:.4f}")
        for (a, b), value, (low, high) in cells
    ]
    title = f"{estimate.attribute}: {estimate.n:,} reports"
    return "\n".join([title, *_table((estimate.attribute, "share", "95 % interval"), rows)])


def extreme(estimate: ExtremeEstimate) -> str:
    """Say which quantile stands for the extreme, and why."""
    if isnan(estimate.limit()):
        end = "smallest" if estimate.what == "minimum" else "largest"
        return (
            f"{estimate.what} of {estimate.attribute}: {number(estimate.value)} by PENA's formula, "
            f"the {end} of {estimate.n:,} responses, which depends on the budgets alone"
        )
    share, side = f"{100 * min(estimate.level, 1 - estimate.level):.2g} %", "at least"
    lowest, below = "lowest", "below"
    if estimate.what == "maximum":
        side, lowest, below = "at most", "highest", "above"
    return (
        f"{estimate.what} of {estimate.attribute}: {number(estimate.value)} is the {lowest} "
        f"quantile that {estimate.n:,} reports resolve ({share} of people are {below}); it is "
        f"{side} {number(estimate.limit())} with 95 % confidence. The {estimate.what} itself "
        "leaves no trace in private reports."
    )


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    return ["  ".join(f"{c:>{w}}" for c, w in zip(r, widths, strict=True)) for r in (head, *rows)]
