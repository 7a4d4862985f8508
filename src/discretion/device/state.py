"""What a device remembers: what it spent, what it said, and what it has sealed.

One SQLite database, in memory or in a file. Sealing a report (the charges, the new permanent
answers and the bytes) is one commit, made before anything leaves. A commit is on the disk when it
returns, so that no power cut can undo it: a report drawn a second time would reveal more than the
first. Hence ``synchronous = EXTRA``: with a rollback journal, SQLite's default, ``FULL`` syncs the
journal and the file, but not the folder, and a journal that reappears there rolls the commit back.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import astuple, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from discretion.device.database import connect
from discretion.device.ledger import Ledger
from discretion.errors import StateBusy, StateUnreadable

_KEY = "(plan, round) = (?, ?)"
_ANSWERED = """
SELECT plan, attribute FROM bundled
 UNION
SELECT plan, attribute FROM ledger
 WHERE (plan, attribute) NOT IN (SELECT plan, name FROM bundled)
"""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A report that will never be drawn again: its bytes, its receipt, and what it answered."""

    receipt: bytes
    request: bytes
    report: bytes
    granted: int  # what it would have cost if every answer had been new


class Outcome(StrEnum):
    """What became of a message to a collector."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"  # it had these bytes already: an answer was lost, not a report
    DROPPED = "dropped"  # refused for good: never sent again, and its round never drawn again
    DELETED = "deleted"
    UNKNOWN = "unknown"  # of a withdrawal: there is no such report
    KEPT = "kept"  # not settled: the same bytes go with the next delivery


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a sealed report, and why."""

    outcome: Outcome
    reason: str = ""


