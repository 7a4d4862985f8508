"""The PENA study: Figures 2 to 4 of the paper, and ranges of owners' own."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Self

import pyarrow as pa

from papers.data import Dataset
from papers.exhibit import Chart, Curve, Exhibit, Style, Table, Tables, grid
from papers.pena.checks import checks
from papers.pena.crowd import Reports, bias, expected, pooled
from papers.pena.incomes import EARNINGS, MADE_ROWS, MADE_SEED, Incomes, made
from papers.pena.setting import (
    AXES,
    LARGE,
    LEVELS,
    LINES,
    NAMES,
    OWN_RANGES,
    POOLED,
    PRINTED,
    UNWEIGHTED,
    WAYS,
    WINDOW,
    Axis,
    Menu,
    Point,
    Way,
    drawn,
    weighing,
)
from papers.study import Check, Effort, Findings, Measurement, Step, Study

FIRST_SEED, BLOCK = 9001, 1000  # each setting has a block of seeds; none was used before
PERCENT = "relative error, %"


@dataclass(frozen=True)
class Pena(Study):
    """Errors of the average and of the minimum of incomes: those to expect, and those of crowds."""

    name: ClassVar[str] = "pena"
    printed: ClassVar[tuple[str, ...]] = ("figure-2-tables", "figure-3-tables", "figure-4-tables")
    runs: int = 100
    large: int = 5  # for a large table, at most
    extremes: int = 30  # of the runs, those that also ask for a minimum and for quantiles
    pooled: int = 20  # for ranges of owners' own, at most
    rows: int = MADE_ROWS

    @classmethod
    def of(cls, effort: Effort) -> Self:
        usual = (5, 100_000) if effort.quick else (cls.runs, cls.rows)
        return cls(effort.runs or usual[0], rows=effort.rows or usual[1])

    @property
    def datasets(self) -> tuple[Dataset, ...]:
        return (EARNINGS,)

    def steps(self, tables: Mapping[str, pa.Table]) -> list[Step]:
        earnings = tables[EARNINGS.name][EARNINGS.attributes[0]].to_numpy()
        steps = []
        for incomes in (Incomes(EARNINGS.name, earnings), made(self.rows)):
            name, rows = incomes.name, len(incomes.values)
            points = [*drawn(name), weighing(name, rows)]
            seeds = range(FIRST_SEED, FIRST_SEED + BLOCK * (len(points) + len(OWN_RANGES)), BLOCK)
            steps.append(Step(f"{name}, facts", partial(facts, incomes)))
            for point, seed in zip(points, seeds, strict=False):
                steps.append(Step(str(point), partial(self.asked, incomes, point, seed)))
            for epsilon, seed in zip(OWN_RANGES, seeds[len(points) :], strict=True):
                title = f"{name}, own ranges, epsilon {epsilon:g}"
                steps.append(Step(title, partial(self.ranged, incomes, epsilon, seed)))
        return steps

    def times(self, rows: float) -> int:
        """Return the runs on so many rows."""
        return min(self.runs, self.large) if rows >= LARGE else self.runs

    def asked(self, incomes: Incomes, point: Point, seed: int) -> Iterator[Measurement]:
        """Measure all runs of one setting."""
        ways = WAYS if point.apart else LINES
        top, rows = point.factor * incomes.largest, len(incomes.values)
        for way in ways:
            off = expected(incomes, point.menu, top, point.share, way)
            yield ("expected", point, way), off
        for run in range(self.runs if point.apart else self.times(rows)):
            reports = Reports(incomes, point.menu, top, point.share, seed + run)
            for way in ways:
                answer = reports.answer(way)
                yield ("error", point, way), answer.error
                yield ("covered", point, way), answer.covered
            if run < self.extremes:
                yield from extremes(reports, incomes.largest, point)

    def ranged(self, incomes: Incomes, epsilon: float, seed: int) -> Iterator[Measurement]:
        """Measure all runs in which owners choose their ranges."""
        for run in range(min(self.times(len(incomes.values)), self.pooled)):
            menu = Menu.up_to(epsilon)
            for way, answer in pooled(incomes, menu, incomes.largest, seed + run).items():
                yield ("error", incomes.name, epsilon, way), answer.error
                yield ("covered", incomes.name, epsilon, way), answer.covered

    def checks(self, found: Findings) -> Iterator[Check]:
        return checks(found)

    def exhibits(self, found: Findings) -> Iterator[tuple[str, Exhibit]]:
        yield (
            "data",
            "\n".join(
                f"- {name}: {rows:,.0f} owners, mean {found.mean('mean', name):,.0f}, "
                f"largest {found.mean('largest', name):,.0f}; {self.times(rows)} runs"
                for name, rows in ((name, found.mean("rows", name)) for name in NAMES)
            ),
        )
        yield "made-seed", str(MADE_SEED)
        yield "runs", str(self.runs)
        yield "extremes", str(self.extremes)
        yield "seeds", f"{FIRST_SEED} + {BLOCK} i"
        for figure, axis in AXES.items():
            yield f"figure-{figure}-tables", Tables(_tables(found, axis))
            yield f"figure-{figure}", _charts(found, axis)
        yield "weights", Tables(_weights(found))
        yield from _own_ranges(found)


def facts(incomes: Incomes) -> Iterator[Measurement]:
    """Yield what is true about a column, and the relative bias of the printed average."""
    yield ("rows", incomes.name), len(incomes.values)
    yield ("mean", incomes.name), incomes.mean
    yield ("largest", incomes.name), incomes.largest
    yield ("bias", incomes.name), bias(incomes, incomes.largest)


def extremes(reports: Reports, largest: float, point: Point) -> Iterator[Measurement]:
    """Ask for the minimum and, where budgets are large, for quantiles.

    Errors are over the largest income: printed ones of the minimum, which is 0 or next to it, ours
    of the quantile that it names.
    """
    found = reports.extreme()
    yield ("minimum", point, WINDOW), (found.value - found.truth) / largest
    for way in PRINTED:
        yield ("minimum", point, way), reports.printed_minimum(way) / largest
    yield ("level", point), found.level
    yield ("holds", point), found.limit <= found.truth
    yield ("above", point), found.limit > 0
    if point.apart:
        for level, covered in zip(LEVELS, reports.quantiles_covered(LEVELS), strict=True):
            yield ("quantile", point, level), covered


def _tables(found: Findings, axis: Axis) -> Iterator[Table]:
    """Yield for each column the errors of the average and those of the minimum."""
    for name in NAMES:
        at = axis.points(name)
        average = [(way, *(_error(found, point, way) for point in at)) for way in LINES]
        yield Table((f"average, % (by {axis.title})", *axis.places), average, name)
        lines = {
            "ours, against the true quantile": [_rms(found, "minimum", p, WINDOW) for p in at],
            "its level, %": [f"{100 * found.mean('level', p):.2g}" for p in at],
            "bound holds, % of runs": [f"{100 * found.mean('holds', p):.0f}" for p in at],
            "bound is above 0, % of runs": [f"{100 * found.mean('above', p):.0f}" for p in at],
        }
        printed = {str(way): [_rms(found, "minimum", p, way) for p in at] for way in PRINTED}
        rows = [(line, *cells) for line, cells in (printed | lines).items()]
        yield Table(("minimum, % of the largest", *axis.places), rows)


def _charts(found: Findings, axis: Axis) -> Exhibit:
    """Draw (a) the average and (b) the minimum, a column for each column of data."""

    def average(at: Sequence[Point]) -> Iterator[Curve]:
        for way in LINES:
            colour, marker, line = way.style
            known = [100 * found.mean("expected", point, way) for point in at]
            yield Curve(None, axis.places, known, Style(colour, line=line))
            seen = [100 * found.rms("error", point, way) for point in at]
            yield Curve(str(way), axis.places, seen, Style(colour, marker, ""))

    def minimum(at: Sequence[Point]) -> Iterator[Curve]:
        for way in (*PRINTED, WINDOW):
            seen = [100 * found.rms("minimum", point, way) for point in at]
            yield Curve(None, axis.places, seen, way.style)

    rows = [
        [
            Chart(f"{title}, {n}", axis.places, axis.title, list(curves(axis.points(n))), log=True)
            for n in NAMES
        ]
        for title, curves in (("(a) average", average), ("(b) minimum", minimum))
    ]
    beside = [PERCENT, "error, % of the largest"]
    return grid(rows, beside, columns=3, width=3, share="row")


def _weights(found: Findings) -> Iterator[Table]:
    """Yield the errors with large budgets, and what their bounds are worth."""
    at = {name: weighing(name, found.mean("rows", name)) for name in NAMES}
    ways = (*LINES[2:], UNWEIGHTED)
    body = [(name, way, _error(found, point, way)) for name, point in at.items() for way in ways]
    yield Table(("data", "way", PERCENT), body)
    bounds = [
        (
            name,
            f"{100 * found.mean('level', point):.2g}",
            *(f"{100 * found.mean(which, point):.0f}" for which in ("holds", "above")),
        )
        for name, point in at.items()
    ]
    heads = ("minimum", "level, %", "bound holds, % of runs", "bound is above 0, % of runs")
    yield Table(heads, bounds)


def _own_ranges(found: Findings) -> Iterator[tuple[str, Exhibit]]:
    """Yield the errors where owners choose their ranges, as a table and as curves."""
    body, charts = [], []
    for name in NAMES:
        errors = {way: [("error", name, epsilon, way) for epsilon in OWN_RANGES] for way in POOLED}
        for way, keys in errors.items():
            cells = (f"{_rms(found, *key)} (mean {_percent(found.mean(*key))})" for key in keys)
            body.append((name, way, *cells))
        curves = [
            Curve(str(way), OWN_RANGES, [100 * found.rms(*key) for key in keys], way.style)
            for way, keys in errors.items()
        ]
        charts.append(Chart(name, OWN_RANGES, "ε", curves, log=True))
    yield "range-errors", Table(("data", f"{PERCENT} (by ε)", *OWN_RANGES), body)
    yield "own-ranges", grid([charts], [PERCENT], columns=4, width=3, share=True)


def _error(found: Findings, point: Point, way: Way) -> str:
    """Write the error to expect, and that of simulated crowds."""
    known = _percent(found.mean("expected", point, way))
    return f"{known} ({_rms(found, 'error', point, way)})"


def _rms(found: Findings, *key: Hashable) -> str:
    return _percent(found.rms(*key))


def _percent(value: float) -> str:
    return f"{100 * value:.3g}" if abs(value) < 10 else f"{100 * value:,.0f}"
