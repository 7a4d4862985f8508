"""The result cache: one result for all, and a new one if there is news, but not too soon."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import date
from functools import wraps
from typing import Any, ParamSpec, cast

import pytest

from discretion.collector import result_cache as module
from discretion.collector.errors import Overloaded
from discretion.collector.outcome import Outcome
from discretion.collector.problems import ProblemDetail, ReportedProblem
from discretion.collector.result_cache import REMEMBERED, WAITING, YOUNG, ResultCache
from discretion.collector.store import Store
from discretion.collector.store.store import Round
from discretion.collector.worker_pool import PoolClient
from discretion.errors import EstimateError
from discretion.web.dashboard import Found

P = ParamSpec("P")
TIMEOUT = 5.0  # seconds, of which no test takes one
LONGEST = 20.0  # seconds of a test
DAY = date(2026, 11, 1)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def later(self, seconds: float) -> None:
        self.now += seconds


class Reports:
    """A store that counts."""

    def __init__(self) -> None:
        self.accepted, self.deleted, self.reads = 0, 0, 0
        self.open = {0: "open"}

    def rounds(self) -> list[Round]:
        self.reads += 1
        return [Round(round, state, None) for round, state in self.open.items()]

    def counters(self) -> dict[Outcome, dict[str, int]]:
        counts: dict[Outcome, dict[str, int]] = {outcome: {} for outcome in Outcome}
        counts[Outcome.ACCEPTED] = {"": self.accepted}
        counts[Outcome.DELETED] = {"": self.deleted}
        return {**counts, Outcome.REFUSED: {"wrong_plan": 2, "malformed": 1}}

    def arrivals(self, round: int) -> dict[date, int]:
        return {DAY: self.accepted + round}


class Answering:
    """Analysts that say how often they were asked, wait if they must, and fail if they are told."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.asked = clock, list[tuple[str, int]]()
        self.takes, self.failure = 0.0, cast(Exception | None, None)
        self.go, self.at_once = asyncio.Event(), 0
        self.go.set()

    async def ask(self, question: str, **values: Any) -> dict[str, Any]:
        self.asked.append((question, values["round"]))
        self.at_once += 1
        try:
            assert self.at_once == 1, "two questions at a time"
            await self.go.wait()
            self.clock.later(self.takes)
        finally:
            self.at_once -= 1
        if self.failure is not None:
            raise self.failure
        return {"answer": len(self.asked)}


class Office:
    """A result cache with all that it works with."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.store, self.analysts = clock, Reports(), Answering(clock)
        self.cache = ResultCache(cast(Store, self.store), cast(PoolClient, self.analysts))

    async def ask(self, question: str = "overview", round: int = 0, **values: Any) -> Found[Any]:
        found = await self.cache.collected()
        return await self.cache.ask(found, TIMEOUT, question, round=round, **values)

    async def answer(self) -> int:
        document = (await self.ask()).document
        assert document is not None
        number: int = document["answer"]
        return number

    async def settled(self) -> None:
        """Wait until all that was begun is done."""
        while self.cache._work:
            await asyncio.sleep(0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    own = Clock()
    monkeypatch.setattr(module, "monotonic", lambda: own.now)
    monkeypatch.setattr(module, "GLANCE", 0.01)
    return own


def awaited(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test in a loop of its own."""

    @wraps(test)
    def run(*args: P.args, **named: P.kwargs) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **named), LONGEST))

    return run


@awaited
async def test_an_answer_is_worked_out_once_for_all_who_ask_at_once(clock: Clock) -> None:
    office = Office(clock)
    found = await asyncio.gather(*(office.ask() for _ in range(50)))
    assert office.analysts.asked == [("overview", 0)]
    assert {each.number for each in found} == {1}


@awaited
async def test_an_answer_stays_good_while_nothing_changes(clock: Clock) -> None:
    office = Office(clock)
    for _ in range(5):
        assert await office.answer() == 1
        clock.later(10_000)


