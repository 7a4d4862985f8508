"""The room that reports take in a store: ``python -m benchmarks.capacity [REPORTS] [postgresql://...]``.

With the address of an empty database it is measured there too.
"""

import gzip
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.collector import AUTHOR, reports
from discretion import Plan
from discretion.collector.outcome import Incoming
from discretion.collector.store import open_database, open_store
from discretion.table.reader import reader_of

REPORTS, TOGETHER, SEED = 100_000, 1000, 7


def fill(address: str, plan: Plan, bodies: list[bytes]) -> None:
    """Keep reports as the writer does, in groups, then count them; print how long that takes."""
    store = open_store(address, plan)
    ids = reader_of(plan).read(bodies).ids()
    waiting = [Incoming(0, id, body) for id, body in zip(ids, bodies, strict=True)]
    for start in range(0, len(waiting), TOGETHER):
        store.put(waiting[start : start + TOGETHER])
    before = perf_counter()
    aggregate = store.aggregate(0)
    print(f"counting them: {perf_counter() - before:.2f} s")
    print(f"the aggregate: {len(aggregate.to_json()):,} bytes")
    store.close()


def main() -> None:
    """Print bytes a report."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else REPORTS
    plan = Plan.of(AUTHOR)
    bodies = reports(plan, count, SEED)
    print(f"a report: {sum(map(len, bodies)) / count:.0f} bytes")
    whole = gzip.compress(b"\n".join(bodies))
    print(f"with gzip: {len(whole) / count:.0f} bytes")
    with TemporaryDirectory() as folder:
        file = Path(folder, "reports.db")
        fill(f"sqlite:///{file}", plan, bodies)
        print(f"SQLite: {file.stat().st_size / count:.0f} bytes a report")
    for address in sys.argv[2:]:
        fill(address, plan, bodies)
        with closing(open_database(address)) as database:
            print(f"PostgreSQL: {database.disk_usage().store / count:.0f} bytes a report")


if __name__ == "__main__":
    main()
