"""A round grid for a column of numbers, and bins on it, as a person would draw them.

Round numbers are 1, 2 and 5 times a power of ten. Inside this module every place on the line is a
whole number of steps, so that all edges lie on the grid exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil, floor, log10

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
BINS = 10  # a first estimate that fits on a screen
ROUNDINGS = 8  # the ends are rounded outwards to a round number of about an eighth of the range
POINTS, MOST_POINTS = 1000, 100_000  # points of the grid; the most where a heavy value asks for it
HEAVY = 0.15  # a single value with this share of all gets a bin of its own
LIGHT = 0.02  # the rest is cut into bins of at least about this share,
EMPTY = 0.01  # and a bin below this one is joined to its neighbour
FULL = 0.8  # the coarsest unit that keeps this share of the bins apart is round enough
NEAR = 1e-9  # in steps: a float this near to a grid point is meant to be that point


@dataclass(frozen=True, slots=True)
class Grid:
    """The range, the step and the bins, as they stand in a plan; ``heavy`` values have a bin."""

    low: Decimal
    high: Decimal
    step: Decimal
    edges: tuple[Decimal, ...]
    heavy: tuple[Decimal, ...]  # where these bins begin

    @property
    def points(self) -> int:
        return int((self.high - self.low) / self.step) + 1


def round_grid(values: Vector, *, whole: bool) -> Grid:
    """Return a grid for finite values of which at least two differ; ``whole``: no fractions."""
    width = float(values.max()) - float(values.min())
    unit = max(_below(width / ROUNDINGS), Decimal(1 if whole else 0))
    step = max(_above(width / POINTS), Decimal(1 if whole else 0))
    heavy = _heavy(values)
    while len(heavy) and not _alone(values, heavy, step) and _can_be_finer(width, step, whole):
        step = _below(float(step) * 0.9)
    cells = np.floor(_places(values, step))
    own = np.unique(np.floor(_places(heavy, step))).astype(np.int64).tolist()
    stride = int(unit / step)
    low, high = (int(cells.min()), int(ceil(_places(values, step).max() / stride)) * stride)
    low = low if low in own else low // stride * stride
    high = max(high, low + 1, *(cell + 1 for cell in own))
    edges = _edges(np.clip(cells, low, high - 1), (low, high), own, list(_series(step, high - low)))
    numbers = [place * step for place in (low, high, *edges, *own)]
    inner = tuple(numbers[2 : 2 + len(edges)])
    return Grid(numbers[0], numbers[1], step, inner, tuple(numbers[2 + len(edges) :]))


def _edges(cells: Vector, ends: tuple[int, int], own: list[int], units: list[int]) -> list[int]:
    """Return rising edges near the quantiles of what is not in a bin of its own."""
    rest = cells[~np.isin(cells, own)]
    fixed = {*ends, *own, *(cell + 1 for cell in own)}
    bins = min(BINS - len(own), int(len(rest) / len(cells) / LIGHT))
    inner: set[int] = set()
    if bins > 1:
        cuts = np.quantile(rest, np.arange(1, bins) / bins)
        for unit in units:  # from coarse to fine
            inner = {int(place) * unit for place in np.rint(cuts / unit)}
            inner = {edge for edge in inner if ends[0] < edge < ends[1]} - fixed
            if len(inner) + 1 >= FULL * bins:
                break
    edges = _rounder(sorted(fixed | inner), fixed, units)
    return _joined(edges, fixed, cells)


def _rounder(edges: list[int], fixed: set[int], units: list[int]) -> list[int]:
    """Move an edge with much room around it to a rounder number nearby."""
    moved = list(edges)
    for i in range(1, len(edges) - 1):
        room = min(moved[i] - moved[i - 1], edges[i + 1] - edges[i]) / 2
        unit = next((u for u in units if u <= room), None)
        if unit and edges[i] not in fixed:
            moved[i] = round(edges[i] / unit) * unit
    return moved


def _joined(edges: list[int], fixed: set[int], cells: Vector) -> list[int]:
    """Take edges away, one at a time, until no bin is nearly empty that could be joined."""
    while True:
        shares = np.histogram(cells + 0.5, edges)[0] / len(cells)
        for i in np.argsort(shares, kind="stable").tolist():
            if shares[i] >= EMPTY:
                return edges
            loose = [edge for edge in edges[i : i + 2] if edge not in fixed]
            if loose:
                edges = [edge for edge in edges if edge != loose[0]]
                break
        else:
            return edges


def _heavy(values: Vector) -> Vector:
    distinct, counts = np.unique(values, return_counts=True)
    return distinct[counts >= HEAVY * len(values)]


def _alone(values: Vector, heavy: Vector, step: Decimal) -> bool:
    """Whether each heavy value has its cell of the grid for itself."""
    distinct = np.unique(values)
    cells, counts = np.unique(np.floor(_places(distinct, step)), return_counts=True)
    return bool((counts[np.isin(cells, np.floor(_places(heavy, step)))] == 1).all())


def _can_be_finer(width: float, step: Decimal, whole: bool) -> bool:
    return width / float(step) < MOST_POINTS / 2.5 and not (whole and step == 1)


def _places(values: Vector, step: Decimal) -> Vector:
    """Return where values lie, in steps; what is nearly a grid point is that point."""
    places = values / float(step)
    nearest = np.rint(places)
    return np.where(np.abs(places - nearest) <= NEAR, nearest, places)


def _series(step: Decimal, most: int) -> Iterator[int]:
    """Yield the round numbers that are whole numbers of steps, from the coarsest to one step."""
    unit = _below(float(step) * most)
    while unit >= step:
        if unit % step == 0:
            yield int(unit / step)
        unit = _below(float(unit) * 0.9)


def _below(number: float) -> Decimal:
    """Return the largest round number that is not above a positive number."""
    exponent = floor(log10(number))
    for digit in (10, 5, 2):
        if digit * 10.0**exponent <= number * (1 + NEAR):
            return Decimal(digit).scaleb(exponent)
    return Decimal(1).scaleb(exponent)


def _above(number: float) -> Decimal:
    """Return the smallest round number that is not below a positive number."""
    below = _below(number)
    if float(below) >= number * (1 - NEAR):
        return below
    return below * (2 if below.as_tuple().digits[0] != 2 else Decimal("2.5"))
