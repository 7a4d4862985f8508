"""PostgreSQL: for several server processes, on one machine or many.

A transaction that writes holds one lock of the database until its commit can be seen, so positions
are given in the order of commits. Each waits for the disk (``synchronous_commit``, the default).
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock
from typing import Any

import psycopg
from psycopg import Connection, errors

from discretion.collector.outcome import Incoming
from discretion.collector.store.address import shown
from discretion.collector.store.database import Key, Row, pending
from discretion.errors import SettingError, StoreFull, StoreUnavailable

LOCK = 0x44697363  # of all who write
CONNECT_SECONDS = 3
OPTIONS = " ".join(
    f"-c {setting}"
    for setting in (
        "search_path=discretion",
        "statement_timeout=30s",
        "lock_timeout=5s",
        "synchronous_commit=on",
        "default_transaction_isolation=read\\ committed",
    )
)
_INSERT = """
INSERT INTO reports (plan, round, id, body)
SELECT %b, sent.* FROM unnest(%b::integer[], %b::bytea[], %b::bytea[]) AS sent
ON CONFLICT DO NOTHING
"""
_BEFORE = """
SELECT round, id FROM reports JOIN unnest(%b::integer[], %b::bytea[]) AS sent (round, id)
USING (round, id) WHERE plan = %b AND position <= %b
"""


class Postgres:
    """A database of a server; every thread that is at it has a connection of its own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._where = shown(address)
        self._idle: list[Connection[Row]] = []
        self._lock, self._closed = Lock(), False
        with self._told(), self._connection() as connection:
            self._migrate(connection)

    @contextmanager
    def writing(self, *, wait: bool = True) -> Iterator["PostgresSession"]:
        """Begin a transaction that no other writes beside; it is durable when the block ends."""
        lock = "pg_advisory_xact_lock" if wait else "pg_try_advisory_xact_lock"
        with self._told(), self._connection() as connection, connection.transaction():
            found = connection.execute(f"SELECT {lock}(%s)".encode(), [LOCK]).fetchone()
            if found == (False,):
                raise StoreUnavailable(self._where, "another process writes")
            yield PostgresSession(connection)

    @contextmanager
    def reading(self) -> Iterator["PostgresSession"]:
        """Begin a transaction that sees one state, whatever is written meanwhile."""
        with self._told(), self._connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield PostgresSession(connection)

    def close(self) -> None:
        self._closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        with self._lock:
            while self._idle:
                self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[Connection[Row]]:
        """Lend a connection; when one fails, the idle ones are as good as dead too."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        try:
            connection = connection or self._connect()
            yield connection
        except BaseException as error:
            if connection is not None:
                connection.close()
            if isinstance(error, psycopg.Error):
                self._close_idle()
            raise
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> Connection[Row]:
        return psycopg.connect(
            self._address,
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            options=OPTIONS,
            application_name="discretion",
            tcp_user_timeout=5000,
        )

    def _migrate(self, connection: Connection[Row]) -> None:
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            there = "SELECT 1 FROM pg_namespace WHERE nspname = 'discretion'"
            if not connection.execute(there).fetchone():  # to make one takes a right of its own
                connection.execute("CREATE SCHEMA discretion")
            connection.execute("CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)")
            found = connection.execute("SELECT version FROM version").fetchone()
            version = found[0] if found else 0
            for script in pending("postgres", version, self._where):
                connection.execute(script.encode())
                version += 1
            connection.execute("DELETE FROM version")
            connection.execute("INSERT INTO version VALUES (%s)", [version])

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say by its own name what the database cannot do just now."""
        try:
            yield
        except errors.DiskFull as error:
            raise StoreFull(self._where) from error
        except psycopg.ProgrammingError as error:
            if error.sqlstate is None:  # the address itself, which its message repeats
                raise SettingError("store", "must be a whole address", self._where) from None
            raise StoreUnavailable(self._where, str(error).strip()) from error
        except psycopg.Error as error:
            raise StoreUnavailable(self._where, str(error).strip() or "no answer") from error


class PostgresSession:
    """One transaction."""

    def __init__(self, connection: Connection[Row]) -> None:
        self._connection = connection

    def rows(self, statement: str, *values: Any) -> list[Row]:
        return self._connection.execute(_translated(statement), values, binary=True).fetchall()

    def run(self, statement: str, *values: Any) -> int:
        return self._connection.execute(_translated(statement), values).rowcount

    def stream(self, statement: str, *values: Any, size: int) -> Iterator[list[Row]]:
        with self._connection.cursor(name="stream", binary=True) as cursor:
            cursor.execute(_translated(statement), values)
            while rows := cursor.fetchmany(size):
                yield rows

    def insert(self, plan: int, reports: Sequence[Incoming]) -> set[Key]:
        last = self.rows("SELECT COALESCE(max(position), 0) FROM reports")[0][0]
        rows = sorted(reports, key=lambda report: report.id)  # as the index has them
        rounds, ids, bodies = ([row[i] for row in rows] for i in range(3))
        inserted = self._connection.execute(_INSERT, [plan, rounds, ids, bodies]).rowcount
        if inserted == len(rows):
            return set()
        return set(self._connection.execute(_BEFORE, [rounds, ids, plan, last]).fetchall())

    def bodies(self, plan: int, round: int, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        query = "SELECT id, body FROM reports WHERE plan = ? AND round = ? AND id = ANY(?)"
        return dict(self.rows(query, plan, round, list(ids)))


@lru_cache(maxsize=64)
def _translated(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()
