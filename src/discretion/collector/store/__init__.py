"""Where reports are kept: one logic, and two databases behind it, named by the address."""

import re
from pathlib import Path
from urllib.parse import unquote

from discretion.collector.errors import SettingError
from discretion.collector.store.database import Database
from discretion.collector.store.removals import settle
from discretion.collector.store.sqlite import SQLite
from discretion.collector.store.store import Round, Store
from discretion.extras import needed
from discretion.plan import Plan

__all__ = ["Round", "Store", "open_database", "open_store", "settle"]

SQLITE, POSTGRES = "sqlite:///", ("postgresql://", "postgres://")
ADDRESSES = "must be sqlite:///FILE or postgresql://..."
_SECRET = re.compile(r"(?<=//)[^/@]*@|\?.*")


def is_address(text: str) -> bool:
    """Whether it is one of the kinds that are known."""
    return sqlite_path(text) is not None or text.startswith(POSTGRES)


def sqlite_path(text: str) -> Path | None:
    """Return the file that an address of SQLite means."""
    name = unquote(text.removeprefix(SQLITE)) if text.startswith(SQLITE) else ""
    return Path(name) if name and name != ":memory:" else None


def shown(text: str) -> str:
    """Return an address without what is secret in it."""
    return _SECRET.sub("", text)


def open_database(address: str, *, create: bool = True) -> Database:
    """Open a database, and bring it to the newest version; ``create``: make a file if need be."""
    path = sqlite_path(address)
    if path is not None:
        return SQLite(path, create=create)
    if address.startswith(POSTGRES):
        with needed("a store in PostgreSQL"):
            from discretion.collector.store.postgres import Postgres

        return Postgres(address)
    raise SettingError("store", ADDRESSES, shown(address))


def open_store(address: str, plan: Plan) -> Store:
    """Open the store of a plan's reports; if there is none, it is made."""
    database = open_database(address, create=True)
    try:
        return Store(database, plan, create=True)
    except BaseException:
        database.close()
        raise
