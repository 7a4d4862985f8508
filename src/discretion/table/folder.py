"""A folder of reports: Parquet files by plan and round, of which no more is read than is asked for.

    FOLDER/plan=<id>/round=<number>/part-<number>.parquet

Every file is a table of reports by itself and carries the plan. Its row groups are the shards:
what is asked is worked out shard by shard, wherever the engine has them worked on, and merged in
the order of their names.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import pyarrow as pa

from discretion.engine import Engine, Kept, LocalEngine, added, open_engine
from discretion.errors import TableError
from discretion.plan import Plan
from discretion.table.columns import matrix
from discretion.table.file import address, parquet_files
from discretion.table.holding import table_with
from discretion.table.reports import ReportTable
from discretion.table.shard import Shard, shards_of
from discretion.table.writer import FolderWriter

FOOTERS = 16  # that are read at once

Part = TypeVar("Part")
Held = TypeVar("Held")


@dataclass(frozen=True)
class ReportFolder:
    """Reports of one plan on disk, or in any store of files that Arrow or fsspec knows."""

    plan: Plan
    location: str
    shards: tuple[Shard, ...]
    simulated: bool = False
    engine: Engine = field(default_factory=LocalEngine, compare=False)

    def __len__(self) -> int:
        return sum(shard.rows for shard in self.shards)

    def __repr__(self) -> str:
        kind = "simulated reports" if self.simulated else "reports"
        return f"<{len(self):,} {kind} of plan {self.plan.name!r} in {len(self.shards):,} shards>"

    @classmethod
    def open(cls, location: str | Path, plan: Plan | None = None, engine: object = "local") -> Self:
        """Open a folder or a single file; where there are several plans, name one.

        ``engine``: "local", "dask", the address of a scheduler, or a ``distributed.Client``. Only
        the ends of the files are read, which say what is in them.
        """
        where = address(location)
        paths = [p for p in parquet_files(where) if plan is None or _may_have(p, plan)]
        if not paths:
            raise TableError(f"{location}: must hold Parquet files of reports, and holds none")
        with ThreadPoolExecutor(FOOTERS) as threads:
            files = list(threads.map(partial(shards_of, where), paths))
        plans = {own.id: own for own, _, _ in files}
        if plan is not None and plan.id not in plans:
            raise TableError(f"{location}: must hold reports of plan {plan.id}, got {min(plans)}")
        if plan is None and len(plans) > 1:
            names = ", ".join(own.name for own in plans.values())
            raise TableError(f"{location}: holds reports of {len(plans)} plans ({names}): name one")
        own = plan or next(iter(plans.values()))
        mine = [(simulated, shards) for other, simulated, shards in files if other.id == own.id]
        shards = tuple(shard for _, several in mine for shard in several)
        return cls(own, where, shards, any(s for s, _ in mine), open_engine(engine))

    @classmethod
    def write(cls, location: str | Path, parts: Iterable[ReportTable]) -> Self:
        """Write tables of one plan as they come, by round, and open the folder.

        Rounds that it holds already are refused.
        """
        with FolderWriter(location) as writer:
            for part in parts:
                writer.add(part)
        return cls.open(location, writer.plan)

    def on(self, engine: object) -> Self:
        """Return the same reports, worked on elsewhere."""
        return replace(self, engine=open_engine(engine))

    @property
    def shared(self) -> list[str]:
        """The attributes and bundles that somebody reported."""
        shared = {name for shard in self.shards for name in shard.shared}
        asked = self.plan.questions.values()
        return [each.name for each in asked if each.attribute.source in shared]

    @property
    def _larger(self) -> Plan | None:
        """The plan, if it has more than the files do."""
        return self.plan if any(q.implied for q in self.plan.questions.values()) else None

    @property
    def rounds(self) -> list[int]:
        return sorted({shard.round for shard in self.shards})

    def of_round(self, round: int) -> Self:
        """Return the reports of one round; rounds are never pooled as if they were independent."""
        return replace(self, shards=tuple(s for s in self.shards if s.round == round))

    def fold(
        self,
        names: Sequence[str],
        work: Callable[[ReportTable], Part],
        merge: Callable[[Part, Part], Part] = added,
        *,
        ids: bool = False,
    ) -> Part:
        """Do the work on each shard, with the columns of these names, and merge in their order."""
        if not self.shards:
            return work(ReportTable.from_reports(self.plan, []))
        return self.engine.fold(
            self.shards, partial(_worked, self._larger, names, work, ids), merge
        )

    def keep(self, names: Sequence[str], make: Callable[[ReportTable], Held]) -> Kept[Held]:
        """Make something of each shard that stays where it was made, for several folds."""
        return self.engine.keep(self.shards, partial(_worked, self._larger, names, make, False))


def _worked(
    larger: Plan | None,
    names: Sequence[str],
    work: Callable[[ReportTable], Part],
    ids: bool,
    shard: Shard,
) -> Part:
    if larger is None:
        return work(shard.read(names, ids=ids))
    sources = dict.fromkeys(larger.questions[name].attribute.source for name in names)
    return work(table_with(larger, shard.read([*sources], ids=ids)))


def _may_have(path: str, plan: Plan) -> bool:
    """Whether a file may hold reports of a plan, by the folder it is in."""
    stated = [part for part in path.split("/") if part.startswith("plan=")]
    return not stated or stated[-1] == f"plan={plan.id}"


def sampled(reports: ReportTable | ReportFolder, count: int) -> ReportTable:
    """Return so many of the reports, or all if these are fewer, in the order of their ids."""
    merge = partial(_smaller, count)
    return reports.fold(reports.plan.names, partial(_smallest, count), merge, ids=True)


def _smallest(count: int, reports: ReportTable) -> ReportTable:
    ids = matrix(reports.data["id"].combine_chunks())
    order = np.argsort(np.ascontiguousarray(ids[:, :8]).view(np.uint64)[:, 0], kind="stable")
    return ReportTable(reports.plan, reports.data.take(order[:count]), reports.simulated)


def _smaller(count: int, one: ReportTable, other: ReportTable) -> ReportTable:
    both = pa.concat_tables([one.data, other.data])
    return _smallest(count, ReportTable(one.plan, both, one.simulated))
