"""The reports of a round as columns, kept in memory: parsed once, however many questions are asked.

What was parsed holds for the state of the store that it was read from: how far each shard had got,
how many reports of the plan were deleted, and the state of the round. Newer reports are parsed and
appended. After any deletion, and when a round is cleared, all is read anew, in the transaction that
sees it: so nothing deleted enters a later answer. Nor is a deleted report kept in memory for long:
a process forgets columns that nobody has asked for in a minute (``IDLE_SECONDS``).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Self

import pyarrow as pa

from discretion.collector.outcome import Outcome
from discretion.collector.store.database import Session
from discretion.collector.store.insertion import CLEARED
from discretion.collector.store.shards import Positions, heads
from discretion.errors import UnknownRound
from discretion.plan import Plan
from discretion.table import ReportTable

BATCH = 50_000  # reports that are read at a time
MOST_BYTES = 256 << 20  # of a table that is kept
IDLE_SECONDS = 60.0  # without a question about a round, after which it is forgotten
_STATE = "SELECT state FROM rounds WHERE plan = ? AND round = ?"
_DELETED = "SELECT COALESCE(sum(count), 0) FROM counters WHERE plan = ? AND outcome = ?"


@dataclass(frozen=True, slots=True)
class Columns:
    """Reports in memory, and the state of the store that they were read from."""

    table: ReportTable
    positions: Positions  # up to which they go
    deleted: int  # reports of the plan
    state: str  # of the round
    at: float = field(default_factory=monotonic)  # when that was so

    @classmethod
    def read(
        cls, session: Session, number: int, plan: Plan, round: int, known: "Columns | None"
    ) -> Self:
        """Read a round as a transaction sees it, beginning from what is known of the same state."""
        rows = session.rows(_STATE, number, round)
        if not rows:
            raise UnknownRound(round)
        ((deleted,),) = session.rows(_DELETED, number, str(Outcome.DELETED))
        ((state,),), newest = rows, heads(session)
        if known is None or not known.holds(int(deleted), state, newest):
            known = None
        start = (0,) * session.shards if known is None else known.positions
        base = ReportTable.from_reports(plan, []) if known is None else known.table
        tail = [
            ReportTable.from_reports(plan, bodies).data
            for bodies in batches(session, number, round, start)
        ]
        data = pa.concat_tables([base.data, *tail])
        return cls(ReportTable(plan, data), newest, int(deleted), state)

    def holds(self, deleted: int, state: str, newest: Positions) -> bool:
        """Whether these are still the reports of the round up to their positions.

        Those of a cleared round are removed bit by bit, and leave no trace: nothing is known of it.
        """
        further = all(a <= b for a, b in zip(self.positions, newest, strict=True))
        return further and (self.deleted, self.state) == (deleted, state) and state != CLEARED

    @property
    def age(self) -> float:
        """The seconds since they were asked for."""
        return monotonic() - self.at

    @property
    def small(self) -> bool:
        """Whether the table may stay in memory."""
        return bool(self.table.data.nbytes <= MOST_BYTES)


def batches(session: Session, number: int, round: int, start: Positions) -> Iterator[list[bytes]]:
    """Yield the reports of a round behind these positions, a batch at a time."""
    for shard, position in enumerate(start):
        for rows in session.stream(session.TAIL, number, round, shard, position, size=BATCH):
            yield [bytes(body) for _, body in rows]
