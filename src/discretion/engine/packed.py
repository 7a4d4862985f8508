"""An object and its arrays apart: the arrays go to a device, what is around them stays as bytes.

Whatever an engine is given can be pickled, so pickling finds the arrays, wherever they are. The
bytes may be put together around other arrays of the same shapes, such as those of a device.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pickle import Pickler, Unpickler
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Packed:
    """The bytes of what is around the arrays, and the arrays."""

    around: bytes
    arrays: tuple[Any, ...]

    @classmethod
    def of(cls, whole: object, kinds: tuple[type, ...] = (np.ndarray, np.generic)) -> "Packed":
        """Take an object apart; ``kinds`` are the classes of its arrays."""
        found: list[Any] = []
        file = BytesIO()
        _Splitter(file, kinds, found).dump(whole)
        return cls(file.getvalue(), tuple(found))

    @property
    def nbytes(self) -> int:
        """The room that it takes."""
        return len(self.around) + sum(int(array.nbytes) for array in self.arrays)

    def placed(self, put: Callable[[Any], Any]) -> "Packed":
        """Return the same with its arrays elsewhere."""
        return Packed(self.around, tuple(put(array) for array in self.arrays))

    def whole(self) -> Any:
        """Put the object together."""
        return _Joiner(BytesIO(self.around), self.arrays).load()


class _Splitter(Pickler):
    def __init__(self, file: BytesIO, kinds: tuple[type, ...], found: list[Any]) -> None:
        super().__init__(file, protocol=5)
        self._kinds, self._found = kinds, found

    def persistent_id(self, obj: Any) -> int | None:
        if not isinstance(obj, self._kinds):
            return None
        self._found.append(obj)
        return len(self._found) - 1


class _Joiner(Unpickler):
    def __init__(self, file: BytesIO, arrays: Sequence[Any]) -> None:
        super().__init__(file)
        self._arrays = arrays

    def persistent_load(self, pid: Any) -> Any:
        return self._arrays[pid]