@pytest.mark.parametrize("change", ["accepted", "deleted", "closed"])
@awaited
async def test_what_changes_the_reports_has_it_worked_out_again(clock: Clock, change: str) -> None:
    office = Office(clock)
    assert await office.answer() == 1
    if change == "closed":
        office.store.open = {0: "closed"}
    else:
        setattr(office.store, change, 1)
    clock.later(YOUNG + 1)
    assert await office.answer() == 2
    clock.later(1000)
    assert await office.answer() == 2


@awaited
async def test_it_is_not_worked_out_again_too_soon(clock: Clock) -> None:
    office = Office(clock)
    await office.answer()
    office.store.accepted, office.analysts.takes = 1, 10.0
    clock.later(YOUNG - 0.5)
    assert await office.answer() == 1
    clock.later(1.1)
    assert await office.answer() == 2
    office.store.accepted = 2
    clock.later(module.TIMES * office.analysts.takes - 1)
    assert await office.answer() == 2
    clock.later(2)
    assert await office.answer() == 3


@awaited
async def test_the_old_answer_is_shown_while_a_new_one_is_worked_out(clock: Clock) -> None:
    office = Office(clock)
    first = await office.ask()
    office.store.accepted = 1
    office.analysts.go.clear()
    clock.later(YOUNG + 1)
    for _ in range(3):
        assert await asyncio.wait_for(office.ask(), TIMEOUT / 2) == first
    office.analysts.go.set()
    await office.settled()
    second = await office.ask()
    assert second.document == {"answer": 2}
    assert second.number > first.number


@pytest.mark.parametrize("gone", ["deleted", "cleared"])
@awaited
async def test_no_answer_is_shown_of_reports_that_are_gone(clock: Clock, gone: str) -> None:
    office = Office(clock)
    assert await office.answer() == 1
    if gone == "deleted":
        office.store.deleted = 1
    else:
        office.store.open = {0: "cleared"}
    office.cache.count_anew()
    office.analysts.go.clear()
    asked = office.cache.ask(await office.cache.collected(), 0.01, "overview", round=0)
    assert (await asked).pending
    office.analysts.go.set()
    await office.settled()
    assert await office.answer() == 2


@awaited
async def test_what_was_begun_before_a_deletion_is_begun_again(clock: Clock) -> None:
    office = Office(clock)
    office.analysts.go.clear()
    asked = office.cache.ask(await office.cache.collected(), 0.01, "overview", round=0)
    assert (await asked).pending
    office.store.deleted = 1
    office.cache.count_anew()
    later = asyncio.create_task(office.ask())
    await asyncio.sleep(0)
    office.analysts.go.set()
    await later
    await office.settled()
    assert await office.answer() == 2


@awaited
async def test_who_waits_is_told_since_when_and_for_how_long(clock: Clock) -> None:
    office = Office(clock)
    office.analysts.takes = 8.0
    await office.answer()
    office.store.accepted, office.store.deleted = 1, 1
    office.analysts.go.clear()
    clock.later(YOUNG + 1)
    collected = await office.cache.collected()
    first = await office.cache.ask(collected, 0.01, "overview", round=0)
    assert (first.pending, first.usual, first.ahead) == (True, 8.0, 0)
    second = await office.cache.ask(collected, 0.01, "joint", round=0)
    assert (second.usual, second.ahead) == (None, 1)
    clock.later(3)
    again = await office.cache.ask(collected, 0.01, "overview", round=0)
    assert again.seconds == 3
    assert again.state != first.state
    office.analysts.go.set()
    await office.settled()


@awaited
async def test_nobody_waits_for_what_has_taken_long_already(clock: Clock) -> None:
    office = Office(clock)
    office.analysts.go.clear()
    collected = await office.cache.collected()
    asked = office.cache.ask(collected, 0.01, "overview", round=0)
    assert (await asked).pending
    clock.later(TIMEOUT)
    assert (await asyncio.wait_for(office.ask(), TIMEOUT / 2)).pending
    office.analysts.go.set()
    await office.settled()
    assert await office.answer() == 1


