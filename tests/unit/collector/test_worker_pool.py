"""FairQueue at the analysts: no plan keeps another one waiting for long."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest

from discretion.collector.errors import Overloaded
from discretion.collector.metrics import Metrics
from discretion.collector.worker import Worker
from discretion.collector.worker_pool import WAITING, FairQueue, PoolClient, WorkerPool
from tests.collector.serving import people

TRAVEL, WORK = people("travel"), people("work")


def played(work: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(60):
            await work()

    asyncio.run(bounded())


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


class Asking:
    """Plans that take turns; whose turn it was is noted."""

    def __init__(self, places: int = 1) -> None:
        self.turns = FairQueue([cast("Worker", object()) for _ in range(places)])
        self.had: list[str] = []
        self._places: list[Any] = []

    def ask(self, plan: str, count: int = 1) -> list[asyncio.Task[None]]:
        return [asyncio.create_task(self._ask(plan)) for _ in range(count)]

    def done(self) -> None:
        """End the turn that began first."""
        self.turns.give(self._places.pop(0))

    async def _ask(self, plan: str) -> None:
        self._places.append(await self.turns.take(plan))
        self.had.append(plan)


def test_plans_take_turns_however_many_questions_each_has() -> None:
    async def work() -> None:
        asking = Asking()
        asking.ask("a", 5)
        await settled()
        asking.ask("b", 2)
        await settled()
        asking.ask("c")
        await settled()
        assert [asking.turns.waiting(plan) for plan in "abcd"] == [4, 2, 1, 0]
        for _ in range(8):
            await settled()
            asking.done()
        assert "".join(asking.had) == "aabcabaa"
        assert [asking.turns.waiting(plan) for plan in "abc"] == [0, 0, 0]

    played(work)


def test_free_places_are_taken_at_once() -> None:
    async def work() -> None:
        asking = Asking(places=3)
        asking.ask("a", 2)
        asking.ask("b", 2)
        await settled()
        assert asking.had == ["a", "a", "b"]
        asking.done()
        await settled()
        assert asking.had == ["a", "a", "b", "b"]

    played(work)


def test_who_leaves_costs_her_plan_no_turn() -> None:
    async def work() -> None:
        asking = Asking()
        asking.ask("x")
        await settled()
        first, _ = asking.ask("a", 2)
        asking.ask("b")
        await settled()
        first.cancel()
        await settled()
        assert asking.turns.waiting("a") == 1
        asking.done()
        await settled()
        asking.done()
        await settled()
        assert asking.had == ["x", "a", "b"]

    played(work)


def test_a_place_that_is_given_to_who_just_left_is_given_on() -> None:
    async def work() -> None:
        asking = Asking()
        asking.ask("x")
        await settled()
        (leaving,) = asking.ask("a")
        await settled()
        asking.done()
        leaving.cancel()  # the place is hers already, but she does not know it
        await settled()
        asking.ask("b")
        await settled()
        assert asking.had == ["x", "b"]

    played(work)


class Counting(WorkerPool):
    """A pool without processes, whose analysts answer when they are let."""

    def __init__(self, count: int) -> None:
        self.count, self.closed, self.let = count, False, asyncio.Event()
        self.turns = FairQueue(())

    async def ask(self, plan: str, question: str, values: Any, metrics: Metrics) -> Any:
        await self.let.wait()
        return {"plan": plan, "question": question, **values}


def test_one_plan_may_fill_its_own_line_only() -> None:
    async def work() -> None:
        pool = Counting(2)
        travel, own = (PoolClient(pool, plan, Metrics()) for plan in (TRAVEL, WORK))
        most = 2 * (1 + WAITING)
        asked = [asyncio.create_task(travel.ask("counts", round=i)) for i in range(most)]
        await settled()
        with pytest.raises(Overloaded):
            await travel.ask("counts", round=0)
        other = asyncio.create_task(own.ask("counts", round=0))
        await settled()
        pool.let.set()
        assert (await other)["plan"] == WORK.id
        assert {answer["plan"] for answer in await asyncio.gather(*asked)} == {TRAVEL.id}
        assert (await travel.ask("counts", round=0))["round"] == 0

    played(work)
