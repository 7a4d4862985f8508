"""Evidence of more reports than memory: the different ones with their counts, or shard by shard."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from operator import attrgetter
from typing import Self

import numpy as np

from discretion.aggregate import Aggregate, check_round
from discretion.engine import Kept, added, array_code
from discretion.estimate.noise import Matrix, Vector
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.joints.likelihood import JointLikelihood
from discretion.joints.table_evidence import (
    Evidence,
    Groups,
    Result,
    TableEvidence,
    groups_of,
)
from discretion.table import ReportFolder, Reports, ReportTable
from discretion.table.distinct import distinct_reports

Sizes = dict[tuple[int, ...], int]  # by the axes that reports answer about: how many do


def evidence_of(
    reports: Reports,
    names: Sequence[str],
    bins: Bins | None = None,
    counts: Aggregate | None = None,
    *,
    sharing: bool = False,
) -> TableEvidence:
    """Group the reports by the questions they answer; each attribute needs some.

    ``counts``: those of the attributes, if that is done. ``sharing``: whether it matters how many
    attributes owners shared in all.
    """
    check_round(reports)
    axes = axes_of(reports if counts is None else counts, names, bins)
    evidence = about(reports, axes, sharing=sharing)
    evidence.check()
    return evidence


def about(reports: Reports, axes: tuple[Axis, ...], *, sharing: bool = False) -> TableEvidence:
    """Return what is said about some axes: in memory, unless too many reports differ."""
    if isinstance(reports, ReportTable):
        return Evidence(reports, axes, groups_of(reports, axes))
    whole = ShardedEvidence(reports, axes, sharing)
    few = distinct_reports(reports, whole.questions, sharing=sharing)
    if few is None:
        return whole
    times = few.times.astype(np.float64)
    return Evidence(reports, axes, groups_of(few.table, axes, times, few.shared))


@dataclass(frozen=True)
class ShardedEvidence(TableEvidence):
    """Evidence on disk: reports are grouped when their shard is read."""

    reports: ReportFolder
    axes: tuple[Axis, ...]
    sharing: bool
    choose: Callable[[Groups], Groups] | None = None

    @cached_property
    def sizes(self) -> Sequence[tuple[tuple[int, ...], int]]:
        return list(self.fold(_sizes).items())

    def fold(
        self, work: Callable[[Groups], Result], merge: Callable[[Result, Result], Result] = added
    ) -> Result:
        return self.reports.fold(self._read, partial(_grouped, self.axes, self.choose, work), merge)

    def keep(self, make: Callable[[Groups], Result]) -> Kept[Result]:
        """Make something of the groups of each shard that stays where it was made."""
        return self.reports.keep(self._read, partial(_grouped, self.axes, self.choose, make))

    def chosen(self, choose: Callable[[Groups], Groups]) -> Self:
        return replace(self, choose=choose)

    @property
    def _read(self) -> Sequence[str]:
        return self.plan.names if self.sharing else self.questions


@dataclass(frozen=True)
class SummedLikelihood:
    """A likelihood of the cells of a table as a sum over shards, in their order."""

    shape: tuple[int, ...]
    shards: Kept[JointLikelihood]
    n: float
    rows: int
    blur: float

    @classmethod
    def of(cls, shape: tuple[int, ...], shards: Kept[JointLikelihood]) -> Self:
        """Count the reports of all shards."""
        return cls(shape, shards, *shards.fold(attrgetter("n", "rows", "blur")))

    def slope(self, f: Vector) -> tuple[float, Vector]:
        value, total = self.shards.fold(partial(_slope, f))
        return value, total / self.n

    def information(self, f: Vector) -> Matrix:
        found: Matrix = self.shards.fold(partial(_information, f))
        return found

    def information_along(self, f: Vector, slopes: Matrix) -> Matrix:
        found: Matrix = self.shards.fold(partial(_information_along, self.rows, f, slopes))
        return found


def _grouped(
    axes: tuple[Axis, ...],
    choose: Callable[[Groups], Groups] | None,
    work: Callable[[Groups], Result],
    reports: ReportTable,
) -> Result:
    groups = groups_of(reports, axes)
    return work(groups if choose is None else choose(groups))


def _sizes(groups: Groups) -> Sizes:
    return {group.axes: group.reports for group in groups}


@array_code
def _slope(f: Vector, shard: JointLikelihood) -> tuple[float, Vector]:
    return shard.sums(f)


@array_code
def _information(f: Vector, shard: JointLikelihood) -> Matrix:
    return shard.information(f)


@array_code
def _information_along(rows: int, f: Vector, slopes: Matrix, shard: JointLikelihood) -> Matrix:
    return shard.information_along(f, slopes, rows)
