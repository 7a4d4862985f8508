"""The snapshot of a round: stored counts of its reports up to a position of each shard.

Whoever asks adds the reports behind these positions, and subtracts the removals: reports at or
before them that were deleted since. All three are read in one transaction: the sum is a recount.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from sys import maxsize

from discretion.aggregate import Aggregate
from discretion.collector.store.database import Session
from discretion.collector.store.shards import Positions, heads, packed, unpacked
from discretion.errors import UnknownRound
from discretion.plan import Plan
from discretion.table import ReportTable

STEP = 50_000  # reports that are counted at a time; no transaction is open meanwhile
BATCH = 50_000  # reports that are read at a time where all are read
ALL = maxsize  # more than there are
TOGETHER = 500  # removals that one statement deletes
_WHERE = "WHERE plan = ? AND round = ?"
_STORED = f"SELECT positions, revision, aggregate FROM snapshots {_WHERE}"
_REMOVALS = f"SELECT shard, position, body FROM removals {_WHERE}"

Removal = tuple[int, int, bytes]  # shard, position and body


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one transaction saw of a round."""

    number: int  # of the plan
    plan: Plan
    round: int
    positions: Positions  # up to which the stored counts go
    revision: int  # of the stored counts: it changes whenever they are replaced
    stored: str | None
    removals: Sequence[Removal]
    tail: Sequence[bytes]
    ends: Positions  # up to which the tail goes
    whole: bool  # whether that is all there is

    @classmethod
    def load(
        cls, session: Session, number: int, plan: Plan, round: int, most: int = ALL
    ) -> "Snapshot":
        """Read stored counts, all removals, and up to so many reports of the tail."""
        rows = session.rows(_STORED, number, round)
        if not rows:
            raise UnknownRound(round)
        text, revision, stored = rows[0]
        positions = unpacked(text)
        removals = [(s, at, bytes(body)) for s, at, body in session.rows(_REMOVALS, number, round)]
        tail, ends = _tail(session, number, round, positions, most)
        whole = len(tail) < most
        return cls(number, plan, round, positions, revision, stored, removals, tail, ends, whole)

    @property
    def lacks(self) -> int:
        """How much the stored counts lack: positions behind them, and removals."""
        return sum(self.ends) - sum(self.positions) + len(self.removals)

    def counted(self) -> Aggregate:
        """Return the counts of all reports up to ``ends`` that were there."""
        counts = Aggregate(self.plan, self.round)
        if self.stored is not None:
            counts = Aggregate.from_json(self.plan, self.stored)
        if self.tail:
            counts.add(ReportTable.from_reports(self.plan, self.tail))
        if gone := [body for shard, at, body in self.removals if at <= self.positions[shard]]:
            counts.remove(ReportTable.from_reports(self.plan, gone))
        return counts

    def replace(self, session: Session, counts: str) -> bool:
        """Store the counts up to ``ends``, as JSON, and forget the removals that they are without.

        False where another was quicker: then nothing changes. A deletion since keeps its removal,
        whose position may be before the new ones: whoever reads next subtracts it.
        """
        statement = (
            f"UPDATE snapshots SET positions = ?, revision = ?, aggregate = ? {_WHERE} "
            "AND revision = ?"
        )
        values = (packed(self.ends), self.revision + 1, counts, self.number, self.round)
        if not session.run(statement, *values, self.revision):
            return False
        for shard in {shard for shard, _, _ in self.removals}:
            self._forget(session, shard, [at for s, at, _ in self.removals if s == shard])
        return True

    def _forget(self, session: Session, shard: int, seen: Sequence[int]) -> None:
        for start in range(0, len(seen), TOGETHER):
            part = seen[start : start + TOGETHER]
            listed = ", ".join("?" * len(part))
            forget = f"DELETE FROM removals {_WHERE} AND shard = ? AND position IN ({listed})"
            session.run(forget, self.number, self.round, shard, *part)


def bodies(session: Session, number: int, round: int) -> Iterator[list[bytes]]:
    """Yield all reports of a round, a batch at a time."""
    for shard in range(session.shards):
        for rows in session.stream(session.TAIL, number, round, shard, 0, size=BATCH):
            yield [bytes(body) for _, body in rows]


def _tail(
    session: Session, number: int, round: int, positions: Positions, most: int
) -> tuple[list[bytes], Positions]:
    """Return up to so many reports behind these positions, and up to which positions they go."""
    tail, ends, query = list[bytes](), list[int](), f"{session.TAIL} LIMIT ?"
    for shard, (start, head) in enumerate(zip(positions, heads(session), strict=True)):
        left = most - len(tail)
        found = session.rows(query, number, round, shard, start, left) if head > start else []
        tail += [bytes(body) for _, body in found]
        if len(found) < left:  # all others up to the newest are deleted, or of other rounds
            ends.append(head)
        else:
            ends.append(found[-1][0] if found else start)
    return tail, tuple(ends)
