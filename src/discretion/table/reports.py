"""The table of reports: one row per report, two columns per attribute, the plan in the metadata.

id (16 bytes), round, and for each attribute `NAME.level` (absent in secret plans), `NAME.range`
(only with a menu of ranges: the index of the chosen one) and `NAME.y`; all are null where
the owner did not share the attribute.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from discretion.engine import Engine, Kept, LocalEngine, added, open_engine
from discretion.errors import NoSuchFile, Refusal, TableError
from discretion.plan import Plan
from discretion.render.formats import some
from discretion.report import Answer, Report
from discretion.table.columns import Bytes, Levels, chunks, matrix, present, strata_of
from discretion.table.file import in_shards, marked, marks_of, opened
from discretion.table.frame import ARROW, Frame, from_arrow, library_of, to_arrow
from discretion.table.reader import reader_of, refusal
from discretion.table.validation import refusals, typed

MAGIC = b"PAR1"  # what a Parquet file begins with
KEPT = 1 << 13  # reports whose likelihoods and beliefs are worked out at once
ROOM = 1 << 31  # bytes of what is made of them: beyond, it is made again for each fold

HERE = LocalEngine(room=ROOM)

Part = TypeVar("Part")
Held = TypeVar("Held")


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not taken, and why."""

    row: int
    reason: Refusal
    detail: str


