"""What can be seen in outputs: the whole, its length, items and bits by place, sets and orders.

An output is compared as it was sent, so that the order of a list or the length of a text counts. A
feature is one number for each output; what it stands for is kept beside it.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Output = object  # bytes, text, a number, an array, or sequences of them
Views = Mapping[str, Sequence[Output]]  # views of the same samples, by name
Codes = npt.NDArray[np.int64]

POSITIONS = 512  # of an output that are compared one by one
BYTES = 64  # whose bits are compared
MEMBERS = 256  # distinct items up to which membership in an output is tested
SHORT = 6  # bytes up to which they are also an integer


@dataclass(frozen=True, slots=True)
class Feature:
    """A number of each output; of an ordered one, less and more mean something."""

    name: str
    codes: Codes  # (n,) places in ``values``
    values: Sequence[object]
    ordered: bool = False


def features(views: Views) -> list[Feature]:
    """Return all features that are not the same in every output."""
    found: list[Feature] = []
    for name, outputs in views.items():
        own = _bytes if all(isinstance(output, bytes) for output in outputs) else _sequences
        prefix = f"{name}: " if len(views) > 1 else ""
        for feature in own(outputs):
            if len(feature.values) > 1:
                named = f"{prefix}{feature.name}"
                found.append(Feature(named, feature.codes, feature.values, feature.ordered))
    return found


def items(output: Output) -> tuple[Hashable, ...]:
    """Return an output as its items in their order; lists in lists become one."""
    if isinstance(output, str | bytes):
        return tuple(output)
    if isinstance(output, np.ndarray):
        return tuple(output.ravel().tolist())
    if isinstance(output, np.generic):
        return (output.item(),)
    if isinstance(output, Sequence):
        return tuple(item for part in output for item in items(part))
    try:
        hash(output)
    except TypeError:
        return (repr(output),)
    return (output,)


def _bytes(outputs: Sequence[Output]) -> Iterator[Feature]:
    sent = [bytes(output) for output in outputs if isinstance(output, bytes)]
    lengths = np.array([len(data) for data in sent])
    width = min(int(lengths.max(initial=0)), POSITIONS)
    padded = b"".join(data[:width].ljust(width, b"\0") for data in sent)
    table = np.frombuffer(padded, np.uint8).reshape(len(sent), width).astype(np.int64)
    table = np.where(np.arange(width) < lengths[:, None], table, -1)
    yield _coded("the whole", sent)
    yield _numbers("length", lengths)
    if width <= SHORT:
        yield _numbers("as a number", [int.from_bytes(data, "little") for data in sent])
    for index in range(width):
        yield _numbers(f"byte {index}", table[:, index])
    for index in range(min(width, BYTES)):
        for bit in range(8):
            yield _numbers(f"bit {8 * index + bit}", table[:, index] >> bit & 1)


def _sequences(outputs: Sequence[Output]) -> Iterator[Feature]:
    rows = [items(output) for output in outputs]
    width = min(max(map(len, rows), default=0), POSITIONS)
    yield _coded("the whole", rows)
    yield _numbers("length", np.array([len(row) for row in rows]))
    for index in range(width):
        column = [row[index] if index < len(row) else None for row in rows]
        real = [item for item in column if isinstance(item, int | float)]
        named = f"item {index}"
        yield _numbers(named, real) if len(real) == len(rows) else _coded(named, column)
    if width > 1:
        yield from _sets(rows)
        yield from _orders(rows)


def _sets(rows: Sequence[tuple[Hashable, ...]]) -> Iterator[Feature]:
    members = dict.fromkeys(item for row in rows for item in row)
    if len(members) <= MEMBERS:
        sets = [frozenset(row) for row in rows]
        for item in members:
            yield _numbers(f"has {item}", np.array([item in own for own in sets]))


def _orders(rows: Sequence[tuple[Hashable, ...]]) -> Iterator[Feature]:
    lists = [[item for item in row if isinstance(item, int | float)] for row in rows]
    if not all(own and len(own) == len(row) for own, row in zip(lists, rows, strict=True)):
        return
    yield _coded("place of the largest", [own.index(max(own)) for own in lists])
    yield _coded("place of the smallest", [own.index(min(own)) for own in lists])
    yield _coded("rising", [own == sorted(own) for own in lists])


def _coded(name: str, values: Sequence[Hashable]) -> Feature:
    places: dict[Hashable, int] = {}
    codes = np.array([places.setdefault(value, len(places)) for value in values], np.int64)
    return Feature(name, codes, list(places))


def _numbers(name: str, values: npt.ArrayLike) -> Feature:
    different, codes = np.unique(np.asarray(values), return_inverse=True)
    return Feature(name, codes.astype(np.int64), different.tolist(), ordered=len(different) > 2)
