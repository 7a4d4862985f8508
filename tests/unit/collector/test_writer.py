"""The writer: one commit for many, an answer for each, and no stop at a failure."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing
from datetime import date
from pathlib import Path
from threading import Event

import pytest

from discretion.collector import writer as module
from discretion.collector.commits import Commits, Kept
from discretion.collector.errors import Overloaded, StoreUnavailable
from discretion.collector.metrics import Metrics
from discretion.collector.outcome import (
    ACCEPTED,
    CONFLICT,
    DUPLICATE,
    Incoming,
    Outcome,
    Verdict,
    refused,
)
from discretion.collector.refusals import EXPLAINED, Assignment
from discretion.collector.store import Store, open_database
from discretion.collector.store.insertion import Counts
from discretion.collector.writer import Writer
from discretion.errors import Refusal, ReportRefused
from discretion.plan import Plan
from discretion.table.reader import refusal
from tests.collector.serving import people, sealed

PLAN = people()
CEILING = 120.0  # seconds; nothing here takes one on an idle machine


class Watched(Store):
    """A store that waits until it may go on, notes its commits, and fails when it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(open_database(f"sqlite:///{path}/w.db"), PLAN)
        self.commits: list[int] = []
        self.go, self.entered, self.failures = Event(), Event(), 0
        self.go.set()

    def put(
        self, reports: Sequence[Incoming], more: Counts | None = None, day: date | None = None
    ) -> list[Verdict]:
        self.entered.set()
        self.go.wait()
        if self.failures:
            self.failures -= 1
            raise StoreUnavailable("w.db", "the test says so")
        self.commits.append(len(reports))
        return super().put(reports, more, day)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Watched]:
    with closing(Watched(tmp_path)) as own:
        yield own


