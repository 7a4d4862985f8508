"""What a store holds, and the room that it has, read when somebody scrapes the metrics."""

from collections.abc import Callable, Mapping
from math import nan

from discretion.collector.outcome import Outcome
from discretion.collector.store import Store
from discretion.collector.store.database import Room
from discretion.errors import StoreUnavailable


def _kept(store: Store) -> int:
    counts = store.counters()
    return counts[Outcome.ACCEPTED].get("", 0) - counts[Outcome.DELETED].get("", 0)


# Gauges by their names: what each of them is, and how it is read.
OF_PLAN: Mapping[str, tuple[str, Callable[[Store], float]]] = {
    "kept_reports": ("Reports accepted and not deleted.", _kept),
    "snapshot_lag_reports": ("Reports, at most, that the next question has to count.", Store.lag),
}
OF_STORE: Mapping[str, tuple[str, Callable[[Room], float | None]]] = {
    "store_bytes": ("Bytes of the store.", lambda room: room.store),
    "log_bytes": ("Bytes of the store's write-ahead log.", lambda room: room.log),
    "free_bytes": ("Bytes that are free on the store's disk.", lambda room: room.free),
}


def known(read: Callable[[], float | None]) -> float:
    """Return what is read; not a number where the store does not say."""
    try:
        found = read()
    except StoreUnavailable:
        return nan
    return nan if found is None else found
