"""Commits of groups, of reports and of deletions.

Where a database has several shards, reports are committed several groups side by side. Each part of
a group is kept or not by itself. A process begins with another shard than its neighbours, so that
they meet seldom.

Deletions that arrive while one commit is on its way to the disk share the next one. Between two
there is a pause of a few times what the last one took, so that any number of deletions leaves most
of the time to uploads. A deletion that comes alone does not wait.
"""

import asyncio
import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import perf_counter
from typing import NamedTuple

from discretion.collector.outcome import Incoming, Verdict
from discretion.collector.store import Store
from discretion.collector.store.insertion import Counts
from discretion.collector.store.shards import parts_of

AT_ONCE = 4  # commits of one process, each with a connection
GROUP = 1000  # deletions in one commit, so that uploads do not wait long
PAUSE = 4.0  # times what a commit took: deletions have a fifth of the time at most
Waiting = tuple[bytes, asyncio.Future[bool]]  # an id, and who waits for the answer


class Kept(NamedTuple):
    """What became of each report, and whether the counts that were given are counted."""

    verdicts: list[Verdict | Exception]
    counted: bool

    @property
    def errors(self) -> list[Exception]:
        """The errors, each of them once."""
        return list({id(v): v for v in self.verdicts if isinstance(v, Exception)}.values())


class Commits:
    """What keeps groups; threads are started when there is something for them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="commit")

    def put(self, reports: Sequence[Incoming], more: Counts) -> Kept:
        """Keep reports; where the parts of a group are one, what keeps it out is raised."""
        parts = parts_of(reports, self._store.database.shards)
        if len(parts) == 1:
            return Kept([*self._store.put(reports, more)], True)
        first = os.getpid() % len(parts)
        done = [
            (part, self._pool.submit(self._store.put, [reports[i] for i in part], also))
            for part, also in zip(
                parts[first:] + parts[:first], [more] + [{}] * (len(parts) - 1), strict=True
            )
        ]
        verdicts: dict[int, Verdict | Exception] = {}
        for part, future in done:
            verdicts |= zip(part, _answers(future, len(part)), strict=True)
        counted = done[0][1].exception() is None
        return Kept([verdicts[i] for i in range(len(reports))], counted)

    def close(self) -> None:
        self._pool.shutdown()


def _answers(done: Future[list[Verdict]], count: int) -> Sequence[Verdict | Exception]:
    try:
        return done.result()
    except Exception as error:
        return [error] * count


class Deletions:
    """Any number of coroutines that wait; one commit at a time."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def delete(self, id: bytes) -> bool:
        """Delete a report; when it returns, it stays deleted. False where none has this id."""
        answer = asyncio.get_running_loop().create_future()
        self._waiting.append((id, answer))
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        while self._waiting:
            start = perf_counter()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            await self._commit(group)
            await asyncio.sleep(PAUSE * (perf_counter() - start))
        self._task = None

    async def _commit(self, group: Sequence[Waiting]) -> None:
        found: set[bytes] | Exception
        try:
            found = await asyncio.to_thread(self._store.delete_many, {id for id, _ in group})
        except Exception as error:
            found = error
        for id, answer in group:
            if answer.done():  # whoever asked has gone
                continue
            if isinstance(found, Exception):
                answer.set_exception(found)
            else:
                answer.set_result(id in found)
