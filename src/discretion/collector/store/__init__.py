"""Where reports are kept: one logic, and two databases behind it."""

from discretion.collector.store.address import open_database, open_store
from discretion.collector.store.removals import settle
from discretion.collector.store.store import Round, Store

__all__ = ["Round", "Store", "open_database", "open_store", "settle"]
