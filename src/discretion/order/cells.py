"""Where two numbers lie: the cells of a bundle with bins, and what is reported of each number.

The cells say how the numbers go together, each number's own tree of intervals how it is spread.
Both say what share its bins have, so they are combined by least squares. Within a cell the numbers
are taken to be independent, each as it is spread in its bin; without reports of its own, evenly.
See docs/proofs/hierarchy.md, section 8.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self, cast

import numpy as np
from scipy.fft import dctn, idctn

from discretion.aggregate import Aggregate
from discretion.aggregate import Evidence as LabelEvidence
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.family import of
from discretion.family.counts import Tally
from discretion.family.sets import Sets
from discretion.order.depths import Answered, Depth
from discretion.order.evidence import REDRAWS, SEED, OrderEvidence
from discretion.order.plane import Cut, inside
from discretion.order.result import LinearRanges
from discretion.order.shrinkage import NOTHING
from discretion.order.tree import Cuts
from discretion.plan import Plan
from discretion.schema import Numeric, Parted
from discretion.table import Reports

TURNS = 30  # of bringing rows and columns to their margins


@dataclass(frozen=True, eq=False)
class Along:
    """One of the two numbers: its bins, and its own reports by intervals, if there are any."""

    part: Parted
    own: OrderEvidence | None

    @property
    def starts(self) -> Cuts:
        return np.array(self.part.starts)

    @cached_property
    def covariance(self) -> Matrix:
        """The covariance of the shares of the bins by the number's own reports, linearly."""
        assert self.own is not None
        pairs = zip(self.part.starts, self.part.starts[1:], strict=False)
        return self.own.variance.among([self.own.shape.inside(*pair) for pair in pairs])

    def bins(self, leaves: Vector) -> Vector:
        """Return the shares of the bins."""
        assert self.own is not None
        return np.diff(self.own.shape.below(self.starts, leaves))

    def parts(self, leaves: Vector | None, cuts: Cuts) -> Matrix:
        """Return which part of those in each bin lies between cuts, (boxes, 2): (boxes, bins)."""
        even = np.stack([inside(self.part, low, high) for low, high in cuts.tolist()])
        if self.own is None or leaves is None:
            return even
        low, high = cuts.T
        ends = np.clip(self.starts, low[:, None], high[:, None])
        shared, mass = np.diff(self.own.shape.below(ends, leaves)), self.bins(leaves)
        return np.where(mass > NOTHING, np.clip(shared / np.maximum(mass, NOTHING), 0, 1), even)


@dataclass(frozen=True, eq=False)
class Fit:
    """The shares of the cells, and those of the leaves of each number's own tree."""

    table: Matrix
    leaves: Sequence[Vector | None]

    def parts(self, axes: Sequence[Along], boxes: Sequence[Cut]) -> list[Matrix]:
        """Return which part of those in each bin of both numbers is in each box."""
        cuts = np.array(boxes, np.int64).transpose(1, 0, 2)
        return [a.parts(own, at) for a, own, at in zip(axes, self.leaves, cuts, strict=True)]

    def shares(self, axes: Sequence[Along], boxes: Sequence[Cut]) -> Vector:
        """Return the shares of boxes."""
        rows, columns = self.parts(axes, boxes)
        return np.asarray(((rows @ self.table) * columns).sum(axis=1))


