"""Removals: deleted reports that are still to be subtracted from the stored counts.

Erasing a report takes its body away, keeps its id taken, and leaves a removal. That takes the same
time however many reports are counted: the snapshot is not touched. Settling subtracts the removals
from the snapshots, and erases them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from discretion.collector.outcome import Outcome
from discretion.collector.store.database import Database, Session
from discretion.collector.store.insertion import count
from discretion.collector.store.shards import shard_of
from discretion.collector.store.snapshot import Snapshot
from discretion.plan import Plan

Place = tuple[int, int]  # a plan by its number, and a round
_PLACES = "SELECT plan, round FROM rounds ORDER BY plan, round"
_WHERE = "WHERE plan = ? AND round = ? AND shard = ? AND id = ? AND body IS NOT NULL"
_REMOVE = (
    "INSERT INTO removals (plan, round, shard, position, body) "
    f"SELECT plan, round, shard, position, body FROM reports {_WHERE}"
)
_ERASE = f"UPDATE reports SET body = NULL {_WHERE}"
_DUE = (
    "SELECT DISTINCT plans.plan, plans.bytes, removals.round "
    "FROM removals JOIN plans ON plans.plan = removals.plan"
)


def places(session: Session, ids: Collection[bytes]) -> dict[bytes, list[Place]]:
    """Return where there are reports with these ids, in any round of any plan."""
    found: dict[bytes, list[Place]] = defaultdict(list)
    for plan, round in session.rows(_PLACES):
        for id in session.bodies(plan, round, list(ids)):
            found[id].append((plan, round))
    return dict(found)


def erase(session: Session, id: bytes, where: Iterable[Place]) -> None:
    """Erase the reports that have this id."""
    shard = shard_of(id, session.shards)
    for plan, round in where:
        if session.run(_REMOVE, plan, round, shard, id):
            session.run(_ERASE, plan, round, shard, id)
            count(session, plan, shard, {(Outcome.DELETED, ""): 1})


def settle(database: Database) -> int:
    """Settle the deletions of all plans of a database; return in how many rounds there were any."""
    with database.reading() as session:
        due = session.rows(_DUE)
    for number, agreed, round in due:
        _settle(database, number, Plan.from_bytes(bytes(agreed)), round)
    return len(due)


def _settle(database: Database, number: int, plan: Plan, round: int) -> None:
    """Settle what a round has; when another is quicker, there may be something left."""
    settled = False
    while not settled:
        with database.reading() as session:
            snapshot = Snapshot.load(session, number, plan, round, most=0)
        if not snapshot.removals:
            return
        counts = snapshot.counted().counts.to_json()
        with database.writing() as session:
            settled = snapshot.replace(session, counts)