class State(Ledger):
    """The ledger, the memo and the outbox of one owner.

    A new file can be read by its owner only: it holds her answers.
    """

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.path = str(path)
        if self.path not in (":memory:", ""):
            with suppress(OSError):  # it is there, or cannot be: SQLite will say
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with self._readable():
            self._db = connect(self.path)

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

    def keep_plan(self, plan: str, document: Callable[[], bytes]) -> None:
        """Keep the document of a plan that is answered, unless it is known."""
        if not self.run("SELECT 1 FROM plans WHERE plan = ?", plan):
            self.run("INSERT INTO plans VALUES (?, ?)", plan, document())

    def plans(self) -> dict[str, bytes]:
        """Return the documents of the plans that were answered, as far as they are known."""
        return dict(self.run("SELECT plan, document FROM plans"))

    def answered(self) -> list[tuple[str, str]]:
        """Return the plans and attributes that were ever charged, alone or in a bundle."""
        return self.run(_ANSWERED)

    def is_new(self, plan: str) -> bool:
        """Whether no report was ever sealed under a plan."""
        return not self.run("SELECT 1 FROM outbox WHERE plan = ? LIMIT 1", plan)

    def root(self, plan: str) -> str:
        """Return the plan under which the answers to a plan are remembered: itself, as a rule."""
        row = self._first("SELECT root FROM roots WHERE plan = ?", plan)
        return str(row[0]) if row else plan

    def adopt(self, plan: str, before: str) -> None:
        """Remember the answers to a plan together with those to the one before it."""
        self.run("INSERT OR IGNORE INTO roots VALUES (?, ?)", plan, self.root(before))

    def rounds_before(self, plan: str) -> set[int]:
        """Return the rounds that were answered under plans whose answers this one shares."""
        query = (
            "SELECT round FROM outbox LEFT JOIN roots USING (plan)"
            " WHERE COALESCE(root, plan) = ? AND plan != ?"
        )
        return {int(round) for (round,) in self.run(query, self.root(plan), plan)}

    def drawn(self, plan: str) -> list[str] | None:
        """Return which questions of a plan this device answers, if that was drawn."""
        row = self._first("SELECT names FROM draws WHERE plan = ?", plan)
        return list(json.loads(row[0])) if row else None

    def keep_draw(self, plan: str, names: list[str]) -> None:
        self.run("INSERT INTO draws VALUES (?, ?)", plan, json.dumps(names))

    def cohort(self, plan: str) -> int | None:
        """Return the cohort of this device under a plan, if one was drawn."""
        row = self._first("SELECT cohort FROM cohorts WHERE plan = ?", plan)
        return row[0] if row else None

    def keep_cohort(self, plan: str, cohort: int) -> None:
        self.run("INSERT INTO cohorts VALUES (?, ?)", plan, cohort)

    def once(self, plan: str, what: str) -> str | None:
        """Return something else that was drawn for good under a plan, if it was."""
        row = self._first("SELECT value FROM once WHERE (plan, what) = (?, ?)", plan, what)
        return row[0] if row else None

    def keep_once(self, plan: str, what: str, value: str) -> None:
        self.run("INSERT INTO once VALUES (?, ?, ?)", plan, what, value)

    def recall(self, plan: str, attribute: str, answer: str, stratum: int) -> bytes | None:
        """Return the permanent response to an answer at a stratum, if one was drawn."""
        query = "SELECT y FROM memo WHERE (plan, attribute, answer, level) = (?, ?, ?, ?)"
        row = self._first(query, plan, attribute, answer, stratum)
        return row[0] if row and isinstance(row[0], bytes) else None

    def remember(self, plan: str, attribute: str, answer: str, stratum: int, y: bytes) -> None:
        query = "INSERT OR REPLACE INTO memo VALUES (?, ?, ?, ?, ?)"
        self.run(query, plan, attribute, answer, stratum, y)

    def sealed(self, plan: str, round: int) -> Sealed | None:
        query = f"SELECT receipt, request, report, granted FROM outbox WHERE {_KEY}"
        row = self._first(query, plan, round)
        return Sealed(*row) if row else None

    def seal(self, plan: str, round: int, sealed: Sealed) -> None:
        columns = "plan, round, receipt, request, report, granted"
        query = f"INSERT INTO outbox ({columns}) VALUES (?, ?, ?, ?, ?, ?)"
        self.run(query, plan, round, *astuple(sealed))

    def unsent(self, plan: str) -> list[tuple[int, bytes]]:
        """Return the rounds whose report is neither settled nor withdrawn, with their bytes."""
        query = "SELECT round, report FROM outbox WHERE plan = ? AND NOT sent ORDER BY round"
        return [(round, bytes(report)) for round, report in self.run(query, plan)]

    def settle(self, plan: str, round: int, outcome: Outcome, reason: str = "") -> None:
        """Note what became of a sealed report, when first known; never send it again.

        If it was withdrawn meanwhile and the collector did not know it then, it does now: the
        withdrawal is to be sent again.
        """
        with self.transaction():
            self.run(f"UPDATE outbox SET sent = 1 WHERE {_KEY}", plan, round)
            query = f"INSERT OR IGNORE INTO fates SELECT plan, round, ?, ? FROM outbox WHERE {_KEY}"
            self.run(query, outcome, reason, plan, round)
            if outcome in (Outcome.ACCEPTED, Outcome.DUPLICATE):
                query = f"UPDATE withdrawals SET outcome = NULL WHERE outcome = ? AND {_KEY}"
                self.run(query, Outcome.UNKNOWN, plan, round)

    def fate(self, plan: str, round: int) -> Fate | None:
        """Return what became of a report, if that is known."""
        row = self._first(f"SELECT outcome, reason FROM fates WHERE {_KEY}", plan, round)
        return Fate(Outcome(row[0]), row[1]) if row else None

    def withdraw(self, plan: str, round: int) -> None:
        """Note that a sealed report is not wanted any more; it never leaves from now on."""
        with self.transaction():
            self.run(f"UPDATE outbox SET sent = 1 WHERE {_KEY}", plan, round)
            query = (
                f"INSERT INTO withdrawals SELECT plan, round, NULL FROM outbox WHERE {_KEY}"
                " ON CONFLICT (plan, round) DO UPDATE SET outcome = NULLIF(outcome, ?)"
            )
            self.run(query, plan, round, Outcome.UNKNOWN)

    def withdrawn(self, plan: str, round: int) -> Outcome | None:
        """Return how far the withdrawal of a report is, if it was withdrawn."""
        row = self._first(f"SELECT outcome FROM withdrawals WHERE {_KEY}", plan, round)
        return Outcome(row[0] or Outcome.KEPT) if row else None

    def withdrawals(self, plan: str) -> list[tuple[int, bytes]]:
        """Return the rounds whose withdrawal was not answered yet, with their receipts."""
        query = (
            "SELECT round, receipt FROM withdrawals JOIN outbox USING (plan, round)"
            " WHERE plan = ? AND outcome IS NULL ORDER BY round"
        )
        return [(round, bytes(receipt)) for round, receipt in self.run(query, plan)]

    def mark_withdrawn(self, plan: str, round: int, outcome: Outcome) -> None:
        """Note what the collector said of a withdrawal: it deleted the report, or has none."""
        self.run(f"UPDATE withdrawals SET outcome = ? WHERE {_KEY}", outcome, plan, round)

    def pinned(self, collector: str) -> tuple[str, bytes] | None:
        """Return the id and the bytes of the plan that is known of a collector."""
        row = self._first("SELECT plan, document FROM pins WHERE collector = ?", collector)
        return (row[0], bytes(row[1])) if row else None

    def pin(self, collector: str, plan: str, document: bytes, known: str | None = None) -> str:
        """Pin a collector's plan in place of the ``known`` one; return which is pinned then.

        That is another one if another process was quicker.
        """
        with self.transaction():
            pinned = self.pinned(collector)
            if (pinned[0] if pinned else None) != known:
                return pinned[0] if pinned else plan
            self.run("INSERT OR REPLACE INTO pins VALUES (?, ?, ?)", collector, plan, document)
            self.run("INSERT OR IGNORE INTO contacts VALUES (?, ?)", collector, plan)
        return plan

    def run(self, query: str, *values: object) -> list[Any]:
        """Run a statement, and return the rows that it finds."""
        with self._readable():
            return self._db.execute(query, values).fetchall()

    def _first(self, query: str, *values: object) -> Any:
        return next(iter(self.run(query, *values)), None)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise StateBusy(self.path) from error
            raise StateUnreadable(self.path, str(error)) from error
