"""The audit log: what operators did, when, and by which token. It is only ever added to.

An act is noted in the transaction that does it. A clock behind the latest day that the store has
seen cannot be right.
"""

from datetime import UTC, date, datetime
from typing import Any

from discretion.collector.store.database import Database, Session

COMMAND, RETENTION = "command", "retention"  # actors without a token
_COLUMNS = ("number", "at", "actor", "act", "detail", "plan")


def note(session: Session, actor: str, act: str, detail: str, plan: str | None = None) -> None:
    """Note an act that concerns a plan, by its id, or all plans of the store."""
    at = now().isoformat(timespec="seconds")
    insert = "INSERT INTO acts (at, actor, act, detail, plan) VALUES (?, ?, ?, ?, ?)"
    session.run(insert, at, actor, act, detail, plan)


def acts(database: Database, plan: str) -> list[dict[str, Any]]:
    """Return the acts that concern a plan, those for all plans included, in their order."""
    query = f"SELECT {', '.join(_COLUMNS)} FROM acts WHERE plan = ? OR plan IS NULL ORDER BY number"
    with database.reading() as session:
        return [dict(zip(_COLUMNS, row, strict=True)) for row in session.rows(query, plan)]


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


def today() -> date:
    """Return the day, in UTC: no clock is read more finely about reports."""
    return now().date()


def latest_day(session: Session) -> date:
    """Return the last day on which a report arrived or an operator acted."""
    seen = [
        *session.rows("SELECT max(day) FROM arrivals"),
        *session.rows("SELECT max(at) FROM acts"),
    ]
    return max(
        (date.fromisoformat(text[: len("2026-11-15")]) for (text,) in seen if text),
        default=date.min,
    )
