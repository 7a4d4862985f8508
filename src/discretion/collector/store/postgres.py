"""PostgreSQL: for several server processes, on one machine or many.

A transaction that writes in a shard holds the lock of its row until its commit can be seen, so
positions are given in the order of commits. Each commit waits for the disk
(``synchronous_commit``, the default). Every shard of a round is a partition of its own.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from secrets import token_hex
from typing import Any

import psycopg
from psycopg import Connection, Cursor, errors

from discretion.collector.errors import SettingError, StoreFull, StoreUnavailable
from discretion.collector.outcome import Incoming
from discretion.collector.store import shown
from discretion.collector.store.database import DiskUsage, Key, Pool, Row, pending
from discretion.collector.store.shards import shard_of, shards_of
from discretion.collector.store.watermark import Progress

LOCK = 0x44697363  # of all who bring it to the newest version
CONNECT_SECONDS = 3
DROP_SECONDS = 1  # that partitions may wait to be dropped: all others wait behind that
CHUNK = 1 << 16  # bytes of one row that is written to see whether there is room
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
_LOCK = "SELECT shard FROM shards WHERE shard = ANY(%b) ORDER BY shard FOR UPDATE"
_ADVANCE = """
UPDATE shards SET position = position + more FROM unnest(%b::integer[], %b::integer[])
AS sent (number, more) WHERE shard = number RETURNING shard, position - more
"""
_INSERT = """
INSERT INTO reports (plan, round, shard, id, position, body)
SELECT %b, sent.* FROM unnest(%b::integer[], %b::integer[], %b::bytea[], %b::bigint[], %b::bytea[])
AS sent ON CONFLICT DO NOTHING
"""
_BEFORE = """
SELECT round, id FROM reports JOIN unnest(%b::integer[], %b::integer[], %b::bytea[], %b::bigint[])
AS sent (round, shard, id, last) USING (round, shard, id) WHERE plan = %b AND position <= last
"""
_BODIES = """
SELECT id, body FROM reports
WHERE plan = %b AND round = %b AND shard = ANY(%b) AND id = ANY(%b)
"""

_SIZE = """
SELECT COALESCE(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
WHERE relnamespace = 'discretion'::regnamespace AND relkind = 'r'
"""
_PROGRESS = """
SELECT (SELECT sum(position) FROM shards)::bigint,
       COALESCE((SELECT sum(count) FROM counters WHERE outcome = 'deleted'), 0)::bigint,
       COALESCE((SELECT max(number) FROM acts), 0)
"""


class Postgres:
    """A database of a server; every thread that is at it has a connection of its own."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._where = shown(address)
        self._pool = Pool(self._connect)
        self.close = self._pool.close
        with self._named_errors(), self._connection() as connection:
            self._migrate(connection)
            self.shards = len(connection.execute("SELECT shard FROM shards").fetchall())

    @contextmanager
    def writing(
        self, shards: Iterable[int] = (), *, wait: bool = True
    ) -> Iterator["PostgresSession"]:
        with self._named_errors(), self._connection() as connection, connection.transaction():
            if locked := list(shards):
                connection.execute(_LOCK if wait else f"{_LOCK} NOWAIT", [locked])
            yield PostgresSession(connection, self.shards)

    @contextmanager
    def reading(self) -> Iterator["PostgresSession"]:
        with self._named_errors(), self._connection() as connection, connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield PostgresSession(connection, self.shards)

    def rehearse(self, size: int) -> None:
        insert = "INSERT INTO acts (at, actor, act, detail) VALUES ('', '', '', ?)"
        with self.writing() as session:
            for start in range(0, size, CHUNK):
                session.run(insert, token_hex(min(CHUNK, size - start) // 2 + 1))
            raise psycopg.Rollback

    def disk_usage(self) -> DiskUsage:
        """Return the bytes of the tables and their indexes; the rest is the server's to say."""
        with self.reading() as session:
            (size,) = session.rows(_SIZE)[0]
        return DiskUsage(int(size), None, None)

    def resume(self) -> tuple[Progress, Progress]:
        """Return how far the store has got. That its log is whole is the server's to see to."""
        with self.reading() as session:
            reached = Progress(*map(int, session.rows(_PROGRESS)[0]))
        return reached, reached

    @contextmanager
    def _connection(self) -> Iterator[Connection[Row]]:
        """Lend a connection; when one fails, the idle ones are as good as dead too."""
        try:
            with self._pool.lend() as connection:
                yield connection
        except psycopg.Error:
            self._pool.close_idle()
            raise

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
            connection.execute("SET LOCAL statement_timeout = 0")  # rows may have to be moved
            for script in pending("postgres", version, self._where):
                connection.execute(script.encode())
                version += 1
            connection.execute("DELETE FROM version")
            connection.execute("INSERT INTO version VALUES (%s)", [version])

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        """Raise the store's own error for what the database cannot do just now."""
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

    TAIL = (
        "SELECT position, body FROM reports WHERE plan = ? AND round = ? AND shard = ? "
        "AND position > ? AND body IS NOT NULL ORDER BY position"
    )

    def __init__(self, connection: Connection[Row], shards: int) -> None:
        self._connection, self.shards = connection, shards

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
        if not reports:
            return set()
        rows = sorted(reports, key=lambda r: (shard_of(r.id, self.shards), r.id))  # as indexes are
        rounds, ids, bodies = ([row[i] for row in rows] for i in range(3))
        shards = [shard_of(row.id, self.shards) for row in rows]
        more = Counter(shards)
        advanced = self._execute(_ADVANCE, list(more), list(more.values()))
        lasts: dict[int, int] = dict(advanced.fetchall())
        given = {shard: count(last + 1) for shard, last in lasts.items()}
        positions = [next(given[shard]) for shard in shards]
        inserted = self._execute(_INSERT, plan, rounds, shards, ids, positions, bodies).rowcount
        if inserted == len(rows):
            return set()
        before = [lasts[shard] for shard in shards]
        return set(self._execute(_BEFORE, rounds, shards, ids, before, plan).fetchall())

    def begin(self, plan: int, round: int) -> None:
        """Make a partition for each shard; to attach one waits for no reader, and no writer."""
        for shard in range(self.shards):
            name = _partition(plan, round, shard)
            begin, end = (f"({plan}, {round}, {at})" for at in (shard, shard + 1))
            self.run(f"CREATE TABLE {name} (LIKE reports INCLUDING ALL)")
            attach = f"ALTER TABLE reports ATTACH PARTITION {name}"
            self.run(f"{attach} FOR VALUES FROM {begin} TO {end}")

    def discard(self, plan: int, round: int, most: int) -> bool:
        """Drop the partitions at once, unless they are being read: then they stay for now."""
        names = ", ".join(_partition(plan, round, shard) for shard in range(self.shards))
        with suppress(errors.LockNotAvailable), self._connection.transaction():
            self.run(f"SET LOCAL lock_timeout = '{DROP_SECONDS}s'")
            self.run(f"DROP TABLE IF EXISTS {names}")
        return False

    def bodies(self, plan: int, round: int, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        shards = shards_of(ids, self.shards)
        return dict(self._execute(_BODIES, plan, round, shards, list(ids)).fetchall())

    def _execute(self, statement: str, *values: Any) -> Cursor[Row]:
        return self._connection.execute(statement.encode(), values, binary=True)


def _partition(plan: int, round: int, shard: int) -> str:
    return f"reports_{plan}_{round}_{shard}"


@lru_cache(maxsize=64)
def _translated(statement: str) -> bytes:
    return statement.replace("?", "%s").encode()
