"""What a device remembers: what it spent, what it said, and what it has sealed.

One SQLite database, in memory or in a file. Sealing a report (the charges, the new permanent
answers and the bytes) is one commit, made before anything leaves.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from discretion.errors import StateBusy, StateUnreadable

VERSION = 4  # 1 had no bundles, 2 no draws, 3 no cohorts
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS ledger (
    plan TEXT NOT NULL, round INTEGER NOT NULL, attribute TEXT NOT NULL, level INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS bundled (
    plan TEXT NOT NULL, name TEXT NOT NULL, attribute TEXT NOT NULL,
    PRIMARY KEY (plan, name, attribute));
CREATE TABLE IF NOT EXISTS memo (
    plan TEXT NOT NULL, attribute TEXT NOT NULL, answer TEXT NOT NULL, level INTEGER NOT NULL,
    y BLOB NOT NULL, PRIMARY KEY (plan, attribute, answer, level));
CREATE TABLE IF NOT EXISTS outbox (
    plan TEXT NOT NULL, round INTEGER NOT NULL, receipt BLOB NOT NULL, request BLOB NOT NULL,
    report BLOB NOT NULL, granted INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (plan, round));
CREATE TABLE IF NOT EXISTS draws (plan TEXT PRIMARY KEY, names TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cohorts (plan TEXT PRIMARY KEY, cohort INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS limits (level INTEGER NOT NULL);
PRAGMA user_version = {VERSION};
"""
_SPOKEN_OF = """
WHERE attribute = ?
   OR (plan, attribute) IN (SELECT plan, name FROM bundled WHERE bundled.attribute = ?)
"""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A report that will never be drawn again: its bytes, its receipt, and what it answered."""

    receipt: bytes
    request: bytes
    report: bytes
    granted: int  # what it would have cost if every answer had been new


class State:
    """The ledger, the memo and the outbox of one owner."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path = str(path)
        with self._readable():
            self._db = sqlite3.connect(self.path, isolation_level=None)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if not 0 <= version <= VERSION:
                raise StateUnreadable(self.path, f"version {version} is not {VERSION}")
            if version == 0 and self._db.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise StateUnreadable(self.path, "it is another program's database")
            if version < VERSION:
                self._db.executescript(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    def __del__(self) -> None:
        with suppress(AttributeError, sqlite3.ProgrammingError):  # never opened; another thread's
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all that happens inside, or nothing; other devices on the same file wait."""
        with self._readable():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                self._db.execute("ROLLBACK")
                raise

    def spent(self, attribute: str | None = None) -> int:
        """Return the thousandths of epsilon charged so far, in all or for one attribute.

        What a bundle was charged counts whole for each of its attributes, and once in all.
        """
        where, values = ("", ()) if attribute is None else (_SPOKEN_OF, (attribute, attribute))
        with self._readable():
            row = self._db.execute(
                f"SELECT COALESCE(SUM(level), 0) FROM ledger {where}", values
            ).fetchone()
        return int(row[0])

    def limit(self) -> int | None:
        """Return the smallest lifetime limit that was ever set, in thousandths of epsilon."""
        with self._readable():
            return self._db.execute("SELECT MIN(level) FROM limits").fetchone()[0]

    def set_limit(self, level: int) -> None:
        """Set a lifetime limit; it stays with the state, and no later one can raise it."""
        with self._readable():
            self._db.execute("INSERT INTO limits VALUES (?)", (level,))

    def granted(self) -> int:
        """Return what all sealed rounds would have cost if every answer had been new."""
        with self._readable():
            row = self._db.execute("SELECT COALESCE(SUM(granted), 0) FROM outbox").fetchone()
        return int(row[0])

    def charge(
        self, plan: str, round: int, name: str, level: int, parts: tuple[str, ...] = ()
    ) -> None:
        """Charge a level to an attribute, or to a bundle of these parts."""
        self._db.execute("INSERT INTO ledger VALUES (?, ?, ?, ?)", (plan, round, name, level))
        rows = [(plan, name, part) for part in parts if part != name]
        self._db.executemany("INSERT OR IGNORE INTO bundled VALUES (?, ?, ?)", rows)

    def drawn(self, plan: str) -> list[str] | None:
        """Return which questions of a plan this device answers, if that was drawn."""
        query = "SELECT names FROM draws WHERE plan = ?"
        with self._readable():
            row = self._db.execute(query, (plan,)).fetchone()
        return list(json.loads(row[0])) if row else None

    def keep_draw(self, plan: str, names: list[str]) -> None:
        self._db.execute("INSERT INTO draws VALUES (?, ?)", (plan, json.dumps(names)))

    def cohort(self, plan: str) -> int | None:
        """Return the cohort of this device under a plan, if one was drawn."""
        query = "SELECT cohort FROM cohorts WHERE plan = ?"
        row = self._db.execute(query, (plan,)).fetchone()
        return row[0] if row else None

    def keep_cohort(self, plan: str, cohort: int) -> None:
        self._db.execute("INSERT INTO cohorts VALUES (?, ?)", (plan, cohort))

    def recall(self, plan: str, attribute: str, answer: str, grade: int) -> bytes | None:
        """Return the permanent response to an answer at a grade, if one was drawn."""
        query = "SELECT y FROM memo WHERE (plan, attribute, answer, level) = (?, ?, ?, ?)"
        row = self._db.execute(query, (plan, attribute, answer, grade)).fetchone()
        return row[0] if row and isinstance(row[0], bytes) else None

    def remember(self, plan: str, attribute: str, answer: str, grade: int, y: bytes) -> None:
        row = (plan, attribute, answer, grade, y)
        self._db.execute("INSERT OR REPLACE INTO memo VALUES (?, ?, ?, ?, ?)", row)

    def sealed(self, plan: str, round: int) -> Sealed | None:
        query = "SELECT receipt, request, report, granted FROM outbox WHERE (plan, round) = (?, ?)"
        with self._readable():
            row = self._db.execute(query, (plan, round)).fetchone()
        return Sealed(*row) if row else None

    def seal(self, plan: str, round: int, sealed: Sealed) -> None:
        row = (plan, round, sealed.receipt, sealed.request, sealed.report, sealed.granted)
        query = (
            "INSERT INTO outbox (plan, round, receipt, request, report, granted)"
            " VALUES (?, ?, ?, ?, ?, ?)"
        )
        self._db.execute(query, row)

    def unsent(self, plan: str) -> list[tuple[int, bytes]]:
        """Return the rounds whose report has not been acknowledged, with the bytes to send."""
        query = "SELECT round, report FROM outbox WHERE plan = ? AND NOT sent ORDER BY round"
        with self._readable():
            return [(r, bytes(b)) for r, b in self._db.execute(query, (plan,)).fetchall()]

    def mark_sent(self, plan: str, round: int) -> None:
        with self._readable():
            query = "UPDATE outbox SET sent = 1 WHERE (plan, round) = (?, ?)"
            self._db.execute(query, (plan, round))

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise StateBusy(self.path) from error
            raise StateUnreadable(self.path, str(error)) from error
