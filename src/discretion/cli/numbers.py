"""Numbers in a terminal: what ``discretion estimate`` prints about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pyarrow as pa

from discretion.calibration import Calibration
from discretion.numbers import CurveEstimate, NumberEstimate, mean, quantiles
from discretion.numbers.number_evidence import NumberEvidence
from discretion.render.bars import Interval
from discretion.render.formats import interval, p_stated
from discretion.render.tables import Scale, Table
from discretion.statistics import STATISTICS
from discretion.table import Reports
from discretion.table.frame import Frame

LEVELS = cast("Sequence[float]", STATISTICS["quantiles"].option("at").default)


@dataclass(frozen=True, slots=True)
class NumberSummary:
    """The mean of a number, and its quantiles where reports estimate more than the mean."""

    mean: NumberEstimate
    quantiles: CurveEstimate | None
    ends: tuple[float, float]  # of the grid

    def document(self) -> dict[str, Any]:
        """Return both for machines, with None for quantiles that reports cannot estimate."""
        curve = None if self.quantiles is None else self.quantiles.document()["quantiles"]
        return {**self.mean.document(), "quantiles": curve}

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return what is estimated, value, low and high, a row each."""
        names, intervals = zip(*self.rows(), strict=True)
        columns = zip(*intervals, strict=True)
        values = dict(zip(("value", "low", "high"), map(pa.array, columns), strict=True))
        return self.mean.framed(pa.table({self.mean.attribute: pa.array(names), **values}), backend)

    def rows(self) -> Iterator[tuple[str, Interval]]:
        """Yield what is estimated, and its value with its 95 % interval."""
        yield "mean", Interval(self.mean.value, *self.mean.interval())
        if (curve := self.quantiles) is not None:
            cells = zip(curve.at, curve.value, curve.interval(), strict=True)
            for level, value, ends in cells:
                name = "median" if level == 0.5 else f"{level:.0%} below"
                yield name, Interval(float(value), *map(float, ends))


def summarised(
    table: Reports, name: str, method: str, target: str, weights: Calibration | None = None
) -> NumberSummary:
    """Estimate what is shown of a number."""
    evidence = NumberEvidence.of(table, name)
    has_quantiles = any(part.law.n_outputs > 2 for part in evidence.parts)
    data = evidence if weights is None else table
    return NumberSummary(
        mean(data, name, method, target, weights=weights),
        quantiles(data, name, LEVELS, weights=weights) if has_quantiles else None,
        (evidence.value(0), evidence.value(evidence.number.size - 1)),
    )


def summary(found: NumberSummary) -> str:
    """Say in one line what was estimated, from how much, and how well it fits together."""
    e = found.mean
    parts = [
        f"{e.title}: {e.method} estimate for the {e.target}",
        f"{e.n:,} reports",
    ]
    if e.homogeneity is not None:
        parts.append(f"levels agree with {p_stated(e.homogeneity.pvalue)}")
    if e.weighted is not None:
        parts.append(e.weighted.note)
    return "; ".join(parts)


def table(found: NumberSummary) -> Table:
    """Return mean and quantiles, each with its interval, on the scale of the grid."""
    names, intervals = zip(*found.rows(), strict=True)
    write = found.mean.write
    rows = [
        (name, write(own.value), interval(own.low, own.high, write))
        for name, own in zip(names, intervals, strict=True)
    ]
    scale = Scale(intervals, *found.ends, (write(found.ends[0]), write(found.ends[1])))
    heads = (found.mean.attribute, "value", "95 % interval")
    return Table(heads, rows, summary(found), elastic=frozenset({0}), scale=scale)
