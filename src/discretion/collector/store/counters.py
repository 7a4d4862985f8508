"""The counters: how many reports had each outcome, and how many came on a day.

They change in the transaction that decides about the reports, under a shard that it has locked.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date

from discretion.collector.outcome import ACCEPTED, Incoming, Outcome, Verdict
from discretion.collector.store.database import Session

Counts = Mapping[tuple[Outcome, str], int]  # by outcome, and by reason where refused
_MORE = (
    "INSERT INTO counters (plan, shard, outcome, reason, count) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (plan, shard, outcome, reason) "
    "DO UPDATE SET count = counters.count + excluded.count"
)
_ARRIVED = (
    "INSERT INTO arrivals (plan, round, shard, day, count) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (plan, round, shard, day) "
    "DO UPDATE SET count = arrivals.count + excluded.count"
)


def count(session: Session, plan: int, shard: int, counts: Counts) -> None:
    """Add to the counters of a plan."""
    for (outcome, reason), more in counts.items():
        session.run(_MORE, plan, shard, str(outcome), reason, more)


def note_arrivals(
    session: Session,
    plan: int,
    shard: int,
    day: date,
    reports: Sequence[Incoming],
    verdicts: Sequence[Verdict],
) -> None:
    """Add what was accepted to the day."""
    rounds = Counter(
        report.round
        for report, verdict in zip(reports, verdicts, strict=True)
        if verdict == ACCEPTED
    )
    for round, more in rounds.items():
        session.run(_ARRIVED, plan, round, shard, day.isoformat(), more)
