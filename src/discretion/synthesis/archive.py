"""A NumPy archive whose arrays are read within bounds, whatever the file says about itself.

An archive of a few kilobytes can unfold to many gigabytes. So an array is described first, from the
sizes that the archive and the array's own header announce. The caller compares that with what it
expects, and only then reads the array: exactly the announced bytes, never more.
"""

from dataclasses import dataclass
from math import prod
from typing import IO, Any, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

METHODS = (ZIP_STORED, ZIP_DEFLATED)  # zipfile bounds what it decompresses at once for these alone
WIDEST = 16  # bytes of one entry

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Announced:
    """What an array says that it is, before any of its entries is read."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    fortran: bool
    start: int  # bytes before the entries

    @property
    def size(self) -> int:
        """The bytes of the entries."""
        return prod(self.shape) * self.dtype.itemsize

    def outline(self) -> Array:
        """Return an array of this shape and type that takes no memory; its entries are zero."""
        return np.broadcast_to(np.zeros((), self.dtype), self.shape)


class Archive:
    """The arrays of an open file, by name. Whatever is not as announced raises a ValueError."""

    def __init__(self, file: IO[bytes]) -> None:
        self._zip = ZipFile(file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def announced(self, name: str) -> Announced:
        """Return the shape and type of an array; no entry of it is decompressed."""
        member = self._zip.getinfo(f"{name}.npy")
        if member.compress_type not in METHODS:
            raise ValueError(f"{name}: the method of compression must be deflate or none")
        with self._zip.open(member) as stream:
            if npy.read_magic(stream) != (1, 0):
                raise ValueError(f"{name}: the version of the array must be 1.0")
            shape, fortran, dtype = npy.read_array_header_1_0(stream)
            found = Announced(shape, dtype, fortran, stream.tell())
        if dtype.hasobject or dtype.itemsize > WIDEST or any(length < 0 for length in shape):
            raise ValueError(f"{name}: the entries must be plain numbers, got {dtype}")
        if member.file_size != found.start + found.size:
            raise ValueError(f"{name}: its sizes must agree, got {member.file_size} bytes")
        return found

    def read(self, name: str, found: Announced) -> Array:
        """Return an array, of which not more than the announced bytes are decompressed."""
        with self._zip.open(f"{name}.npy") as stream:
            stream.read(found.start)
            entries = bytearray(stream.read(found.size))  # writable, as arrays are
            if len(entries) != found.size or stream.read(1):  # the last read compares the checksum
                raise ValueError(f"{name}: must have {found.size} bytes, got {len(entries)}")
        flat = np.frombuffer(entries, found.dtype)
        return flat.reshape(found.shape, order="F" if found.fortran else "C")
