"""Erasing a report: it leaves its place and the snapshot that counts it, and its id stays taken."""

from discretion.collector.outcome import Outcome
from discretion.collector.store.counting import count
from discretion.collector.store.database import Session
from discretion.collector.store.snapshot import Snapshot
from discretion.plan import Plan

_ROUNDS = "SELECT round FROM rounds WHERE plan = ?"
_FIND = "SELECT position, body FROM reports WHERE plan = ? AND round = ? AND id = ?"
_ERASE = "UPDATE reports SET body = NULL WHERE position = ?"


def erase(session: Session, number: int, plan: Plan, id: bytes) -> bool:
    """Erase the report of a plan that has this id, in whatever round; False where none has."""
    found = False
    for (round,) in session.rows(_ROUNDS, number):
        for position, body in session.rows(_FIND, number, round, id):
            found = True
            if body is not None:
                session.run(_ERASE, position)
                snapshot = Snapshot.load(session, number, plan, round)
                snapshot.remove(session, number, position, bytes(body))
                count(session, number, {(Outcome.DELETED, ""): 1})
    return found
