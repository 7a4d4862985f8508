"""A shard: one row group of a Parquet file of reports, named so that any process can read it.

Columns of answers are checked in one compiled pass as they come from the file.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from discretion.errors import Refusal, TableError
from discretion.kernel.read import first_stray
from discretion.plan import Plan
from discretion.table.columns import matrix, possible_strata, present, strata_of, whole
from discretion.table.file import located, marks_of
from discretion.table.grammar import grammar_of
from discretion.table.reports import ReportTable, answer_columns
from discretion.table.validation import types_of

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shard:
    """So many reports of one round; ``shared`` are the names that somebody shared."""

    location: str  # of the folder
    path: str  # of the file, in the folder's file system
    group: int
    rows: int
    round: int
    shared: tuple[str, ...]

    def read(self, names: Sequence[str], *, ids: bool = False) -> ReportTable:
        """Read what it says about some names, and nothing else, and check that it may be said.

        Each answer is checked by itself: that its level is on the menu and that its law can give
        it. Reports as a whole were checked when the file was written.
        """
        with open_file(self.location, self.path) as file:
            schema = file.schema_arrow
            plan, simulated = marks_of(schema.metadata, self.path)
            wanted = [c for name in names for c in answer_columns(plan, name)] + ["id"] * ids
            check_schema(plan, schema, self.path)
            data = file.read_row_group(self.group, columns=wanted, use_threads=False)
        table = data.select(wanted)
        check_answers(plan, table, names, self.path)
        return ReportTable(plan, table, simulated)


def open_file(location: str, path: str) -> pq.ParquetFile:
    """Open a file of a folder."""
    system, _ = located(location)
    try:
        return pq.ParquetFile(path, filesystem=system)
    except (OSError, pa.ArrowInvalid) as error:
        first = str(error).splitlines()[0]
        raise TableError(f"{path}: must be a whole Parquet file ({first})") from None


def check_schema(plan: Plan, schema: pa.Schema, path: str) -> None:
    """Refuse columns that a table of reports of the plan does not have."""
    wanted, found = types_of(plan), dict(zip(schema.names, schema.types, strict=True))
    if wanted != found or len(found) < len(schema.names):
        rule = "must have the columns of a table of reports, with their types"
        raise TableError(f"{path}: {rule}: ReportTable.read says what is wrong, and may mend it")


def shards_of(location: str, path: str) -> tuple[Plan, bool, list[Shard]]:
    """Return the plan of a file, whether it is simulated, and its row groups."""
    with open_file(location, path) as file:
        schema = file.schema_arrow
        plan, simulated = marks_of(schema.metadata, path)
        check_schema(plan, schema, path)
        return plan, simulated, list(_shards(location, path, file, plan))


def _shards(location: str, path: str, file: pq.ParquetFile, plan: Plan) -> Iterator[Shard]:
    for i in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(i)
        if not group.num_rows:
            continue
        about = {name: _statistics(file, i, f"{name}.y") for name in plan.names}
        shared = tuple(
            n for n, own in about.items() if own is None or own.null_count < group.num_rows
        )
        yield Shard(location, path, i, group.num_rows, _round(path, file, i), shared)


def _round(path: str, file: pq.ParquetFile, group: int) -> int:
    found = _statistics(file, group, "round")
    if found is None or not found.has_min_max or not 0 <= found.min == found.max:
        rule = "must say in its metadata that each row group is of one round"
        raise TableError(f"{path}: {rule}; ReportFolder.write makes such files")
    return int(found.min)


def _statistics(file: pq.ParquetFile, group: int, column: str) -> Any:
    index = file.schema_arrow.names.index(column)
    return file.metadata.row_group(group).column(index).statistics


def check_answers(plan: Plan, data: pa.Table, names: Iterable[str], source: str) -> None:
    """Refuse a table in which some answer, taken by itself, is none of the plan's."""
    for name in names:
        y, *stated = (whole(data[column]) for column in answer_columns(plan, name))
        there = present(y)
        if any((present(column) != there).any() for column in stated):
            rule = f"what is said about {name!r} must be there together"
            raise TableError(f"{source}: {rule} ({Refusal.MISSING_FIELD})")
        rules, branches, *bounds = _rules(plan, name)
        strata = strata_of(stated, len(y))
        row = first_stray(matrix(y), strata, there, rules, branches, *bounds)
        if row >= 0:
            inside = 0 <= strata[row] < len(rules) and rules[strata[row]] >= 0
            reason = Refusal.IMPOSSIBLE_OUTPUT if inside else Refusal.LEVEL_OFF_MENU
            rule = f"row {row} of its shard has an answer about {name!r} that no device sends"
            raise TableError(f"{source}: {rule} ({reason})")


@lru_cache(maxsize=256)
def _rules(plan: Plan, name: str) -> tuple[Indices, int, Indices, Indices, Indices]:
    """Return by stratum where its rule stands, and the rules: see ``Grammar``."""
    grammar, column = grammar_of(plan), plan.names.index(name)
    start, end = grammar.limit_ends[column : column + 2]
    strata = list(possible_strata(plan, name))
    rules = np.full(max(strata) + 1, -1, np.int64)
    branches = int(grammar.branches[column])
    rules[strata] = branches * np.arange(len(strata))
    bounds = grammar.shifts, grammar.limits, grammar.ones
    shifts, limits, ones = (each[start:end] for each in bounds)
    return rules, branches, shifts, limits, ones
