"""What every store does, SQLite and PostgreSQL alike, through the store itself."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Never

import psycopg
import pytest

from discretion.aggregate import Aggregate
from discretion.budget import Budget
from discretion.collector.errors import SettingError, StoreUnavailable, StoreVersion
from discretion.collector.invitations import Invitations, State
from discretion.collector.outcome import (
    ACCEPTED,
    CONFLICT,
    DELETED,
    DUPLICATE,
    Incoming,
    Outcome,
    Verdict,
    refused,
)
from discretion.collector.store import (
    Round,
    Store,
    audit_log,
    columns,
    open_database,
    open_store,
    settle,
)
from discretion.collector.store import store as stores
from discretion.collector.store.audit_log import acts
from discretion.collector.store.database import Session, migrations
from discretion.collector.store.insertion import INVITATION_USED
from discretion.collector.store.shards import unpacked
from discretion.collector.store.sqlite import APPLICATION
from discretion.collector.store.store import known_plans
from discretion.collector.tokens import Role, Token, Tokens, hashed
from discretion.device import Device
from discretion.errors import Refusal, RoundError
from discretion.plan import Plan
from discretion.report import LAST_ROUND
from discretion.table import ReportTable
from tests.collector.serving import (
    Sealed,
    people,
    sealed,
    secret_people,
)
from tests.plans import coded_commuters

DAY = date(2026, 11, 15)
AFTER = DAY + timedelta(days=1)
DATABASES = ("sqlite", "postgres")
NOT_OPEN = refused(Refusal.ROUND_NOT_OPEN, "round 1 is not open yet")
CLOSED = refused(Refusal.ROUND_CLOSED, "round 0 is closed")
USED = refused(Refusal.CREDENTIAL_USED, "this credential has reported in round 0")


@pytest.fixture(autouse=True)
def clock_on_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, so that no report arrives after the day on which its round is closed."""
    monkeypatch.setattr(audit_log, "now", lambda: datetime.combine(DAY, time(12), UTC))


