"""Versions of the public results, on SQLite and PostgreSQL alike: any two are far apart."""

import random
from collections.abc import Collection
from contextlib import closing
from datetime import date, timedelta
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from discretion.collector import public_results
from discretion.collector.outcome import Incoming
from discretion.collector.public_results import REPORTS, answers, publish
from discretion.collector.store import Store, open_store, settle
from discretion.collector.store.backup import backup, restore
from discretion.collector.store.results import Results, went_back
from tests.collector.serving import Sealed, people, sealed
from tests.contract.test_stores import DAY, address, clock_on_the_day, recount, sent, store

__all__ = ["address", "clock_on_the_day", "store"]  # fixtures
LEAST = 4
SEED = 31
KEYS = ("frequencies who", "frequencies pet", "mean hours")


@cache
def crowd() -> tuple[Sealed, ...]:
    return tuple(sealed(people(), who) for who in range(60))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few answers are enough, so that a few dozen reports make a long history."""
    monkeypatch.setattr(public_results, "LEAST", LEAST)


def about(report: Sealed, key: str) -> bool:
    """Whether a report is among those that an estimate is made from."""
    return key == REPORTS or f'"{key.split()[1]}"'.encode() in report.body


def test_any_two_versions_differ_by_enough_answers_or_by_none(store: Store) -> None:
    rng, live, shown = random.Random(SEED), set[Sealed](), list[dict[str, frozenset[Sealed]]]()
    left, day, made = list(crowd()), DAY, 0
    while left:
        for _ in range(rng.randrange(1, 7)):
            if live and rng.random() < 0.4:
                gone = rng.choice(sorted(live, key=lambda report: report.id))
                assert store.delete(gone.id)
                live.discard(gone)
            elif left:
                live.add(left.pop())
                store.put(sent(*live))  # the others are duplicates
        if rng.random() < 0.5:
            settle(store.database)
        before = [set(version) for version in shown]
        tally = Results(store).tally(0, answers)
        assert tally is not None
        for key in (REPORTS, *KEYS):  # counted from positions as from the reports themselves
            now = {report for report in live if about(report, key)}
            far = [len(now ^ version[key]) for version in shown if key in version]
            assert tally.answers[key] == len(now)
            assert tally.apart(key) == min(far, default=None)
        day += timedelta(days=1)
        if publish(store, 0, day):
            document = Results(store).document(0)
            assert document is not None
            made += 1
            assert (document["version"], document["reports"]) == (made, len(live))
            assert document["day"] == day.isoformat()
            own = {each["key"]: each for each in document["estimates"]}
            fresh = {key for key in own if own[key]["version"] == made}
            shown.append({key: of(live, key) for key in (REPORTS, *fresh)})
            assert all(own[key]["answers"] == len(shown[-1][key]) for key in fresh)
        assert len(before) <= len(shown)
    assert made > 5, SEED
    for one, other in combinations(shown, 2):
        for key in one.keys() & other.keys():
            assert len(one[key] ^ other[key]) >= LEAST
            assert min(len(one[key]), len(other[key])) >= LEAST
    assert any(KEYS[1] not in version for version in shown), "some estimate lags behind"


def of(reports: Collection[Sealed], key: str) -> frozenset[Sealed]:
    return frozenset(report for report in reports if about(report, key))


def look(store: Store, day: date) -> list[int]:
    """Look at all rounds that are due, and return those that were published."""
    return [round for round in Results(store).due(day) if publish(store, round, day)]


def test_a_round_is_looked_at_once_a_day_and_when_it_closes(store: Store) -> None:
    store.put(sent(*crowd()[:3]))
    assert look(store, DAY) == []
    store.put(sent(*crowd()[:12]))
    assert Results(store).due(DAY) == []  # whatever came since
    assert not publish(store, 0, DAY)
    assert look(store, DAY + timedelta(1)) == [0]
    first = Results(store).documents()
    store.put(sent(*crowd()[12:14]))
    assert store.delete(crowd()[0].id)
    store.close_round(0, DAY + timedelta(1))
    assert Results(store).due(DAY + timedelta(1)) == [0]
    assert look(store, DAY + timedelta(1)) == []  # three are too few, also at the end
    assert Results(store).documents() == first
    assert store.delete(crowd()[1].id)
    assert look(store, DAY + timedelta(2)) == [0]  # with the fourth, and not before the day is over
    assert recount(crowd()[2:14]) == store.aggregate(0).to_json()
    assert store.clear(DAY + timedelta(3)) == [0]
    last = Results(store).documents()
    assert look(store, DAY + timedelta(9)) == []  # nothing is there to compare with
    assert Results(store).documents() == last


def test_results_of_a_cleared_round_can_be_published_once(store: Store) -> None:
    store.put(sent(*crowd()[:12]))
    store.close_round(0, DAY)
    assert store.clear(DAY + timedelta(1)) == [0]
    assert look(store, DAY + timedelta(1)) == [0]
    assert look(store, DAY + timedelta(2)) == []


def test_only_one_process_publishes_a_version(store: Store) -> None:
    store.put([Incoming(0, r.id, r.body) for r in crowd()[:12]])
    tally = Results(store).tally(0, answers)
    assert tally is not None
    assert Results(store).claim(0, DAY)
    assert not Results(store).claim(0, DAY)
    assert Results(store).keep(0, tally, {REPORTS: 12}, "{}")
    assert not Results(store).keep(0, tally, {REPORTS: 12}, "{}")
    assert Results(store).documents() == {0: "{}"}


def test_a_version_of_an_older_copy_is_far_from_those_that_it_does_not_know(store: Store) -> None:
    store.put(sent(*crowd()[:12]))
    assert publish(store, 0, DAY)
    store.put(sent(*crowd()[12:15]))
    went_back(store.database)  # one more came then, and a version that is not known here was made
    went_back(store.database)  # whoever finds that out again changes nothing
    shown = Results(store).documents()
    store.put(
        sent(*crowd()[16:17])
    )  # four are not in the first version, and two not in the lost one
    assert not publish(store, 0, DAY + timedelta(1))
    assert store.delete(crowd()[0].id)
    assert not publish(store, 0, DAY + timedelta(2))  # who knows who had deleted hers
    assert Results(store).documents() == shown
    store.put(sent(*crowd()[17:20]))
    assert publish(store, 0, DAY + timedelta(3))
    found = Results(store).document(0)
    assert found is not None
    assert (found["version"], found["reports"]) == (3, 18)


def test_a_restored_store_knows_that_it_is_older(tmp_path: Path) -> None:
    address, later = f"sqlite:///{tmp_path}/reports.db", f"sqlite:///{tmp_path}/restored.db"
    with closing(open_store(address, people())) as store:
        store.put(sent(*crowd()[:12]))
        assert publish(store, 0, DAY)
        store.put(sent(*crowd()[12:15]))
        backup(address, tmp_path / "copy.db")
    restore(tmp_path / "copy.db", later)
    with closing(open_store(later, people())) as store:
        store.put(sent(*crowd()[16:17]))
        assert not publish(store, 0, DAY + timedelta(1))
