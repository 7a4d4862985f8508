"""The store of a plan's reports: what is kept, what is counted, what is deleted.

Every change is one transaction. A report is there once or not at all; what was accepted stays until
its owner deletes it or its round is cleared; a deleted id stays as a tombstone.
"""

from collections import Counter
from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from discretion.aggregate import Aggregate
from discretion.collector.errors import StoreUnavailable
from discretion.collector.outcome import Incoming, Outcome, Verdict, tally
from discretion.collector.store.audit_log import COMMAND, RETENTION, latest_day, note, today
from discretion.collector.store.columns import Columns, batches
from discretion.collector.store.database import Database, Session
from discretion.collector.store.insertion import (
    CLEARED,
    CLOSED,
    OPEN,
    Counts,
    count,
    keep,
    note_arrivals,
)
from discretion.collector.store.removals import erase, places
from discretion.collector.store.shards import heads, packed, shards_of, unpacked
from discretion.collector.store.snapshot import ALL, STEP, Known, Snapshot
from discretion.errors import RoundError, UnknownRound
from discretion.plan import Plan
from discretion.report import LAST_ROUND
from discretion.table import ReportTable

LONG = 10_000  # reports that a snapshot may lack before it is replaced
REMEMBERED = 8  # rounds of which the last counts are in memory
CHUNK = 10_000  # rows that are removed in one transaction


@dataclass(frozen=True, slots=True)
class Round:
    """A round, and whether it takes reports."""

    round: int
    state: str
    closed_on: str | None