@pytest.fixture(params=DATABASES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return str(request.getfixturevalue("postgres"))
    return f"sqlite:///{tmp_path}/reports.db"


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    found = open_store(address, people())
    yield found
    found.close()


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any tail is long enough for a snapshot."""
    monkeypatch.setattr(stores, "LONG", 1)


@cache
def crowd(round: int = 0) -> tuple[Sealed, ...]:
    """Twelve owners with different values, levels and gaps."""
    return tuple(sealed(people(), who, round) for who in range(12))


def sent(*reports: Sealed, mark: bytes | None = None, invited: bool = False) -> list[Incoming]:
    return [Incoming(r.round, r.id, r.body, mark, invited) for r in reports]


@cache
def forged(report: Sealed) -> Sealed:
    """Another valid report under the same id."""
    other = sealed(people(), 500, report.round)
    body = other.body.replace(other.id.hex().encode(), report.id.hex().encode())
    return replace(report, body=body)


def recount(reports: Sequence[Sealed], plan: Plan | None = None, round: int = 0) -> str:
    plan = plan or people()
    whole = Aggregate(plan, round)
    table = ReportTable.from_reports(plan, [r.body for r in reports])
    assert len(table) == len(reports)
    whole.add(table)
    return whole.to_json()


def bodies(store: Store, round: int = 0) -> list[bytes]:
    return sorted(body for part in store.reports(round) for body in part)


def assert_holds(store: Store, reports: Sequence[Sealed], round: int = 0) -> None:
    """The rows, the columns and the aggregate are of these reports, and no others."""
    assert bodies(store, round) == sorted(r.body for r in reports)
    columns = store.table(round).to_reports()
    assert sorted(report.to_bytes() for report in columns) == bodies(store, round)
    assert store.aggregate(round).to_json() == recount(reports, store.plan, round)


def counts(store: Store) -> dict[str, int]:
    """What is counted, in all and for each reason; without what never happened."""
    found = store.counters()
    return {
        str(outcome) + (f":{reason}" if reason else ""): count
        for outcome, reasons in found.items()
        for reason, count in reasons.items()
    }


def test_a_new_store_has_an_open_round_and_nothing_in_it(store: Store) -> None:
    assert store.rounds() == [Round(0, "open", None)]
    assert store.counters() == {outcome: {} for outcome in Outcome}
    assert_holds(store, [])


def test_what_is_accepted_is_counted_on_its_day(store: Store) -> None:
    store.open_round(1)
    store.put(sent(*crowd()[:4]), day=DAY)
    store.put(sent(*crowd()[:6], *crowd(1)[:3]), day=AFTER)
    store.put(sent(forged(crowd()[0])), day=AFTER)
    store.delete(crowd()[0].id)
    assert (store.arrivals(0), store.arrivals(1)) == ({DAY: 4, AFTER: 2}, {AFTER: 3})
    assert store.arrivals(2) == {}


def test_a_report_is_kept_once_and_its_retry_is_a_duplicate(store: Store) -> None:
    assert store.put(sent(*crowd())) == [ACCEPTED] * 12
    assert store.put(sent(*reversed(crowd()))) == [DUPLICATE] * 12
    assert_holds(store, crowd())
    assert counts(store) == {"accepted": 12, "duplicate": 12}


def test_of_two_reports_with_one_id_the_first_stays(store: Store) -> None:
    first = crowd()[0]
    assert store.put(sent(first)) == [ACCEPTED]
    assert store.put(sent(forged(first))) == [CONFLICT]
    assert store.put(sent(first)) == [DUPLICATE]
    assert_holds(store, [first])
    assert counts(store) == {"accepted": 1, "conflict": 1, "duplicate": 1}


def test_in_one_batch_the_first_of_an_id_counts_and_the_others_are_judged_by_it(
    store: Store,
) -> None:
    a, b, c = crowd()[:3]
    batch = sent(a, b, a, forged(b), forged(c), c, forged(c))
    expected = [ACCEPTED, ACCEPTED, DUPLICATE, CONFLICT, ACCEPTED, CONFLICT, DUPLICATE]
    assert store.put(batch) == expected
    assert_holds(store, [a, b, forged(c)])
    assert counts(store) == {"accepted": 3, "duplicate": 2, "conflict": 2}


def test_a_batch_may_mix_what_is_new_with_what_is_kept_deleted_and_too_early(store: Store) -> None:
    old, gone, new, early = *crowd()[:3], crowd(1)[3]
    store.put(sent(old, gone))
    store.delete(gone.id)
    expected = [NOT_OPEN, DUPLICATE, DELETED, ACCEPTED, DELETED, CONFLICT, DUPLICATE]
    batch = sent(early, old, gone, new, forged(gone), forged(old), new)
    assert store.put(batch) == expected
    assert_holds(store, [old, new])


@pytest.mark.parametrize("size", [1, 15, 16, 17, 127, 128, 129, 300])
def test_a_batch_of_any_size_reports_which_reports_were_there(store: Store, size: int) -> None:
    """SQLite inserts in parts of several sizes."""
    batch = [
        Incoming(0, i.to_bytes(16, "big"), b"body %d" % i) for i in sorted(range(size), key=hash)
    ]
    known = [r for i, r in enumerate(batch) if i % 3 == 1]
    assert store.put(known) == [ACCEPTED] * len(known)
    found = store.put(batch)
    assert found == [DUPLICATE if r in known else ACCEPTED for r in batch]
    assert bodies(store) == sorted(r.body for r in batch)


def test_an_empty_batch_only_adds_its_counters(store: Store) -> None:
    assert store.put([], {(Outcome.REFUSED, "not_json"): 2}) == []
    assert store.put(sent(crowd()[0]), {(Outcome.REFUSED, "not_json"): 1}) == [ACCEPTED]
    assert counts(store) == {"accepted": 1, "refused:not_json": 3}


def test_one_id_may_stand_in_two_rounds(store: Store) -> None:
    store.open_round(1)
    a = crowd()[0]
    b = replace(a, round=1, body=a.body.replace(b'"round":0', b'"round":1'))
    assert store.put(sent(a, b)) == [ACCEPTED, ACCEPTED]
    assert_holds(store, [a])
    assert_holds(store, [b], round=1)
    assert store.delete(a.id)  # the receipt is the same
    assert_holds(store, [])
    assert_holds(store, [], round=1)
    assert counts(store) == {"accepted": 2, "deleted": 2}


def test_a_round_that_is_not_open_yet_takes_nothing_and_opens_later(store: Store) -> None:
    assert store.put(sent(crowd(1)[0])) == [NOT_OPEN]
    with pytest.raises(RoundError, match="round 1 was never opened"):
        store.aggregate(1)
    with pytest.raises(RoundError, match="round 1 was never opened"):
        list(store.reports(1))
    with pytest.raises(RoundError, match="round 1 was never opened"):
        store.close_round(1, DAY)
    store.open_round(1)
    store.open_round(1)
    assert store.put(sent(crowd(1)[0])) == [ACCEPTED]
    assert_holds(store, [crowd(1)[0]], round=1)
    assert counts(store) == {"accepted": 1, "refused:round_not_open": 1}


def test_a_closed_round_takes_nothing_more_but_a_retry_is_a_duplicate_still(store: Store) -> None:
    kept, gone, late = crowd()[:3]
    store.put(sent(kept, gone))
    store.close_round(0, DAY)
    store.delete(gone.id)
    batch = sent(kept, gone, late, forged(kept), late)
    assert store.put(batch) == [DUPLICATE, DELETED, CLOSED, CONFLICT, CLOSED]
    assert_holds(store, [kept])
    with pytest.raises(RoundError, match="never opened again"):
        store.open_round(0)
    store.close_round(0, AFTER)  # again: nothing changes
    assert store.rounds() == [Round(0, "closed", DAY.isoformat())]


@pytest.mark.parametrize("round", [-1, LAST_ROUND + 1])
def test_a_round_beyond_the_format_cannot_be_opened(store: Store, round: int) -> None:
    with pytest.raises(RoundError, match="must be 0 to"):
        store.open_round(round)


def test_the_last_round_of_the_format_works(store: Store) -> None:
    last = sealed(people(), 1, LAST_ROUND)
    store.open_round(LAST_ROUND)
    assert store.put(sent(last)) == [ACCEPTED]
    assert_holds(store, [last], round=LAST_ROUND)


def test_a_credential_reports_once_in_a_round(store: Store) -> None:
    first, second, next_round = crowd()[0], crowd()[1], crowd(1)[0]
    assert store.put(sent(first, mark=b"m0")) == [ACCEPTED]
    assert store.put(sent(second, mark=b"m0")) == [USED]
    assert store.put(sent(first, mark=b"m0")) == [DUPLICATE]  # a retry all the same
    assert store.put(sent(forged(first), mark=b"m0")) == [CONFLICT]
    assert store.put(sent(second, mark=b"m1")) == [ACCEPTED]
    store.open_round(1)
    assert store.put(sent(next_round, mark=b"m0")) == [ACCEPTED]
    assert_holds(store, [first, second])
    assert counts(store)["refused:credential_used"] == 1


def test_a_credential_reports_once_in_a_batch_too(store: Store) -> None:
    a, b, c = crowd()[:3]
    batch = [*sent(a, b, a, b, mark=b"m"), *sent(c)]
    assert store.put(batch) == [ACCEPTED, USED, DUPLICATE, USED, ACCEPTED]
    assert_holds(store, [a, c])


def test_a_credential_is_not_used_up_by_what_was_not_taken(store: Store) -> None:
    early, kept = crowd(1)[0], crowd()[0]
    store.put(sent(kept))
    assert store.put(sent(early, mark=b"m")) == [NOT_OPEN]
    assert store.put(sent(kept, forged(kept), mark=b"m")) == [DUPLICATE, CONFLICT]
    store.open_round(1)
    assert store.put(sent(early, mark=b"m")) == [ACCEPTED]


def test_who_deleted_her_report_does_not_report_again_in_the_round(store: Store) -> None:
    first, second = crowd()[:2]
    store.put(sent(first, mark=b"m"))
    store.delete(first.id)
    assert store.put(sent(second, mark=b"m")) == [USED]
    assert store.put(sent(first, mark=b"m")) == [DELETED]


def test_who_reported_is_forgotten_when_the_round_closes(store: Store) -> None:
    def marks() -> list[int]:
        with store.database.reading() as session:
            return [row[0] for row in session.rows("SELECT round FROM marks ORDER BY round")]

    store.open_round(1)
    store.put(sent(crowd()[0], mark=b"m") + sent(crowd(1)[0], mark=b"n"))
    assert marks() == [0, 1]
    store.close_round(0, DAY)
    assert marks() == [1]


def test_an_invitation_sends_one_report_in_all(store: Store) -> None:
    first, second, next_round = crowd()[0], crowd()[1], crowd(1)[0]
    invitations = Invitations(store.database)
    code, gone = invitations.make(2, "town", store.plan.id)
    with pytest.raises(SettingError, match="another list's"):
        invitations.make(1, "town", store.plan.id)
    assert invitations.revoke([gone, gone, "unknown"]) == 1
    mark = hashed(code)
    assert store.put(sent(next_round, mark=mark, invited=True)) == [NOT_OPEN]
    assert store.put(sent(first, second, mark=mark, invited=True)) == [ACCEPTED, INVITATION_USED]
    assert store.put(sent(first, mark=mark, invited=True)) == [DUPLICATE]
    store.delete(first.id)
    store.open_round(1)
    assert store.put(sent(next_round, mark=mark, invited=True)) == [INVITATION_USED]
    assert store.put(sent(second, mark=hashed(gone), invited=True)) == [INVITATION_USED]
    store.close_round(0, DAY)
    assert invitations.state(code, [store.plan.id]) is State.USED
    assert invitations.state(code, ["0" * 64]) is None
    [own] = invitations.lists()
    assert (own.name, own.counts) == ("town", {State.USED: 1, State.REVOKED: 1})


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("counted", [0, 7, 12])
def test_a_deleted_report_leaves_every_count(store: Store, counted: int) -> None:
    """``counted`` of the reports are in the snapshot, the others behind it."""
    if counted:
        store.put(sent(*crowd()[:counted]))
        store.aggregate(0)
    if counted < 12:
        store.put(sent(*crowd()[counted:]))
    left = list(crowd())
    for gone in (crowd()[0], crowd()[11], crowd()[6]):
        assert store.delete(gone.id)
        left.remove(gone)
        assert_holds(store, left)
    assert counts(store) == {"accepted": 12, "deleted": 3}


@pytest.mark.usefixtures("eager")
def test_deletion_is_once_and_its_id_stays_taken(store: Store) -> None:
    gone, kept = crowd()[:2]
    store.put(sent(gone, kept))
    store.aggregate(0)
    assert not store.delete(crowd()[5].id)
    assert store.delete(gone.id)
    assert store.delete(gone.id)  # a retry: it is deleted
    assert store.put(sent(gone, forged(gone))) == [DELETED, DELETED]
    assert_holds(store, [kept])
    assert counts(store) == {"accepted": 2, "deleted": 1, "refused:deleted": 2}


@pytest.mark.usefixtures("eager")
def test_when_all_are_deleted_the_aggregate_is_that_of_nobody(store: Store) -> None:
    store.put(sent(*crowd()))
    store.aggregate(0)
    for report in crowd():
        store.delete(report.id)
    assert_holds(store, [])
    store.aggregate(0)
    store.put(sent(sealed(people(), 40)))
    assert store.aggregate(0).counted("who")[20_000].n == 1


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("plan", [secret_people(), coded_commuters()], ids=lambda p: p.name)
def test_reports_of_other_kinds_are_counted_and_deleted_too(address: str, plan: Plan) -> None:
    reports = []
    for who in range(6):
        if plan.secret:
            reports.append(sealed(plan, who))
            continue
        device = Device(plan)
        drawn = device.report({"mode": "bus"}, Budget.of(plan, {"mode": (1.0, 2.0)[who % 2]}))
        id = bytes.fromhex(drawn.id)
        reports.append(Sealed(0, id, drawn.to_bytes(), device.receipt() or b""))
        device.state.close()
    store = open_store(address, plan)
    store.put(sent(*reports))
    assert_holds(store, reports)
    for i, report in enumerate(reports):
        store.delete(report.id)
        assert_holds(store, reports[i + 1 :])
    store.close()


def test_only_a_long_tail_becomes_part_of_the_snapshot(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "LONG", 5)
    store.put(sent(*crowd()[:4]))
    store.aggregate(0)
    assert _snapshot(store) == (0, 0, None)
    store.put(sent(crowd()[4]))
    store.aggregate(0)
    assert _snapshot(store) == (5, 1, recount(crowd()[:5]))
    store.put(sent(*crowd()[5:8]))
    assert_holds(store, crowd()[:8])
    assert _snapshot(store) == (5, 1, recount(crowd()[:5]))


def _snapshot(store: Store) -> tuple[int, int, str | None]:
    """Return how many positions it counts in all shards, its revision, and the counts."""
    with store.database.reading() as session:
        query = "SELECT positions, revision, aggregate FROM snapshots WHERE round = 0"
        positions, revision, aggregate = session.rows(query)[0]
    return sum(unpacked(positions)), revision, aggregate


def _removals(store: Store) -> list[bytes]:
    """Return the bodies that are still to be subtracted, of any plan."""
    with store.database.reading() as session:
        return sorted(bytes(row[0]) for row in session.rows("SELECT body FROM removals"))


def before_the_next_write(
    store: Store, act: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> list[bool]:
    """Let somebody else write just before the store does; tell whether that happened."""
    writing, done = store.database.writing, list[bool]()

    @contextmanager
    def late(shards: Iterable[int] = (), *, wait: bool = True) -> Iterator[Session]:
        if not done:
            done.append(True)
            act()
        with writing(shards, wait=wait) as session:
            yield session

    monkeypatch.setattr(store.database, "writing", late)
    return done


@pytest.mark.usefixtures("eager")
def test_a_deletion_beside_a_snapshot_in_the_making_is_subtracted_from_it(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The snapshot counts the report; its removal stays, for whoever reads next."""
    store.put(sent(*crowd()))
    with_other = open_store(address, people())
    gone, *left = crowd()
    done = before_the_next_write(store, lambda: with_other.delete(gone.id), monkeypatch)
    assert store.aggregate(0).to_json() == recount(crowd())  # as it was when it was asked for
    assert done
    assert _snapshot(store) == (12, 1, recount(crowd()))
    assert _removals(store) == [gone.body]
    assert_holds(store, left)
    assert _snapshot(store) == (12, 2, recount(left))
    assert _removals(store) == []
    with_other.close()


@pytest.mark.usefixtures("eager")
def test_of_two_snapshots_in_the_making_one_is_kept(
    store: Store, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put(sent(*crowd()[:6]))
    other = open_store(address, people())

    def quicker() -> None:
        other.put(sent(*crowd()[6:]))
        other.aggregate(0)

    done = before_the_next_write(store, quicker, monkeypatch)
    assert store.aggregate(0).to_json() == recount(crowd()[:6])
    assert done
    assert _snapshot(store)[0] == 12
    assert_holds(store, crowd())
    other.close()


@pytest.mark.usefixtures("eager")
def test_a_cleared_round_keeps_its_aggregate_and_no_reports(store: Store) -> None:
    store.open_round(1)
    store.put(sent(*crowd(), *crowd(1)))
    store.aggregate(0)
    store.delete(crowd()[0].id)
    store.close_round(0, DAY)
    whole = recount(crowd()[1:])
    assert store.clear(before=DAY) == []  # not yet
    assert_holds(store, crowd()[1:])
    assert store.clear(before=AFTER) == [0]
    assert store.aggregate(0).to_json() == whole
    assert bodies(store) == []
    assert_holds(store, crowd(1), round=1)
    assert [r.state for r in store.rounds()] == ["cleared", "open"]
    assert store.put(sent(crowd()[0], crowd()[1])) == [CLOSED, CLOSED]
    assert not store.delete(crowd()[1].id)
    assert store.clear(before=AFTER) == []
    assert store.aggregate(0).to_json() == whole
    with pytest.raises(RoundError, match="never opened again"):
        store.open_round(0)
    store.close_round(0, AFTER)
    assert store.rounds()[0] == Round(0, "cleared", DAY.isoformat())


def test_an_empty_round_is_cleared_too(store: Store) -> None:
    store.close_round(0, DAY)
    assert store.clear(before=AFTER) == [0]
    assert_holds(store, [])


def test_a_sweep_that_broke_off_is_resumed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The round is cleared, rows are there: they are not counted twice, and go next time."""
    parts = store.database.shards == 1  # a file is swept in parts, and partitions go at once
    monkeypatch.setattr(stores, "CHUNK", 5)
    store.put(sent(*crowd()))
    store.close_round(0, DAY)
    writing, transactions = store.database.writing, list[int]()

    @contextmanager
    def breaking(shards: Iterable[int] = (), *, wait: bool = True) -> Iterator[Session]:
        transactions.append(1)
        if len(transactions) == 2 + parts:
            raise StoreUnavailable("here", "broken off")
        with writing(shards, wait=wait) as session:
            yield session

    monkeypatch.setattr(store.database, "writing", breaking)
    with pytest.raises(StoreUnavailable):
        store.clear(before=AFTER)
    left = [r for r in crowd() if r.body in bodies(store)]
    assert len(left) == (7 if parts else 12)
    assert store.aggregate(0).to_json() == recount(crowd())
    assert store.put(sent(left[0])) == [DUPLICATE]
    assert store.delete(left[0].id)
    rest = [r for r in crowd() if r is not left[0]]
    assert store.aggregate(0).to_json() == recount(rest)
    assert store.clear(before=AFTER) == []
    assert bodies(store) == []
    assert store.aggregate(0).to_json() == recount(rest)


def test_a_rehearsal_leaves_nothing(store: Store) -> None:
    for size in (1, 300_000):
        store.database.rehearse(size)
    assert acts(store.database, store.plan.id) == []
    assert store.put(sent(*crowd())) == [ACCEPTED] * len(crowd())


def test_a_store_that_cannot_be_written_fails_the_rehearsal(store: Store) -> None:
    with store.database.writing() as session:
        session.run("ALTER TABLE acts RENAME TO gone")
    with pytest.raises(StoreUnavailable):
        store.database.rehearse(1)


def test_progress_and_room_are_known(store: Store) -> None:
    reached, _ = store.database.resume()
    assert reached == (0, 0, 0)
    store.put(sent(*crowd()))
    store.delete(crowd()[0].id)
    store.open_round(1)
    reached, before = store.database.resume()
    assert reached == before
    assert reached == (len(crowd()), 1, 1)
    assert store.database.disk_usage().store > 4096


def test_the_lag_is_what_the_next_question_has_to_count(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "LONG", 1)
    assert store.lag() == 0
    store.put(sent(*crowd()))
    assert store.lag() == len(crowd())
    store.open_round(1)
    store.aggregate(0)
    assert store.lag() == 0
    store.put(sent(sealed(people(), 77, 1)))
    assert store.lag() == 1
    store.close_round(0, DAY)
    store.close_round(1, DAY)
    assert store.lag() == 0


def test_a_day_before_the_last_arrival_is_not_believed_and_clears_nothing(store: Store) -> None:
    store.put(sent(*crowd()))
    wrong = DAY - timedelta(days=400)
    for _ in range(2):  # a retry confirms nothing
        store.close_round(0, wrong)
        assert store.rounds() == [Round(0, "closed", None)]
        assert store.clear(before=AFTER + timedelta(days=9999)) == []
    store.close_round(0, DAY)
    assert store.rounds() == [Round(0, "closed", DAY.isoformat())]
    assert store.clear(before=AFTER) == [0]


def test_a_day_before_the_last_act_is_not_believed(store: Store) -> None:
    store.open_round(1)
    store.close_round(0, DAY - timedelta(days=1))
    assert store.rounds()[0] == Round(0, "closed", None)


def test_an_operator_may_name_the_day_of_a_closed_round(store: Store) -> None:
    store.put(sent(*crowd()))
    store.close_round(0, DAY + timedelta(days=9999))
    store.close_round(0, DAY - timedelta(days=1), "me", confirmed=True)
    assert store.clear(before=DAY) == [0]
    store.close_round(0, AFTER, confirmed=True)  # too late
    assert store.rounds() == [Round(0, "cleared", (DAY - timedelta(days=1)).isoformat())]
    assert [a["detail"] for a in acts(store.database, store.plan.id)] == [
        "round 0",
        "round 0 on 2026-11-14",
        "round 0",
    ]


def test_a_round_closed_on_a_later_day_than_now_waits(store: Store) -> None:
    """Clocks go back."""
    store.close_round(0, AFTER)
    assert store.clear(before=DAY) == []
    assert store.clear(before=AFTER + timedelta(days=1)) == [0]


@pytest.mark.usefixtures("eager")
def test_positions_are_not_given_again_after_a_sweep(store: Store) -> None:
    store.open_round(1)
    store.put(sent(*crowd()[:3]))
    store.put(sent(*crowd(1)))
    store.aggregate(1)
    store.close_round(0, DAY)
    store.close_round(1, DAY)
    store.clear(before=AFTER)
    store.open_round(2)
    store.put(sent(*crowd(2)))
    assert_holds(store, crowd(2), round=2)
    assert store.aggregate(1).to_json() == recount(crowd(1), round=1)


@pytest.mark.usefixtures("eager")
def test_everything_is_there_when_the_store_is_opened_again(address: str) -> None:
    store = open_store(address, people())
    store.open_round(1)
    store.put(sent(*crowd()), {(Outcome.REFUSED, "not_json"): 1})
    store.aggregate(0)
    store.delete(crowd()[0].id)
    store.close_round(1, DAY)
    rounds, counted = store.rounds(), counts(store)
    store.close()
    again = open_store(address, people())
    assert (again.rounds(), counts(again)) == (rounds, counted)
    assert_holds(again, crowd()[1:])
    assert again.put(sent(crowd()[0], crowd()[1])) == [DELETED, DUPLICATE]
    again.close()


def test_a_store_whose_first_round_is_closed_does_not_open_it_again(address: str) -> None:
    store = open_store(address, people())
    store.close_round(0, DAY)
    store.close()
    again = open_store(address, people())
    assert again.rounds() == [Round(0, "closed", DAY.isoformat())]
    again.close()


@pytest.mark.usefixtures("eager")
def test_many_plans_share_a_database_and_nothing_else(address: str) -> None:
    one, two = open_store(address, people()), open_store(address, people("others"))
    theirs = [sealed(two.plan, who) for who in range(4)]
    theirs.append(replace(theirs[0], id=crowd()[0].id))  # another plan's report has the same id
    assert one.put(sent(*crowd())) == [ACCEPTED] * 12
    assert two.put([Incoming(0, r.id, r.body, b"m") for r in theirs[4:]]) == [ACCEPTED]
    assert two.put(sent(*theirs[1:4])) == [ACCEPTED] * 3
    one.open_round(1)
    assert [r.round for r in two.rounds()] == [0]
    assert_holds(one, crowd())
    two.close_round(0, DAY)
    two.clear(before=AFTER)
    assert one.delete(crowd()[0].id)
    assert_holds(one, crowd()[1:])
    assert counts(one) == {"accepted": 12, "deleted": 1}
    assert counts(two) == {"accepted": 4}
    one.close()
    two.close()
    again = open_store(address, people("others"))
    assert counts(again) == {"accepted": 4}
    again.close()


@pytest.mark.usefixtures("eager")
def test_a_report_under_an_earlier_plan_is_deleted_by_its_receipt(address: str) -> None:
    """The collector has another plan by now; what is counted under the first one changes too."""
    one = open_store(address, people())
    one.put(sent(*crowd()))
    one.aggregate(0)
    one.close()
    two = open_store(address, people("others"))
    assert two.delete(crowd()[0].id)
    assert two.delete(crowd()[0].id)
    assert not two.delete(bytes(16))
    assert counts(two) == {}
    two.close()
    again = open_store(address, people())
    assert_holds(again, crowd()[1:])
    assert counts(again) == {"accepted": 12, "deleted": 1}
    again.close()


@pytest.mark.usefixtures("eager")
def test_two_stores_on_one_database_at_once(address: str) -> None:
    """Both are sent the same reports by several threads: each is accepted once."""
    both = open_store(address, people()), open_store(address, people())
    reports = [sealed(people(), who) for who in range(60)]

    def work(worker: int) -> list[Verdict]:
        own, found = both[worker % 2], list[Verdict]()
        for start in range(0, 60, 5):
            found += own.put(sent(*reports[start : start + 5]))
            own.aggregate(0)
        return found

    with ThreadPoolExecutor(4) as pool:
        verdicts = list(pool.map(work, range(4)))
    for answers in zip(*verdicts, strict=True):
        assert sorted(answers) == sorted([ACCEPTED, DUPLICATE, DUPLICATE, DUPLICATE])
    for store in both:
        assert_holds(store, reports)
        assert counts(store) == {"accepted": 60, "duplicate": 180}
        store.close()


@pytest.mark.usefixtures("eager")
def test_a_deletion_beside_snapshots_and_uploads_is_never_counted(address: str) -> None:
    both = open_store(address, people()), open_store(address, people())
    reports = [sealed(people(), who) for who in range(60)]

    def upload() -> None:
        for report in reports:
            both[0].put(sent(report))

    def count() -> None:
        for _ in range(40):
            both[1].aggregate(0)

    def delete() -> None:
        for report in reports[::2]:
            while not both[1].delete(report.id):
                pass

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(act) for act in (upload, count, delete)]:
            done.result()
    for store in both:
        assert_holds(store, reports[1::2])
        assert counts(store) == {"accepted": 60, "deleted": 30}
        store.close()


def test_a_reading_sees_one_moment(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "BATCH", 2)
    store.put(sent(*crowd()[:6]))
    reading = store.reports(0)
    found = next(reading)
    store.put(sent(*crowd()[6:]))
    store.delete(crowd()[5].id)
    store.close_round(0, DAY)
    store.clear(before=AFTER)
    for part in reading:
        found += part
    assert sorted(found) == sorted(r.body for r in crowd()[:6])
    assert store.clear(before=AFTER) == []  # what was being read is swept by now
    assert bodies(store) == []


def test_a_reading_that_is_given_up_holds_nothing_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns, "BATCH", 2)
    store.put(sent(*crowd()))
    reading = store.reports(0)
    next(reading)
    del reading
    store.delete(crowd()[0].id)
    assert_holds(store, crowd()[1:])


def test_a_write_that_fails_leaves_nothing(store: Store) -> None:
    class Stop(Exception):
        pass

    def fail() -> None:
        with store.database.writing() as session:
            session.run("DELETE FROM rounds")
            raise Stop

    with pytest.raises(Stop):
        fail()
    assert store.rounds() == [Round(0, "open", None)]
    assert store.put(sent(*crowd())) == [ACCEPTED] * 12


def test_tokens_and_acts_are_beside_the_reports(store: Store) -> None:
    tokens = Tokens(store.database)
    secret = tokens.make("me", frozenset({Role.ANALYSE, Role.OPERATE}))
    with pytest.raises(SettingError, match="must not be another token's"):
        tokens.make("me", frozenset({Role.UPLOAD}))
    found = tokens.find(secret, store.plan.id)
    assert found is not None
    assert found.name == "me"
    assert sorted(found.roles) == [Role.ANALYSE, Role.OPERATE]
    assert tokens.find(secret + "x", store.plan.id) is None
    with store.database.reading() as session:
        assert secret not in str(session.rows("SELECT * FROM tokens"))
    assert tokens.revoke("me")
    assert not tokens.revoke("me")
    assert tokens.find(secret, store.plan.id) is None
    with pytest.raises(RoundError):
        store.close_round(5, DAY, "me")
    store.open_round(1, "me")
    store.open_round(1, "me")  # what changes nothing is no act
    for _ in range(2):
        store.close_round(1, DAY, "me")
        assert store.clear(AFTER) in ([1], [])
    assert [(a["actor"], a["act"], a["detail"]) for a in acts(store.database, store.plan.id)] == [
        ("command", "token", "new me: analyse,operate"),
        ("command", "token", "revoke me"),
        ("me", "open", "round 1"),
        ("me", "close", "round 1"),
        ("retention", "clear", "round 1"),
    ]


def test_tokens_and_acts_of_a_plan_are_not_those_of_another(store: Store) -> None:
    plan, other = store.plan.id, Store(store.database, people("other"))
    tokens = Tokens(store.database)
    own = tokens.make("own", frozenset({Role.ANALYSE}), plan)
    whole = tokens.make("whole", frozenset({Role.ANALYSE}))
    later = tokens.make("later", frozenset({Role.ANALYSE}), "0" * 64)  # of a plan to come
    secrets, ids = {"own": own, "whole": whole, "later": later}, (plan, other.plan.id)
    known = {
        (name, ids.index(id))
        for name, secret in secrets.items()
        for id in ids
        if tokens.find(secret, id)
    }
    assert known == {("own", 0), ("whole", 0), ("whole", 1)}
    assert [(token.name, token.plan) for token in tokens.listed()] == [
        ("later", "0" * 64),
        ("own", plan),
        ("whole", None),
    ]
    assert tokens.revoke("own")
    assert tokens.find(own, plan) is None
    store.open_round(3, "whole")
    other.open_round(4, "whole")
    shown = [[(a["detail"], a["plan"]) for a in acts(store.database, id)] for id in ids]
    assert shown == [
        [
            ("new own: analyse", plan),
            ("new whole: analyse", None),
            ("revoke own", plan),
            ("round 3", plan),
        ],
        [("new whole: analyse", None), ("round 4", other.plan.id)],
    ]
    names = {id: known.name for id, known in known_plans(store.database).items()}
    assert names == {plan: "people", other.plan.id: "other"}


def test_an_address_is_of_one_of_the_two_kinds() -> None:
    for address in ("reports.db", "sqlite:///", "mysql://there/x"):
        with pytest.raises(SettingError, match="store must be sqlite:///FILE or postgresql://"):
            open_database(address)


def test_both_databases_have_the_same_history() -> None:
    assert len(migrations("sqlite")) == len(migrations("postgres")) >= 1


def _version(address: str, version: int | None = None) -> int:
    """Return the version of a database; or set it first."""
    if address.startswith("sqlite"):
        connection = sqlite3.connect(address.removeprefix("sqlite:///"))
        if version is not None:
            connection.execute(f"PRAGMA user_version={version}")
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        connection.close()
        return int(found)
    with psycopg.connect(address, autocommit=True) as there:
        if version is not None:
            there.execute("UPDATE discretion.version SET version = %s", [version])
        return int(there.execute("SELECT version FROM discretion.version").fetchall()[0][0])


def test_an_empty_database_becomes_one_of_the_newest_version(address: str) -> None:
    for _ in range(2):
        open_database(address).close()
        assert _version(address) == len(migrations("sqlite"))


@pytest.mark.parametrize("version", [len(migrations("sqlite")) + 1, -1])
def test_a_version_that_is_not_known_is_refused_and_left_alone(address: str, version: int) -> None:
    store = open_store(address, people())
    store.put(sent(*crowd()))
    store.close()
    _version(address, version)
    with pytest.raises(StoreVersion, match=f"of version {version}"):
        open_store(address, people())
    assert _version(address) == version
    _version(address, len(migrations("sqlite")))
    again = open_store(address, people())
    assert_holds(again, crowd())
    again.close()


def _dialect(address: str) -> str:
    return "sqlite" if address.startswith("sqlite") else "postgres"


def _first_version(address: str, reports: Sequence[Sealed], counted: int) -> None:
    """Make a database as version 1 left it: the first ``counted`` reports are in the snapshot."""
    script, plan = migrations(_dialect(address))[0], people()
    rows: list[tuple[str, *tuple[object, ...]]] = [
        ("INSERT INTO plans (id, bytes) VALUES (?, ?)", plan.id, plan.to_bytes()),
        ("INSERT INTO rounds (plan, round, state) VALUES (1, 0, 'open')",),
        *(
            ("INSERT INTO reports (plan, round, id, body) VALUES (1, 0, ?, ?)", r.id, r.body)
            for r in reports
        ),
        ("INSERT INTO snapshots VALUES (1, 0, ?, 3, ?)", counted, recount(reports[:counted])),
        ("INSERT INTO counters VALUES (1, 'accepted', '', ?)", len(reports)),
        ("INSERT INTO tokens VALUES ('old', ?, 'analyse')", sha256(b"secret").digest()),
        ("INSERT INTO acts (at, actor, act, detail) VALUES ('2026-11-01', 'old', 'open', '')",),
    ]
    if address.startswith("sqlite"):
        connection = sqlite3.connect(address.removeprefix("sqlite:///"))
        connection.executescript(script)
        for statement, *values in rows:
            connection.execute(statement, values)
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute("PRAGMA user_version=1")
        connection.commit()
        connection.close()
        return
    with psycopg.connect(address) as there:
        there.execute("CREATE SCHEMA discretion")
        there.execute("SET search_path = discretion")
        there.execute(script.encode())
        for statement, *values in rows:
            there.execute(statement.replace("?", "%s").encode(), values)
        there.execute("CREATE TABLE version AS SELECT 1 AS version")


def test_a_store_of_the_first_version_is_brought_up_to_date(address: str) -> None:
    _first_version(address, crowd()[:6], counted=4)
    store = open_store(address, people())
    assert _version(address) == len(migrations("sqlite"))
    assert_holds(store, crowd()[:6])
    for plan in (store.plan, people("other")):  # what was made before is for all plans
        assert Tokens(store.database).find("secret", plan.id) == Token(
            "old", frozenset({Role.ANALYSE})
        )
        assert [act["plan"] for act in acts(store.database, plan.id)] == [None]
    for gone in (crowd()[0], crowd()[5]):  # in the snapshot, and behind it
        assert store.delete(gone.id)
    assert_holds(store, crowd()[1:5])
    assert (
        store.put(sent(*crowd()), day=DAY) == [DELETED, *[DUPLICATE] * 4, DELETED] + [ACCEPTED] * 6
    )
    assert settle(store.database) == 1
    assert_holds(store, [*crowd()[1:5], *crowd()[6:]])
    assert _snapshot(store)[:2] == (4 * store.database.shards, 4)  # the fourth of each
    assert store.arrivals(0) == {DAY: 6}
    store.close()


def test_many_may_open_an_empty_database_at_once(address: str) -> None:
    """A server, its analysts and a command start together."""
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: open_store(address, people()), range(8)))
    assert [s.rounds() for s in stores] == [[Round(0, "open", None)]] * 8
    stores[0].put(sent(*crowd()))
    assert_holds(stores[7], crowd())
    for store in stores:
        store.close()


def test_a_connection_in_use_at_the_end_is_closed_when_it_comes_back(address: str) -> None:
    database = open_database(address)
    with database.reading() as session:
        database.close()
        connection = session._connection  # type: ignore[attr-defined]
        assert session.rows("SELECT 1") == [(1,)]
    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
        connection.execute("SELECT 1")


def test_another_programs_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.commit()
    connection.close()
    with pytest.raises(SettingError, match="another program's"):
        open_database(f"sqlite:///{path}")
    connection = sqlite3.connect(path)
    tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    journal = connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()
    assert (tables, journal) == ([("theirs",)], ("delete",))


def test_a_file_that_is_no_database_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear collector, " * 100)
    with pytest.raises(StoreUnavailable, match="not a database"):
        open_database(f"sqlite:///{path}")
    assert path.read_text() == "dear collector, " * 100


def test_a_place_that_is_not_there_is_named_as_such(tmp_path: Path, postgres: str) -> None:
    with pytest.raises(StoreUnavailable, match="No such file"):
        open_database(f"sqlite:///{tmp_path}/nowhere/reports.db")
    name = postgres.partition("?")[0].rpartition("/")[2]
    with pytest.raises(StoreUnavailable, match="does not exist"):
        open_database(postgres.replace(name, "nothing"))


def test_a_file_that_must_be_there_is_not_made(tmp_path: Path) -> None:
    path = tmp_path / "reports.db"
    with pytest.raises(StoreUnavailable, match="No such file"):
        open_database(f"sqlite:///{path}", create=False)
    assert not path.exists()
    open_database(f"sqlite:///{path}").close()
    assert path.stat().st_mode & 0o077 == 0  # for its owner's eyes only
    open_database(f"sqlite:///{path}", create=False).close()


def test_an_address_may_have_blanks_and_percents(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path}/my%20reports.db").close()
    assert (tmp_path / "my reports.db").exists()


def test_the_bytes_of_a_deleted_report_are_gone_from_the_file(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/reports.db", people())
    store.put(sent(*crowd()))
    store.delete_many([gone.id for gone in crowd()[:6]])
    settle(store.database)
    whole = _after_a_checkpoint(store, tmp_path)
    assert [r.body in whole for r in crowd()] == [False] * 6 + [True] * 6
    assert all(r.id in whole for r in crowd())  # tombstones


def test_the_bytes_of_a_cleared_round_are_gone_from_the_file(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/reports.db", people())
    store.put(sent(*crowd(), mark=None))
    store.put(sent(sealed(people(), 30), mark=b"a mark that nobody else has"))
    store.close_round(0, DAY)
    store.clear(before=AFTER)
    whole = _after_a_checkpoint(store, tmp_path)
    assert b"a mark that nobody else has" not in whole
    assert not any(r.body in whole or r.id in whole for r in crowd())


def _after_a_checkpoint(store: Store, folder: Path) -> bytes:
    """Return all bytes of the files after the log was brought into the database."""
    connection = sqlite3.connect(folder / "reports.db")
    assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    connection.close()
    whole = b"".join(path.read_bytes() for path in sorted(folder.iterdir()))
    store.close()
    return whole


def test_who_guesses_receipts_keeps_no_writer_waiting(store: Store) -> None:
    with store.database.writing(range(store.database.shards)):
        assert not store.delete(bytes(16))


@pytest.mark.usefixtures("eager")
def test_a_question_is_answered_though_the_snapshot_cannot_be_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports = crowd()
    store.put(sent(*reports))

    def full(*_: object, **__: object) -> Never:
        raise StoreUnavailable("here", "there is no room left")

    monkeypatch.setattr(store.database, "writing", full)
    assert store.aggregate(0).to_json() == recount(reports)
    assert_holds(Store(store.database, store.plan), reports)  # to open it takes no writing either


def test_a_report_of_an_earlier_plan_is_deleted_too(store: Store) -> None:
    reports = crowd()
    store.put(sent(*reports))
    newer = Store(store.database, people("newer"))
    assert newer.delete(reports[0].id)
    assert_holds(store, reports[1:])
    assert counts(store)["deleted"] == 1
    assert "deleted" not in counts(newer)


@pytest.mark.parametrize(
    "setting", ["synchronous_commit=off", "default_transaction_isolation='repeatable read'"]
)
def test_a_commit_is_durable_and_sees_all_before_it_whatever_the_database_prefers(
    postgres: str, setting: str
) -> None:
    with psycopg.connect(postgres, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET {setting}".encode())
        try:
            database = open_database(postgres)
            with database.writing() as session:
                assert session.rows("SHOW synchronous_commit") == [("on",)]
                assert session.rows("SHOW transaction_isolation") == [("read committed",)]
            database.close()
        finally:
            connection.execute(f"ALTER DATABASE {name} RESET ALL".encode())


@pytest.mark.parametrize(
    "address", ["sqlite:///:memory:", "mysql://ana:pw@there/x", "postgresql://ana:p%zzw@there/x"]
)
def test_an_address_that_means_nothing_is_refused_without_its_secret(address: str) -> None:
    with pytest.raises(SettingError, match=r"^store must be") as refused:
        open_database(address)
    assert "pw" not in str(refused.value)
    assert "zz" not in str(refused.value)
