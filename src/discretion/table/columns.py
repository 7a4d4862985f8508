"""Columns of many reports: Arrow arrays seen as NumPy matrices, without a copy.

Columns by name stand in the order of ``Plan.names``: the attributes first, then the bundles. The
policy sees levels by attribute.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.budget.level import RANGE, stratum_of
from discretion.plan import Plan

Codes = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]  # (n, width): row i is the little-endian y of report i
Mask = npt.NDArray[np.bool_]
Levels = npt.NDArray[np.int32]
LevelsByName = npt.NDArray[np.int64]  # (n, names) or (n, attributes)
Counts = npt.NDArray[np.int64]


def fixed_column(rows: Bytes, present: Mask | None = None) -> pa.Array:
    """Return an Arrow column of fixed-width bytes; rows that are not present are null."""
    n, width = rows.shape
    validity = None
    if present is not None:
        validity = pa.py_buffer(np.packbits(present, bitorder="little").tobytes())
    data = pa.py_buffer(np.ascontiguousarray(rows))
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), n, [validity, data])


def matrix(array: pa.Array) -> Bytes:
    """Return the bytes of a fixed-width array as a matrix; null rows hold anything."""
    width, offset = array.type.byte_width, array.offset
    if len(array) == 0:
        return np.zeros((0, width), np.uint8)
    data = np.frombuffer(array.buffers()[1], np.uint8, (offset + len(array)) * width)
    return data[offset * width :].reshape(-1, width)


def whole(column: pa.ChunkedArray) -> pa.Array:
    """Return a column in one piece; one that is so already is not copied."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def integers(array: pa.Array) -> Levels:
    """Return the entries of an array of integers; null ones are anything."""
    array = array.cast(pa.int32())  # as a rule it is that already
    if len(array) == 0:
        return np.zeros(0, np.int32)
    data = np.frombuffer(array.buffers()[1], np.int32, array.offset + len(array))
    return data[array.offset :]


def strata_of(stated: Sequence[pa.Array], n: int) -> Levels:
    """Return levels, and ranges where there are some, as one integer per row; 0 for neither."""
    if not stated:
        return np.zeros(n, np.int32)
    level, *range_index = (integers(column) for column in stated)
    return level + np.int32(RANGE) * range_index[0] if range_index else level


def possible_strata(plan: Plan, name: str) -> tuple[int, ...]:
    """Return the strata that the menu of a question has, by range and level; 0: secret."""
    question = plan.questions[name]
    menu = (0,) if plan.secret else question.menu
    ranges = range(max(len(question.ranges), 1))
    return tuple(stratum_of(level, range_index) for range_index in ranges for level in menu)


def present(array: pa.Array | pa.ChunkedArray) -> Mask:
    """Return which entries are not null."""
    return np.asarray(array.is_valid())


def chunks(column: pa.ChunkedArray, *others: pa.ChunkedArray) -> Iterator[tuple[pa.Array, ...]]:
    """Yield aligned chunks of columns of one table."""
    table = pa.table([column, *others], names=[str(i) for i in range(1 + len(others))])
    for batch in table.to_batches():
        yield tuple(batch.columns)


def codes(y: Bytes) -> Codes:
    """Return little-endian integers of up to eight bytes."""
    whole = np.zeros((len(y), 8), np.uint8)
    whole[:, : y.shape[1]] = y
    return whole.view("<i8")[:, 0]


def bundle_columns(plan: Plan) -> Iterator[tuple[int, list[int]]]:
    """Yield the column of each bundle and the columns of its attributes."""
    index = {name: column for column, name in enumerate(plan.attributes)}
    for column, bundle in enumerate(plan.bundles, len(index)):
        yield column, [index[part.name] for part in bundle.parts]


def attribute_counts(plan: Plan) -> Counts:
    """Return how many attributes (names,) the policy counts for each name."""
    return np.array([len(plan.questions[name].counted) for name in plan.names])


def times_shared(plan: Plan, shared: Mask) -> Counts:
    """Return how often each attribute (n, attributes) stands among the names (n, names)."""
    times = shared[:, : len(plan.attributes)].astype(np.int64)
    for column, parts in bundle_columns(plan):
        times[:, parts] += shared[:, [column]]
    return times


def by_attribute(plan: Plan, levels: LevelsByName) -> LevelsByName:
    """Return levels (n, attributes) from levels by name (n, names): equal parts of a bundle's.

    It is ``discretion.budget.agreement.by_attribute`` for rows in which no attribute is repeated.
    """
    found = levels[:, : len(plan.attributes)].copy()
    for column, parts in bundle_columns(plan):
        found[:, parts] += levels[:, [column]] // len(parts)
    return found
