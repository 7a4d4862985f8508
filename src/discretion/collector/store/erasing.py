"""Erasing a report: its body goes, its id stays taken, and a removal says what to subtract.

That takes the same time however many reports are counted: the snapshot is not touched.
"""

from discretion.collector.outcome import Outcome
from discretion.collector.store.counting import count
from discretion.collector.store.database import Session

_ROUNDS = "SELECT round FROM rounds WHERE plan = ?"
_PLANS = (
    "SELECT DISTINCT rounds.plan FROM rounds "
    "JOIN reports ON reports.plan = rounds.plan AND reports.round = rounds.round "
    "WHERE reports.id = ?"
)
_WHERE = "WHERE plan = ? AND round = ? AND id = ? AND body IS NOT NULL"
_REMOVE = (
    "INSERT INTO removals (plan, round, position, body) "
    f"SELECT plan, round, position, body FROM reports {_WHERE}"
)
_ERASE = f"UPDATE reports SET body = NULL {_WHERE}"


def plans_with(session: Session, id: bytes) -> list[int]:
    """Return the numbers of the plans that have a report with this id."""
    return [number for (number,) in session.rows(_PLANS, id)]


def erase(session: Session, number: int, id: bytes) -> None:
    """Erase the report of a plan that has this id, in whatever round."""
    for (round,) in session.rows(_ROUNDS, number):
        if session.run(_REMOVE, number, round, id):
            session.run(_ERASE, number, round, id)
            count(session, number, {(Outcome.DELETED, ""): 1})
