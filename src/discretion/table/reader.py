"""Reports as they were sent, read many at once into columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from discretion.errors import Refusal, ReportRefused
from discretion.kernel.read import Columns, Grammar, Indices, read_reports
from discretion.plan import Plan
from discretion.report import ID_BYTES, longest, read
from discretion.table.columns import Mask, fixed_column
from discretion.table.grammar import grammar_of


@dataclass(frozen=True, slots=True)
class ParsedReports:
    """The reports of a list: which of them are valid, and what they say."""

    plan: Plan
    accepted: Mask  # (n,)
    columns: Columns

    def ids(self) -> list[bytes]:
        whole = self.columns.ids.tobytes()
        return [whole[at : at + ID_BYTES] for at in range(0, len(whole), ID_BYTES)]

    def table(self, rows: Indices) -> pa.Table:
        """Return the columns of a table of reports, of these rows."""
        c, first = self.columns, 0
        data = {"id": fixed_column(c.ids[rows]), "round": pa.array(c.rounds[rows])}
        for j, name in enumerate(self.plan.names):
            shared, width = c.shared[rows, j], self.plan.questions[name].n_bytes
            if not self.plan.secret:
                data[f"{name}.level"] = pa.array(c.levels[rows, j], mask=~shared)
            if self.plan.questions[name].ranges:
                data[f"{name}.range"] = pa.array(c.ranges[rows, j], mask=~shared)
            y = np.where(shared[:, None], c.ys[rows, first : first + width], 0)
            data[f"{name}.y"] = fixed_column(y.astype(np.uint8), shared)
            first += width
        return pa.table(data)


class Reader:
    """Reads the reports of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._grammar: Grammar = grammar_of(plan)

    def read(self, messages: Sequence[bytes]) -> ParsedReports:
        """Read reports, each by itself."""
        n, names = len(messages), len(self.plan.names)
        ends = np.zeros(n + 1, np.int64)
        np.cumsum(np.fromiter(map(len, messages), np.int64, n), out=ends[1:])
        columns = Columns(
            np.zeros(n, np.int32),
            np.zeros((n, ID_BYTES), np.uint8),
            np.zeros((n, names), np.bool_),
            np.zeros((n, names), np.int32),
            np.zeros((n, names), np.int32),
            np.zeros((n, int(self._grammar.widths.sum())), np.uint8),
        )
        data = np.frombuffer(b"".join(messages), np.uint8)
        accepted = read_reports(data, ends, self._grammar, columns)
        return ParsedReports(self.plan, accepted, columns)


@lru_cache(maxsize=8)
def reader_of(plan: Plan) -> Reader:
    """Return the reader of a plan, made once."""
    return Reader(plan)


def too_long(most: int) -> ReportRefused:
    """Return the refusal of a message that is longer than any report of its plan."""
    return ReportRefused(Refusal.TOO_LONG, f"a report of this plan has at most {most:,} bytes")


def refusal(plan: Plan, message: Any) -> ReportRefused:
    """Say why the reader did not accept a message: the first rule it breaks.

    A message that is longer than any report of the plan is not parsed.
    """
    most = longest(plan)
    if isinstance(message, bytes) and len(message) > most:
        return too_long(most)
    try:
        read(plan, message)
    except ReportRefused as error:
        return error
    return ReportRefused(Refusal.NOT_CANONICAL, "the bytes differ from the format")
