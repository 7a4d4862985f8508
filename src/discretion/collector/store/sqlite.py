"""SQLite: one file beside the server, for one machine. A commit is on the disk when it returns.

The journal is a write-ahead log, so that readers and the writer do not wait for each other;
``synchronous=FULL`` flushes it at every commit. Deleted bytes are overwritten; in the log they stay
until it starts anew.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from time import monotonic, sleep
from typing import Any

from discretion.collector.outcome import Incoming
from discretion.collector.store.database import Key, Row, pending
from discretion.errors import SettingError, StoreFull, StoreUnavailable

APPLICATION = 0x44697363  # in the file's header: whose it is
BUSY_SECONDS = 5.0
LOG_PAGES, PAGE = 16384, 4096  # of the log, after which it is brought into the file and begun anew
SETTINGS = (
    "synchronous=FULL",
    "secure_delete=ON",
    "cache_size=-65536",  # KiB: ids are random, so every commit touches pages all over the index
    f"wal_autocheckpoint={LOG_PAGES}",  # for the same reason: not at every commit
    f"journal_size_limit={LOG_PAGES * PAGE}",  # what a reader made longer is cut when it has gone
)
TOGETHER = (128, 16, 1)  # rows in one statement: Python stands aside once for all of them
ROOM = 1 << 16  # bytes: with less than that the disk is full
_COLUMNS = "INSERT INTO reports (plan, round, id, body) VALUES"


class SQLite:
    """A file; every thread that is at it has a connection of its own."""

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a file; a new one is for its owner's eyes only."""
        self.path = path
        self._make(create)
        self._idle: list[sqlite3.Connection] = []
        self._lock, self._closed = Lock(), False
        self._writer = Lock()  # threads wait in line: SQLite itself would ask again and again
        with self._told(), closing(self._opened()) as connection:
            self._check_owner(connection)
            self._keep_log(connection)
            self._migrate(connection)

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator["SQLiteSession"]:
        """Begin a transaction that no other writes beside; it is durable when the block ends."""
        seconds = BUSY_SECONDS if wait else 0.0
        with self._told(), self._turn(seconds), self._connection() as connection:
            connection.execute(f"PRAGMA busy_timeout={1000 * seconds:.0f}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield SQLiteSession(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator["SQLiteSession"]:
        """Begin a transaction that sees one state, whatever is written meanwhile."""
        with self._told(), self._connection() as connection:
            connection.execute("BEGIN")
            try:
                yield SQLiteSession(connection)
            finally:
                connection.execute("ROLLBACK")

    def close(self) -> None:
        with self._lock:
            self._closed = True
            while self._idle:
                self._idle.pop().close()

    def _make(self, create: bool) -> None:
        try:
            os.close(os.open(self.path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600))
        except OSError as error:
            raise StoreUnavailable(str(self.path), error.strerror or "cannot be opened") from None

    @contextmanager
    def _turn(self, seconds: float) -> Iterator[None]:
        """Wait until no other thread of this process writes."""
        if not self._writer.acquire(timeout=seconds):
            raise StoreUnavailable(str(self.path), "another thread writes")
        try:
            yield
        finally:
            self._writer.release()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
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

    def _opened(self) -> sqlite3.Connection:
        return sqlite3.connect(
            self.path,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )

    def _connect(self) -> sqlite3.Connection:
        connection = self._opened()
        try:
            for setting in SETTINGS:
                connection.execute(f"PRAGMA {setting}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")  # one moment, while another process may make the tables
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        if owner != APPLICATION and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise SettingError("store", "must not be another program's file", str(self.path))
        connection.execute("ROLLBACK")

    def _keep_log(self, connection: sqlite3.Connection) -> None:
        """Switch to a write-ahead log, for good; SQLite itself does not wait for others."""
        until = monotonic() + BUSY_SECONDS
        while True:
            try:
                (mode,) = connection.execute("PRAGMA journal_mode=WAL").fetchone()
            except sqlite3.OperationalError:
                if monotonic() > until:
                    raise
                sleep(BUSY_SECONDS / 100)
                continue
            if mode != "wal":  # without it a commit is not as durable as is said
                raise StoreUnavailable(str(self.path), f"its journal is {mode}, not a WAL")
            return

    def _migrate(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if not pending("sqlite", version, str(self.path)):
            return
        connection.execute("BEGIN IMMEDIATE")
        (version,) = connection.execute("PRAGMA user_version").fetchone()  # others may have begun
        for script in pending("sqlite", version, str(self.path)):
            for statement in script.split(";\n"):
                connection.execute(statement)
            version += 1
        connection.execute(f"PRAGMA application_id={APPLICATION}")
        connection.execute(f"PRAGMA user_version={version}")
        connection.execute("COMMIT")

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say by its own name what the database cannot do just now."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL" or self._full():
                raise StoreFull(str(self.path)) from error
            raise StoreUnavailable(str(self.path), str(error)) from error

    def _full(self) -> bool:
        try:
            return disk_usage(self.path.parent).free < ROOM
        except OSError:
            return False


class SQLiteSession:
    """One transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, statement: str, *values: Any) -> list[Row]:
        return self._connection.execute(statement, values).fetchall()

    def run(self, statement: str, *values: Any) -> int:
        return self._connection.execute(statement, values).rowcount

    def stream(self, statement: str, *values: Any, size: int) -> Iterator[list[Row]]:
        cursor = self._connection.execute(statement, values)
        while rows := cursor.fetchmany(size):
            yield rows

    def insert(self, plan: int, reports: Sequence[Incoming]) -> set[Key]:
        last = self.rows("SELECT seq FROM sqlite_sequence WHERE name = 'reports'")
        before, inserted = (last[0][0] if last else 0), 0
        for part in _parts(sorted(reports, key=lambda report: report.id)):  # as the index has them
            statement = (
                f"{_COLUMNS} {', '.join(['(?, ?, ?, ?)'] * len(part))} ON CONFLICT DO NOTHING"
            )
            values = [v for r in part for v in (plan, r.round, r.id, r.body)]
            inserted += self._connection.execute(statement, values).rowcount
        if inserted == len(reports):
            return set()
        query = "SELECT 1 FROM reports WHERE (plan, round, id) = (?, ?, ?) AND position <= ?"
        keys = ((r.round, r.id) for r in reports)
        return {key for key in keys if self.rows(query, plan, *key, before)}

    def bodies(self, plan: int, round: int, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        query = "SELECT id, body FROM reports WHERE (plan, round, id) = (?, ?, ?)"
        return dict(row for id in ids for row in self.rows(query, plan, round, id))


def _parts(reports: Sequence[Incoming]) -> Iterator[Sequence[Incoming]]:
    """Divide reports into parts of few sizes, so that few statements are ever compiled."""
    start = 0
    for size in TOGETHER:
        while len(reports) - start >= size:
            yield reports[start : start + size]
            start += size