@pytest.mark.parametrize(
    "failure, reason",
    [
        (Overloaded("9 questions wait"), "9 questions wait"),
        (ReportedProblem(ProblemDetail("too_long", "it took too long")), "it took too long"),
        (RuntimeError("a secret of the server"), "the server failed"),
    ],
)
@awaited
async def test_a_failure_is_reported_and_tried_again(
    clock: Clock, failure: Exception, reason: str
) -> None:
    office = Office(clock)
    office.analysts.failure = failure
    found = await office.ask()
    assert (found.document, found.reason, found.pending) == (None, reason, False)
    office.analysts.failure = None
    assert (await office.ask()).reason == reason
    clock.later(YOUNG + 1)
    assert await office.answer() == 2


@awaited
async def test_what_these_reports_cannot_answer_is_not_asked_again_of_them(clock: Clock) -> None:
    office = Office(clock)
    office.analysts.failure = EstimateError("nobody shared it")
    for _ in range(3):
        assert (await office.ask()).reason == "nobody shared it"
        clock.later(1000)
    assert len(office.analysts.asked) == 1
    office.store.accepted, office.analysts.failure = 1, None
    assert await office.answer() == 2


@awaited
async def test_questions_that_differ_have_their_own_answers_one_at_a_time(clock: Clock) -> None:
    office = Office(clock)
    office.store.open = {0: "open", 1: "open"}
    asked = [office.ask(), office.ask(round=1), office.ask("curves")]
    pairs = [office.ask("joint", attributes=list(pair)) for pair in ("ab", "ba")]
    found = await asyncio.gather(*asked, *pairs)
    answers = [each.document["answer"] for each in found if each.document]
    assert sorted(answers) == [1, 2, 3, 4, 5]  # in whatever order they were begun


@awaited
async def test_more_than_may_wait_are_begun_when_somebody_looks_again(
    clock: Clock,
) -> None:
    office = Office(clock)
    office.analysts.go.clear()
    asked = [asyncio.create_task(office.ask("joint", pair=i)) for i in range(WAITING)]
    while len(office.cache._work) < WAITING:
        await asyncio.sleep(0)
    assert (await office.ask()).pending
    assert len(office.cache._work) == WAITING
    office.analysts.go.set()
    assert all(found.document for found in await asyncio.gather(*asked))
    assert await office.answer() == WAITING + 1


@awaited
async def test_answers_that_nobody_looks_at_are_forgotten_first(clock: Clock) -> None:
    office = Office(clock)
    await office.answer()
    for i in range(2 * REMEMBERED):
        await office.ask("joint", pair=i)
        assert await office.answer() == 1
    assert len(office.cache._known) == REMEMBERED
    assert office.cache._work == {}


@awaited
async def test_counters_are_read_once_a_second(clock: Clock) -> None:
    office = Office(clock)
    office.store.accepted, office.store.deleted = 5, 2
    found = await office.cache.collected()
    assert (found.kept, found.newest, found.days) == (3, 0, {DAY: 5})
    assert found.refused == {"wrong_plan": 2, "malformed": 1}
    assert "refused" not in found.outcomes
    office.store.accepted = 6
    assert (await office.cache.collected()).kept == 3
    assert office.store.reads == 1
    clock.later(1.1)
    assert (await office.cache.collected()).kept == 4
    for round in range(2 * REMEMBERED):
        assert (await office.cache.collected(round)).days == {DAY: 6 + round}
        assert len(office.cache._collected) <= REMEMBERED


@awaited
async def test_the_end_gives_up_what_is_being_worked_out(clock: Clock) -> None:
    office = Office(clock)
    office.analysts.go.clear()
    asked = [asyncio.create_task(office.ask(question)) for question in ("overview", "curves")]
    while len(office.cache._work) < 2:
        await asyncio.sleep(0)
    office.cache.close()
    assert [found.pending for found in await asyncio.gather(*asked)] == [True, True]
    assert (office.cache._work, office.analysts.at_once) == ({}, 0)
    assert (await office.ask()).pending
    assert (office.cache._work, office.analysts.asked) == ({}, [("overview", 0)])
