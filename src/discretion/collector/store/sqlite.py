"""SQLite: one file beside the server, for one machine. A commit is on the disk when it returns.

The journal is a write-ahead log, so that readers and the writer do not wait for each other;
``synchronous=FULL`` flushes it at every commit. Deleted bytes are overwritten; in the log they stay
until it starts anew.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from time import monotonic, sleep
from typing import Any

from discretion.collector.errors import SettingError, StoreFull, StoreUnavailable
from discretion.collector.outcome import Incoming
from discretion.collector.store.database import DiskUsage, Key, Pool, Row, pending
from discretion.collector.store.watermark import Progress, Watermark

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
SMALL_CACHE = 16  # pages: a transaction with more of them is written before its commit
MOVED = "its file was moved, replaced or removed"
_COLUMNS = "INSERT INTO reports (plan, round, id, body) VALUES"
_PROGRESS = """
SELECT (SELECT position FROM shards),
       COALESCE((SELECT sum(count) FROM counters WHERE outcome = 'deleted'), 0),
       COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'acts'), 0)
"""

Identity = tuple[int, int]  # device and inode


class Opened(sqlite3.Connection):
    """A connection, and which write-ahead log it writes to."""

    log: Identity | None = None


class SQLite:
    """A file; every thread that is at it has a connection of its own."""

    _access = "mode=rw"
    shards = 1  # a file has one writer

    def __init__(self, path: Path, *, create: bool = True) -> None:
        """Open a file; a new one is for its owner's eyes only."""
        self.path, self._create = path, create
        self._log_path = path.with_name(f"{path.name}-wal")
        self._mark = Watermark(path)
        self._file = self._made()
        self._pool = Pool(self._connect)
        self.close = self._pool.close
        self._writer = Lock()  # threads wait in line: SQLite itself would ask again and again
        with self._named_errors(), closing(self._opened()) as connection:
            self._check_owner(connection)
            self._keep_log(connection)
            self._migrate(connection)

    @contextmanager
    def writing(
        self, shards: Iterable[int] = (), *, wait: bool = True
    ) -> Iterator["SQLiteSession"]:
        seconds = BUSY_SECONDS if wait else 0.0
        with self._named_errors(), self._turn(seconds), self._connection() as connection:
            connection.execute(f"PRAGMA busy_timeout={1000 * seconds:.0f}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield SQLiteSession(connection)
                reached = Progress(*connection.execute(_PROGRESS).fetchone())
                self._check_files(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            self._mark.advance(reached)

    @contextmanager
    def reading(self) -> Iterator["SQLiteSession"]:
        with self._named_errors(), self._connection() as connection:
            connection.execute("BEGIN")
            try:
                yield SQLiteSession(connection)
            finally:
                connection.execute("ROLLBACK")

    def rehearse(self, size: int) -> None:
        insert = "INSERT INTO acts (at, actor, act, detail) VALUES ('', '', '', zeroblob(?))"
        with self._named_errors(), closing(self._connect()) as connection:
            connection.execute(f"PRAGMA cache_size={SMALL_CACHE}")
            connection.execute("BEGIN IMMEDIATE")
            for start in range(0, size, ROOM):
                connection.execute(insert, [min(ROOM, size - start)])
            connection.execute("ROLLBACK")

    def disk_usage(self) -> DiskUsage:
        """Return the bytes of the file and of its log, and those that are free on the disk."""
        try:
            log = self._log_path.stat().st_size if self._log_path.exists() else 0
            return DiskUsage(self.path.stat().st_size, log, disk_usage(self.path.parent).free)
        except OSError as error:
            raise StoreUnavailable(str(self.path), error.strerror or "cannot be seen") from None

    def resume(self) -> tuple[Progress, Progress]:
        with self.reading() as session:
            reached = Progress(*session.rows(_PROGRESS)[0])
        before = self._mark.read()
        self._mark.write(reached)
        return reached, before

    def _made(self) -> Identity:
        """Make the file if need be; return which one it is."""
        try:
            if self._create:
                with suppress(FileExistsError):
                    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL
                    os.close(os.open(self.path, flags, 0o600))
            found = self.path.stat()
        except OSError as error:
            raise StoreUnavailable(str(self.path), error.strerror or "cannot be opened") from None
        return found.st_dev, found.st_ino

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
    def _connection(self) -> Iterator[Opened]:
        with self._pool.lend() as connection:
            self._check_files(connection)
            yield connection

    def _check_files(self, connection: Opened) -> None:
        """Refuse to go on if another file is at the path: what is written now would be lost."""
        if _identity(self.path) != self._file or _identity(self._log_path) != connection.log:
            raise StoreUnavailable(str(self.path), MOVED)

    def _opened(self) -> Opened:
        """Connect to the file, which is there: an empty one is never made by accident."""
        return sqlite3.connect(
            f"{self.path.absolute().as_uri()}?{self._access}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
            factory=Opened,
        )

    def _connect(self) -> Opened:
        if _identity(self.path) != self._file:  # before another store's log is touched
            raise StoreUnavailable(str(self.path), MOVED)
        connection = self._opened()
        try:
            for setting in SETTINGS:
                connection.execute(f"PRAGMA {setting}")
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()  # opens the log
            connection.log = _identity(self._log_path)
        except BaseException:
            connection.close()
            raise
        return connection

    def _check_owner(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")  # one moment, while another process may make the tables
        (owner,) = connection.execute("PRAGMA application_id").fetchone()
        if owner != APPLICATION and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise SettingError("store", "must not be another program's file", str(self.path))
        if owner != APPLICATION and not self._create:
            raise StoreUnavailable(str(self.path), "it is empty")
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
    def _named_errors(self) -> Iterator[None]:
        """Raise the store's own error for what the database cannot do just now."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            full = getattr(error, "sqlite_errorname", "") == "SQLITE_FULL"
            with suppress(OSError):
                full = full or disk_usage(self.path.parent).free < ROOM
            if full:
                raise StoreFull(str(self.path)) from error
            raise StoreUnavailable(str(self.path), str(error)) from error


class SQLiteSession:
    """One transaction."""

    # A plus sign hides a column from indexes: rows are read by position, those behind the last.
    TAIL = (
        "SELECT position, body FROM reports WHERE +plan = ? AND +round = ? AND shard = ? "
        "AND position > ? AND body IS NOT NULL ORDER BY position"
    )
    shards = 1

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
        ((before,),), inserted = self.rows("SELECT position FROM shards"), 0
        for part in _parts(sorted(reports, key=lambda report: report.id)):  # as the index has them
            rows = ", ".join(["(?, ?, ?, ?)"] * len(part))
            statement = f"{_COLUMNS} {rows} ON CONFLICT DO NOTHING"
            values = [v for r in part for v in (plan, r.round, r.id, r.body)]
            inserted += self._connection.execute(statement, values).rowcount
        if inserted == len(reports):
            return set()
        query = "SELECT 1 FROM reports WHERE (plan, round, id) = (?, ?, ?) AND position <= ?"
        keys = ((r.round, r.id) for r in reports)
        return {key for key in keys if self.rows(query, plan, *key, before)}

    def begin(self, plan: int, round: int) -> None:
        """All rounds are in one table."""

    def discard(self, plan: int, round: int, most: int) -> bool:
        some = "SELECT position FROM reports WHERE plan = ? AND round = ? LIMIT ?"
        remove = f"DELETE FROM reports WHERE position IN ({some})"
        return self.run(remove, plan, round, most) == most

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


def _identity(path: Path) -> Identity | None:
    with suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None
