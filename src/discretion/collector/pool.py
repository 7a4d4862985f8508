"""The pool: analysts that all plans of a process share. Plans take turns.

Whenever an analyst is free, the plan whose last turn was longest ago asks its next question: a plan
with many questions keeps nobody else waiting. An analyst that takes too long, or dies, is replaced.
"""

import asyncio
import os
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from discretion.collector.analysts import ONE_THREAD, Analyst
from discretion.collector.metrics import Metrics
from discretion.collector.problems import Told, Trouble
from discretion.errors import Overloaded
from discretion.plan import Plan

WAITING = 8  # questions of one plan that may wait for one analyst
Place = Analyst | None  # None: that of one who could not be replaced yet


class Turns:
    """Places at analysts, lent to one plan after the other."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._free = deque(places)
        self._lines: dict[str, deque[asyncio.Future[Place]]] = {}  # the next plan first

    def waiting(self, plan: str) -> int:
        """Return how many questions of a plan wait for their turn."""
        return sum(not turn.done() for turn in self._lines.get(plan, ()))

    async def take(self, plan: str) -> Place:
        """Wait for the turn of a plan."""
        if self._free:
            return self._free.popleft()
        turn: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(plan, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it came in the same moment
                self.give(turn.result())
            raise

    def give(self, place: Place) -> None:
        """Give a place to the next plan that waits, which is the last one from then on."""
        for plan in list(self._lines):
            line = self._lines.pop(plan)
            while line and line[0].done():  # whoever asked has gone
                line.popleft()
            if line:
                line.popleft().set_result(place)
                self._lines[plan] = line
                return
        self._free.append(place)


class Pool:
    """As many analysts as the settings say."""

    def __init__(
        self, address: str, plans: Iterable[Plan], count: int, patience: float, metrics: Metrics
    ) -> None:
        """Start them; each computes in one thread, unless the environment says otherwise.

        Matrices are small; threads that wait for each other on busy cores take ten times longer.
        """
        for name in ONE_THREAD:
            os.environ.setdefault(name, "1")
        self._address, self._plans = address, {plan.id: plan.to_bytes() for plan in plans}
        self._patience, self._metrics = patience, metrics
        self._staff: set[Analyst] = set()
        self._threads = ThreadPoolExecutor(count, "analyst")
        self.count, self.closed = count, False
        self.turns = Turns([self._hired() for _ in range(count)])

    def close(self) -> None:
        """End all, also those at work: the interpreter would wait for them for ever."""
        self.closed = True
        while self._staff:
            self._staff.pop().close()
        self._threads.shutdown()

    async def ask(
        self, plan: str, question: str, values: Mapping[str, Any], metrics: Metrics
    ) -> Any:
        """Ask the next analyst who is free; one that died, or is of no more use, is replaced."""
        analyst = await self.turns.take(plan)
        found: Any = Told("failed", "the question was given up")
        try:
            if self.closed:
                raise Overloaded("the server is about to end")
            if analyst is None or not analyst.alive:
                analyst = self._replaced(analyst)
            work = partial(analyst.ask, plan, question, values, self._patience)
            with metrics.question(question):
                found = await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            if analyst is not None and isinstance(found, Told) and found.fatal:
                self._dismissed(analyst)
                analyst = self._successor()
            self.turns.give(analyst)
        return found

    def _hired(self) -> Analyst:
        analyst = Analyst(self._address, self._plans)
        self._staff.add(analyst)
        return analyst

    def _replaced(self, analyst: Analyst | None) -> Analyst:
        if analyst is not None:
            self._dismissed(analyst)
        return self._hired()

    def _successor(self) -> Place:
        """Hire at once, so that nobody waits; if that fails, the next who asks tries again."""
        if self.closed:
            return None
        try:
            return self._hired()
        except OSError:
            return None

    def _dismissed(self, analyst: Analyst) -> None:
        self._staff.discard(analyst)
        self._metrics.replaced()
        analyst.close()


class Analysts:
    """The pool, as one plan asks it."""

    def __init__(self, pool: Pool, plan: Plan, metrics: Metrics) -> None:
        self._pool, self._plan, self._metrics = pool, plan.id, metrics
        self._most, self._asked = pool.count * (1 + WAITING), 0

    async def ask(self, question: str, **values: Any) -> dict[str, Any]:
        """Return the answer to a question about the store of the plan."""
        if self._pool.closed or self._asked >= self._most:
            raise Overloaded(f"{self._asked} questions wait to be answered")
        self._asked += 1
        try:
            found = await self._pool.ask(self._plan, question, values, self._metrics)
        finally:
            self._asked -= 1
        if isinstance(found, Told):
            raise Trouble(found)
        answer: dict[str, Any] = found
        return answer

    @property
    def waiting(self) -> int:
        """How many questions of the plan are not begun yet."""
        return self._pool.turns.waiting(self._plan)
