"""The audit log: what operators did, when, and by which token. It is only ever added to.

An act is noted in the transaction that does it.
"""

from typing import Any

from discretion.collector.store import clock
from discretion.collector.store.database import Database, Session

COMMAND, RETENTION = "command", "retention"  # actors without a token
_COLUMNS = ("number", "at", "actor", "act", "detail")


def note(session: Session, actor: str, act: str, detail: str) -> None:
    """Note an act."""
    at = clock.now().isoformat(timespec="seconds")
    insert = "INSERT INTO acts (at, actor, act, detail) VALUES (?, ?, ?, ?)"
    session.run(insert, at, actor, act, detail)


def acts(database: Database) -> list[dict[str, Any]]:
    """Return all acts, the first one first."""
    query = f"SELECT {', '.join(_COLUMNS)} FROM acts ORDER BY number"
    with database.reading() as session:
        return [dict(zip(_COLUMNS, row, strict=True)) for row in session.rows(query)]
