"""Files of reports: where they are, what they carry beside the rows, and how they are written.

A row group is a shard: what one thread, or one worker of a cluster, reads at once.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from discretion.errors import TableError
from discretion.extras import needed
from discretion.plan import Plan

SHARD = 1 << 18  # reports
_PLAN, _SIMULATED = b"discretion.plan", b"discretion.simulated"


def marked(data: pa.Table, plan: Plan, *, simulated: bool) -> pa.Table:
    """Return a table that carries its plan with it."""
    marks = {_PLAN: plan.to_bytes(), _SIMULATED: str(simulated).lower().encode()}
    return data.replace_schema_metadata(marks)


def marks_of(metadata: Mapping[bytes, bytes] | None, source: str) -> tuple[Plan, bool]:
    """Return the plan that a file carries, and whether its reports are simulated."""
    found = metadata or {}
    if _PLAN not in found:
        raise TableError(f"{source}: must be a table of reports; this file carries no plan")
    return _plan_of(found[_PLAN], source), found.get(_SIMULATED) == b"true"


@lru_cache(maxsize=16)
def _plan_of(data: bytes, source: str) -> Plan:
    return Plan.from_bytes(data, source=source)


def opened(path: object, schema: pa.Schema, **options: object) -> pq.ParquetWriter:
    """Return a writer of such tables; ids are random, so nothing can be saved on them."""
    others = [name for name in schema.names if name != "id"]
    return pq.ParquetWriter(
        path, schema, compression="zstd", use_dictionary=others, write_statistics=others, **options
    )


def in_shards(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the rows of tables anew, as many at once as a shard has; the last are the rest."""
    waiting: list[pa.Table] = []
    for table in tables:
        waiting.append(table)
        while sum(part.num_rows for part in waiting) >= SHARD:
            whole = pa.concat_tables(waiting)
            yield whole.slice(0, SHARD)
            waiting = [whole.slice(SHARD)]
    if waiting:
        yield pa.concat_tables(waiting)


def address(location: str | Path) -> str:
    """Return a location so that it means the same in every process."""
    text = str(location)
    return text if "://" in text else str(Path(text).absolute())


@lru_cache(maxsize=16)
def located(location: str) -> tuple[fs.FileSystem, str]:
    """Return the file system of an address, and the path in it."""
    if "://" not in location:
        return fs.LocalFileSystem(), location
    try:
        return fs.FileSystem.from_uri(location)
    except pa.ArrowInvalid:
        with needed(location):
            from fsspec.core import url_to_fs
    try:
        system, path = url_to_fs(location)
    except (ImportError, ValueError) as error:
        raise TableError(f"{location}: must be on a file system that is known ({error})") from None
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def parquet_files(location: str) -> list[str]:
    """Return the paths of all Parquet files in a folder, or of one file, in a fixed order."""
    system, path = located(location)
    info = system.get_file_info(path)
    if info.type == fs.FileType.File:
        return [path]
    if info.type == fs.FileType.NotFound:
        raise TableError(f"{location}: no such file or folder")
    inside = system.get_file_info(fs.FileSelector(path, recursive=True))
    return sorted(
        each.path
        for each in inside
        if each.type == fs.FileType.File and each.base_name.endswith(".parquet")
    )
