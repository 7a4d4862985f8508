"""This process: threads over shards, since the kernels, Arrow and NumPy let go of the lock."""

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pickle import PickleBuffer, dumps
from threading import Lock
from typing import Generic

from discretion.engine.engine import Held, Item, Merge, Part, Progress, Work, added, merged
from discretion.engine.threads import single_threaded

ROOM = 1 << 29  # bytes, by default
AHEAD = 2  # items a thread that are begun before the first of them is merged


@dataclass(frozen=True)
class LocalEngine:
    """So many threads, by default one for each processor.

    ``room``: bytes that items kept may take; the others are made again for every pass.
    """

    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    progress: Progress | None = None
    room: int = ROOM
    rows: None = None

    def fold(
        self, items: Sequence[Item], work: Work[Item, Part], merge: Merge[Part] = added
    ) -> Part:
        with single_threaded:
            return merged(self._worked(items, work), len(items), merge)

    def keep(self, items: Sequence[Item], make: Work[Item, Held]) -> "LocalKept[Item, Held]":
        return LocalKept(self, items, make)

    def close(self) -> None:
        """Threads end with the fold that they work for, so there is nothing to let go of."""

    def _worked(self, items: Sequence[Item], work: Work[Item, Part]) -> Iterator[Part]:
        """Yield the parts in order; few are begun ahead, so that few are in memory."""
        begun: deque[Future[Part]] = deque()
        with ThreadPoolExecutor(self.threads, "shard") as threads:
            try:
                for done, item in enumerate(items, 1 - AHEAD * self.threads):
                    begun.append(threads.submit(work, item))
                    if done > 0:
                        yield self._next(begun, done, len(items))
                while begun:
                    yield self._next(begun, len(items) - len(begun) + 1, len(items))
            finally:
                for waiting in begun:
                    waiting.cancel()

    def _next(self, begun: "deque[Future[Part]]", done: int, count: int) -> Part:
        part = begun.popleft().result()
        if self.progress is not None:
            self.progress(done, count)
        return part


class LocalKept(Generic[Item, Held]):
    """Items in memory, as far as they find room."""

    def __init__(
        self, engine: LocalEngine, items: Sequence[Item], make: Callable[[Item], Held]
    ) -> None:
        self._engine, self._items, self._make = engine, items, make
        self._made: dict[int, Held] = {}
        self._room, self._lock = engine.room, Lock()

    def fold(self, work: Callable[[Held], Part], merge: Merge[Part] = added) -> Part:
        return self._engine.fold(range(len(self._items)), lambda i: work(self._held(i)), merge)

    def _held(self, index: int) -> Held:
        if index in self._made:
            return self._made[index]
        made = self._make(self._items[index])
        size = _bytes_of(made)
        with self._lock:
            if size <= self._room:
                self._room -= size
                self._made[index] = made
        return made


def _bytes_of(held: object) -> int:
    """Return the room that something takes: its arrays, without a copy, and what is around them."""
    arrays: list[PickleBuffer] = []
    rest = dumps(held, protocol=5, buffer_callback=arrays.append)
    return len(rest) + sum(array.raw().nbytes for array in arrays)
