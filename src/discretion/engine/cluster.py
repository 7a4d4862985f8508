"""A Dask cluster: shards go to workers by their names, and parts come back.

What is kept stays on the workers as futures. Should a worker be lost, the scheduler has what it
held made again of its source by another one; nothing but time is lost with it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from threading import Lock
from typing import Any, Generic

from distributed import Client, Future

from discretion.engine.engine import (
    Held,
    Item,
    Merge,
    Part,
    Progress,
    Work,
    batches,
    single_threaded,
)


@dataclass(frozen=True)
class DaskEngine:
    """The workers of a client."""

    client: Client
    progress: Progress | None = None

    def fold(self, items: Sequence[Item], work: Work[Item, Part], merge: Merge[Part]) -> Part:
        return self._merged(self._sent(work, items), merge)

    def keep(self, items: Sequence[Item], make: Work[Item, Held]) -> "DaskKept[Held]":
        return DaskKept(self, self._sent(make, items))

    def _sent(self, work: Callable[[Any], Any], items: Sequence[Any]) -> list[Future]:
        futures: list[Future] = self.client.map(_alone, items, work=work, pure=False)
        if self.progress is not None:
            count = _Count(self.progress, len(futures))
            for future in futures:
                future.add_done_callback(count)
        return futures

    def _merged(self, futures: list[Future], merge: Merge[Part]) -> Part:
        """Merge on the workers, what is farther up the tree first: it lets go of what is below."""
        level = 0
        while len(futures) > 1:
            level += 1
            futures = [
                batch[0]
                if len(batch) == 1
                else self.client.submit(_reduced, merge, batch, pure=False, priority=level)
                for batch in batches(futures)
            ]
        part: Part = futures[0].result()
        return part


@dataclass(frozen=True)
class DaskKept(Generic[Held]):
    """Items in the memory of the workers."""

    engine: DaskEngine
    futures: list[Future]

    def fold(self, work: Callable[[Held], Part], merge: Merge[Part]) -> Part:
        return self.engine._merged(self.engine._sent(work, self.futures), merge)


class _Count:
    """Tells, as futures end on whatever worker, how many have."""

    def __init__(self, progress: Progress, count: int) -> None:
        self._progress, self._count, self._done, self._lock = progress, count, 0, Lock()

    def __call__(self, _: Future) -> None:
        with self._lock:
            self._done += 1
            self._progress(self._done, self._count)


def _alone(item: Any, work: Callable[[Any], Any]) -> Any:
    with single_threaded():
        return work(item)


def _reduced(merge: Callable[[Any, Any], Any], parts: list[Any]) -> Any:
    return reduce(merge, parts)
