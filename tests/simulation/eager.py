"""``discretion`` with a snapshot of every short tail, in the server and in its analysts."""

from discretion.cli.main import main
from discretion.collector.store import store

store.LONG = 20

if __name__ == "__main__":
    main()
