"""Which database an address means: a file of SQLite, or PostgreSQL for several processes."""

from pathlib import Path
from urllib.parse import unquote

from discretion.collector.store.database import Database
from discretion.collector.store.sqlite import SQLite
from discretion.collector.store.store import Store
from discretion.errors import SettingError
from discretion.plan import Plan

SQLITE, POSTGRES = "sqlite:///", ("postgresql://", "postgres://")
ADDRESSES = "sqlite:///FILE or postgresql://..."


def open_database(address: str, *, create: bool = True) -> Database:
    """Open a database, and bring it to the newest version; ``create``: make a file if need be."""
    if address.startswith(SQLITE) and len(address) > len(SQLITE):
        return SQLite(Path(unquote(address.removeprefix(SQLITE))), create=create)
    if address.startswith(POSTGRES):
        from discretion.collector.store.postgres import Postgres

        return Postgres(address)
    raise SettingError("store", f"must be {ADDRESSES}", address)


def open_store(address: str, plan: Plan) -> Store:
    """Open the store of a plan's reports."""
    return Store(open_database(address), plan)
