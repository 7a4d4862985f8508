"""Ways to break the collector: each must be seen by the simulation, or it would see nothing."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from unittest.mock import patch

from discretion.collector.outcome import ACCEPTED, Verdict
from discretion.collector.store import Store
from discretion.collector.store.database import Session
from discretion.collector.store.removals import erase, places
from discretion.collector.store.snapshot import Known, Snapshot
from discretion.collector.writer import Job, Writer
from discretion.device import Device, State
from tests.simulation.faults import Crash

Change = Callable[[], AbstractContextManager[object]]
_kept, _report = Writer._kept, Device.report
_replaced, _counted = Snapshot.replace, Snapshot.counted


def _replace(self: Snapshot, session: Session, counts: str) -> bool:
    """Forget a removal that came while the snapshot was made."""
    done = _replaced(self, session, counts)
    if done:
        session.run("DELETE FROM removals")
    return done


def _too_much(self: Snapshot) -> Known:
    """Subtract what is behind the snapshot, too."""
    return _counted(replace(self, removals=[(s, 0, body) for s, _, body in self.removals]))


def _too_little(self: Snapshot) -> Known:
    """Leave a deleted report in the snapshot."""
    return _counted(replace(self, removals=[]))


def _not_counted(self: Snapshot) -> Known:
    """Move the snapshot on without what is behind it."""
    return _counted(replace(self, tail=[]))


def _forget(self: Store, id: bytes) -> bool:
    """Delete without a tombstone."""
    with self.database.writing(range(self.database.shards)) as session:
        found = places(session, [id])
        erase(session, id, found.get(id, []))
        session.run("DELETE FROM reports WHERE id = ?", id)
    return bool(found)


def _answer_early(self: Writer, jobs: Sequence[Job]) -> list[list[Verdict] | Exception]:
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


SABOTAGES: Mapping[str, Change] = {
    "a removal that is forgotten though nobody saw it": lambda: patch.object(
        Snapshot, "replace", _replace
    ),
    "a deletion that is subtracted from a snapshot it is not in": lambda: patch.object(
        Snapshot, "counted", _too_much
    ),
    "a deletion that stays in the snapshot": lambda: patch.object(Snapshot, "counted", _too_little),
    "a deletion without a tombstone": lambda: patch.object(Store, "delete", _forget),
    "an answer before the commit": lambda: patch.object(Writer, "_kept", _answer_early),
    "a fresh draw at every retry": lambda: patch.object(Device, "report", _draw_again),
    "a cleared round that was not counted": lambda: patch.object(Snapshot, "counted", _not_counted),
}
