"""Where files are: a path of this machine, or an address that Arrow or fsspec knows."""

from functools import lru_cache
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from discretion.errors import TableError
from discretion.extras import needed


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
        found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(location)
        return found
    except pa.ArrowInvalid:
        return _by_fsspec(location)


def _by_fsspec(location: str) -> tuple[fs.FileSystem, str]:
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
