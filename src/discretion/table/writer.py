"""Writing a folder of reports as they come: a file for so many shards, by plan and round."""

from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from discretion.errors import TableError
from discretion.plan import Plan
from discretion.table.file import SHARD, address, located, marked, opened
from discretion.table.reports import ReportTable

SHARDS = 16  # of a file


@dataclass
class _Round:
    """The folder of one round: what waits to be a shard, and the file that is being written."""

    system: fs.FileSystem
    path: str
    waiting: list[pa.Table] = field(default_factory=list)
    writer: pq.ParquetWriter | None = None
    files: int = 0
    shards: int = 0  # in the file

    def add(self, data: pa.Table) -> None:
        self.waiting.append(data)
        while sum(part.num_rows for part in self.waiting) >= SHARD:
            whole = pa.concat_tables(self.waiting)
            self._write(whole.slice(0, SHARD))
            self.waiting = [whole.slice(SHARD)]

    def close(self) -> None:
        rest = pa.concat_tables(self.waiting)
        if rest.num_rows or not self.files:
            self._write(rest)
        self._end()

    def _write(self, shard: pa.Table) -> None:
        if self.writer is None:
            name = f"{self.path}/part-{self.files:05d}.parquet"
            self.writer = opened(name, shard.schema, filesystem=self.system)
            self.files += 1
        self.writer.write_table(shard.combine_chunks())
        self.shards += 1
        if self.shards == SHARDS:
            self._end()

    def _end(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.writer, self.shards = None, 0


class FolderWriter:
    """Takes tables of one plan, of any rounds; on leaving the context the files are whole."""

    def __init__(self, location: str | Path) -> None:
        self._location = address(location)
        self._rounds: dict[int, _Round] = {}
        self._empty: ReportTable | None = None
        self.plan: Plan | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _: object, __: TracebackType | None
    ) -> None:
        if kind is None and not self._rounds and self._empty is not None:
            self._add(self._empty, round=0)
        for each in self._rounds.values():
            if kind is None:
                each.close()
            elif each.writer is not None:
                each.writer.close()

    def add(self, reports: ReportTable) -> None:
        """Write more reports; if there are none at all, round 0 is written as an empty one."""
        if self.plan is not None and self.plan.id != reports.plan.id:
            raise TableError(f"must be reports of plan {self.plan.id}, got {reports.plan.id}")
        self.plan = reports.plan
        rounds = reports.rounds
        self._empty = reports if not rounds else self._empty
        for round in rounds:
            self._add(reports if len(rounds) == 1 else reports.of_round(round), round)

    def _add(self, reports: ReportTable, round: int) -> None:
        data = marked(reports.data, reports.plan, simulated=reports.simulated)
        self._round(reports.plan, round).add(data)

    def _round(self, plan: Plan, round: int) -> _Round:
        if round not in self._rounds:
            system, base = located(self._location)
            path = f"{base.rstrip('/')}/plan={plan.id}/round={round}"
            if system.get_file_info(path).type != fs.FileType.NotFound:
                raise TableError(f"{path}: holds reports already, which would be counted twice")
            system.create_dir(path, recursive=True)
            self._rounds[round] = _Round(system, path)
        return self._rounds[round]
