"""Ways to break the collector: each must be seen by the simulation, or it would see nothing."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from unittest.mock import patch

from discretion.collector.outcome import ACCEPTED, Outcome, Verdict
from discretion.collector.store import Store
from discretion.collector.store.counting import count
from discretion.collector.store.database import Session
from discretion.collector.store.snapshot import Snapshot
from discretion.collector.writer import Job, Writer
from discretion.device import Device, State
from tests.simulation.faults import Crash

Change = Callable[[], AbstractContextManager[object]]
_kept, _report, _taken_out = Writer._kept, Device.report, Snapshot.remove
_cleared = Store.clear


def _replace(self: Snapshot, session: Session, number: int, position: int) -> bool:
    """Put a snapshot in its place though a report was deleted meanwhile."""
    statement = (
        "UPDATE snapshots SET position = ?, aggregate = ? "
        "WHERE plan = ? AND round = ? AND position = ?"
    )
    values = (self.position, self.aggregate.to_json(), number, self.aggregate.round, position)
    return session.run(statement, *values) == 1


def _remove(self: Snapshot, session: Session, number: int, position: int, body: bytes) -> None:
    """Take out of the snapshot what is behind it, too."""
    _taken_out(self, session, number, min(position, self.position), body)


def _leave(self: Snapshot, session: Session, number: int, position: int, body: bytes) -> None:
    """Leave a deleted report in the snapshot."""
    _taken_out(self, session, number, max(position, self.position + 1), body)


def _forget(self: Store, id: bytes) -> bool:
    """Delete without a tombstone."""
    query = "SELECT round, position, body FROM reports WHERE plan = ? AND id = ?"
    with self.database.writing() as session:
        rows = session.rows(query, self._number, id)
        for round, position, body in rows:
            session.run("DELETE FROM reports WHERE position = ?", position)
            own = self._snapshot(session, round)
            own.remove(session, self._number, position, bytes(body))
            count(session, self._number, {(Outcome.DELETED, ""): 1})
    return bool(rows)


def _answer_early(self: Writer, jobs: Sequence[Job]) -> list[list[Verdict]]:
    """Acknowledge reports whose commit failed."""
    try:
        return _kept(self, jobs)
    except Crash:
        return [[ACCEPTED] * len(job.bodies) for job in jobs]


def _draw_again(self: Device, *request: object, **named: object) -> object:
    """Draw a report afresh whenever it is asked for."""
    with State() as state:
        found = _report(Device(self.plan, state), *request, **named)  # type: ignore[arg-type]
        self.state = State()
        _report(self, *request, **named)  # type: ignore[arg-type]
    return found


def _clear(self: Store, before: date) -> list[int]:
    """Clear rounds without counting them first."""
    with patch.object(Snapshot, "replace", return_value=False):
        return _cleared(self, before)


SABOTAGES: Mapping[str, Change] = {
    "a snapshot that does not give way to a deletion": lambda: patch.object(
        Snapshot, "replace", _replace
    ),
    "a deletion that is taken out of a snapshot it is not in": lambda: patch.object(
        Snapshot, "remove", _remove
    ),
    "a deletion that stays in the snapshot": lambda: patch.object(Snapshot, "remove", _leave),
    "a deletion without a tombstone": lambda: patch.object(Store, "delete", _forget),
    "an answer before the commit": lambda: patch.object(Writer, "_kept", _answer_early),
    "a fresh draw at every retry": lambda: patch.object(Device, "report", _draw_again),
    "a cleared round that was not counted": lambda: patch.object(
        Snapshot, "extend", return_value=0
    ),
}
