"""The one likelihood of a table of cells: all groups of reports, known or secret levels alike."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import prod
from operator import add
from typing import Protocol

import numpy as np
import numpy.typing as npt

from discretion.engine.arrays import namespace
from discretion.estimate.noise import Matrix, Vector
from discretion.joints.passes import Floats, Terms, dot, pairs_of, products_of, slope_of
from discretion.joints.rows import Rows, blocks

KEPT_BYTES = 1 << 29  # terms up to this size stay in memory between passes
MOST_PRODUCTS = 4e9  # in the information about coordinates
INFORMATION_ROWS = 1024  # reports whose whole rows are in memory at once
NOISE = 1e-8  # of a report: what rounding to single precision does to its part of the likelihood
LIGHT = 1 << 19  # entries of terms in double precision: 4 MB, which a processor keeps near
MANY = 1e7  # reports of which that is a tenth of a nat

Table = npt.NDArray[np.float64]


def precision(rows: int, reports: float, width: int) -> type[np.floating]:
    """Return single precision, unless many reports would see it, or few rows cost nothing."""
    return np.float64 if reports > MANY or rows * width <= LIGHT else np.float32


@dataclass(frozen=True)
class GroupLikelihood:
    """The likelihood of one group: ``axes`` of the table and their sizes, by question."""

    axes: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    rows: Rows
    count: int  # of rows
    times: Vector | None = None  # (count,) how many reports each row stands for; None: one
    room: int | None = None  # bytes of terms that may stay in memory between passes
    at_once: type[np.floating] | None = None  # precision of a device, which takes all rows at once

    @cached_property
    def n(self) -> float:
        """How many reports there are."""
        return self.count if self.times is None else self.times.sum()

    @cached_property
    def kind(self) -> type[np.floating]:
        """In which precision the sums are."""
        if self.at_once is not None:
            return self.at_once
        return precision(self.count, self.n, self.width)

    @property
    def blur(self) -> float:
        return 0.0 if self.kind is np.float64 else NOISE * self.n

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The axes of the table in the order of the sides."""
        return tuple(axis for side in self.rows.sides for q in side for axis in self.axes[q])

    @cached_property
    def ranks(self) -> list[int]:
        """The index of each axis among those of the group, in the order of the sides."""
        return [sorted(self.order).index(axis) for axis in self.order]

    @cached_property
    def width(self) -> int:
        """How many entries the terms of one report have."""
        side = prod(self.sizes[q] for q in self.rows.sides[1])
        return sum(prod(self.sizes[q] for q in kept) + side for kept in self.rows.kept)

    @cached_property
    def _memory(self) -> list[list[Terms]]:
        return list(self._made())

    def _slices(self) -> Iterator[slice]:
        if self.at_once is not None:
            return iter([slice(0, self.count)])
        return blocks(self.count, self.width)

    def _made(self) -> Iterator[list[Terms]]:
        for rows in self._slices():
            yield [(a.astype(self.kind), b.astype(self.kind)) for a, b in self.rows.terms(rows)]

    def blocks(self) -> Iterator[list[Terms]]:
        """Yield the terms of all reports, a block at a time."""
        room = KEPT_BYTES if self.room is None else self.room
        size = self.count * self.width * np.dtype(self.kind).itemsize
        yield from self._memory if size <= room else self._made()

    def _weights(self) -> Iterator[Vector]:
        """Yield how many reports each row stands for, a block at a time."""
        for rows in self._slices():
            yield np.ones(rows.stop - rows.start) if self.times is None else self.times[rows]

    def slope(self, table: Table) -> tuple[float, Table]:
        """Return the log-likelihood and the sum of L / (L P) over the reports.

        The table has the group's axes alone, in the order of the sides.
        """
        cells = self._by_question(table)
        folded = [_fold(cells, dropped).astype(self.kind) for dropped in self._dropped]
        value, slopes = 0.0, [0.0 * part for part in folded]
        for terms, times in zip(self.blocks(), self._weights(), strict=True):
            own, added = slope_of(terms, times, folded)
            value = value + own
            slopes = [slope + more for slope, more in zip(slopes, added, strict=True)]
        total = 0.0 * cells
        for slope, dropped in zip(slopes, self._dropped, strict=True):
            shape = [1 if i in dropped else s for i, s in enumerate(cells.shape[:-1])]
            total = total + slope.reshape(*shape, -1)
        return value, total.reshape(table.shape)

    def information(self, table: Table, slopes: Matrix | None = None, every: int = 1) -> Matrix:
        """Return the sum of L L' / (L P)^2 over the reports, or of their parts along ``slopes``.

        If only a regular subsample of the reports is read, each counts for those left out.
        """
        xp, cells = namespace(table), self._by_question(table)
        sides = cells.reshape(-1, cells.shape[-1])
        if slopes is None and len(self._dropped) == 1 < len(sides):
            return self._information_of_pairs(sides)
        flat = cells.reshape(-1).astype(self.kind)
        along = None if slopes is None else slopes.astype(self.kind)
        width = len(flat) if along is None else along.shape[1]
        total: Matrix = np.zeros((width, width))
        seen = 0.0
        for terms, times in zip(self.blocks(), self._weights(), strict=True):
            sample, own = [(a[::every], b[::every]) for a, b in terms], times[::every]
            step = INFORMATION_ROWS if self.at_once is None else len(own)
            for start in range(0, len(own), step):
                rows = slice(start, start + step)
                whole = self._whole([(a[rows], b[rows]) for a, b in sample], cells.shape)
                root = xp.sqrt(own[rows]).astype(self.kind)
                with np.errstate(invalid="ignore"):  # BLAS may raise the flag for finite rows
                    whole = whole * (root / (whole @ flat))[:, None]
                scores = whole if along is None else whole @ along
                total = total + (scores.T @ scores).astype(np.float64)
            seen = seen + own.sum()
        return total * (self.n / seen)

    def _information_of_pairs(self, table: Table) -> Matrix:
        """Return the information where rows are products of sides: of pairs of cells of each.

        With L = A(a) B(b) the sum of A A' B B' / (L P)^2 is symmetric in a and a', and in b and b'.
        """
        (one, first), (other, second) = (pairs_of(size) for size in table.shape)
        folded = table.astype(self.kind)
        total: Table = np.zeros((len(one[0]), len(other[0])))
        for ((a, b),), times in zip(self.blocks(), self._weights(), strict=True):
            step = INFORMATION_ROWS if self.at_once is None else len(a)
            for start in range(0, len(a), step):
                rows = slice(start, start + step)
                density = dot(a[rows] @ folded, b[rows])
                weight = times[rows].astype(self.kind) / density**2
                left, right = products_of(a[rows], one) * weight, products_of(b[rows], other)
                total = total + (left @ right.T).astype(np.float64)
        cells = table.shape[0] * table.shape[1]
        return total[first[:, None, :, None], second[:, None, :]].reshape(cells, cells)

    def _whole(self, terms: Sequence[Terms], shape: tuple[int, ...]) -> Floats:
        """Return the rows of the likelihood themselves: (reports, cells)."""
        rows = []
        for (a, b), dropped in zip(terms, self._dropped, strict=True):
            kept = [1 if i in dropped else s for i, s in enumerate(shape[:-1])]
            rows.append((a[:, :, None] * b[:, None]).reshape(len(a), *kept, -1))
        return reduce(add, rows).reshape(len(terms[0][0]), -1)

    @cached_property
    def _dropped(self) -> list[tuple[int, ...]]:
        """For each term, the indices in side a of the questions that it does not distinguish."""
        a = self.rows.sides[0]
        return [tuple(i for i, q in enumerate(a) if q not in kept) for kept in self.rows.kept]

    def _by_question(self, table: Table) -> Table:
        """Return the cells with an axis for each question of side a and one for side b."""
        return table.reshape(*(self.sizes[q] for q in self.rows.sides[0]), -1)


