"""Synthetic rows of a model: sampled along its cliques, a chunk at a time.

In a chunk every cell of a clique gets its share of the rows that have its separator's cell, rounded
(``kernel/systematic.py``). So the tables of the rows scatter around the model's by roundings, far
less than those of independent draws; still each row by itself is a draw from the model.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from math import prod
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq

from discretion.errors import DiscretionError, EstimateError
from discretion.kernel.draw import fresh_state
from discretion.kernel.systematic import sample_systematically
from discretion.plan import Plan
from discretion.schema import MOMENTS, NOT_APPLICABLE, Attribute
from discretion.synthesis.file import check, check_suffix, whole_file
from discretion.synthesis.model import Clique, Column, Model, Table
from discretion.table.labelled import Described

CHUNK = 1 << 18  # rows
MOST_CHUNK = 1 << 24  # rows: the text of a longer column may be more than Arrow can address
SUFFIXES = (".parquet", ".csv", ".arrow", ".feather")

Cells = npt.NDArray[np.int32]
Words = npt.NDArray[np.uint64]


def batches(
    model: Model, rows: int, seed: int | None = None, chunk: int = CHUNK
) -> Iterator[pa.RecordBatch]:
    """Yield synthetic rows in batches of ``chunk``, in the memory of one.

    Labels are strings; numbers are int64 if all that a column may hold are whole, else float64.
    The rows depend on nothing but the arguments; without a seed each call gives others.
    """
    rows, chunk = _whole("rows", rows, 1), _whole("chunk", chunk, 1)
    if chunk > MOST_CHUNK:
        raise DiscretionError(f"chunk must be at most {MOST_CHUNK}, got {chunk}")
    check(model)
    rng = np.random.default_rng(None if seed is None else _whole("seed", seed, 0))
    return _batches(model, _steps(model), rows, chunk, rng)


def synthetic(model: Model, rows: int, seed: int | None = None) -> pa.Table:
    """Return synthetic rows as a table: those of ``batches`` with the same seed."""
    return pa.Table.from_batches(batches(model, rows, seed), schema(model))


def schema(model: Model) -> pa.Schema:
    """Return the names and types of the columns that rows of a model have."""
    return pa.schema([(column.name, _values(column).type) for column in model.columns])


def write(rows: Iterable[pa.RecordBatch], path: str | Path) -> int:
    """Write batches to a file of the kind that its suffix says, and return how many rows.

    The file appears under its name when it is whole: what fails or is interrupted leaves nothing,
    and leaves a file that was there before.
    """
    path = Path(path)
    check_suffix(path, SUFFIXES)
    stream, count = iter(rows), 0
    if (first := next(stream, None)) is None:
        raise DiscretionError(f"{path}: there are no rows to write")
    with whole_file(path) as part, _writer(part, path.suffix, first.schema) as writer:
        for batch in chain((first,), stream):
            writer.write_batch(batch)
            count += batch.num_rows
    return count


def _writer(path: Path, suffix: str, plain: pa.Schema) -> Any:
    match suffix:
        case ".parquet":
            return pq.ParquetWriter(path, plain, compression="zstd")
        case ".csv":
            return csv.CSVWriter(path, plain)
        case _:
            options = pa.ipc.IpcWriteOptions(compression="lz4")
            return pa.ipc.new_file(str(path), plain, options=options)


@dataclass(frozen=True, eq=False)
class _Step:
    """A clique laid out for sampling: its cells are numbered by separator first, then the rest."""

    parent: int | None
    given: Cells  # the separator's cell in each cell of the parent
    probability: Table  # (cells of the separator, cells of the rest), in proportion
    codes: dict[int, Cells]  # by axis: its category in each cell
    new: tuple[int, ...]  # the axes of the rest

    def allow(self, cells: npt.NDArray[np.bool_]) -> None:
        """Take the probabilities from all other cells."""
        self.probability.reshape(-1)[~cells] = 0


def _steps(model: Model) -> list[_Step]:
    """Lay out all cliques, without the cells from which sampling could not go on.

    Tables agree about a separator but for rounding, so a parent may give some probability to what
    never occurs in its child. From the last clique to the first, such cells are left out.
    """
    steps: list[_Step] = []
    for clique in model.cliques:
        parent = None if clique.parent is None else steps[clique.parent]
        steps.append(_step(clique, parent, model.shape))
    homes = {axis: step for step in steps for axis in step.new}
    for axis, column in enumerate(model.columns):
        if column.spread is not None:
            homes[axis].allow((column.spread.sum(axis=1) > 0)[homes[axis].codes[axis]])
    for step in reversed(steps):
        occurs = step.probability.sum(axis=1) > 0
        if step.parent is not None:
            steps[step.parent].allow(occurs[step.given])
        elif not occurs.all():
            raise EstimateError("the model has no record: its tables exclude each other")
    return steps


def _step(clique: Clique, parent: _Step | None, shape: tuple[int, ...]) -> _Step:
    rest = tuple(axis for axis in clique.axes if axis not in clique.separator)
    order = (*clique.separator, *rest)
    table = clique.table.transpose([clique.axes.index(axis) for axis in order])
    indices = np.indices(table.shape, np.int32).reshape(len(order), -1)
    given = np.zeros(1 if parent is None else parent.probability.size, np.int32)
    if parent is not None:
        for axis in clique.separator:
            given = given * np.int32(shape[axis]) + parent.codes[axis]
    groups = prod(shape[axis] for axis in clique.separator)
    probability = np.array(table, np.float64, order="C").reshape(groups, -1)
    return _Step(clique.parent, given, probability, dict(zip(order, indices, strict=True)), rest)


def _batches(
    model: Model, steps: list[_Step], rows: int, chunk: int, rng: np.random.Generator
) -> Iterator[pa.RecordBatch]:
    plain, values = schema(model), [_values(column) for column in model.columns]
    spreads = [
        None if column.spread is None else np.array(column.spread, np.float64, order="C")
        for column in model.columns
    ]
    for first in range(0, rows, chunk):
        state = fresh_state(rng)
        codes = _sampled_codes(steps, min(chunk, rows - first), state)
        for axis, spread in enumerate(spreads):
            if spread is not None:
                codes[axis] = _sampled_cells(codes[axis], spread, state)
        arrays = [own.take(pa.array(codes[axis])) for axis, own in enumerate(values)]
        yield pa.RecordBatch.from_arrays(arrays, schema=plain)


def _sampled_codes(steps: list[_Step], n: int, state: Words) -> dict[int, Cells]:
    """Return the category of each of n rows, by axis."""
    cells: list[Cells] = []
    codes: dict[int, Cells] = {}
    for step in steps:
        above = np.zeros(n, np.int32) if step.parent is None else cells[step.parent]
        given = _look_up(step.given, above)
        own = given * np.int32(step.probability.shape[1]) + _sampled_cells(
            given, step.probability, state
        )
        cells.append(own)
        codes |= {axis: _look_up(step.codes[axis], own) for axis in step.new}
    return codes


def _look_up(table: Cells, indices: Cells) -> Cells:
    return table.take(indices, mode="clip")  # none is outside: this only spares the check


def _sampled_cells(given: Cells, probability: Table, state: Words) -> Cells:
    cells = np.empty(len(given), np.int32)
    sample_systematically(given, probability, state, cells)
    return cells


def _values(column: Column) -> pa.Array:
    """Return what rows may hold, in the type of the column."""
    if any(isinstance(value, str) for value in column.values):
        return pa.array([str(value) for value in column.values], pa.string())
    numbers = [float(value) for value in column.values]
    if all(number.is_integer() and abs(number) < 2.0**63 for number in numbers):
        return pa.array([int(value) for value in column.values], pa.int64())
    return pa.array(numbers, pa.float64())


def _whole(name: str, number: int, least: int) -> int:
    try:
        whole = index(number)
    except TypeError:
        raise DiscretionError(f"{name} must be a whole number, got {number!r}") from None
    if whole < least:
        raise DiscretionError(f"{name} must be at least {least}, got {whole}")
    return whole


def described(rows: pa.Table, plan: Plan) -> pa.Table:
    """Return rows whose columns say what a plan says of them, in its first language.

    Where a question does not apply, there is no value.
    """
    wording = plan.wording.within(plan.wording.best(()) or "")
    arrays, fields = [], []
    for column in rows.schema:
        attribute, said = plan.attributes[column.name], wording.of(column.name)
        array = _held(attribute, rows[column.name])
        labels = {}
        if attribute.number is None:
            codes = (code for code in attribute.labels if code != NOT_APPLICABLE)
            labels = {code: str(said.label(code)) for code in codes}
        arrays.append(array)
        fields.append(Described(str(said.question), labels).on(pa.field(column.name, array.type)))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _held(attribute: Attribute, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return what rows hold: numbers as numbers, and dates and times of day as such."""
    if attribute.number is None:
        return pc.if_else(pc.equal(column, NOT_APPLICABLE), None, column)
    made = MOMENTS.get(str(attribute.number.document["kind"]))
    return pa.chunked_array([[*map(made.value_of, column.to_pylist())]]) if made else column
