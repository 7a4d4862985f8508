"""The axes of a joint table: the values of an attribute, or bins of a number.

Bins are those that the reports resolve (`bins.py`), so many with about equally many people in each,
or have the edges that the caller names.
Within a bin numbers are taken to be as frequent as their distribution says, which is fitted first;
that need not be so for every value of another attribute, so a table is estimated with finer bins,
and these are added up.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.estimate.legend import Legend
from discretion.estimate.noise import Matrix
from discretion.joints.bins import Points, inflation, resolved_edges
from discretion.numbers.distribution import density_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.plan import Plan
from discretion.table import Reports

ONE = 0.6826894921370859  # the confidence of one standard error
ON_GRID = 1e-6  # in steps
PARTS = (3, 2)  # finer bins in each, if the table does not grow too large
MOST_CELLS = 1024  # of a table with finer bins
Number = TypeVar("Number", bound=np.generic)
Bins = Mapping[str, int | Sequence[float]]  # how many, or the edges, by attribute


@dataclass(frozen=True, eq=False)
class Axis:
    """One attribute of a table; of a number, ``mixing`` takes finer bins to grid points."""

    name: str
    labels: tuple[str, ...]
    ordered: bool
    mixing: Matrix | None = None  # (grid points, finer bins), each column sums to one
    starts: npt.NDArray[np.int64] | None = None  # the finer bin with which each bin begins
    spread: Matrix | None = None  # (bins, bins): how uncertain the shares of all people's bins are
    coin: bool = False  # that shows heads the more often the larger a number is, in place of bins

    @property
    def size(self) -> int:
        """How many cells there are along the axis."""
        return len(self.labels) if self.mixing is None else self.mixing.shape[1]

    def folded(self, cells: Matrix, axis: int) -> Matrix:
        """Add the finer bins of an array up, along this axis."""
        return cells if self.starts is None else np.add.reduceat(cells, self.starts, axis=axis)

    def unfolded(self, bins: npt.NDArray[Number], axis: int) -> npt.NDArray[Number]:
        """Repeat what an array says of each bin for its finer bins, along this axis."""
        if self.starts is None:
            return bins
        return np.repeat(bins, np.diff(np.append(self.starts, self.size)), axis=axis)

    def left_open(self, table: Matrix, root: Matrix, axis: int) -> Matrix:
        """Return deviations (bins, *shape) that the table lacks: of the shares of bins.

        Where in a finer bin numbers are is taken as it was fitted, and that moves reports from bin
        to bin. The deviations move whole bins, with all that they have of other attributes.
        """
        if self.spread is None:
            return np.empty((0, *table.shape))
        other = tuple(i for i in range(table.ndim) if i != axis)
        own = self.folded(root.sum(axis=tuple(1 + i for i in other)), 1)
        values, vectors = np.linalg.eigh(self.spread - own.T @ own)
        rows = (vectors * np.sqrt(np.maximum(values, 0.0))).T
        whole = self.unfolded(self.folded(table.sum(axis=other, keepdims=True), axis), axis)
        even = np.full(table.shape, len(rows) / table.size)
        within = np.divide(table, whole, out=even, where=whole > 0)
        shape = [len(rows), *(size if i == axis else 1 for i, size in enumerate(table.shape))]
        found: Matrix = self.unfolded(rows, 1).reshape(shape) * within
        return found


def checked_names(plan: Plan, attributes: object, instead: str = "") -> tuple[str, ...]:
    """Return two different attributes or more; ``instead``: what to do about a single one."""
    named = () if isinstance(attributes, str | Mapping) else attributes
    if not isinstance(named, Collection) or len(named) < 2:
        raise EstimateError(f"name two attributes or more in a list{instead}")
    if len(set(named)) < len(named):
        raise EstimateError(f"name different attributes, got {', '.join(named)}")
    for name in named:
        if len(plan.questions[plan.questions[name].attribute.name].parts) > 1:
            raise EstimateError(f"{name!r} is a bundle: name its attributes")
    return tuple(named)


def axes_of(
    data: Reports | Aggregate, names: Sequence[str], bins: Bins | None, *, finer: bool = True
) -> tuple[Axis, ...]:
    """Return the axis of each attribute; numbers in finer bins, where the table stays small."""
    if not isinstance(bins, Mapping | None):
        raise EstimateError(f"bins must map numbers to their edges, or to how many, got {bins!r}")
    bins, plan = bins or {}, data.plan
    for name in bins:
        if not plan.questions[name].numbers or name not in names:
            raise EstimateError(f"bins are for numbers that the table has, and {name!r} is not one")
    counted = {name: _evidence(data, name) for name in names if plan.questions[name].numbers}
    edges = {name: _edges(data, names, own, bins.get(name)) for name, own in counted.items()}
    axes = [_axis(plan, name, counted.get(name), edges.get(name), 1) for name in names]
    numbers = [axis.name for axis in axes if axis.mixing is not None]
    cells = prod(axis.size for axis in axes)
    parts = next((p for p in PARTS if cells * p ** len(numbers) <= MOST_CELLS), 1)
    if parts == 1 or not numbers or not finer:
        return tuple(axes)
    return tuple(_axis(plan, name, counted.get(name), edges.get(name), parts) for name in names)


def coin_axis(data: Reports | Aggregate, name: str) -> Axis:
    """Return a number as a coin that shows heads with probability (x - low) / (high - low).

    How often it does in a cell of other attributes is the mean of the number there.
    """
    evidence = _evidence(data, name)
    mass = np.diff(density_of(evidence).cdf(np.arange(-1, evidence.number.size)))
    heads = np.linspace(0.0, 1.0, len(mass))
    sides = np.maximum(mass, 0.0)[:, None] * np.column_stack([1 - heads, heads])
    sides += 1e-9 / len(mass)
    return Axis(name, ("low", "high"), True, sides / sides.sum(axis=0), coin=True)


def _evidence(data: Reports | Aggregate, name: str) -> NumberEvidence:
    """Count a number once for all axes that are made of it; its density is fitted once as well."""
    evidence = NumberEvidence.of(data, name)
    if name not in data.shared:
        raise EstimateError(f"{name!r} is reported in bundles of numbers alone, for its mean")
    return evidence


def _axis(
    plan: Plan,
    name: str,
    evidence: NumberEvidence | None,
    edges: Points | None,
    parts: int,
) -> Axis:
    if evidence is None or edges is None:
        attribute = plan.questions[name].attribute
        return Axis(name, attribute.labels, attribute.number is not None)
    mass = _mass(evidence)
    n_outputs = max(part.law.n_outputs for part in evidence.parts if part.gap is None)
    if n_outputs < len(edges) - 1 or n_outputs == 2 < evidence.number.size:
        rule = f"{plan.questions[name].mechanism} reveals too little about {name!r}"
        raise EstimateError(f"{rule} for {len(edges) - 1} bins")
    finer = _finer(edges, np.append(0.0, np.cumsum(mass)), parts, n_outputs)
    starts = np.searchsorted(finer, edges[:-1])
    labels, mixing = tuple(_labels(evidence, edges)), _mixing(mass, finer)
    return Axis(name, labels, True, mixing, starts, _spread(evidence, edges))


def _spread(evidence: NumberEvidence, edges: Points) -> Matrix:
    """Return the covariance of the shares of bins, from the profile of their distribution.

    How they hang together is taken from the information, which lets shares be negative.
    """
    density = density_of(evidence)
    rows = np.diff(density.below(edges - 1), axis=0)
    inverse = rows @ density.covariance @ rows.T
    errors = np.array([np.diff(density.interval(row, ONE)) / 2 for row in rows])[:, 0]
    scale = errors / np.sqrt(np.diag(inverse))
    spread: Matrix = inverse * np.outer(scale, scale)
    return spread


def _mass(evidence: NumberEvidence) -> npt.NDArray[np.float64]:
    """Return the share of people at each grid point."""
    return np.diff(density_of(evidence).cdf(np.arange(-1, evidence.number.size)))


def _edges(
    data: Reports | Aggregate,
    names: Sequence[str],
    evidence: NumberEvidence,
    bins: int | Sequence[float] | None,
) -> Points:
    """Return where bins begin, as grid points, and the end of the last one."""
    size = evidence.number.size
    if bins is None:
        others = (inflation(data, name) for name in names if name != evidence.attribute)
        return resolved_edges(evidence, prod(others))
    if isinstance(bins, int | np.integer):
        if not 2 <= bins <= size:
            raise EstimateError(f"bins must be 2 to {size} of a number on this grid, got {bins}")
        inner = 1 + np.searchsorted(np.cumsum(_mass(evidence)), np.arange(1, bins) / bins)
        return np.unique(np.concatenate([[0], np.clip(inner, 1, size - 1), [size]]))
    starts = _grid_points(evidence, bins)
    if len(starts) and starts[-1] < size - 1:
        starts = np.append(starts, size - 1)  # the last bin goes on to the end of the range
    if len(starts) < 3 or (np.diff(starts) <= 0).any() or (starts[0], starts[-1]) != (0, size - 1):
        rule = "bins must be rising edges in the range, from its lower end on"
        raise EstimateError(f"{rule}, got {bins!r}")
    return np.append(starts[:-1], size)


def _grid_points(evidence: NumberEvidence, edges: Sequence[float]) -> npt.NDArray[np.int64]:
    """Return the grid points nearest to edges; none, where these are not a list of numbers."""
    try:
        values = np.asarray(edges, np.float64)
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if values.ndim != 1 or not np.isfinite(values).all():
        return np.empty(0, np.int64)
    points = (values - evidence.value(0)) / evidence.step
    if np.abs(points - np.rint(points)).max(initial=0) > ON_GRID:
        raise EstimateError(f"edges of bins must be points of the grid, got {list(edges)}")
    return np.rint(points).astype(np.int64)


def _finer(
    edges: npt.NDArray[np.int64], below: npt.NDArray[np.float64], parts: int, most: int
) -> npt.NDArray[np.int64]:
    """Part each bin into some with about equally many people, if a law distinguishes so many."""
    if (len(edges) - 1) * parts > most:
        return edges
    inner = [
        np.searchsorted(below, below[a] + (below[b] - below[a]) * np.arange(1, parts) / parts)
        for a, b in pairwise(edges)
    ]
    return np.union1d(edges, np.clip(np.concatenate(inner), 1, edges[-1] - 1).astype(np.int64))


def _labels(evidence: NumberEvidence, edges: npt.NDArray[np.int64]) -> Iterator[str]:
    moment = Legend.of(evidence.plan).moments.get(evidence.attribute)
    write = "{:.12g}".format if moment is None else moment.written
    ends = [write(evidence.value(float(edge))) for edge in (*edges[:-1], edges[-1] - 1)]
    for i in range(len(edges) - 1):
        yield f"[{ends[i]}, {ends[i + 1]}{']' if i == len(edges) - 2 else ')'}"


def _mixing(mass: npt.NDArray[np.float64], edges: npt.NDArray[np.int64]) -> Matrix:
    """Return how frequent grid points are within each bin; where nobody is, all alike."""
    mixing = np.zeros((len(mass), len(edges) - 1))
    for column, (start, stop) in enumerate(pairwise(edges)):
        inside = np.maximum(mass[start:stop], 0.0) + 1e-9 / len(mass)
        mixing[start:stop, column] = inside / inside.sum()
    return mixing
