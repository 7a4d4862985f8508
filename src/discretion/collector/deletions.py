"""Deletions: those that arrive while one commit is on its way to the disk share the next one.

Between two commits there is a pause of a few times what the last one took, so that any number of
deletions leaves most of the time to uploads. A deletion that comes alone does not wait.
"""

import asyncio
from collections.abc import Sequence
from time import perf_counter

from discretion.collector.store import Store

GROUP = 1000  # deletions in one commit, so that uploads do not wait long
PAUSE = 4.0  # times what a commit took: deletions have a fifth of the time at most
Waiting = tuple[bytes, asyncio.Future[bool]]  # an id, and who waits for the answer


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
