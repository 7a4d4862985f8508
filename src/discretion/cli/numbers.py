"""Numbers in a terminal: what ``discretion estimate`` prints about them."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult

from discretion.cli.show import GAP, NARROWEST, WIDEST, Columns, whisker
from discretion.numbers import CurveEstimate, NumberEstimate, mean, quantiles
from discretion.numbers.readings import Readings
from discretion.numbers.show import number
from discretion.table import Reports

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, slots=True)
class NumberSummary:
    """The mean of a number, and its quantiles where reports tell more than the mean."""

    mean: NumberEstimate
    quantiles: CurveEstimate | None
    ends: tuple[float, float]  # of the grid

    def rows(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield what is estimated, its value and the ends of its 95 % interval."""
        yield "mean", self.mean.value, *self.mean.interval()
        if (curve := self.quantiles) is not None:
            cells = zip(curve.at, curve.value, curve.interval(), strict=True)
            for level, value, (low, high) in cells:
                yield "median" if level == 0.5 else f"{level:.0%} below", value, low, high


def summarised(table: Reports, name: str, method: str, target: str) -> NumberSummary:
    """Estimate what is shown of a number."""
    readings = Readings.of(table, name)
    tells_more = any(part.law.reach > 2 for part in readings.parts)
    return NumberSummary(
        mean(table, name, method, target),
        quantiles(table, name, LEVELS) if tells_more else None,
        (readings.value(0), readings.value(readings.number.size - 1)),
    )


def summary(found: NumberSummary) -> str:
    """Say in one line what was estimated, from how much, and how well it fits together."""
    e = found.mean
    parts = [f"{e.attribute}: {e.method} estimate for the {e.target}", f"{e.n:,} reports"]
    if e.homogeneity is not None:
        parts.append(f"levels agree with p = {e.homogeneity.pvalue:.2g}")
    return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Mean and quantiles, each with its interval, as wide as the console."""

    found: NumberSummary

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        rows = list(self.found.rows())
        body = [[what, number(v), f"{number(a)} to {number(b)}"] for what, v, a, b in rows]
        heads = [self.found.mean.attribute, "estimate", "95 % interval"]
        taken = sum(max(cell_len(row[i]) for row in [heads, *body]) + GAP for i in range(3))
        width = min(max(options.max_width - taken, NARROWEST), WIDEST)
        low, high = self.found.ends
        first, last = number(low), number(high)
        heads.append(f"{first}{last:>{max(width - len(first), len(last) + 1)}}")
        for row, (_what, value, a, b) in zip(body, rows, strict=True):
            left, at, right = ((min(max(v, low), high) - low) / (high - low) for v in (a, value, b))
            row.append(whisker(left, at, right, width, ascii=options.ascii_only))
        yield Columns(heads, body, right=frozenset({1, 2}), elastic=frozenset({0}))
