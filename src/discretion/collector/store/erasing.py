"""Erasing a report: it leaves its place and the snapshot that counts it, and its id stays taken."""

from discretion.collector.outcome import Outcome
from discretion.collector.store.counting import count
from discretion.collector.store.database import Session
from discretion.collector.store.snapshot import Snapshot
from discretion.plan import Plan

_ROUNDS = "SELECT round FROM rounds WHERE plan = ?"
_PLANS = (
    "SELECT DISTINCT plans.plan, plans.bytes FROM rounds "
    "JOIN reports ON reports.plan = rounds.plan AND reports.round = rounds.round "
    "JOIN plans ON plans.plan = rounds.plan WHERE reports.id = ?"
)
_FIND = "SELECT position, body FROM reports WHERE plan = ? AND round = ? AND id = ?"
_ERASE = "UPDATE reports SET body = NULL WHERE position = ?"


def plans_with(session: Session, id: bytes) -> list[tuple[int, bytes]]:
    """Return the plans, by number and bytes, that have a report with this id."""
    return [(number, bytes(agreed)) for number, agreed in session.rows(_PLANS, id)]


def erase(session: Session, number: int, plan: Plan, id: bytes) -> None:
    """Erase the report of a plan that has this id, in whatever round."""
    for (round,) in session.rows(_ROUNDS, number):
        for position, body in session.rows(_FIND, number, round, id):
            if body is not None:
                session.run(_ERASE, position)
                snapshot = Snapshot.load(session, number, plan, round)
                snapshot.remove(session, number, position, bytes(body))
                count(session, number, {(Outcome.DELETED, ""): 1})
