"""The snapshot of a round: the aggregate of all its reports up to a position.

What came later is read and added when somebody asks; a report that is deleted leaves the snapshot
in the transaction that deletes it. So snapshot and tail are equal to a recount at any time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from discretion.aggregate import Aggregate
from discretion.collector.store.database import Session
from discretion.errors import RoundError
from discretion.plan import Plan
from discretion.table import ReportTable

BATCH = 50_000  # reports that are read at a time
_WHERE = "WHERE plan = ? AND round = ?"
_TAIL = (
    f"SELECT position, body FROM reports {_WHERE} AND position > ? AND body IS NOT NULL "
    "ORDER BY position"
)


@dataclass(slots=True)
class Snapshot:
    """An aggregate, the position up to which it counts, and the deletions so far."""

    aggregate: Aggregate
    position: int
    revision: int

    @classmethod
    def load(cls, session: Session, number: int, plan: Plan, round: int) -> "Snapshot":
        query = f"SELECT position, revision, aggregate FROM snapshots {_WHERE}"
        rows = session.rows(query, number, round)
        if not rows:
            raise RoundError(round, "was never opened")
        position, revision, text = rows[0]
        known = Aggregate(plan, round) if text is None else Aggregate.from_json(plan, text)
        return cls(known, position, revision)

    def extend(self, session: Session, number: int) -> int:
        """Count what came behind it; return how many reports that were."""
        found = 0
        for bodies, last in tail(session, number, self.aggregate.round, self.position):
            self.aggregate.add(ReportTable.from_reports(self.aggregate.plan, bodies))
            self.position = last
            found += len(bodies)
        return found

    def replace(self, session: Session, number: int, position: int) -> bool:
        """Put it in the place of the one that counted up to ``position``.

        False where that has changed since, or a report was deleted: then it stays as it is.
        """
        statement = (
            f"UPDATE snapshots SET position = ?, aggregate = ? {_WHERE} "
            "AND position = ? AND revision = ?"
        )
        values = (self.position, self.aggregate.to_json(), number, self.aggregate.round)
        return session.run(statement, *values, position, self.revision) == 1

    def remove(self, session: Session, number: int, position: int, body: bytes) -> None:
        """Take a deleted report out of the stored snapshot, and make void any in the making."""
        where = number, self.aggregate.round
        if position <= self.position:
            self.aggregate.remove(ReportTable.from_reports(self.aggregate.plan, [body]))
            text = self.aggregate.to_json()
            session.run(f"UPDATE snapshots SET aggregate = ? {_WHERE}", text, *where)
        session.run(f"UPDATE snapshots SET revision = revision + 1 {_WHERE}", *where)


def tail(
    session: Session, number: int, round: int, position: int
) -> Iterator[tuple[list[bytes], int]]:
    """Yield the reports of a round behind a position, a batch at a time, and where it ends."""
    for rows in session.stream(_TAIL, number, round, position, size=BATCH):
        yield [bytes(body) for _, body in rows], rows[-1][0]
