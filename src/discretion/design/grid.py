"""A round grid for a column of numbers, and bins on it, as a person would draw them.

Round numbers are 1, 2 and 5 times a power of ten. Once a step is chosen, every place on the line is
a whole number of steps, so that all edges lie on the grid exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor, log10
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.plan.attributes import EXACT, MOST_PLACES
from discretion.schema.moment import round_days

Vector = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
BINS = 10  # a first estimate that fits on a screen
ENDS = 8  # the ends are rounded outwards, to a round number of about this part of the range
FEW_POINTS, POINTS, MOST_POINTS = 100, 1000, 100_000  # of the grid; most: where bins ask for it
HEAVY, SEEN = 0.15, 10  # a number with this share, and seen so often, gets a bin of its own
LIGHT = 0.02  # the others are cut into bins of at least about this share,
EMPTY = 0.01  # and a bin below this one is joined to its neighbour
ENOUGH = 0.7  # the coarsest edges that keep this share of the bins apart are taken
MOST_PERIODS = 12  # bins of dates
NEAR = 1e-9  # in steps: a float this near to a grid point is meant to be that point


@dataclass(frozen=True, slots=True)
class Grid:
    """A range, a step and bins, as they stand in a plan."""

    low: Decimal
    high: Decimal
    step: Decimal
    edges: tuple[Decimal, ...]
    heavy: tuple[Decimal, ...]  # where the bins of single frequent numbers begin

    @property
    def points(self) -> int:
        return int((self.high - self.low) / self.step) + 1


def round_grid(values: Vector) -> Grid | None:
    """Return a grid for finite numbers of which at least two differ; None: no plan can hold it.

    The step is the coarsest one on which frequent numbers stand alone and the bins are enough.
    """
    distinct, counts = np.unique(values, return_counts=True)
    width, largest = float(distinct[-1] - distinct[0]), float(np.abs(distinct).max())
    if largest >= EXACT / 2 or width < 10.0**-MOST_PLACES:
        return None
    unit, grid = _below(width / ENDS), None
    for step in _steps(distinct, unit):
        exponent = min(step.adjusted(), 0)
        if exponent < -MOST_PLACES or largest >= EXACT / 2 * 10.0**exponent:
            break
        line = _Line.of(distinct, counts, step, unit)
        edges = line.edges()
        low, high, *rest = (place * step for place in (line.low, line.high, *edges, *line.heavy))
        grid = Grid(low, high, step, tuple(rest[: len(edges)]), tuple(rest[len(edges) :]))
        if line.alone and len(edges) - 1 - len(line.heavy) >= ENOUGH * line.bins:
            break
    return grid


def round_periods(days: Counts) -> list[int]:
    """Return bins for dates: whole weeks, months or years, as far as none of them is nearly empty.

    The periods are the shortest of which a dozen are enough.
    """
    edges = round_days(int(days.min()), int(days.max()) + 1, MOST_PERIODS)
    while len(edges) > 3:
        shares = np.histogram(days, edges)[0] / len(days)
        least = int(shares.argmin())
        if shares[least] >= EMPTY:
            break
        del edges[max(least, 1)]
    return edges


def _steps(distinct: Vector, unit: Decimal) -> Iterator[Decimal]:
    """Yield steps from coarse to fine, none of them finer than the numbers themselves."""
    width = float(distinct[-1] - distinct[0])
    gap = 1.0 if (distinct % 1 == 0).all() else float(np.diff(distinct).min())
    finest = max(_below(gap), _above(width / MOST_POINTS))
    if finest > unit / 2:  # so few numbers that they make no grid of their own
        finest = _above(width / FEW_POINTS)
    step = max(_above(width / POINTS), finest)
    while step >= finest:
        if unit % step == 0:
            yield step
        step = _below(float(step) * 0.9)


@dataclass(frozen=True, slots=True)
class _Line:
    """The numbers in cells of the grid: everything is counted in steps."""

    cells: Vector  # (distinct,) rising
    share: Vector  # (distinct,) of all values
    low: int
    high: int
    heavy: list[int]  # cells of single frequent numbers
    alone: bool  # whether nothing else is in these cells
    units: list[int]  # round numbers, from coarse to fine

    @classmethod
    def of(cls, distinct: Vector, counts: Counts, step: Decimal, unit: Decimal) -> Self:
        cells = np.floor(_places(distinct, step))
        often = counts >= max(HEAVY * counts.sum(), SEEN)
        heavy = np.unique(cells[often]).astype(np.int64).tolist()
        least, most = (Decimal(repr(float(distinct[i]))) for i in (0, -1))  # as a plan reads them
        low = floor(least / step) if often[0] else floor(least / unit) * int(unit / step)
        high = ceil(most / unit) * int(unit / step)
        if most == high * step and {high - 1, high} & {*heavy}:  # the last bin holds both its ends
            high += 1
        alone = int(np.isin(cells, heavy).sum()) == len(heavy)
        cells, share = np.clip(cells, low, high - 1), counts / counts.sum()
        return cls(cells, share, low, high, heavy, alone, list(_units(step, high - low)))

    @property
    def fixed(self) -> set[int]:
        """Edges that stay where they are: the ends, and those around a frequent number."""
        return {self.low, self.high, *self.heavy, *(cell + 1 for cell in self.heavy)}

    @property
    def bins(self) -> int:
        """Into how many bins the numbers without one of their own are cut."""
        rest = float(self.share[~np.isin(self.cells, self.heavy)].sum())
        return min(BINS - len(self.heavy), int(rest / LIGHT))

    def edges(self) -> list[int]:
        """Return rising edges, as round as they can be near the quantiles."""
        cuts, inner, unit = self._cuts(), set[int](), 1
        for unit in self.units:
            near = {int(place) * unit for place in np.rint(cuts / unit)}
            inner = {edge for edge in near if self.low < edge < self.high} - self.fixed
            if len(inner) + 1 >= ENOUGH * self.bins:
                break
        edges = self._joined(self._rounder(sorted(self.fixed | inner), unit))
        return edges if len(edges) > 2 else [self.low, self._between(), self.high]

    def _between(self) -> int:
        """Return the roundest place between the smallest number and the largest."""
        first, last = int(self.cells[0]), int(self.cells[-1])
        above = ((first // unit + 1) * unit for unit in self.units)
        return next((place for place in above if place <= last), last)

    def _cuts(self) -> Vector:
        """Return the quantiles of the numbers without a bin of their own."""
        rest = ~np.isin(self.cells, self.heavy)
        below = self.share[rest].cumsum()
        wanted = np.arange(1, self.bins) / max(self.bins, 1)
        return self.cells[rest][np.searchsorted(below, wanted * below[-1:])]

    def _rounder(self, edges: list[int], unit: int) -> list[int]:
        """Move an edge with much room around it to a rounder number nearby."""
        for i in range(1, len(edges) - 1):
            room = min(edges[i] - edges[i - 1], edges[i + 1] - edges[i]) / 2
            rounder = next((u for u in self.units if unit < u <= room), None)
            if rounder and edges[i] not in self.fixed:
                edges[i] = round(edges[i] / rounder) * rounder
        return edges

    def _joined(self, edges: list[int]) -> list[int]:
        """Take edges away, one at a time, until no bin is nearly empty that could be joined."""
        while True:
            shares = np.histogram(self.cells + 0.5, edges, weights=self.share)[0]
            found = (self._loose(edges, i) for i in np.argsort(shares) if shares[i] < EMPTY)
            edge = next((edge for edge in found if edge is not None), None)
            if edge is None:
                return edges
            edges = [other for other in edges if other != edge]

    def _loose(self, edges: list[int], i: int) -> int | None:
        """Return an end of bin ``i`` that can go; a frequent number's bin may as well be longer."""
        loose = [edge for edge in edges[i : i + 2] if edge not in self.fixed]
        empty = not ((edges[i] <= self.cells) & (self.cells < edges[i + 1])).any()
        if empty and edges[i] - 1 in self.heavy and edges[i] not in self.heavy:
            loose.append(edges[i])
        return loose[-1] if loose else None


def _places(values: Vector, step: Decimal) -> Vector:
    """Return where values lie, in steps; what is nearly a grid point is that point."""
    places = values / float(step)
    nearest = np.rint(places)
    return np.where(np.abs(places - nearest) <= NEAR, nearest, places)


def _units(step: Decimal, most: int) -> Iterator[int]:
    """Yield the round numbers that are whole numbers of steps, from the coarsest to one step."""
    unit = _below(float(step) * most)
    while unit >= step:
        if unit % step == 0:
            yield int(unit / step)
        unit = _below(float(unit) * 0.9)


def _below(number: float) -> Decimal:
    """Return the largest round number that is not above a positive number."""
    exponent = floor(log10(number))
    fitting = (d for d in (10, 5, 2, 1) if d * 10.0**exponent <= number * (1 + NEAR))
    return Decimal(next(fitting, 1)).scaleb(exponent)


def _above(number: float) -> Decimal:
    """Return the smallest round number that is not below a positive number."""
    exponent = floor(log10(number))
    fitting = (d for d in (1, 2, 5, 10) if d * 10.0**exponent >= number * (1 - NEAR))
    return Decimal(next(fitting, 20)).scaleb(exponent)
