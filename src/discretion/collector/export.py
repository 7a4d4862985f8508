"""Reports of a store as Parquet: one file for a download, or a folder by plan and round."""

from collections.abc import Generator, Sequence
from contextlib import closing

from discretion.collector.store import Store
from discretion.collector.store.insertion import CLEARED
from discretion.table import ReportFolder, ReportTable
from discretion.table.reports import write_parts


def export_file(store: Store, round: int, path: str) -> None:
    """Write the reports of a round to a file that carries the plan; its row groups are shards."""
    with closing(parts_of(store, round)) as parts:
        write_parts(path, parts)


def export_rounds(store: Store, destination: str, round: int | None = None) -> ReportFolder:
    """Write the reports of one round, or of all that have some, to a folder, batch by batch."""
    rounds = [r.round for r in store.rounds() if r.state != CLEARED] if round is None else [round]
    with closing(_of_rounds(store, rounds)) as parts:
        return ReportFolder.write(destination, parts)


def parts_of(store: Store, round: int) -> Generator[ReportTable, None, None]:
    """Yield the reports of a round in column batches; the first one may be empty.

    Close it if it is not read to its end: it holds a connection to the store.
    """
    yield ReportTable.from_reports(store.plan, [])
    with closing(store.reports(round)) as batches:
        for bodies in batches:
            yield ReportTable.from_reports(store.plan, bodies)


def _of_rounds(store: Store, rounds: Sequence[int]) -> Generator[ReportTable, None, None]:
    for round in rounds:
        yield from parts_of(store, round)
