"""Reports of a store as Parquet: one file for a download, or a folder by plan and round."""

from collections.abc import Iterator

from discretion.collector.store import Store
from discretion.collector.store.store import CLEARED
from discretion.table import ReportFolder, ReportTable
from discretion.table.reports import write_parts


def export_file(store: Store, round: int, path: str) -> None:
    """Write the reports of a round to a file that carries the plan; its row groups are shards."""
    write_parts(path, parts_of(store, round))


def export_rounds(store: Store, place: str, round: int | None = None) -> ReportFolder:
    """Write the reports of one round, or of all that have some, to a folder, batch by batch."""
    rounds = [r.round for r in store.rounds() if r.state != CLEARED] if round is None else [round]
    return ReportFolder.write(place, (part for each in rounds for part in parts_of(store, each)))


def parts_of(store: Store, round: int) -> Iterator[ReportTable]:
    """Yield the reports of a round in column batches; the first one may be empty."""
    yield ReportTable.from_reports(store.plan, [])
    for bodies in store.reports(round):
        yield ReportTable.from_reports(store.plan, bodies)