class Store:
    """The reports of one plan in a database, which may hold those of others too."""

    def __init__(self, database: Database, plan: Plan, *, create: bool = True) -> None:
        """Find the plan in the database; ``create``: put it there if it is new."""
        self.plan, self.database = plan, database
        self._all = range(database.shards)
        known = "SELECT rounds.plan FROM plans JOIN rounds USING (plan) WHERE id = ? LIMIT 1"
        with database.reading() as session:  # as a rule there is nothing to write
            rows = session.rows(known, plan.id)
        if not rows and not create:
            raise StoreUnavailable("store", f"plan {plan.id} was never collected there")
        if not rows:
            with database.writing(self._all) as session:
                insert = "INSERT INTO plans (id, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING"
                session.run(insert, plan.id, plan.to_bytes())
                rows = session.rows("SELECT plan FROM plans WHERE id = ?", plan.id)
                if not session.rows("SELECT 1 FROM rounds WHERE plan = ?", rows[0][0]):
                    _open(session, rows[0][0], 0)
        self._number: int = rows[0][0]
        self._known: dict[int, Known] = {}  # the last counts, by round
        self._columns: dict[int, Columns] = {}  # the last reports, by round

    def close(self) -> None:
        self.database.close()

    def put(
        self, reports: Sequence[Incoming], more: Counts | None = None, day: date | None = None
    ) -> list[Verdict]:
        """Keep reports; when it returns, what is accepted outlives a crash.

        ``more`` are verdicts about others, to be counted in the same transaction; ``day`` is the
        one on which they came, if not today.
        """
        shards = shards_of((report.id for report in reports), self.database.shards) or [0]
        with self.database.writing(shards) as session:
            states = {r.round: r.state for r in self._rounds(session)}
            verdicts = keep(session, self._number, states, reports)
            count(session, self._number, shards[0], tally(verdicts) + Counter(more or {}))
            note_arrivals(session, self._number, shards[0], day or today(), reports, verdicts)
        return verdicts

    def delete(self, id: bytes) -> bool:
        """Delete a report wherever it is counted; False where none has this id."""
        return bool(self.delete_many([id]))

    def delete_many(self, ids: Collection[bytes]) -> set[bytes]:
        """Delete reports in one transaction, also those under an earlier plan of the database.

        Return the ids that there are, deleted just now or before.
        """
        with self.database.reading() as session:  # who guesses receipts keeps no writer waiting
            found = places(session, ids)
        if found:
            with self.database.writing(shards_of(found, self.database.shards)) as session:
                for id, where in found.items():
                    erase(session, id, where)
        return set(found)

    def rounds(self) -> list[Round]:
        """Return all rounds, and whether they take reports."""
        with self.database.reading() as session:
            return self._rounds(session)

    def open_round(self, round: int, actor: str = COMMAND) -> None:
        """Open a round; one that is open stays so, and a closed one is never opened again."""
        if not 0 <= round <= LAST_ROUND:
            raise RoundError(round, f"must be 0 to {LAST_ROUND}")
        with self.database.writing(self._all) as session:
            states = {r.round: r.state for r in self._rounds(session)}
            if states.get(round, OPEN) != OPEN:
                raise RoundError(round, "is closed, and a closed round is never opened again")
            if round not in states:
                _open(session, self._number, round)
                note(session, actor, "open", f"round {round}", self.plan.id)

    def close_round(
        self, round: int, day: date, actor: str = COMMAND, *, confirmed: bool = False
    ) -> None:
        """Close a round for good; who reported in it is forgotten.

        A day before one that the store has seen comes from a wrong clock. The round then has no
        closing day, and is never cleared, until it is closed again on a later or ``confirmed`` day.
        """
        with self.database.writing(self._all) as session:
            found = {r.round: r for r in self._rounds(session)}.get(round)
            if found is None:
                raise UnknownRound(round)
            known = confirmed or day >= latest_day(session)
            undated = found.state == CLOSED and (confirmed or found.closed_on is None)
            if found.state == OPEN or (undated and known):
                close = "UPDATE rounds SET state = ?, closed_on = ? WHERE plan = ? AND round = ?"
                closed_on = day.isoformat() if known else None
                session.run(close, CLOSED, closed_on, self._number, round)
                unknown = "" if known else " on an unknown day"
                detail = f"round {round}{f' on {day}' * confirmed}{unknown}"
                note(session, actor, "close", detail, self.plan.id)
            forget = "DELETE FROM marks WHERE plan = ? AND round = ?"
            session.run(forget, self._number, round)

    def counters(self) -> dict[Outcome, dict[str, int]]:
        """Return how many reports had each outcome, by reason where they were refused.

        What is kept is what was accepted less what was deleted.
        """
        query = (
            "SELECT outcome, reason, sum(count) FROM counters WHERE plan = ? "
            "GROUP BY outcome, reason ORDER BY 1, 2"
        )
        with self.database.reading() as session:
            found = session.rows(query, self._number)
        counts: dict[Outcome, dict[str, int]] = {outcome: {} for outcome in Outcome}
        for outcome, reason, number in found:
            counts[Outcome(outcome)][reason] = int(number)
        return counts

    def lag(self) -> int:
        """Return how many reports of an open round, at most, its snapshot does not count yet."""
        query = (
            "SELECT positions, COALESCE((SELECT sum(count) FROM arrivals "
            "WHERE arrivals.plan = rounds.plan AND arrivals.round = rounds.round), 0) "
            "FROM rounds JOIN snapshots USING (plan, round) WHERE plan = ? AND state = ?"
        )
        with self.database.reading() as session:
            newest, found = heads(session), session.rows(query, self._number, OPEN)
        behind = ((sum(newest) - sum(unpacked(at)), int(came)) for at, came in found)
        return max(map(min, behind), default=0)

    def arrivals(self, round: int) -> dict[date, int]:
        """Return how many reports of a round were accepted on each day, deleted ones included."""
        query = (
            "SELECT day, sum(count) FROM arrivals WHERE plan = ? AND round = ? "
            "GROUP BY day ORDER BY day"
        )
        with self.database.reading() as session:
            found = session.rows(query, self._number, round)
        return {date.fromisoformat(day): int(number) for day, number in found}

    def aggregate(self, round: int) -> Aggregate:
        """Count a round as it is at this moment; if the snapshot lacks much, it is replaced.

        A very long tail is counted in steps, each of them stored, so that no transaction is long.
        """
        most = STEP
        while True:
            with self.database.reading() as session:
                snapshot = self._snapshot(session, round, most, self._known.get(round))
            known = snapshot.counted()
            if not snapshot.whole or snapshot.lacks >= LONG:
                text = known.counts.to_json()  # before others have to wait
                try:
                    with self.database.writing(wait=not snapshot.whole) as session:
                        if snapshot.replace(session, text):
                            known = replace(known, revision=known.revision + 1)
                except StoreUnavailable:
                    most = ALL  # it is answered all the same
            if round not in self._known and len(self._known) >= REMEMBERED:
                self._known = {}
            self._known[round] = known
            if snapshot.whole:
                return known.counts

    def newest(self) -> int:
        """Return how many positions are given, to reports of whatever plan and round."""
        with self.database.reading() as session:
            return sum(heads(session))

    def reports(self, round: int) -> Generator[list[bytes], None, None]:
        """Yield all reports of a round as they are at this moment, a batch at a time.

        Close it if it is not read to its end: it holds a connection.
        """
        with self.database.reading() as session:
            self._snapshot(session, round, most=0)  # there must be such a round
            yield from batches(session, self._number, round, (0,) * session.shards)

    def table(self, round: int) -> ReportTable:
        """Return all reports of a round as they are at this moment, as columns.

        Those of the last round that was asked for stay in memory until ``forget``.
        """
        known, self._columns = self._columns.get(round), {}
        with self.database.reading() as session:
            found = Columns.read(session, self._number, self.plan, round, known)
        if found.small:
            self._columns[round] = found
        return found.table

    def forget(self, seconds: float = 0.0) -> None:
        """Keep no reports in memory that nobody has asked for in so many seconds."""
        kept = {round: own for round, own in self._columns.items() if own.age < seconds}
        self._columns = kept

    def clear(self, before: date) -> list[int]:
        """Remove the reports of rounds closed before a day; their aggregates stay.

        First a round is cleared for good, in one transaction; then its rows go.
        """
        closed = [(r.round, r.closed_on) for r in self.rounds() if r.state == CLOSED]
        due = [round for round, day in closed if day and date.fromisoformat(day) < before]
        cleared = [round for round in due if self._clear(round)]
        self._sweep()
        return cleared

    def _clear(self, round: int) -> bool:
        """Say for good that the snapshot has all; False where another process has said so."""
        self.aggregate(round)  # so that little is left to be counted while others wait
        state = "UPDATE rounds SET state = ? WHERE plan = ? AND round = ? AND state = ?"
        alone = "UPDATE snapshots SET revision = revision + 1 WHERE plan = ? AND round = ?"
        with self.database.writing(self._all) as session:
            if not session.run(state, CLEARED, self._number, round, CLOSED):
                return False
            session.run(alone, self._number, round)  # whoever counts it just now starts anew
            snapshot = self._snapshot(session, round, ALL)
            snapshot.replace(session, snapshot.counted().counts.to_json())
            note(session, RETENTION, "clear", f"round {round}", self.plan.id)
            return True

    def _sweep(self) -> None:
        """Remove the rows of cleared rounds; what a crash or a reader leaves, the next takes."""
        for round in self.rounds():
            more = round.state == CLEARED
            while more:
                with self.database.writing() as session:
                    more = session.discard(self._number, round.round, CHUNK)

    def _rounds(self, session: Session) -> list[Round]:
        query = "SELECT round, state, closed_on FROM rounds WHERE plan = ? ORDER BY round"
        return [Round(*row) for row in session.rows(query, self._number)]

    def _snapshot(
        self, session: Session, round: int, most: int, known: Known | None = None
    ) -> Snapshot:
        return Snapshot.load(session, self._number, self.plan, round, most, known)


def known_plans(database: Database) -> dict[str, Plan]:
    """Return all plans of a database by their ids."""
    with database.reading() as session:
        rows = session.rows("SELECT id, bytes FROM plans")
    return {id: Plan.from_bytes(bytes(agreed)) for id, agreed in rows}


def _open(session: Session, plan: int, round: int) -> None:
    session.run("INSERT INTO rounds (plan, round, state) VALUES (?, ?, ?)", plan, round, OPEN)
    session.begin(plan, round)
    empty = "INSERT INTO snapshots (plan, round, positions, revision) VALUES (?, ?, ?, 0)"
    session.run(empty, plan, round, packed(heads(session)))  # nothing of this round is before them
