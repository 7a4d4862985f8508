"""Array code: what runs as it stands on NumPy's arrays and on those of an accelerator.

Such code asks an array for its namespace (the array API standard), assigns to no part of an array,
and takes whatever changes from pass to pass as an array. An engine may trace work that is marked as
array code and compile it for its devices; any other engine calls it like other work.

Reports wait there in few bytes: arrays that are packed are read by slices like those they stand
for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., Any])

_MARKED: set[Callable[..., Any]] = set()


def namespace(array: Any) -> Any:
    """Return the module that works on an array: ``numpy``, or ``jax.numpy``."""
    return array.__array_namespace__()


def array_code(function: Function) -> Function:
    """Mark a function as array code; ``partial`` of it is array code too."""
    _MARKED.add(function)
    return function


def is_array_code(work: Callable[..., Any]) -> bool:
    """Whether some work, or what it is ``partial`` of, is marked."""
    return getattr(work, "func", work) in _MARKED


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
