"""The audit log: what operators did, when, and by which token. It is only ever added to."""

from datetime import UTC, datetime
from typing import Any

from discretion.collector.store.database import Database


class Acts:
    """The acts of operators, in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, actor: str, act: str, detail: str) -> None:
        """Note an act that was done."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        insert = "INSERT INTO acts (at, actor, act, detail) VALUES (?, ?, ?, ?)"
        with self._database.writing() as session:
            session.run(insert, at, actor, act, detail)

    def listed(self) -> list[dict[str, Any]]:
        """Return all acts, the first one first."""
        columns = ("number", "at", "actor", "act", "detail")
        query = f"SELECT {', '.join(columns)} FROM acts ORDER BY number"
        with self._database.reading() as session:
            return [dict(zip(columns, row, strict=True)) for row in session.rows(query)]
