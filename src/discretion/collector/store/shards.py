"""Shards: a report belongs to one by its id, and each shard has positions of its own.

Transactions that write in one shard come one after the other, so whoever has counted a shard up to
a position has missed nothing below it. Different shards have nothing in common. How many there are
is a property of the database, and never changes.
"""

import json
from collections.abc import Iterable, Sequence

from discretion.collector.outcome import Incoming
from discretion.collector.store.database import Session

LEAST = 500  # reports that a commit of its own is worth
Positions = tuple[int, ...]  # of each shard


def shard_of(id: bytes, shards: int) -> int:
    """Return the shard of a report; ids are hashes, so all get as many."""
    return id[0] % shards


def shards_of(ids: Iterable[bytes], shards: int) -> list[int]:
    """Return the shards of reports, in the order in which they are locked."""
    return sorted({shard_of(id, shards) for id in ids})


def heads(session: Session) -> Positions:
    """Return the newest position of each shard."""
    rows = session.rows("SELECT position FROM shards ORDER BY shard")
    return tuple(int(position) for (position,) in rows)


def packed(positions: Positions) -> str:
    """Return positions as a database keeps them."""
    return json.dumps(positions)


def unpacked(text: str) -> Positions:
    """Return positions that a database has kept."""
    return tuple(json.loads(text))


def parts_of(reports: Sequence[Incoming], shards: int) -> list[list[int]]:
    """Divide reports, by their indexes, into parts that can be committed side by side.

    A part has the reports of one shard, or of several while they are few. If a credential has
    reports in two parts, they stay together: which of them comes first must be plain.
    """
    if shards == 1 or len(reports) <= LEAST:
        return [list(range(len(reports)))]
    whole: list[list[int]] = [[] for _ in range(shards)]
    for i, report in enumerate(reports):
        whole[shard_of(report.id, shards)].append(i)
    parts: list[list[int]] = []
    for own in whole:
        if not parts or len(parts[-1]) >= LEAST:
            parts.append([])
        parts[-1] += own
    parts = [sorted(part) for part in parts if part]
    marks = [{reports[i].mark for i in part} - {None} for part in parts]
    apart = sum(map(len, marks)) == len(set[bytes | None]().union(*marks))
    return parts if apart else [list(range(len(reports)))]
