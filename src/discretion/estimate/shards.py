"""A likelihood of more reports than memory: of the different ones, or summed over shards.

Reports that are small are mostly equal to others, so the different ones and their counts fit into
memory whatever n. The others stay in their shards, where the engine keeps these, and every
evaluation of the likelihood is a fold.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, methodcaller
from typing import Protocol, TypeVar

import numpy as np

from discretion.engine import Kept
from discretion.estimate.expansion import Diagonal
from discretion.estimate.noise import Matrix, Vector
from discretion.table import Reports, ReportTable
from discretion.table.distinct import distinct_reports

KEPT = 1 << 26  # entries of a likelihood that may stay in memory between evaluations


class ShardLikelihood(Protocol):
    """The likelihood of the reports of one table."""

    @property
    def n(self) -> float: ...

    def at(self, f: Vector) -> Diagonal: ...

    def curvature(self, f: Vector) -> Matrix: ...


Own = TypeVar("Own", bound=ShardLikelihood)
# Of a table, of how often each of its reports came (None: once), and of how many entries may stay.
Build = Callable[[ReportTable, Vector | None, int], Own]


@dataclass(frozen=True)
class SummedLikelihood:
    """The sum over all shards, in their order."""

    shards: Kept[ShardLikelihood]
    n: float

    def at(self, f: Vector) -> Diagonal:
        value, slope, curvature = self.shards.fold(partial(_at, f))
        return Diagonal(f, value, slope / self.n, curvature / self.n)

    def curvature(self, f: Vector) -> Matrix:
        return self.shards.fold(partial(_curvature, f)) / self.n

    def sensitivity(self, f: Vector) -> Matrix:
        found: Matrix = self.shards.fold(methodcaller("sensitivity", f))
        return found


def likelihood_of(reports: Reports, name: str, build: Build[Own]) -> Own | SummedLikelihood:
    """Return the likelihood of all reports about an attribute."""
    if isinstance(reports, ReportTable):
        return build(reports, None, KEPT)
    few = distinct_reports(reports, [name])
    if few is not None:
        return build(few.table, few.times.astype(np.float64), KEPT)
    shards = reports.keep([name], partial(_of_shard, build))
    return SummedLikelihood(shards, shards.fold(attrgetter("n")))


def _of_shard(build: Build[Own], reports: ReportTable) -> Own:
    return build(reports, None, 0)


def _at(f: Vector, shard: ShardLikelihood) -> tuple[float, Vector, Vector]:
    if not shard.n:
        return 0.0, np.zeros(len(f)), np.zeros(len(f))
    here = shard.at(f)
    return here.value, shard.n * here.multiplier, shard.n * here.curvature


def _curvature(f: Vector, shard: ShardLikelihood) -> Matrix:
    return shard.n * shard.curvature(f) if shard.n else np.zeros((len(f), len(f)))
