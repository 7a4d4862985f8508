"""The snapshot of a round: stored counts of its reports up to a position, and what they lack.

Whoever asks adds the reports behind that position, and subtracts the removals: reports at or before
it that were deleted since. All three are read in one transaction, so the sum is a recount. Whoever
has counted before goes on from what she knows, as long as the stored counts are the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from sys import maxsize

from discretion.aggregate import Aggregate
from discretion.collector.store.database import Session
from discretion.errors import RoundError
from discretion.plan import Plan
from discretion.table import ReportTable

STEP = 50_000  # reports that are counted at a time; no transaction is open meanwhile
BATCH = 50_000  # reports that are read at a time where all are read
ALL = maxsize  # more than there are
TOGETHER = 500  # removals that one statement deletes
_WHERE = "WHERE plan = ? AND round = ?"
_POSITION = f"SELECT position, revision FROM snapshots {_WHERE}"
_COUNTS = f"SELECT aggregate FROM snapshots {_WHERE}"
_REMOVALS = f"SELECT position, body FROM removals {_WHERE}"
# A plus sign hides a column from indexes: rows are read by position, only those behind the last.
_BEHIND = "WHERE +plan = ? AND +round = ? AND position > ? AND body IS NOT NULL ORDER BY position"
_TAIL = f"SELECT position, body FROM reports {_BEHIND}"
_LAST = "SELECT COALESCE(max(position), 0) FROM reports"


@dataclass(frozen=True, slots=True)
class Known:
    """Counts in memory, made from the stored ones of a revision and what followed."""

    revision: int
    counts: Aggregate
    position: int  # up to which they go
    without: frozenset[int]  # removals that are not, or no longer, among them


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one transaction saw of a round."""

    number: int  # of the plan
    stored: int  # the position up to which the stored counts go
    base: Known  # the stored counts, or what is known of them and more
    removals: Sequence[tuple[int, bytes]]  # positions and bodies
    tail: Sequence[bytes]
    end: int  # up to which the tail goes
    whole: bool  # whether that is all there is

    @classmethod
    def load(
        cls,
        session: Session,
        number: int,
        plan: Plan,
        round: int,
        most: int = ALL,
        known: Known | None = None,
    ) -> "Snapshot":
        """Read stored counts, all removals, and up to so many reports of the tail."""
        rows = session.rows(_POSITION, number, round)
        if not rows:
            raise RoundError(round, "was never opened")
        stored, revision = rows[0]
        if known is None or known.revision != revision:
            text = session.rows(_COUNTS, number, round)[0][0]
            empty = Aggregate(plan, round)
            counts = empty if text is None else Aggregate.from_json(plan, text)
            known = Known(revision, counts, stored, frozenset())
        removals = [(at, bytes(body)) for at, body in session.rows(_REMOVALS, number, round)]
        found = session.rows(f"{_TAIL} LIMIT ?", number, round, known.position, most)
        whole = len(found) < most
        if whole:  # all up to the newest position belong to others, or are deleted
            end = max(known.position, session.rows(_LAST)[0][0])
        else:
            end = found[-1][0] if found else known.position
        tail = [bytes(body) for _, body in found]
        return cls(number, stored, known, removals, tail, end, whole)

    @property
    def lacks(self) -> int:
        """How much the stored counts lack: positions behind them, and removals."""
        return self.end - self.stored + len(self.removals)

    def counted(self) -> Known:
        """Count all reports up to ``end`` that were there; the base stays as it is."""
        base = self.base
        plan, round = base.counts.plan, base.counts.round
        counts = base.counts.merge(Aggregate(plan, round))
        if self.tail:
            counts.add(ReportTable.from_reports(plan, self.tail))
        gone = [
            body for at, body in self.removals if at <= base.position and at not in base.without
        ]
        if gone:
            counts.remove(ReportTable.from_reports(plan, gone))
        return Known(base.revision, counts, self.end, frozenset(at for at, _ in self.removals))

    def replace(self, session: Session, counts: str) -> bool:
        """Store the counts up to ``end``, as JSON, and forget the removals that they are without.

        False where another was quicker: then nothing changes. A deletion since keeps its removal,
        whose position may be before the new end: whoever reads next subtracts it.
        """
        statement = (
            f"UPDATE snapshots SET position = ?, revision = ?, aggregate = ? {_WHERE} "
            "AND revision = ?"
        )
        revision, where = self.base.revision, (self.number, self.base.counts.round)
        if not session.run(statement, self.end, revision + 1, counts, *where, revision):
            return False
        seen = [position for position, _ in self.removals]
        for start in range(0, len(seen), TOGETHER):
            part = seen[start : start + TOGETHER]
            listed = ", ".join("?" * len(part))
            session.run(f"DELETE FROM removals {_WHERE} AND position IN ({listed})", *where, *part)
        return True


def bodies(session: Session, number: int, round: int) -> Iterator[list[bytes]]:
    """Yield all reports of a round, a batch at a time."""
    for rows in session.stream(_TAIL, number, round, 0, size=BATCH):
        yield [bytes(body) for _, body in rows]
