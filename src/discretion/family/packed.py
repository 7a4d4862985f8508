"""Arrays in few bytes, read by slices like the arrays that they stand for: what a device keeps."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace


@dataclass(frozen=True)
class PackedBits:
    """Rows of zeros and ones, eight to a byte."""

    words: npt.NDArray[np.uint8]  # (n, bytes)
    width: int  # bits of a row

    @classmethod
    def of(cls, bits: npt.NDArray[np.uint8]) -> Self:
        return cls(np.packbits(bits, axis=1, bitorder="little"), bits.shape[1])

    def __getitem__(self, rows: slice) -> Any:
        xp = namespace(self.words)
        return xp.unpackbits(self.words[rows], axis=1, count=self.width, bitorder="little")


@dataclass(frozen=True)
class Coded:
    """Entries of which few differ: these, and which of them each is."""

    values: npt.NDArray[Any]
    which: npt.NDArray[np.integer]  # (n,)

    @classmethod
    def of(cls, entries: npt.NDArray[Any]) -> Self:
        values, which = np.unique(entries, return_inverse=True)
        return cls(values, narrow(which, len(values)))

    def __getitem__(self, rows: slice) -> Any:
        return self.values[self.which[rows]]


def narrow(indices: npt.NDArray[np.integer], below: int) -> npt.NDArray[np.integer]:
    """Return indices in as few bytes as those below a bound need."""
    return indices.astype(np.min_scalar_type(below))
