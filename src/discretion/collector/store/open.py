"""Opening a store: a file of SQLite, or PostgreSQL for several processes."""

from discretion.collector.store.address import ADDRESSES, POSTGRES, shown, sqlite_path
from discretion.collector.store.database import Database
from discretion.collector.store.sqlite import SQLite
from discretion.collector.store.store import Store
from discretion.errors import SettingError
from discretion.extras import needed
from discretion.plan import Plan


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


def open_store(address: str, plan: Plan, *, create: bool = True) -> Store:
    """Open the store of a plan's reports; ``create``: make it if there is none."""
    database = open_database(address, create=create)
    try:
        return Store(database, plan, create=create)
    except BaseException:
        database.close()
        raise