@dataclass(frozen=True)
class ReportTable:
    """Reports of one plan. ``refused`` lists the rows of the input that are not among them.

    ``changed`` counts by attribute the values that simulated owners could not report as they are;
    what is real never says so.
    """

    plan: Plan
    data: pa.Table
    simulated: bool = False
    refused: tuple[Refused, ...] = ()
    changed: Mapping[str, int] = field(default_factory=dict)  # of simulated ones: did not fit
    frames: str = field(default=ARROW, kw_only=True, compare=False)  # whose frames it makes
    engine: Engine = field(default=HERE, kw_only=True, compare=False)

    def __len__(self) -> int:
        return int(self.data.num_rows)

    @cached_property
    def by_id(self) -> npt.NDArray[np.int64]:
        """The rows by their random ids, if there are any; parts of that order are random ones."""
        if "id" not in self.data.column_names:
            return np.arange(len(self))
        ids = matrix(self.data["id"].combine_chunks())
        return np.argsort(np.ascontiguousarray(ids[:, :8]).view(np.uint64)[:, 0], kind="stable")

    def __repr__(self) -> str:
        kind = "simulated reports" if self.simulated else "reports"
        names = some(self.plan.names)
        return f"<{len(self):,} {kind} of plan {self.plan.name!r}: {names}>"

    @classmethod
    def from_reports(cls, plan: Plan, messages: Iterable[bytes | Report]) -> Self:
        """Read reports as they were sent; a malformed one is refused and the others are kept."""
        sent: list[object] = [m.to_bytes() if isinstance(m, Report) else m for m in messages]
        kept, bad, seen = list[int](), list[Refused](), set[tuple[int, bytes]]()
        texts = [m if isinstance(m, bytes) else b"" for m in sent]
        parsed = reader_of(plan).read(texts)
        rounds, ids = parsed.columns.rounds.tolist(), parsed.ids()
        for row, valid in enumerate(parsed.accepted.tolist()):
            if not valid:
                error = refusal(plan, sent[row])
                bad.append(Refused(row, error.reason, error.detail))
                continue
            key = rounds[row], ids[row]
            if key in seen:
                detail = f"id {key[1].hex()} stands here twice"
                bad.append(Refused(row, Refusal.DUPLICATE_ID, detail))
                continue
            seen.add(key)
            kept.append(row)
        return cls(plan, parsed.table(np.array(kept, np.int64)), refused=tuple(bad))

    @classmethod
    def from_frame(cls, plan: Plan, frame: object, *, simulated: bool = False) -> Self:
        """Take a frame with the table's columns; malformed rows are refused, the others kept."""
        data, misfits = typed(plan, to_arrow(frame))
        reasons = refusals(plan, data, misfits)
        bad = tuple(Refused(row, reason, detail) for row, (reason, detail) in reasons.items())
        if bad:
            keep = np.ones(data.num_rows, np.bool_)
            keep[list(reasons)] = False
            data = data.filter(pa.array(keep))
        return cls(plan, data, simulated, bad, frames=library_of(frame))

    @classmethod
    def read(cls, path: str | Path, plan: Plan | None = None) -> Self:
        """Read a Parquet file written by ``write``; with ``plan``, one of that plan only."""
        try:
            data = pq.read_table(path, partitioning=None)
        except FileNotFoundError:
            raise NoSuchFile(path) from None
        except (OSError, pa.ArrowInvalid) as error:
            raise TableError(f"{path}: {_unreadable(Path(path), error)}") from None
        own, simulated = marks_of(data.schema.metadata, str(path))
        if plan is not None and plan.id != own.id:
            raise TableError(f"{path}: must hold reports of plan {plan.id}, got {own.id}")
        return cls.from_frame(own, data, simulated=simulated)

    def write(self, path: str | Path) -> None:
        """Write a Parquet file that carries the plan with it."""
        write_parts(path, [self])

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return the columns: ``pyarrow``, ``pandas`` or ``polars``, by default as they came."""
        return from_arrow(self.data, backend or self.frames)

    def to_reports(self) -> Iterator[Report]:
        """Yield the rows as the reports that devices would have sent."""
        names = self.plan.names
        for row in self.data.to_pylist():
            answers = {
                name: Answer(row.get(f"{name}.level"), row[f"{name}.y"], row.get(f"{name}.range"))
                for name in names
                if row[f"{name}.y"] is not None
            }
            yield Report(self.plan.id, row["round"], row["id"].hex(), answers)

    @property
    def shared(self) -> list[str]:
        """The attributes and bundles that somebody reported."""
        columns = {name: self.data[f"{name}.y"] for name in self.plan.names}
        return [name for name, y in columns.items() if y.null_count < len(self)]

    @property
    def rounds(self) -> list[int]:
        ends = pc.min_max(self.data["round"]).as_py()
        if ends["min"] == ends["max"]:  # as a rule, and much faster to see
            return [] if ends["min"] is None else [ends["min"]]
        return sorted(pc.unique(self.data["round"]).to_pylist())

    def of_round(self, round: int) -> Self:
        """Return the reports of one round; rounds are never pooled as if they were independent."""
        rows = self.data.filter(pc.equal(self.data["round"], round))
        return type(self)(self.plan, rows, self.simulated, frames=self.frames, engine=self.engine)

    def on(self, engine: object) -> Self:
        """Return the same reports, worked on elsewhere: by what ``open_engine`` takes."""
        return replace(self, engine=open_engine(engine))

    def fold(
        self,
        names: Sequence[str],
        work: "Callable[[ReportTable], Part]",
        merge: Callable[[Part, Part], Part] = added,
        *,
        ids: bool = False,
    ) -> Part:
        """Do the work on the table, which is a single shard: see ``ReportFolder.fold``."""
        return work(self)

    def keep(self, names: Sequence[str], make: "Callable[[ReportTable], Held]") -> Kept[Held]:
        """Make something of every so many rows that stays in memory, if it fits, for folds."""
        rows = self.engine.rows or KEPT
        starts = range(0, max(len(self), 1), rows)
        parts = [replace(self, data=self.data.slice(start, rows)) for start in starts]
        return self.engine.keep(parts, make)

    def columns(self, name: str) -> tuple[Levels, Bytes]:
        """Return the strata (0: secret) and bytes of all rows; arbitrary where a row lacks it."""
        whole = self.data.select(answer_columns(self.plan, name)).combine_chunks()
        y, *stated = (column.combine_chunks() for column in whole.columns)
        return strata_of(stated, len(self)), matrix(y)

    def answers(self, name: str) -> Iterator[tuple[Levels, Bytes]]:
        """Yield, a chunk at a time, the strata (0: secret) and bytes of those who shared it."""
        for y, *stated in chunks(*(self.data[c] for c in answer_columns(self.plan, name))):
            strata = strata_of(stated, len(y))
            rows = matrix(y)
            if y.null_count:
                shared = present(y)
                strata, rows = strata[shared], rows[shared]
            yield strata, rows


def _unreadable(path: Path, error: Exception) -> str:
    """Say why a file holds no reports; one that is no Parquet at all holds records, perhaps."""
    with suppress(OSError), path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return (
                "must be a Parquet file of reports, which a collector exports and `discretion "
                "simulate` writes; records, such as CSV, go into `discretion simulate`"
            )
    return f"must be a whole Parquet file ({str(error).splitlines()[0]})"


def write_parts(path: str | Path, parts: Iterable[ReportTable]) -> None:
    """Write parts of one table, of which there must be some, as they come."""
    with ExitStack() as stack:
        writer: pq.ParquetWriter | None = None
        for shard in in_shards(marked(p.data, p.plan, simulated=p.simulated) for p in parts):
            writer = writer or stack.enter_context(opened(path, shard.schema))
            writer.write_table(shard)


def answer_columns(plan: Plan, name: str) -> list[str]:
    """Return the columns of an attribute or bundle: y, then level and range where there are."""
    stated = {"level": not plan.secret, "range": bool(plan.questions[name].ranges)}
    return [f"{name}.y", *(f"{name}.{column}" for column, there in stated.items() if there)]
