"""What a database must do for the store: transactions that keep their word, and a few bulk acts.

Statements are written with ``?`` and understood by both. One writes at a time: positions are given
in the order of commits, so whoever has counted up to a position has missed nothing below it.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from importlib.resources import files
from typing import Any, Protocol

from discretion.collector.outcome import Incoming
from discretion.errors import StoreVersion

Row = tuple[Any, ...]
Key = tuple[int, bytes]  # round and id


class Session(Protocol):
    """One transaction."""

    def rows(self, statement: str, *values: object) -> list[Row]:
        """Return what a query finds."""
        ...

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; return how many rows it changed."""
        ...

    def stream(self, statement: str, *values: object, size: int) -> Iterator[list[Row]]:
        """Yield what a query finds, so many rows at a time."""
        ...

    def insert(self, plan: int, reports: Sequence[Incoming]) -> set[Key]:
        """Insert reports with different keys; return the keys that were there before."""
        ...

    def bodies(self, plan: int, round: int, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """Return what is kept under these ids."""
        ...


class Database(Protocol):
    """A store's database."""

    def writing(self, *, wait: bool = True) -> AbstractContextManager[Session]:
        """Begin a transaction that no other writes beside; it is durable when the block ends.

        ``wait``: for whoever writes just now; otherwise the store is unavailable.
        """
        ...

    def reading(self) -> AbstractContextManager[Session]:
        """Begin a transaction that sees one state, whatever is written meanwhile."""
        ...

    def close(self) -> None: ...


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
