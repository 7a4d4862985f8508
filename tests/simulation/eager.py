"""``discretion`` with snapshots of short tails and commits of few reports, in all processes."""

from discretion.cli.main import main
from discretion.collector.store import shards, store

if __name__ in ("__main__", "__mp_main__"):  # not in whoever imports it for its name
    store.LONG = 20
    shards.LEAST = 1

if __name__ == "__main__":
    main()
