"""Where files are: a path of this machine, or an address that Arrow or fsspec knows."""

from functools import lru_cache
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from discretion.errors import TableError
from discretion.extras import needed


def address(place: str | Path) -> str:
    """Return a place so that it means the same in every process."""
    text = str(place)
    return text if "://" in text else str(Path(text).absolute())


@lru_cache(maxsize=16)
def located(place: str) -> tuple[fs.FileSystem, str]:
    """Return the file system of an address, and the path in it."""
    if "://" not in place:
        return fs.LocalFileSystem(), place
    try:
        found: tuple[fs.FileSystem, str] = fs.FileSystem.from_uri(place)
        return found
    except pa.ArrowInvalid:
        return _by_fsspec(place)


def _by_fsspec(place: str) -> tuple[fs.FileSystem, str]:
    with needed(place):
        from fsspec.core import url_to_fs
    try:
        system, path = url_to_fs(place)
    except (ImportError, ValueError) as error:
        raise TableError(f"{place}: must be on a file system that is known ({error})") from None
    return fs.PyFileSystem(fs.FSSpecHandler(system)), path


def parquet_files(place: str) -> list[str]:
    """Return the paths of all Parquet files in a folder, or of one file, in a fixed order."""
    system, path = located(place)
    info = system.get_file_info(path)
    if info.type == fs.FileType.File:
        return [path]
    if info.type == fs.FileType.NotFound:
        raise TableError(f"{place}: no such file or folder")
    inside = system.get_file_info(fs.FileSelector(path, recursive=True))
    return sorted(
        each.path
        for each in inside
        if each.type == fs.FileType.File and each.base_name.endswith(".parquet")
    )