@dataclass(frozen=True, eq=False)
class CellsEvidence:
    """All that was reported about where two numbers lie, in one round."""

    labels: LabelEvidence  # of the cells
    axes: tuple[Along, Along]

    @classmethod
    def of(cls, data: object, name: str) -> Self:
        """Count the reports of the bundle, and those of each number that are by intervals."""
        if isinstance(data, cls):
            data.labels.about(name)
            return data  # it is counted already
        if not isinstance(data, Reports | Aggregate):
            raise EstimateError(f"ranges need reports or an Aggregate, got {type(data).__name__}")
        parts = [cast("Parted", part) for part in data.plan.questions[name].attribute.parts]
        first, second = (Along(part, _own(data, part.name)) for part in parts)
        return cls(LabelEvidence.of(data, name), (first, second))

    @property
    def plan(self) -> Plan:
        return self.labels.plan

    @property
    def name(self) -> str:
        return self.labels.attribute

    @property
    def n(self) -> int:
        return self.labels.n + sum(axis.own.n for axis in self.axes if axis.own)

    @property
    def grids(self) -> list[Numeric]:
        """The numbers, each with all of its codes."""
        return [axis.part.grid for axis in self.axes]

    @property
    def shape(self) -> tuple[int, int]:
        first, second = self.axes
        return first.part.size, second.part.size

    @cached_property
    def cells(self) -> Depth:
        """The shares of the cells by the reports of the bundle."""
        family = cast("Sets", self.labels.family)
        counts = cast("Mapping[int, Tally]", self.labels.disclosed).items()
        return Depth.pooled([Answered(family.law(level), t.n, t.supports) for level, t in counts])

    def gains(self, variance: float) -> Iterator[Matrix | None]:
        """Yield how far the shares of bins go from those by the bundle to the number's own.

        With v the variance of a cell and m the cells of a bin, the bundle's have the variance v m.
        """
        for axis, across in zip(self.axes, self.shape[::-1], strict=True):
            noise = variance * across
            if axis.own is None:
                yield None
                continue
            both = axis.covariance + noise * np.eye(axis.part.size)
            yield np.asarray(noise * np.linalg.inv(both))

    @cached_property
    def linear(self) -> Matrix:
        """The shares of the cells, linear in all reports."""
        own = [axis.own.linear.leaves if axis.own else None for axis in self.axes]
        return self._combined(self.cells.value, own)

    @cached_property
    def fit(self) -> Fit:
        return self._fit(self.cells.value, [a.own.leaves if a.own else None for a in self.axes])

    @cached_property
    def redrawn(self) -> list[Fit]:
        """The fits to crowds with the estimated shares."""
        rng = np.random.default_rng(SEED)
        rows = [[None] * REDRAWS if a.own is None else a.own.redrawn for a in self.axes]
        found = []
        for each in zip(*rows, strict=True):
            shares = self.fit.table.ravel()
            pairs = zip(self.fit.leaves, each, strict=True)
            leaves = [None if own is None else np.maximum(own + row, 0.0) for own, row in pairs]
            found.append(self._fit(shares + self.cells.noise(shares, rng), leaves))
        return found

    def found(self, boxes: Sequence[Cut]) -> tuple[Vector, Matrix, "LinearCells"]:
        """Return the share of each box, how far the redrawn ones are off, and the linear shares."""
        value = self.fit.shares(self.axes, boxes)
        drawn = np.stack([fit.shares(self.axes, boxes) for fit in self.redrawn])
        rows, columns = self.fit.parts(self.axes, boxes)
        goals = rows[:, :, None] * columns[:, None, :]
        return value, drawn - value, LinearCells.of(self, goals)

    def _combined(self, value: Vector, leaves: Sequence[Vector | None]) -> Matrix:
        """Combine the cells by the bundle with the bins by each number."""
        table = value.reshape(self.shape)
        found = table
        gains = list(self.gains(self.cells.variance))
        for i, (axis, own, gain) in enumerate(zip(self.axes, leaves, gains, strict=True)):
            if own is None or gain is None:
                continue
            moved = gain @ (axis.bins(own) - table.sum(axis=1 - i)) / self.shape[1 - i]
            found = found + (moved if i else moved[:, None])
        return found

    def _fit(self, value: Vector, leaves: Sequence[Vector | None]) -> Fit:
        return Fit(shrunk_table(self._combined(value, leaves), self.cells.variance), leaves)


@dataclass(frozen=True, eq=False)
class LinearCells(LinearRanges):
    """Shares of boxes that are linear in the reports, given how numbers are spread in their bins.

    Of boxes that divide no bin they assume nothing.
    """

    evidence: CellsEvidence
    goals: Matrix  # (boxes, rows, columns): which part of each cell lies in a box

    @classmethod
    def of(cls, evidence: CellsEvidence, goals: Matrix) -> Self:
        return cls(np.tensordot(goals, evidence.linear, 2), evidence, goals)

    def counted(self, variance: float) -> tuple[Matrix, list[Matrix]]:
        """Return what each cell by the bundle counts, and each bin by the number's own reports."""
        cells, bins = self.goals, []
        for i, gain in enumerate(self.evidence.gains(variance)):
            if gain is not None:
                bins.append(self.goals.mean(axis=2 - i) @ gain)
                cells = cells - np.expand_dims(bins[-1], 2 - i)
        flat = cells.reshape(len(cells), -1)
        return flat - flat.mean(axis=1, keepdims=True), bins

    @cached_property
    def covariance(self) -> Matrix:
        at, f = self.evidence.cells, self.evidence.fit.table.ravel()
        cells, bins = self.counted(at.variance)
        drawn = cells @ f
        total = (cells * (at.constant + at.linear * f)) @ cells.T
        total -= at.square * np.outer(drawn, drawn)
        own = (axis.covariance for axis in self.evidence.axes if axis.own)
        return np.asarray(sum((k @ each @ k.T for k, each in zip(bins, own, strict=True)), total))

    @property
    def stderr(self) -> Vector:
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))


def shrunk_table(table: Matrix, variance: float) -> Matrix:
    """Draw a table towards the product of its margins, the more the finer what departs from it is.

    What departs is a sum of products of cosines, whose coefficients have the variance of a cell. By
    James and Stein's rule those of similar frequencies are drawn to zero alike. Then cells below
    zero are zero, and rows and columns are brought to the margins again.
    """
    margins = simplex(table.sum(axis=1)), simplex(table.sum(axis=0))
    expected, places = np.outer(*margins), np.indices(table.shape)
    waves = dctn(table - expected, norm="ortho")
    waves[places.min(axis=0) == 0] = 0.0  # the margins are kept
    band = np.ceil(np.log2(np.maximum(places.max(axis=0), 1)))
    for each in range(1, int(band.max()) + 1):
        own = (band == each) & (places.min(axis=0) > 0)
        degrees, total = int(own.sum()), float((waves[own] ** 2).sum())
        if degrees > 2 and total > 0:
            waves[own] *= max(0.0, 1 - (degrees - 2) * variance / total)
    found = np.maximum(expected + idctn(waves, norm="ortho"), 0.0)
    for _ in range(TURNS):
        found *= (margins[0] / np.maximum(found.sum(axis=1), NOTHING))[:, None]
        found *= margins[1] / np.maximum(found.sum(axis=0), NOTHING)
    return np.asarray(found)


def _own(data: Reports | Aggregate, name: str) -> OrderEvidence | None:
    """Return what is reported of a number by intervals, if anything is."""
    if not of(data.plan.questions[name]).ordered or name not in data.shared:
        return None
    return OrderEvidence.of(data, name)
