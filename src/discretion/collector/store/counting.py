"""The counters: how many reports had each outcome, in the transaction that decided it."""

from collections.abc import Mapping

from discretion.collector.outcome import Outcome
from discretion.collector.store.database import Session

Counts = Mapping[tuple[Outcome, str], int]  # by outcome, and by reason where refused
_MORE = (
    "INSERT INTO counters (plan, outcome, reason, count) VALUES (?, ?, ?, ?) "
    "ON CONFLICT (plan, outcome, reason) DO UPDATE SET count = counters.count + excluded.count"
)


def count(session: Session, plan: int, counts: Counts) -> None:
    """Add to the counters of a plan."""
    for (outcome, reason), more in counts.items():
        session.run(_MORE, plan, str(outcome), reason, more)