@asynccontextmanager
async def writing(store: Store, most: int = 1000) -> AsyncIterator[Writer]:
    own = Writer(store, most, Metrics())
    try:
        yield own
    finally:
        await asyncio.to_thread(own.close)


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is true, however long that takes on a busy machine."""
    async with asyncio.timeout(CEILING):
        while not true():
            await asyncio.sleep(0.01)


def bodies(count: int, start: int = 0) -> list[bytes]:
    return [sealed(PLAN, start + who).body for who in range(count)]


def test_what_gathers_during_a_commit_is_one_commit(store: Watched) -> None:
    async def crowd() -> list[list[Verdict]]:
        async with writing(store) as own:
            store.go.clear()
            first = asyncio.create_task(own.keep(bodies(1), None))
            await until(store.entered.is_set)
            rest = [asyncio.create_task(own.keep([b], None)) for b in bodies(30, 1)]
            await until(lambda: own.waiting == 31)
            store.go.set()
            return await asyncio.gather(first, *rest)

    assert asyncio.run(crowd()) == [[ACCEPTED]] * 31
    assert store.commits == [1, 30]


def test_groups_are_bounded(store: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GROUP", 4)

    async def crowd() -> None:
        async with writing(store) as own:
            store.go.clear()
            jobs = [own.keep(bodies(n, 10 * n), None) for n in (5, 1, 3, 2, 9, 1)]
            tasks = [asyncio.create_task(job) for job in jobs]
            await until(lambda: own.waiting == 21)
            store.go.set()
            await asyncio.gather(*tasks)

    asyncio.run(crowd())
    assert store.commits == [5, 4, 2, 9, 1]  # a request is never divided


def test_each_gets_its_own_answers_in_its_order(store: Watched) -> None:
    one, two, three = bodies(3)
    changed = one.replace(one[-8:-4], b"AAAA")

    async def crowd() -> list[list[Verdict]]:
        async with writing(store) as own:
            first = await own.keep([one, b"{", one], None)
            second, third = await asyncio.gather(
                own.keep([two, b"[]", three], None), own.keep([two, one, changed], None)
            )
            return [first, second, third]

    first, second, third = asyncio.run(crowd())
    assert [first[0], first[2]] == [ACCEPTED, DUPLICATE]
    assert (first[1].reason, second[1].reason) == (Refusal.NOT_JSON, Refusal.WRONG_TYPE)
    assert [second[0], second[2]] == [ACCEPTED] * 2
    assert third[:2] == [DUPLICATE] * 2
    assert third[2] == CONFLICT or third[2].outcome is Outcome.REFUSED
    assert store.counters()[Outcome.ACCEPTED] == {"": 3}


def test_the_first_refusals_of_a_request_are_explained(store: Watched) -> None:
    async def crowd() -> tuple[list[Verdict], list[Verdict]]:
        async with writing(store) as own:
            return await asyncio.gather(
                own.keep([b"{", *bodies(1), *[b"[]"] * (EXPLAINED + 5)], None),
                own.keep([b"{"], None),
            )

    many, one = asyncio.run(crowd())
    assert many[1] == ACCEPTED
    assert [v.reason for v in many[:1]] == [v.reason for v in one] == [Refusal.NOT_JSON]
    assert [v.reason for v in many[2:]] == [
        *[Refusal.WRONG_TYPE] * (EXPLAINED - 1),
        *[Refusal.NOT_EXAMINED] * 6,
    ]
    assert store.counters()[Outcome.REFUSED] == {
        "not_json": 2,
        "wrong_type": EXPLAINED - 1,
        "not_examined": 6,
    }


def test_who_waits_for_a_reason_holds_up_nobody_else(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = Event()

    def slowly(plan: Plan, body: bytes) -> ReportRefused:
        assert go.wait(CEILING)
        return refusal(plan, body)

    monkeypatch.setattr("discretion.collector.refusals.refusal", slowly)

    async def crowd() -> None:
        async with writing(store) as own:
            bad = asyncio.create_task(own.keep([b"{"], None))
            await until(lambda: own._reasons._waiting == 1)
            for who in range(3):
                assert await own.keep(bodies(1, who), None) == [ACCEPTED]
            assert not bad.done()
            go.set()
            assert [v.reason for v in await bad] == [Refusal.NOT_JSON]

    asyncio.run(crowd())


def test_only_so_many_wait_for_reasons(store: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("discretion.collector.refusals.WAITING", 3)

    async def crowd() -> list[Verdict]:
        async with writing(store) as own:
            return await own.keep([b"{"] * 5, None)

    found = asyncio.run(crowd())
    assert [v.reason for v in found] == [Refusal.NOT_JSON] * 3 + [Refusal.NOT_EXAMINED] * 2


def test_a_failing_store_is_reported_to_all_who_wait_and_then_it_goes_on(store: Watched) -> None:
    async def crowd() -> tuple[list[object], list[Verdict]]:
        async with writing(store) as own:
            store.go.clear()
            store.failures = 2
            tasks = [asyncio.create_task(own.keep([b], None)) for b in (*bodies(5), b"{")]
            await until(lambda: own.waiting == 6)
            store.go.set()
            failed = await asyncio.gather(*tasks, return_exceptions=True)
            store.failures = 0
            assert own.waiting == 0
            return list(failed), await own.keep([bodies(1)[0], b"{"], None)

    failed, after = asyncio.run(crowd())
    assert all(isinstance(answer, StoreUnavailable) for answer in failed)
    assert after[0] == ACCEPTED
    assert after[1].reason is Refusal.NOT_JSON
    assert store.counters()[Outcome.ACCEPTED] == {"": 1}
    assert store.counters()[Outcome.REFUSED] == {"not_json": 1}, "told of once, counted once"


def test_an_unforeseen_error_is_delivered_too(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crowd() -> None:
        async with writing(store) as own:
            with monkeypatch.context() as changed:
                changed.setattr(store, "put", lambda *_: 1 / 0)
                with pytest.raises(ZeroDivisionError):
                    await own.keep(bodies(1), None)
            assert await own.keep(bodies(1), None) == [ACCEPTED]

    asyncio.run(crowd())


def test_refusals_are_counted_though_nothing_is_kept(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FLUSH_SECONDS", 0.05)

    async def crowd() -> None:
        async with writing(store) as own:
            await own.keep([b"{", b"[]"], None)
            assert store.commits == [], "a refusal needs no commit of its own"
            await until(lambda: bool(store.counters()[Outcome.REFUSED]))
            assert store.counters()[Outcome.REFUSED] == {"not_json": 1, "wrong_type": 1}

    asyncio.run(crowd())


def test_a_refusal_in_a_request_that_is_sent_again_is_counted_once(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The part of a group that failed carried the counts, and the whole request comes again."""
    refusal = refused(Refusal.OTHER_FUNCTION, "the test says so")
    monkeypatch.setattr(
        Assignment,
        "refusals",
        lambda _, __, credentials: {0: refusal} if credentials else {},
    )
    failed = Kept([StoreUnavailable("w.db", "the test says so")], counted=False)

    async def crowd() -> None:
        async with writing(store) as own:
            with monkeypatch.context() as changed:
                changed.setattr(Commits, "put", lambda *_: failed)
                with pytest.raises(StoreUnavailable):
                    await own.keep(bodies(2), None)
            assert await own.keep(bodies(2), None) == [refusal, ACCEPTED]

    asyncio.run(crowd())
    assert store.counters()[Outcome.REFUSED] == {"other_function": 1}


def test_refusals_just_before_the_end_are_counted(store: Watched) -> None:
    async def crowd() -> None:
        async with writing(store) as own:
            await own.keep([b"{"], None)

    asyncio.run(crowd())
    assert store.counters()[Outcome.REFUSED] == {"not_json": 1}


