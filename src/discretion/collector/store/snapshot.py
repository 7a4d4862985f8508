"""The snapshot of a round: stored counts of its reports up to a position, and what they lack.

Whoever asks adds the reports behind that position, and subtracts the removals: reports at or before
it that were deleted since. All three are read in one transaction, so the sum is a recount.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from sys import maxsize

from discretion.aggregate import Aggregate
from discretion.collector.store.database import Session
from discretion.errors import UnknownRound
from discretion.plan import Plan
from discretion.table import ReportTable

STEP = 50_000  # reports that are counted at a time; no transaction is open meanwhile
BATCH = 50_000  # reports that are read at a time where all are read
ALL = maxsize  # more than there are
TOGETHER = 500  # removals that one statement deletes
_WHERE = "WHERE plan = ? AND round = ?"
_STORED = f"SELECT position, revision, aggregate FROM snapshots {_WHERE}"
_REMOVALS = f"SELECT position, body FROM removals {_WHERE}"
# A plus sign hides a column from indexes: rows are read by position, only those behind the last.
_BEHIND = "WHERE +plan = ? AND +round = ? AND position > ? AND body IS NOT NULL ORDER BY position"
_TAIL = f"SELECT position, body FROM reports {_BEHIND}"
_LAST = "SELECT COALESCE(max(position), 0) FROM reports"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one transaction saw of a round."""

    number: int  # of the plan
    plan: Plan
    round: int
    position: int  # up to which the stored counts go
    revision: int  # of the stored counts: it changes whenever they are replaced
    stored: str | None
    removals: Sequence[tuple[int, bytes]]  # positions and bodies
    tail: Sequence[bytes]
    end: int  # up to which the tail goes
    whole: bool  # whether that is all there is

    @classmethod
    def load(
        cls, session: Session, number: int, plan: Plan, round: int, most: int = ALL
    ) -> "Snapshot":
        """Read stored counts, all removals, and up to so many reports of the tail."""
        rows = session.rows(_STORED, number, round)
        if not rows:
            raise UnknownRound(round)
        position, revision, stored = rows[0]
        removals = [(at, bytes(body)) for at, body in session.rows(_REMOVALS, number, round)]
        found = session.rows(f"{_TAIL} LIMIT ?", number, round, position, most)
        whole = len(found) < most
        if whole:  # all up to the newest position belong to others, or are deleted
            end = max(position, session.rows(_LAST)[0][0])
        else:
            end = found[-1][0] if found else position
        tail = [bytes(body) for _, body in found]
        return cls(number, plan, round, position, revision, stored, removals, tail, end, whole)

    @property
    def lacks(self) -> int:
        """How much the stored counts lack: positions behind them, and removals."""
        return self.end - self.position + len(self.removals)

    def counted(self) -> Aggregate:
        """Return the counts of all reports up to ``end`` that were there."""
        counts = Aggregate(self.plan, self.round)
        if self.stored is not None:
            counts = Aggregate.from_json(self.plan, self.stored)
        if self.tail:
            counts.add(ReportTable.from_reports(self.plan, self.tail))
        if gone := [body for position, body in self.removals if position <= self.position]:
            counts.remove(ReportTable.from_reports(self.plan, gone))
        return counts

    def replace(self, session: Session, counts: str) -> bool:
        """Store the counts up to ``end``, as JSON, and forget the removals that they are without.

        False where another was quicker: then nothing changes. A deletion since keeps its removal,
        whose position may be before the new end: whoever reads next subtracts it.
        """
        statement = (
            f"UPDATE snapshots SET position = ?, revision = ?, aggregate = ? {_WHERE} "
            "AND revision = ?"
        )
        values = (self.end, self.revision + 1, counts, self.number, self.round)
        if not session.run(statement, *values, self.revision):
            return False
        seen = [position for position, _ in self.removals]
        for start in range(0, len(seen), TOGETHER):
            part = seen[start : start + TOGETHER]
            listed = ", ".join("?" * len(part))
            forget = f"DELETE FROM removals {_WHERE} AND position IN ({listed})"
            session.run(forget, self.number, self.round, *part)
        return True


def bodies(session: Session, number: int, round: int) -> Iterator[list[bytes]]:
    """Yield all reports of a round, a batch at a time."""
    for rows in session.stream(_TAIL, number, round, 0, size=BATCH):
        yield [bytes(body) for _, body in rows]
