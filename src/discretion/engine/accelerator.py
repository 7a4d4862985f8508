"""Devices that JAX finds: GPUs, or the processor itself.

What is kept lies on the devices, in turn, as far as it finds room there; the rest is read again by
threads while the devices work on what came before. Work that is array code (``arrays``) is traced
once for each form of what it works on, and compiled; parts come back and are merged here, along the
same tree as everywhere. All other work, such as counting, runs in threads of this process.

Double precision and exact products are asked for where they are needed, never by settings of the
process, which belong to whoever imports this.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, partial
from threading import Lock
from typing import Any, Generic

import jax
import numpy as np

from discretion.engine.arrays import is_array_code
from discretion.engine.engine import Held, Item, Merge, Part, Progress, Work, added, merged
from discretion.engine.local import LocalEngine
from discretion.engine.packed import Packed

ROWS = 1 << 18  # reports that a device works on at once
SHARE = 0.5  # of a device's memory that reports may take; the rest is for what is made of them
ROOM = 1 << 31  # bytes, where a device does not say how much it has
AHEAD = 2  # items for each device that are read, or worked on, before the first part is merged


@dataclass(frozen=True)
class JaxEngine:
    """The devices, and how many bytes of reports stay on each: by default half of what it has."""

    devices: tuple[Any, ...] = field(default_factory=lambda: tuple(jax.local_devices()))
    progress: Progress | None = None
    room: int | None = None
    rows: int = ROWS

    def fold(
        self, items: Sequence[Item], work: Work[Item, Part], merge: Merge[Part] = added
    ) -> Part:
        return LocalEngine(progress=self.progress).fold(items, work, merge)

    def keep(self, items: Sequence[Item], make: Work[Item, Held]) -> "JaxKept[Item, Held]":
        return JaxKept(self, items, make)

    def close(self) -> None:
        """Devices forget what was kept with the object that kept it."""


class JaxKept(Generic[Item, Held]):
    """Items on the devices, as far as they find room."""

    def __init__(
        self, engine: JaxEngine, items: Sequence[Item], make: Callable[[Item], Held]
    ) -> None:
        self._engine, self._items, self._make = engine, items, make
        self._placed: dict[int, Packed] = {}
        self._room = {device: engine.room or _room(device) for device in engine.devices}
        self._lock = Lock()

    @property
    def nbytes(self) -> int:
        """How many bytes lie on the devices."""
        return sum(packed.nbytes for packed in self._placed.values())

    def fold(self, work: Callable[[Held], Part], merge: Merge[Part] = added) -> Part:
        if is_array_code(work):
            return merged(self._worked(Packed.of(work)), len(self._items), merge)
        indices = range(len(self._items))
        return self._engine.fold(indices, lambda i: work(self._held(i).whole()), merge)

    def _worked(self, work: Packed) -> Iterator[Any]:
        """Yield the parts in order; a few items are read, and a few parts made, ahead of them."""
        at = {d: work.placed(partial(_put, device=d)) for d in self._engine.devices}
        count, ahead = len(self._items), AHEAD * len(at)
        readers = ThreadPoolExecutor(ahead, "reader")
        try:
            read = (readers.submit(self._at_device, index) for index in range(count))
            items = (future.result() for future in _begun(read, ahead))
            made = (_run(at[self._device(i)], item) for i, item in enumerate(items))
            for done, part in enumerate(_begun(made, ahead), 1):
                yield self._fetched(part, done)
        finally:
            readers.shutdown(cancel_futures=True)

    def _fetched(self, part: Packed, done: int) -> Any:
        whole = part.placed(np.asarray).whole()
        if self._engine.progress is not None:
            self._engine.progress(done, len(self._items))
        return whole

    def _device(self, index: int) -> Any:
        return self._engine.devices[index % len(self._engine.devices)]

    def _held(self, index: int) -> Packed:
        """Return an item as NumPy has it."""
        return self._at_device(index).placed(np.asarray)

    def _at_device(self, index: int) -> Packed:
        if index in self._placed:
            return self._placed[index]
        device, made = self._device(index), Packed.of(self._make(self._items[index]))
        there = made.placed(partial(_put, device=device))
        with self._lock:
            if made.nbytes <= self._room[device]:
                self._room[device] -= made.nbytes
                self._placed[index] = there
        return there


def _begun(each: Iterable[Item], ahead: int) -> Iterator[Item]:
    """Yield each, so many later than it is begun."""
    begun: deque[Item] = deque()
    for one in each:
        begun.append(one)
        if len(begun) > ahead:
            yield begun.popleft()
    yield from begun


def _run(work: Packed, item: Packed) -> Packed:
    with _exact():
        around, arrays = _compiled()(work.around, item.around, work.arrays, item.arrays)
    return Packed(around.data, tuple(arrays))


def _put(array: Any, device: Any) -> Any:
    with _exact():
        return jax.device_put(array, device)


def _exact() -> ExitStack:
    """Return the context in which double precision exists, and products are not shortened."""
    stack = ExitStack()
    stack.enter_context(jax.enable_x64(True))
    stack.enter_context(jax.default_matmul_precision("highest"))
    return stack


@dataclass(frozen=True)
class _Around:
    """The bytes around arrays, as a part of a tree of arrays that is none itself."""

    data: bytes


@cache
def _compiled() -> Callable[..., tuple[_Around, list[Any]]]:
    """Return the function that does packed work on a packed item, compiled for each form."""
    jax.tree_util.register_static(_Around)

    def run(work: bytes, item: bytes, given: Any, arrays: Any) -> tuple[_Around, list[Any]]:
        found = Packed.of(
            Packed(work, given).whole()(Packed(item, arrays).whole()),
            (jax.Array, np.ndarray, np.generic),
        )
        return _Around(found.around), [jax.numpy.asarray(array) for array in found.arrays]

    return jax.jit(run, static_argnums=(0, 1))


def _room(device: Any) -> int:
    limit = (device.memory_stats() or {}).get("bytes_limit")
    return ROOM if limit is None else int(SHARE * limit)
