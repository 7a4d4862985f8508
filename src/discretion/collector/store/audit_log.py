"""The audit log: what operators did, when, and by which token. It is only ever added to.

An act is noted in the transaction that does it.
"""

from typing import Any

from discretion.collector.store import clock
from discretion.collector.store.database import Database, Session

COMMAND, RETENTION = "command", "retention"  # actors without a token
_COLUMNS = ("number", "at", "actor", "act", "detail", "plan")


def note(session: Session, actor: str, act: str, detail: str, plan: str | None = None) -> None:
    """Note an act that concerns a plan, by its id, or all plans of the store."""
    at = clock.now().isoformat(timespec="seconds")
    insert = "INSERT INTO acts (at, actor, act, detail, plan) VALUES (?, ?, ?, ?, ?)"
    session.run(insert, at, actor, act, detail, plan)


def acts(database: Database, plan: str) -> list[dict[str, Any]]:
    """Return the acts that concern a plan, those for all plans included, in their order."""
    query = f"SELECT {', '.join(_COLUMNS)} FROM acts WHERE plan = ? OR plan IS NULL ORDER BY number"
    with database.reading() as session:
        return [dict(zip(_COLUMNS, row, strict=True)) for row in session.rows(query, plan)]
