"""Keeping reports: each is there once, whatever comes again, and in whatever order.

Counters of outcomes and of arrivals by day change in the transaction that decides about the
reports, under a shard that it has locked.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import date

from discretion.collector.outcome import ACCEPTED, Incoming, Outcome, Verdict, judge, refused
from discretion.collector.store.database import Key, Session
from discretion.errors import Refusal

INVITATION_USED = refused(Refusal.CREDENTIAL_USED, "this invitation was used")
OPEN, CLOSED, CLEARED = "open", "closed", "cleared"  # states of a round
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
_INVITED = "UPDATE invitations SET state = 'used' WHERE hash = ? AND state = 'open'"


def keep(
    session: Session, plan: int, states: Mapping[int, str], reports: Sequence[Incoming]
) -> list[Verdict]:
    """Insert the reports that may be, and judge all; of those with one key the first counts."""
    first: dict[Key, Incoming] = {}
    for report in reports:
        first.setdefault((report.round, report.id), report)
    if len(first) < len(reports) and any(report.mark is not None for report in reports):
        # What one credential may not send, another may: so they are taken one by one.
        return [keep(session, plan, states, [report])[0] for report in reports]
    kept, turned_away = _checked(session, plan, states, first)
    left = kept.keys() | turned_away.keys()
    fresh = [report for key, report in first.items() if key not in left] if left else first.values()
    kept |= _bodies(session, plan, session.insert(plan, list(fresh)))
    if not kept and not turned_away and len(first) == len(reports):
        return [ACCEPTED] * len(reports)  # as a rule
    return [_verdict(report, first, kept, turned_away) for report in reports]


def _verdict(
    report: Incoming,
    first: Mapping[Key, Incoming],
    kept: Mapping[Key, bytes | None],
    turned_away: Mapping[Key, Verdict],
) -> Verdict:
    key = report.round, report.id
    if key in turned_away:
        return turned_away[key]
    if key in kept:
        return judge(kept[key], report.body)
    return ACCEPTED if first[key] is report else judge(first[key].body, report.body)


def _checked(
    session: Session, plan: int, states: Mapping[int, str], first: Mapping[Key, Incoming]
) -> tuple[dict[Key, bytes | None], dict[Key, Verdict]]:
    """Return what is kept, and why others are turned away, where that is not plain.

    A round may not be open, or a credential may have been used; a retry of what was kept is a
    duplicate all the same.
    """
    shut = {round for round, _ in first if states.get(round) != OPEN}
    doubtful = {k: r for k, r in first.items() if r.mark is not None or r.round in shut}
    kept = _bodies(session, plan, doubtful.keys())
    turned_away = {}
    # Two that use the same credentials in other orders would wait for each other.
    for key, report in sorted(doubtful.items(), key=lambda own: own[1].mark or b""):
        if key not in kept:
            reason = _reason(session, plan, states.get(report.round), report)
            if reason is not None:
                turned_away[key] = reason
    return kept, turned_away


def _reason(session: Session, plan: int, state: str | None, report: Incoming) -> Verdict | None:
    if state is None:
        return refused(Refusal.ROUND_NOT_OPEN, f"round {report.round} is not open yet")
    if state != OPEN:
        return refused(Refusal.ROUND_CLOSED, f"round {report.round} is closed")
    if report.invited:
        return None if session.run(_INVITED, report.mark) else INVITATION_USED
    mark = "INSERT INTO marks (plan, round, mark) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    if session.run(mark, plan, report.round, report.mark):
        return None
    detail = f"this credential has reported in round {report.round}"
    return refused(Refusal.CREDENTIAL_USED, detail)


def _bodies(session: Session, plan: int, keys: Collection[Key]) -> dict[Key, bytes | None]:
    found: dict[Key, bytes | None] = {}
    for round in {round for round, _ in keys}:
        ids = [id for own, id in keys if own == round]
        kept = session.bodies(plan, round, ids)
        found.update({(round, id): body for id, body in kept.items()})
    return found


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
    both = zip(reports, verdicts, strict=True)
    rounds = Counter(report.round for report, verdict in both if verdict == ACCEPTED)
    for round, more in rounds.items():
        session.run(_ARRIVED, plan, round, shard, day.isoformat(), more)
