"""A Dask cluster: shards go to workers by their names, and parts come back.

A task is as many neighbours as are merged with each other, since a scheduler spends milliseconds on
one; those of the end are single items, so that no worker waits long for another. What is kept stays
on the workers as futures. Should a worker be lost, the scheduler has what it held made again of its
source by another one; nothing but time is lost with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from threading import Lock
from typing import Any, Generic

from distributed import Client, Future

from discretion.engine.engine import (
    FAN,
    Held,
    Item,
    Merge,
    Part,
    Progress,
    Work,
    added,
    batches,
)
from discretion.engine.threads import single_threaded

LAST = 2  # batches a thread that go item by item, at the end


@dataclass(frozen=True)
class DaskEngine:
    """The workers of a client."""

    client: Client
    progress: Progress | None = None
    rows: None = None

    def fold(
        self, items: Sequence[Item], work: Work[Item, Part], merge: Merge[Part] = added
    ) -> Part:
        groups = self._grouped(items)
        sizes = [len(group) for group in groups]
        return self._merged(
            self._sent(_folded, groups, sizes, work=work, merge=merge), sizes, merge
        )

    def keep(self, items: Sequence[Item], make: Work[Item, Held]) -> "DaskKept[Held]":
        groups = self._grouped(items)
        sizes = [len(group) for group in groups]
        return DaskKept(self, self._sent(_made, groups, sizes, make=make), sizes)

    def close(self) -> None:
        self.client.close()

    def _grouped(self, items: Sequence[Item]) -> list[list[Item]]:
        """Return what is one task each: neighbours; and at the end, some for each thread, items."""
        neighbours = list(batches(items))
        whole = max(0, len(neighbours) - LAST * sum(self.client.nthreads().values()))
        return neighbours[:whole] + [[item] for item in items[whole * FAN :]]

    def _sent(
        self, task: Callable[..., Any], groups: Sequence[Any], sizes: Sequence[int], **how: Any
    ) -> list[Future]:
        futures: list[Future] = self.client.map(task, groups, **how, pure=False)
        if self.progress is not None:
            count = _Count(self.progress, sum(sizes))
            for future, size in zip(futures, sizes, strict=True):
                future.add_done_callback(partial(count, size))
        return futures

    def _merged(self, futures: list[Future], sizes: Sequence[int], merge: Merge[Part]) -> Part:
        """Merge on the workers, what is farther up the tree first: it lets go of what is below."""
        whole, level = sum(size > 1 for size in sizes), 1
        futures = futures[:whole] + self._level(futures[whole:], merge, level)
        while len(futures) > 1:
            level += 1
            futures = self._level(futures, merge, level)
        return futures[0].result()

    def _level(self, futures: list[Future], merge: Merge[Part], level: int) -> list[Future]:
        return [
            batch[0]
            if len(batch) == 1
            else self.client.submit(reduce, merge, batch, pure=False, priority=level)
            for batch in batches(futures)
        ]


@dataclass(frozen=True)
class DaskKept(Generic[Held]):
    """Items in the memory of the workers, so many to a future."""

    engine: DaskEngine
    futures: list[Future]
    sizes: list[int]

    def fold(self, work: Callable[[Held], Part], merge: Merge[Part] = added) -> Part:
        sent = self.engine._sent(_folded, self.futures, self.sizes, work=work, merge=merge)
        return self.engine._merged(sent, self.sizes, merge)


class _Count:
    """Count the futures that have ended, on whatever worker."""

    def __init__(self, progress: Progress, count: int) -> None:
        self._progress, self._count, self._done, self._lock = progress, count, 0, Lock()

    def __call__(self, size: int, _: Future) -> None:
        with self._lock:
            self._done += size
            self._progress(self._done, self._count)


def _folded(group: list[Any], work: Callable[[Any], Any], merge: Callable[[Any, Any], Any]) -> Any:
    with single_threaded:
        return reduce(merge, map(work, group))


def _made(group: list[Any], make: Callable[[Any], Any]) -> list[Any]:
    with single_threaded:
        return [make(item) for item in group]
