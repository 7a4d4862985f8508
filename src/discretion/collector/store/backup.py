"""Copies of a store: back-ups of a SQLite file, with what proves them, and reports as Parquet.

A back-up is a whole, private copy of a store that may be in use. It is made by ``VACUUM INTO``: one
moment of the store, without the room of what was deleted.
"""

import os
import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

from discretion.aggregate import Aggregate
from discretion.collector.errors import BackupError, StoreVersion
from discretion.collector.outcome import Outcome
from discretion.collector.store import shown, sqlite_path
from discretion.collector.store.database import Database, migrations
from discretion.collector.store.insertion import CLEARED
from discretion.collector.store.removals import settle
from discretion.collector.store.results import went_back
from discretion.collector.store.sqlite import SQLite
from discretion.collector.store.store import Store
from discretion.plan import Plan
from discretion.table import ReportFolder, ReportTable
from discretion.table.reports import write_parts

BESIDE = ("", "-wal", "-shm", "-mark")  # how the names of a store's files end


@dataclass(frozen=True, slots=True)
class Content:
    """What a back-up holds."""

    plans: int
    rounds: int
    reports: int  # that are counted, those of cleared rounds included


class Untouched(SQLite):
    """A file that is read as it is: no log is made for it, and it is not migrated."""

    def __init__(self, path: Path, access: str) -> None:
        self._access = access
        super().__init__(path, create=False)

    def copy_to(self, file: Path) -> None:
        """Copy one moment of it to an empty file."""
        with self._named_errors(), self._connection() as connection:
            connection.execute("VACUUM INTO ?", [str(file)])

    def _keep_log(self, connection: sqlite3.Connection) -> None:
        """Whoever runs it has seen to that."""

    def _migrate(self, connection: sqlite3.Connection) -> None:
        """It may be in use by a program of another version."""


def backup(address: str, file: Path) -> None:
    """Copy a store, which may be in use, to a new file for its owner's eyes only."""
    path = sqlite_path(address)
    if path is None:
        raise BackupError(shown(address), "use pg_dump --schema=discretion for PostgreSQL")
    with closing(Untouched(path, "mode=rw")) as source, _new(file) as part:
        source.copy_to(part)
        with closing(SQLite(part, create=False)) as copy:  # of the newest version
            settle(copy)


def restore(file: Path, address: str) -> Content:
    """Put a copy of a back-up where there is no store, if it is whole."""
    path = sqlite_path(address)
    if path is None:
        raise BackupError(shown(address), "use psql or pg_restore for PostgreSQL")
    _check_alone(file)
    _check_alone(path)
    with _new(path) as part:
        copyfile(file, part)
        with closing(SQLite(part, create=False)) as copy:  # of the newest version
            went_back(copy)
        return check(part)


def check(file: Path) -> Content:
    """Return what a back-up holds, or raise what is wrong with it; the file stays as it is."""
    _check_alone(file)
    with closing(Untouched(file, "mode=ro&immutable=1")) as database:
        with database.reading() as session:
            ((version,),) = session.rows("PRAGMA user_version")
            if version != (newest := len(migrations("sqlite"))):
                raise StoreVersion(str(file), version, newest)
            ((first,), *_) = session.rows("PRAGMA integrity_check(1)")
            if first != "ok":
                raise BackupError(str(file), f"it is damaged ({first})")
            plans = session.rows("SELECT bytes FROM plans")
        found = [_counted(database, Plan.from_bytes(agreed)) for (agreed,) in plans]
    return Content(len(found), sum(map(len, found)), sum(map(sum, found)))


def _counted(database: Database, plan: Plan) -> list[int]:
    """Return how many reports each round counts, after a recount of those that are there."""
    store, found = Store(database, plan, create=False), []
    for round in store.rounds():
        counts = store.aggregate(round.round)
        if round.state != CLEARED and counts.to_json() != _recount(store, round.round):
            raise BackupError(plan.id, f"the counts of round {round.round} are not a recount")
        found.append(counts.reports)
    counters = {outcome: sum(own.values()) for outcome, own in store.counters().items()}
    kept = counters[Outcome.ACCEPTED] - counters[Outcome.DELETED]
    if kept != sum(found):
        raise BackupError(plan.id, f"{kept:,} reports were kept, and {sum(found):,} are counted")
    return found


def _recount(store: Store, round: int) -> str:
    whole = Aggregate(store.plan, round)
    for part in parts_of(store, [round]):
        whole.add(part)
    return whole.to_json()


def _check_alone(file: Path) -> None:
    """Refuse a file with a log beside it: it is a store in use, or the log is another store's."""
    log = file.with_name(f"{file.name}-wal")
    if log.exists():
        raise BackupError(str(log), "a back-up has no log beside it")


@contextmanager
def _new(file: Path) -> Iterator[Path]:
    """Give a private file to fill; it gets its name when it is whole and on the disk."""
    if file.exists():
        raise BackupError(str(file), "it is there already")
    part = file.with_name(f"{file.name}.part")
    try:
        part.unlink(missing_ok=True)  # what a crash left
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield part
        _sync(part)
        part.rename(file)
        _sync(file.parent)
    finally:
        for end in BESIDE:
            part.with_name(f"{part.name}{end}").unlink(missing_ok=True)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def export_file(store: Store, round: int, path: str) -> None:
    """Write the reports of a round to a file that carries the plan; its row groups are shards."""
    with closing(parts_of(store, [round])) as parts:
        write_parts(path, parts)


def export_rounds(store: Store, destination: str, round: int | None = None) -> ReportFolder:
    """Write the reports of one round, or of all that have some, to a folder, batch by batch."""
    rounds = [r.round for r in store.rounds() if r.state != CLEARED] if round is None else [round]
    with closing(parts_of(store, rounds)) as parts:
        return ReportFolder.write(destination, parts)


def parts_of(store: Store, rounds: Sequence[int]) -> Generator[ReportTable, None, None]:
    """Yield the reports of rounds in column batches; the first one of each may be empty.

    Close it if it is not read to its end: it holds a connection to the store.
    """
    for round in rounds:
        yield ReportTable.from_reports(store.plan, [])
        with closing(store.reports(round)) as batches:
            for bodies in batches:
                yield ReportTable.from_reports(store.plan, bodies)
