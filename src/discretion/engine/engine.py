"""The engine: one verb, fold, and items that stay where they were made between folds.

Every item becomes a part, and the parts are merged along a tree whose shape depends on their number
alone: four neighbours at a time, from left to right. So whoever works on an item, and whenever it
is done, sums of floating point numbers come out the same, bit for bit. Products of matrices run on
one thread each, since BLAS may divide a sum by how many threads there are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache, reduce
from importlib import import_module
from itertools import islice
from typing import Protocol, TypeVar, runtime_checkable

from threadpoolctl import ThreadpoolController

from discretion.engine.monoid import added

FAN = 4  # parts that are merged at once

Item = TypeVar("Item")
Part = TypeVar("Part")
Held = TypeVar("Held")
Held_co = TypeVar("Held_co", covariant=True)

Work = Callable[[Item], Part]
Merge = Callable[[Part, Part], Part]
Progress = Callable[[int, int], None]  # items that are done, and all of them


class Kept(Protocol[Held_co]):
    """Items that were made once and are asked several times."""

    def fold(self, work: Callable[[Held_co], Part], merge: Merge[Part] = added) -> Part:
        """Do the work on every item where it is, and merge what comes out, in order."""
        ...


@runtime_checkable
class Engine(Protocol):
    """Where a fold runs."""

    def fold(
        self, items: Sequence[Item], work: Work[Item, Part], merge: Merge[Part] = added
    ) -> Part:
        """Do the work on every item, of which there must be some, and merge in order."""
        ...

    def keep(self, items: Sequence[Item], make: Work[Item, Held]) -> Kept[Held]:
        """Make something of every item that stays where it is made.

        What is lost, or did not find room, is made again of its item when it is asked for.
        """
        ...

    def close(self) -> None:
        """Let go of the threads or the cluster that it works with."""
        ...


def merged(parts: Iterable[Part], count: int, merge: Merge[Part]) -> Part:
    """Merge so many parts along the tree, as they come; only a few of them are held at once."""
    while count > 1:
        parts, count = _level(parts, merge), -(-count // FAN)
    return next(iter(parts))


def _level(parts: Iterable[Part], merge: Merge[Part]) -> Iterator[Part]:
    for batch in batches(parts):
        yield reduce(merge, batch)


def batches(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Yield the neighbours that are merged with each other."""
    left = iter(parts)
    while batch := list(islice(left, FAN)):
        yield batch


def single_threaded() -> AbstractContextManager[object]:
    """Keep products of matrices on the thread that asks for them."""
    return _libraries().limit(limits=1, user_api="blas")


@cache
def _libraries() -> ThreadpoolController:
    """Find the libraries that this process has, NumPy's and SciPy's among them."""
    for library in ("numpy", "scipy.linalg"):
        import_module(library)
    return ThreadpoolController()
