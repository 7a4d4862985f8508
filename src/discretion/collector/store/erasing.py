"""Erasing a report: its body goes, its id stays taken, and a removal says what to subtract.

That takes the same time however many reports are counted: the snapshot is not touched.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable

from discretion.collector.outcome import Outcome
from discretion.collector.store.counting import count
from discretion.collector.store.database import Session
from discretion.collector.store.shards import shard_of

Place = tuple[int, int]  # a plan by its number, and a round
_PLACES = "SELECT plan, round FROM rounds ORDER BY plan, round"
_WHERE = "WHERE plan = ? AND round = ? AND shard = ? AND id = ? AND body IS NOT NULL"
_REMOVE = (
    "INSERT INTO removals (plan, round, shard, position, body) "
    f"SELECT plan, round, shard, position, body FROM reports {_WHERE}"
)
_ERASE = f"UPDATE reports SET body = NULL {_WHERE}"


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
