"""What a database must do for the store: transactions that keep their word, and a few bulk acts.

Statements are written with ``?`` and understood by both. In one shard, one writes at a time:
positions are given in the order of commits.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import files
from threading import Lock
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from discretion.collector.errors import StoreVersion
from discretion.collector.outcome import Incoming
from discretion.collector.store.watermark import Progress

Row = tuple[Any, ...]
Key = tuple[int, bytes]  # round and id


class DiskUsage(NamedTuple):
    """Bytes that a database takes, and that are left; None where it does not say."""

    store: int
    log: int | None  # the write-ahead log
    free: int | None


class Session(Protocol):
    """One transaction."""

    TAIL: str  # selects position and body by plan, round, shard and position: those behind it

    @property
    def shards(self) -> int:
        """How many there are."""

    def rows(self, statement: str, *values: object) -> list[Row]:
        """Return what a query finds."""

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; return how many rows it changed."""

    def stream(self, statement: str, *values: object, size: int) -> Iterator[list[Row]]:
        """Yield what a query finds, so many rows at a time."""

    def insert(self, plan: int, reports: Sequence[Incoming]) -> set[Key]:
        """Insert reports with different keys; return the keys that were there before."""

    def begin(self, plan: int, round: int) -> None:
        """Make room for the reports of a new round."""

    def discard(self, plan: int, round: int, most: int) -> bool:
        """Remove rows of a round, all at once or so many; return whether there may be more."""

    def bodies(self, plan: int, round: int, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """Return what is kept under these ids."""


class Database(Protocol):
    """A store's database."""

    @property
    def shards(self) -> int:
        """How many there are."""

    def writing(
        self, shards: Iterable[int] = (), *, wait: bool = True
    ) -> AbstractContextManager[Session]:
        """Begin a transaction; it is durable when the block ends.

        No other writes in these shards, given in ascending order, until then. ``wait``: for whoever
        does just now; otherwise the store is unavailable.
        """

    def reading(self) -> AbstractContextManager[Session]:
        """Begin a transaction that sees one state, whatever is written meanwhile."""

    def rehearse(self, size: int) -> None:
        """Write so many bytes and take them back; raise what keeps a batch of that size out."""

    def disk_usage(self) -> DiskUsage:
        """Return how much room there is."""

    def resume(self) -> tuple[Progress, Progress]:
        """Return how far the store has got, and had got before; from now on the former counts."""

    def close(self) -> None: ...


class Closeable(Protocol):
    """A connection."""

    def close(self) -> None: ...


Connected = TypeVar("Connected", bound=Closeable)


class Pool(Generic[Connected]):
    """Connections that threads borrow: one that is idle, or a new one."""

    def __init__(self, connect: Callable[[], Connected]) -> None:
        self._connect, self._idle = connect, list[Connected]()
        self._lock, self._closed = Lock(), False

    @contextmanager
    def lend(self) -> Iterator[Connected]:
        """Lend a connection; one that failed, or comes back after the end, is closed."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            yield connection
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def close_idle(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    def close(self) -> None:
        self._closed = True
        self.close_idle()


def migrations(dialect: str) -> list[str]:
    """Return the scripts that lead from an empty database to the newest version, in order."""
    folder = files("discretion.collector.store") / "migrations" / dialect
    return [entry.read_text() for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)]


def pending(dialect: str, version: int, where: str) -> list[str]:
    """Return the scripts that a database of this version lacks; a newer one is refused."""
    scripts = migrations(dialect)
    if not 0 <= version <= len(scripts):
        raise StoreVersion(where, version, len(scripts))
    return scripts[version:]
