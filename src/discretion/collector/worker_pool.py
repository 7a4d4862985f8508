"""The worker pool: processes that work out estimates, shared by all plans. Plans take turns.

Whenever a worker is free, the plan whose last turn was longest ago asks its next question: a plan
with many questions keeps nobody else waiting. A worker that takes too long, or dies, is replaced.
"""

import asyncio
import os
from collections import deque
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from discretion.collector.errors import Overloaded
from discretion.collector.metrics import Metrics
from discretion.collector.problems import ProblemDetail, ReportedProblem
from discretion.collector.worker import ONE_THREAD, Worker
from discretion.plan import Plan

WAITING = 8  # questions of one plan that may wait for one worker
Slot = Worker | None  # None: not started yet, or it could not be replaced


class FairQueue:
    """Workers, lent to one plan after the other."""

    def __init__(self, slots: Iterable[Slot]) -> None:
        self._free = deque(slots)
        self._queues: dict[str, deque[asyncio.Future[Slot]]] = {}  # the next plan first

    def waiting(self, plan: str) -> int:
        """Return how many questions of a plan wait for their turn."""
        return sum(not turn.done() for turn in self._queues.get(plan, ()))

    async def take(self, plan: str) -> Slot:
        """Wait for the turn of a plan."""
        if self._free:
            return self._free.popleft()
        turn: asyncio.Future[Slot] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(plan, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it came in the same moment
                self.give(turn.result())
            raise

    def give(self, slot: Slot) -> None:
        """Give a slot to the next plan that waits, which is the last one from then on."""
        for plan in list(self._queues):
            waiting = self._queues.pop(plan)
            while waiting and waiting[0].done():  # whoever asked has gone
                waiting.popleft()
            if waiting:
                waiting.popleft().set_result(slot)
                self._queues[plan] = waiting
                return
        self._free.append(slot)


class WorkerPool:
    """As many workers as the settings say."""

    def __init__(
        self, address: str, plans: Iterable[Plan], count: int, timeout: float, metrics: Metrics
    ) -> None:
        """Start each with the first question that needs it: one nobody asks takes no memory.

        Each computes in one thread, unless the environment says otherwise. Matrices are small;
        threads that wait for each other on busy cores take ten times longer.
        """
        for name in ONE_THREAD:
            os.environ.setdefault(name, "1")
        self._address, self._plans = address, {plan.id: plan.to_bytes() for plan in plans}
        self._timeout, self._metrics = timeout, metrics
        self._workers: set[Worker] = set()
        self._threads = ThreadPoolExecutor(count, "worker")
        self.count, self.closed = count, False
        self.queue = FairQueue([None] * count)

    def close(self) -> None:
        """End all, also those at work: the interpreter would wait for them for ever."""
        self.closed = True
        while self._workers:
            self._workers.pop().close()
        self._threads.shutdown()

    async def ask(
        self, plan: str, question: str, values: Mapping[str, Any], metrics: Metrics
    ) -> Any:
        """Ask the next worker who is free; one that died, or is of no more use, is replaced."""
        worker = await self.queue.take(plan)
        found: Any = ProblemDetail("failed", "the question was given up")
        try:
            if self.closed:
                raise Overloaded("the server is about to end")
            if worker is not None and not worker.alive:
                self._stop(worker)
                worker = None
            worker = worker or self._start()
            work = partial(worker.ask, plan, question, values, self._timeout)
            with metrics.question(question):
                found = await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            if worker is not None and isinstance(found, ProblemDetail) and found.fatal:
                self._stop(worker)
                worker = self._replacement()
            self.queue.give(worker)
        return found

    def _start(self) -> Worker:
        worker = Worker(self._address, self._plans)
        self._workers.add(worker)
        return worker

    def _replacement(self) -> Slot:
        """Start one at once, so that nobody waits; if that fails, the next who asks tries again."""
        if self.closed:
            return None
        try:
            return self._start()
        except OSError:
            return None

    def _stop(self, worker: Worker) -> None:
        self._workers.discard(worker)
        self._metrics.replaced()
        worker.close()


class PoolClient:
    """The pool, as one plan asks it."""

    def __init__(self, pool: WorkerPool, plan: Plan, metrics: Metrics) -> None:
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
        if isinstance(found, ProblemDetail):
            raise ReportedProblem(found)
        return found

    @property
    def waiting(self) -> int:
        """How many questions of the plan are not begun yet."""
        return self._pool.queue.waiting(self._plan)
