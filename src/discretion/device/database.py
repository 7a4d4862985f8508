"""The database of a device's state: its tables, its versions, and how it is created.

A state is created, or brought to this version, in one transaction. A process that dies in the
middle leaves an empty file or the state as it was, and of several that open a new file at once one
creates it while the others wait. In memory nobody waits: there a new state is a copy of an empty
one, which takes a fifth of the time.
"""

import sqlite3
from contextlib import closing
from functools import cache

from discretion.errors import StateUnreadable

MEMORY = ":memory:"
VERSION = 8  # 1 had no bundles, 2 draws, 3 cohorts, 4 collectors, 5 plans, 6 roots, 7 windows
WAIT = 30.0  # seconds for another process that is writing
DURABLE = "PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;"  # the latter is for macOS
TABLES = (
    """CREATE TABLE IF NOT EXISTS ledger (
    plan TEXT NOT NULL, round INTEGER NOT NULL, attribute TEXT NOT NULL, level INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS bundled (
    plan TEXT NOT NULL, name TEXT NOT NULL, attribute TEXT NOT NULL,
    PRIMARY KEY (plan, name, attribute))""",
    """CREATE TABLE IF NOT EXISTS memo (
    plan TEXT NOT NULL, attribute TEXT NOT NULL, answer TEXT NOT NULL, level INTEGER NOT NULL,
    y BLOB NOT NULL, PRIMARY KEY (plan, attribute, answer, level))""",
    """CREATE TABLE IF NOT EXISTS outbox (
    plan TEXT NOT NULL, round INTEGER NOT NULL, receipt BLOB NOT NULL, request BLOB NOT NULL,
    report BLOB NOT NULL, granted INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (plan, round))""",
    "CREATE TABLE IF NOT EXISTS draws (plan TEXT PRIMARY KEY, names TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS cohorts (plan TEXT PRIMARY KEY, cohort INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS limits (level INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS fates (
    plan TEXT NOT NULL, round INTEGER NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (plan, round))""",
    """CREATE TABLE IF NOT EXISTS withdrawals (
    plan TEXT NOT NULL, round INTEGER NOT NULL, outcome TEXT, PRIMARY KEY (plan, round))""",
    """CREATE TABLE IF NOT EXISTS pins (
    collector TEXT PRIMARY KEY, plan TEXT NOT NULL, document BLOB NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS plans (plan TEXT PRIMARY KEY, document BLOB NOT NULL)",
    """CREATE TABLE IF NOT EXISTS contacts (
    collector TEXT NOT NULL, plan TEXT NOT NULL, PRIMARY KEY (collector, plan))""",
    "CREATE TABLE IF NOT EXISTS roots (plan TEXT PRIMARY KEY, root TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS windows (rounds INTEGER NOT NULL, level INTEGER NOT NULL)",
    """CREATE TABLE IF NOT EXISTS once (
    plan TEXT NOT NULL, what TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (plan, what))""",
)
CARRIED = (  # what version 5 knew of the plans that were answered, and of their collectors
    """INSERT OR IGNORE INTO plans
    SELECT plan, document FROM pins WHERE plan IN (SELECT plan FROM outbox)""",
    "INSERT OR IGNORE INTO contacts SELECT collector, plan FROM pins",
)


def connect(path: str) -> sqlite3.Connection:
    """Open a state's database, and create it, or bring it to this version, if need be."""
    db = sqlite3.connect(path, timeout=WAIT, isolation_level=None)
    try:
        db.executescript(DURABLE)
        if path == MEMORY and hasattr(db, "deserialize"):  # a SQLite before 3.36 may lack it
            db.deserialize(_empty())
        if _version(db, path) < VERSION:
            _create(db, path)
    except BaseException:
        db.close()
        raise
    return db


@cache
def _empty() -> bytes:
    with closing(sqlite3.connect(MEMORY, isolation_level=None)) as db:
        _create(db, MEMORY)
        return db.serialize()


def _create(db: sqlite3.Connection, path: str) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        if _version(db, path) < VERSION:  # another process may have been quicker
            for statement in (*TABLES, *CARRIED):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _version(db: sqlite3.Connection, path: str) -> int:
    """Return the version of a state, 0 of a new one; another program's database is refused."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if not 0 <= version <= VERSION:
        raise StateUnreadable(path, f"version {version} is not {VERSION}")
    if version == 0 and not _is_ours(db):
        raise StateUnreadable(path, "it is another program's database")
    return version


def _is_ours(db: sqlite3.Connection) -> bool:
    """Whether a database without a version is empty, or has tables of ours only.

    Versions up to 5 created one table after the other, and could be interrupted.
    """
    ours = {statement.replace("IF NOT EXISTS ", "") for statement in TABLES}
    found = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return ours.issuperset(sql for (sql,) in found)
