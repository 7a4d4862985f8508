"""The snapshot of a round: stored counts of its reports up to a position of each shard.

Whoever asks adds the reports behind these positions, and subtracts the removals: reports at or
before them that were deleted since. All three are read in one transaction: the sum is a recount.
Whoever has counted before goes on from what she knows, as long as the stored counts are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from sys import maxsize

from discretion.aggregate import Aggregate
from discretion.collector.store.database import Session
from discretion.collector.store.shards import Positions, heads, packed, unpacked
from discretion.errors import UnknownRound
from discretion.plan import Plan
from discretion.table import ReportTable

STEP = 50_000  # reports that are counted at a time; no transaction is open meanwhile
ALL = maxsize  # more than there are
TOGETHER = 500  # removals that one statement deletes
_WHERE = "WHERE plan = ? AND round = ?"
_POSITIONS = f"SELECT positions, revision FROM snapshots {_WHERE}"
_COUNTS = f"SELECT aggregate FROM snapshots {_WHERE}"
_REMOVALS = f"SELECT shard, position, body FROM removals {_WHERE}"

Removal = tuple[int, int, bytes]  # shard, position and body


@dataclass(frozen=True, slots=True)
class Known:
    """Counts in memory, made from the stored ones of a revision and what followed."""

    revision: int
    counts: Aggregate
    positions: Positions  # up to which they go
    without: frozenset[tuple[int, int]]  # shards and positions of removals not among them


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What one transaction saw of a round."""

    number: int  # of the plan
    stored: Positions  # up to which the stored counts go
    base: Known  # the stored counts, or what is known of them and more
    removals: Sequence[Removal]
    tail: Sequence[bytes]
    ends: Positions  # up to which the tail goes
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
        rows = session.rows(_POSITIONS, number, round)
        if not rows:
            raise UnknownRound(round)
        (text, revision), *_ = rows
        stored = unpacked(text)
        if known is None or known.revision != revision:
            ((counted,),) = session.rows(_COUNTS, number, round)
            empty = Aggregate(plan, round)
            counts = empty if counted is None else Aggregate.from_json(plan, counted)
            known = Known(revision, counts, stored, frozenset())
        removals = [(s, at, bytes(body)) for s, at, body in session.rows(_REMOVALS, number, round)]
        tail, ends = _tail(session, number, round, known.positions, most)
        return cls(number, stored, known, removals, tail, ends, len(tail) < most)

    @property
    def lacks(self) -> int:
        """How much the stored counts lack: positions behind them, and removals."""
        return sum(self.ends) - sum(self.stored) + len(self.removals)

    def counted(self) -> Known:
        """Count all reports up to ``ends`` that were there; the base stays as it is."""
        base = self.base
        plan, round = base.counts.plan, base.counts.round
        counts = base.counts.merge(Aggregate(plan, round))
        if self.tail:
            counts.add(ReportTable.from_reports(plan, self.tail))
        gone = [
            body
            for shard, at, body in self.removals
            if at <= base.positions[shard] and (shard, at) not in base.without
        ]
        if gone:
            counts.remove(ReportTable.from_reports(plan, gone))
        seen = frozenset((shard, at) for shard, at, _ in self.removals)
        return Known(base.revision, counts, self.ends, seen)

    def replace(self, session: Session, counts: str) -> bool:
        """Store the counts up to ``ends``, as JSON, and forget the removals that they are without.

        False where another was quicker: then nothing changes. A deletion since keeps its removal,
        whose position may be before the new ones: whoever reads next subtracts it.
        """
        statement = (
            f"UPDATE snapshots SET positions = ?, revision = ?, aggregate = ? {_WHERE} "
            "AND revision = ?"
        )
        revision, where = self.base.revision, (self.number, self.base.counts.round)
        if not session.run(statement, packed(self.ends), revision + 1, counts, *where, revision):
            return False
        for shard in {shard for shard, _, _ in self.removals}:
            self._forget(session, shard, [at for s, at, _ in self.removals if s == shard])
        return True

    def _forget(self, session: Session, shard: int, seen: Sequence[int]) -> None:
        where = self.number, self.base.counts.round, shard
        for start in range(0, len(seen), TOGETHER):
            part = seen[start : start + TOGETHER]
            listed = ", ".join("?" * len(part))
            forget = f"DELETE FROM removals {_WHERE} AND shard = ? AND position IN ({listed})"
            session.run(forget, *where, *part)


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
