"""Commits side by side: how a group is divided, and what a failure of one part means."""

from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from threading import Barrier
from types import SimpleNamespace
from typing import cast

import pytest

from discretion.collector import commits
from discretion.collector.commits import Commits
from discretion.collector.errors import StoreUnavailable
from discretion.collector.outcome import ACCEPTED, Incoming, Outcome, Verdict
from discretion.collector.store import Store, shards
from discretion.collector.store.insertion import Counts
from discretion.collector.store.shards import parts_of, shard_of, shards_of

SHARDS = 8
CEILING = 120.0  # seconds


def report(shard: int, number: int, mark: bytes | None = None) -> Incoming:
    return Incoming(0, bytes([shard]) + number.to_bytes(15, "big"), b"%d" % number, mark)


def group(each: int) -> list[Incoming]:
    """So many reports of each shard, by turns."""
    return [report(shard, number) for number in range(each) for shard in range(SHARDS)]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three reports be worth a commit."""
    monkeypatch.setattr(shards, "LEAST", 3)


def test_the_shard_of_a_report_is_that_of_its_first_byte() -> None:
    assert [shard_of(bytes([b, 1]), SHARDS) for b in (0, 7, 8, 255)] == [0, 7, 0, 7]
    assert shard_of(bytes([255]), 1) == 0
    assert shards_of([bytes([9]), bytes([8]), bytes([1])], SHARDS) == [0, 1]


@pytest.mark.usefixtures("small")
def test_each_shard_is_a_part_in_the_order_in_which_reports_came() -> None:
    reports = group(3)
    parts = parts_of(reports, SHARDS)
    assert parts == [[shard, shard + 8, shard + 16] for shard in range(SHARDS)]


@pytest.mark.usefixtures("small")
def test_shards_with_few_reports_share_a_part() -> None:
    parts = parts_of(group(2), SHARDS)
    assert parts == [[s, s + 1, s + 8, s + 9] for s in (0, 2, 4, 6)]
    assert parts_of(group(3)[:3], SHARDS) == [[0, 1, 2]]
    assert parts_of([], SHARDS) == [[]]


@pytest.mark.usefixtures("small")
def test_a_database_with_one_shard_has_one_part() -> None:
    assert parts_of(group(5), 1) == [list(range(40))]


@pytest.mark.usefixtures("small")
def test_what_one_credential_sent_to_two_shards_stays_together() -> None:
    apart = [r._replace(mark=b"%d" % i) for i, r in enumerate(group(3))]
    assert len(parts_of(apart, SHARDS)) == SHARDS
    same = [r._replace(mark=b"0") if i in (0, 8) else r for i, r in enumerate(group(3))]
    assert len(parts_of(same, SHARDS)) == SHARDS
    other = [r._replace(mark=b"0") if i in (0, 9) else r for i, r in enumerate(group(3))]
    assert parts_of(other, SHARDS) == [list(range(24))]


@dataclass
class Fake:
    """A store that fails in some shards, and may wait until so many are there at once."""

    failing: set[int] = field(default_factory=set)
    together: Barrier | None = None
    counted: Counter[tuple[Outcome, str]] = field(default_factory=Counter)
    database: object = field(default_factory=lambda: SimpleNamespace(shards=SHARDS))

    def put(self, reports: Sequence[Incoming], more: Counts) -> list[Verdict]:
        if self.together is not None:
            self.together.wait(CEILING)
        if {shard_of(r.id, SHARDS) for r in reports} & self.failing:
            raise StoreUnavailable("there", "the test says so")
        self.counted.update(more)
        return [ACCEPTED._replace(detail=r.body.decode()) for r in reports]


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin with the third shard."""
    monkeypatch.setattr("discretion.collector.commits.os.getpid", lambda: 2)


def put(store: Fake, reports: Sequence[Incoming]) -> commits.Kept:
    with closing(Commits(cast("Store", store))) as own:
        return own.put(reports, {(Outcome.REFUSED, "not_json"): 2})


@pytest.mark.usefixtures("small")
def test_several_commits_are_under_way_at_once() -> None:
    kept = put(Fake(together=Barrier(commits.AT_ONCE)), group(3))
    assert [v.detail for v in kept.verdicts if isinstance(v, Verdict)] == [
        r.body.decode() for r in group(3)
    ]


@pytest.mark.usefixtures("small", "first")
def test_a_shard_that_fails_takes_no_other_with_it() -> None:
    store = Fake({5})
    kept = put(store, group(3))
    failed = [i for i, v in enumerate(kept.verdicts) if isinstance(v, Exception)]
    assert failed == [5, 13, 21]
    assert len(kept.errors) == 1
    assert kept.counted
    assert store.counted == {(Outcome.REFUSED, "not_json"): 2}


@pytest.mark.usefixtures("small", "first")
def test_counts_are_those_of_the_first_commit_and_fail_with_it() -> None:
    store = Fake({2})
    kept = put(store, group(3))
    assert not kept.counted
    assert store.counted == {}
    assert len(kept.errors) == 1


@pytest.mark.usefixtures("small")
def test_what_keeps_out_a_single_part_is_raised() -> None:
    with pytest.raises(StoreUnavailable):
        put(Fake({5}), group(3)[5:6])
