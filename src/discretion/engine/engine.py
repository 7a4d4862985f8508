"""The engine: one verb, fold, and items that stay where they were made between folds.

Every item becomes a part, and the parts are merged along a tree whose shape depends on their number
alone: four neighbours at a time, from left to right. So whoever works on an item, and whenever it
is done, sums of floating point numbers come out the same, bit for bit. Products of matrices run on
one thread each (``threads``).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from discretion.errors import EngineError
from discretion.extras import needed

if TYPE_CHECKING:
    from distributed import Client


FAN = 4  # parts that are merged at once
LOCAL, DASK, JAX = "local", "dask", "jax"

Item = TypeVar("Item")
Part = TypeVar("Part")
Held = TypeVar("Held")
Held_co = TypeVar("Held_co", covariant=True)

Work = Callable[[Item], Part]
Merge = Callable[[Part, Part], Part]
Progress = Callable[[int, int], None]  # items that are done, and all of them


def added(one: Part, other: Part) -> Part:
    """Return the sum of two parts; neither of them is changed.

    Tuples are added entry by entry and mappings key by key, what only one of them has included.
    Everything else has a ``+`` of its own.
    """
    return _added(one, other)


def _added(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        both = {key: _added(own, other[key]) for key, own in one.items() if key in other}
        return {**one, **other, **both}
    if isinstance(one, tuple):
        return tuple(_added(a, b) for a, b in zip(one, other, strict=True))
    return one + other


class Kept(Protocol[Held_co]):
    """Items that were made once and are asked several times."""

    def fold(self, work: Callable[[Held_co], Part], merge: Merge[Part] = added) -> Part:
        """Do the work on every item where it is, and merge what comes out, in order."""


@runtime_checkable
class Engine(Protocol):
    """Where a fold runs."""

    @property
    def rows(self) -> int | None:
        """How many reports a device takes at once; None where processors work in their caches."""

    def fold(
        self, items: Sequence[Item], work: Work[Item, Part], merge: Merge[Part] = added
    ) -> Part:
        """Do the work on every item, of which there must be some, and merge in order."""

    def keep(self, items: Sequence[Item], make: Work[Item, Held]) -> Kept[Held]:
        """Make something of every item that stays where it is made.

        What is lost, or did not find room, is made again of its item when it is asked for.
        """

    def close(self) -> None:
        """Let go of the threads or the cluster that it works with."""


def merged(parts: Iterable[Part], count: int, merge: Merge[Part]) -> Part:
    """Merge so many parts along the tree, as they come; only a few of them are held at once."""
    while count > 1:
        parts, count = (reduce(merge, batch) for batch in batches(parts)), -(-count // FAN)
    return next(iter(parts))


def batches(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Yield the neighbours that are merged with each other."""
    left = iter(parts)
    while batch := list(islice(left, FAN)):
        yield batch


def open_engine(engine: object = LOCAL, progress: Progress | None = None) -> Engine:
    """Return the engine that is meant.

    ``"local"``: threads of this process. ``"jax"``: the devices that JAX finds, such as GPUs.
    ``"dask"``: the client that was made last. An address such as ``"tcp://10.0.0.1:8786"``, or a
    ``distributed.Client``: that cluster.
    """
    from discretion.engine.local import LocalEngine

    if engine == LOCAL:
        return LocalEngine(progress=progress)
    if isinstance(engine, Engine):
        return engine
    if engine == JAX:
        with needed("engine 'jax'"):
            from discretion.engine.accelerator import JaxEngine
        return JaxEngine(progress=progress)
    client = _client(engine)
    from discretion.engine.cluster import DaskEngine

    return DaskEngine(client, progress)


def _client(engine: object) -> "Client":
    with needed(f"engine {engine!r}"):
        from distributed import Client, default_client
    if isinstance(engine, Client):
        return engine
    try:
        if engine == DASK:
            return default_client()
        if isinstance(engine, str) and "://" in engine:
            return Client(engine)
    except (OSError, ValueError) as error:
        raise EngineError(f"must have a scheduler that answers ({error})", engine) from None
    raise EngineError(
        'must be "local", "dask", "jax", an address such as tcp://HOST:8786 or a Client', engine
    )
