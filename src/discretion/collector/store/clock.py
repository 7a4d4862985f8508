"""The clock, and the latest day that a store has seen: a clock behind it cannot be right."""

from datetime import UTC, date, datetime

from discretion.collector.store.database import Session


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