def test_a_store_that_fails_at_the_end_does_not_keep_it_from_ending(store: Watched) -> None:
    async def crowd() -> None:
        async with writing(store) as own:
            await own.keep([b"{"], None)
            store.failures = 100

    asyncio.run(crowd())
    assert store.counters()[Outcome.REFUSED] == {}


def test_what_waits_at_the_end_is_kept_and_more_is_not_taken(store: Watched) -> None:
    async def crowd() -> list[list[Verdict]]:
        own = Writer(store, 1000, Metrics())
        store.go.clear()
        tasks = [asyncio.create_task(own.keep([b], None)) for b in bodies(20)]
        await until(lambda: own.waiting == 20)
        closing = asyncio.create_task(asyncio.to_thread(own.close))
        await until(lambda: own.closing)
        with pytest.raises(Overloaded):
            await own.keep(bodies(1, 50), None)
        store.go.set()
        await closing
        return await asyncio.gather(*tasks)

    assert asyncio.run(crowd()) == [[ACCEPTED]] * 20


def test_only_so_many_wait(store: Watched) -> None:
    async def crowd() -> Counter[str]:
        async with writing(store, most=10) as own:
            store.go.clear()
            tasks = [asyncio.create_task(own.keep([b], None)) for b in bodies(30)]
            await until(lambda: any(task.done() for task in tasks))
            store.go.set()
            found = await asyncio.gather(*tasks, return_exceptions=True)
            alone = await own.keep(bodies(40, 100), None)  # more than may wait, but nobody does
            assert alone == [ACCEPTED] * 40
            return Counter(type(answer).__name__ for answer in found)

    found = asyncio.run(crowd())
    assert found.keys() == {"list", "Overloaded"}
    assert 10 <= found["list"] <= 20


def test_requests_with_few_reports_go_first_and_have_a_queue_of_their_own(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "GROUP", 1)

    async def crowd() -> list[object]:
        async with writing(store, most=60) as own:
            store.go.clear()
            first = asyncio.create_task(own.keep(bodies(1), None))
            await until(store.entered.is_set)
            many = [asyncio.create_task(own.keep(bodies(20, 20 * n), None)) for n in (1, 2, 3)]
            await until(many[2].done)
            one = asyncio.create_task(own.keep(bodies(1, 100), None))
            await until(lambda: own.waiting == 42)
            store.go.set()
            return list(await asyncio.gather(first, one, *many, return_exceptions=True))

    first, one, *many = asyncio.run(crowd())
    assert first == one == [ACCEPTED]
    assert [isinstance(answer, Overloaded) for answer in many] == [False, False, True]
    assert store.commits == [1, 21, 20], "it came last, and was kept with the first of the others"


def test_who_has_gone_does_not_hold_up_others(store: Watched) -> None:
    async def crowd() -> list[Verdict]:
        async with writing(store) as own:
            store.go.clear()
            gone, stays = (asyncio.create_task(own.keep([b], None)) for b in bodies(2))
            await until(lambda: own.waiting == 2)
            gone.cancel()
            store.go.set()
            return await stays

    assert asyncio.run(crowd()) == [ACCEPTED]
    assert store.counters()[Outcome.ACCEPTED] == {"": 2}


def test_no_reports_are_no_trouble(store: Watched) -> None:
    async def crowd() -> list[Verdict]:
        async with writing(store) as own:
            return await own.keep([], None)

    assert asyncio.run(crowd()) == []


def test_a_failure_is_over_when_as_much_was_kept_and_not_before(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found: a small row that fitted said that all was well, while batches were refused."""
    rehearsed: list[int] = []

    def no_room(size: int) -> None:
        rehearsed.append(size)
        raise StoreUnavailable("w.db", "there is no room for as much")

    monkeypatch.setattr(store.database, "rehearse", no_room)
    many, one = bodies(5), bodies(1, 9)

    async def crowd() -> None:
        async with writing(store) as own:
            own.check()
            store.failures = 1
            with pytest.raises(StoreUnavailable):
                await own.keep(many, None)
            assert await own.keep(one, None) == [ACCEPTED]
            assert (await own.keep([b"{"], None))[0].outcome is Outcome.REFUSED
            with pytest.raises(StoreUnavailable):
                own.check()
            assert await own.keep(many, None) == [ACCEPTED] * 5
            own.check()

    asyncio.run(crowd())
    assert rehearsed == [sum(map(len, many))]


def test_a_failure_is_over_when_as_much_can_be_written(
    store: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    rehearsed: list[int] = []
    real = store.database.rehearse

    def watched(size: int) -> None:
        rehearsed.append(size)
        real(size)

    monkeypatch.setattr(store.database, "rehearse", watched)

    async def crowd() -> None:
        async with writing(store) as own:
            store.failures = 1
            with pytest.raises(StoreUnavailable):
                await own.keep(bodies(3), None)
            own.check()
            own.check()

    asyncio.run(crowd())
    assert len(rehearsed) == 1
