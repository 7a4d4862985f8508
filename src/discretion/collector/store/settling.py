"""Settling: deleted reports are subtracted from the stored counts, and their bytes are erased."""

from discretion.collector.store.database import Database
from discretion.collector.store.snapshot import Snapshot
from discretion.plan import Plan

_DUE = (
    "SELECT DISTINCT plans.plan, plans.bytes, removals.round "
    "FROM removals JOIN plans ON plans.plan = removals.plan"
)


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
