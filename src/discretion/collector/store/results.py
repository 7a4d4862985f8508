"""Published results: the last version for each round, and how far later counts are from all others.

A version counts reports up to a position of each shard. Reports behind it came later; those at or
before it that are no longer there were deleted. So a few positions and counts suffice to say how
many answers two versions do not share, and no list of reports is kept.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from discretion.aggregate import Aggregate
from discretion.collector.store.columns import BATCH
from discretion.collector.store.database import Database, Session
from discretion.collector.store.insertion import CLEARED
from discretion.collector.store.shards import Positions
from discretion.collector.store.snapshot import Snapshot
from discretion.collector.store.store import Store, known_plans
from discretion.table import ReportTable

Answers = Mapping[str, int]  # how many there are, by what is estimated from them
Count = Callable[[Aggregate], Answers]
_PLAN = "(SELECT plan FROM plans WHERE id = ?)"
_WHERE = f"WHERE plan = {_PLAN} AND round = ?"
_DUE = (
    "SELECT rounds.round FROM rounds "
    "LEFT JOIN results ON results.plan = rounds.plan AND results.round = rounds.round "
    f"WHERE rounds.plan = {_PLAN} "
    "AND (checked IS NULL OR checked < ? OR results.state <> rounds.state) ORDER BY rounds.round"
)
_BEGIN = (
    "INSERT INTO results (plan, round, checked, state, version, history) "
    f"VALUES ({_PLAN}, ?, '', '', 0, '[]') ON CONFLICT DO NOTHING"
)
_CLAIM = f"UPDATE results SET checked = ?, state = ? {_WHERE} AND (checked < ? OR state <> ?)"
_KEEP = (
    f"UPDATE results SET version = version + 1, history = ?, document = ? {_WHERE} AND version = ?"
)
_KNOWN = f"SELECT plan, round FROM results WHERE plan = {_PLAN}"
_NOTE = f"UPDATE results SET version = version + 1, history = ? {_WHERE}"


@dataclass(frozen=True, slots=True)
class Version:
    """What a version counts: positions, and the answers behind each estimate that it renewed."""

    positions: Positions
    answers: Answers | None  # None: the store went back, and does not know


@dataclass(frozen=True, slots=True)
class Tally:
    """A round as it is now, beside all versions of its results."""

    counts: Aggregate
    positions: Positions
    versions: Sequence[Version]
    since: Sequence[Answers]  # that are there, behind each version and up to the next one
    answers: Answers  # that are there, all of them

    def apart(self, name: str) -> int | None:
        """Return how many answers are in one of two only: now, and the version nearest to it.

        Versions that did not renew this estimate do not count; None where all are such. Of one
        that is not known, only what came after it is surely not in it.
        """
        found = []
        for index, version in enumerate(self.versions):
            came = sum(part.get(name, 0) for part in self.since[index:])
            if version.answers is None:
                found.append(came)
            elif name in version.answers:
                left = self.answers.get(name, 0) - came
                found.append(came + version.answers[name] - left)
        return min(found, default=None)


class Results:
    """The published results of one plan."""

    def __init__(self, store: Store) -> None:
        self._store, self._database, self._plan = store, store.database, store.plan

    def due(self, day: date) -> list[int]:
        """Return the rounds that were not looked at on this day, or not in their present state."""
        with self._database.reading() as session:
            return [round for (round,) in session.rows(_DUE, self._plan.id, day.isoformat())]

    def claim(self, round: int, day: date) -> bool:
        """Note that a round is looked at; False where that was done, perhaps by another process."""
        at = day.isoformat()
        with self._database.writing() as session:
            rows = session.rows(f"SELECT state FROM rounds {_WHERE}", self._plan.id, round)
            session.run(_BEGIN, self._plan.id, round)
            state = rows[0][0] if rows else ""
            return bool(session.run(_CLAIM, at, state, self._plan.id, round, at, state))

    def documents(self) -> dict[int, str]:
        """Return the last version of each round that has one."""
        query = f"SELECT round, document FROM results WHERE plan = {_PLAN} ORDER BY round"
        with self._database.reading() as session:
            found = session.rows(query, self._plan.id)
        return {round: document for round, document in found if document is not None}

    def tally(self, round: int, count: Count) -> Tally | None:
        """Count a round, and what lies between its versions; None where the reports are gone."""
        self._store.aggregate(round)  # so that little is left to be counted in one transaction
        with self._database.reading() as session:
            ((number, state),) = session.rows(
                f"SELECT plan, state FROM rounds {_WHERE}", self._plan.id, round
            )
            versions = self._versions(session, round)
            if versions and state == CLEARED:
                return None
            snapshot = Snapshot.load(session, number, self._plan, round)
            since = self._between(session, number, round, versions)
        counts = snapshot.counted().counts
        parts = [count(part) for part in since]
        return Tally(counts, snapshot.ends, versions, parts, count(counts))

    def keep(self, round: int, tally: Tally, answers: Answers, document: str) -> bool:
        """Publish a version that renews some estimates; False where another was quicker."""
        history = _written([*tally.versions, Version(tally.positions, answers)])
        with self._database.writing() as session:
            before = len(tally.versions)
            return bool(session.run(_KEEP, history, document, self._plan.id, round, before))

    def distrust(self) -> None:
        """Note of every round that versions may have been made of which the store knows nothing."""
        with self._database.writing() as session:
            for number, round in session.rows(_KNOWN, self._plan.id):
                known = self._versions(session, round)
                lost = Version(Snapshot.load(session, number, self._plan, round).ends, None)
                if lost not in known[-1:]:
                    session.run(_NOTE, _written([*known, lost]), self._plan.id, round)

    def document(self, round: int) -> dict[str, Any] | None:
        """Return the last version of a round."""
        text = self.documents().get(round)
        return None if text is None else dict(json.loads(text))

    def _versions(self, session: Session, round: int) -> list[Version]:
        rows = session.rows(f"SELECT history FROM results {_WHERE}", self._plan.id, round)
        known = json.loads(rows[0][0]) if rows else []
        return [Version(tuple(positions), answers) for positions, answers in known]

    def _between(
        self, session: Session, number: int, round: int, versions: Sequence[Version]
    ) -> list[Aggregate]:
        """Count the reports that are there behind each version, up to the next one."""
        found = [Aggregate(self._plan, round) for _ in versions]
        for shard, start in enumerate(versions[0].positions if versions else ()):
            ends = [version.positions[shard] for version in versions]
            query = session.stream(session.TAIL, number, round, shard, start, size=BATCH)
            for rows in query:
                parts: list[list[bytes]] = [[] for _ in versions]
                for position, body in rows:
                    parts[bisect_left(ends, position) - 1].append(bytes(body))
                for counts, bodies in zip(found, parts, strict=True):
                    if bodies:
                        counts.add(ReportTable.from_reports(self._plan, bodies))
        return found


def went_back(database: Database) -> None:
    """Keep versions apart in a store that is an older copy, of all its plans.

    Later ones may have been seen. What is published next has enough that came after the copy was
    taken up again, so it is far from them too.
    """
    for plan in known_plans(database).values():
        Results(Store(database, plan, create=False)).distrust()


def _written(versions: Sequence[Version]) -> str:
    return json.dumps([[each.positions, each.answers] for each in versions])