def _fold(cells: Table, dropped: tuple[int, ...]) -> Table:
    summed: Table = cells.sum(axis=dropped)
    return summed.reshape(-1, cells.shape[-1])


class TableLikelihood(Protocol):
    """A likelihood of flat tables of cells."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    @property
    def n(self) -> float: ...

    @property
    def blur(self) -> float:
        """How many nats of the likelihood rounding takes or gives, about."""

    def slope(self, f: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood, and what an EM step multiplies each cell with."""

    def information(self, f: Vector) -> Matrix:
        """Return the observed information about the cells: the sum of L L' / (L f)^2."""

    def information_along(self, f: Vector, slopes: Matrix) -> Matrix:
        """Return the information about coordinates that move the cells along ``slopes``."""


@dataclass(frozen=True)
class JointLikelihood:
    """A sum over groups; cells are those of the whole table, flat. Of shards it is a part."""

    shape: tuple[int, ...]
    groups: tuple[GroupLikelihood, ...]

    @property
    def n(self) -> float:
        return float(sum(group.n for group in self.groups))

    @property
    def blur(self) -> float:
        return sum(group.blur for group in self.groups)

    @property
    def rows(self) -> int:
        """How many different rows are read."""
        return sum(group.count for group in self.groups)

    @property
    def entries(self) -> int:
        """How many entries all terms have."""
        return sum(group.count * group.width for group in self.groups)

    def slope(self, f: Vector) -> tuple[float, Vector]:
        value, total = self.sums(f)
        return value, total / self.n

    def sums(self, f: Vector) -> tuple[float, Vector]:
        """Return the log-likelihood and the sum of L / (L f) over the reports."""
        table, value = f.reshape(self.shape), 0.0
        total = 0.0 * table
        for group in self.groups:
            part, slope = group.slope(self._seen(table, group))
            value = value + part
            total = total + self._spread(slope, group)
        return value, total.reshape(-1)

    def information(self, f: Vector) -> Matrix:
        table, total = f.reshape(self.shape), 0.0 * f[:, None] * f
        for group in self.groups:
            at = self._cells_seen(group)
            total = total + group.information(self._seen(table, group))[np.ix_(at, at)]
        return total

    def information_along(self, f: Vector, slopes: Matrix, rows: int | None = None) -> Matrix:
        """Take slopes (cells, coordinates).

        Of many rows, these and others, every so-manieth counts for those
        between.
        """
        many = self.rows if rows is None else rows
        table, every = f.reshape(self.shape), max(1, int(many * slopes.size / MOST_PRODUCTS))
        columns, total = slopes.reshape(*self.shape, -1), 0.0 * slopes.T @ slopes
        for group in self.groups:
            seen = columns.sum(axis=self._unseen(group)).transpose(*group.ranks, len(group.ranks))
            along = seen.reshape(-1, seen.shape[-1])
            total = total + group.information(self._seen(table, group), along, every)
        return total

    def _seen(self, table: Table, group: GroupLikelihood) -> Table:
        """Sum over what a group does not report, and bring its axes in the order of its sides."""
        return table.sum(axis=self._unseen(group)).transpose(group.ranks)

    def _spread(self, slope: Table, group: GroupLikelihood) -> Table:
        back = slope.transpose([group.ranks.index(i) for i in range(slope.ndim)])
        unseen = self._unseen(group)
        return back.reshape([1 if axis in unseen else s for axis, s in enumerate(self.shape)])

    def _unseen(self, group: GroupLikelihood) -> tuple[int, ...]:
        return tuple(axis for axis in range(len(self.shape)) if axis not in group.order)

    def _cells_seen(self, group: GroupLikelihood) -> npt.NDArray[np.int64]:
        """Return for each cell of the table the group's cell it belongs to."""
        where = np.indices(self.shape).reshape(len(self.shape), -1)
        sizes = [self.shape[axis] for axis in group.order]
        return np.ravel_multi_index(tuple(where[axis] for axis in group.order), sizes)
