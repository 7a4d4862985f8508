"""What a store holds, and the room that it has, read when somebody scrapes the metrics."""

from collections.abc import Mapping
from math import nan

from discretion.collector.outcome import Outcome
from discretion.collector.store import Store
from discretion.errors import StoreUnavailable

GAUGES = {
    "kept_reports": "Reports accepted and not deleted.",
    "snapshot_lag_reports": "Reports, at most, that the next question has to count.",
    "store_bytes": "Bytes of the store.",
    "log_bytes": "Bytes of the store's write-ahead log.",
    "free_bytes": "Bytes that are free on the store's disk.",
}
UNKNOWN = dict.fromkeys(GAUGES, nan)


def measure(store: Store) -> Mapping[str, float]:
    """Return the value of each gauge; not a number where the store does not say."""
    try:
        counts, room = store.counters(), store.database.room()
        kept = counts[Outcome.ACCEPTED].get("", 0) - counts[Outcome.DELETED].get("", 0)
        values = (kept, store.lag(), *room)
    except StoreUnavailable:
        return UNKNOWN
    return {
        name: nan if value is None else value for name, value in zip(GAUGES, values, strict=True)
    }
