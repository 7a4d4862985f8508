"""Reading true records from a file, for proposals, checks and simulations."""

from collections.abc import Iterator
from contextlib import contextmanager
from csv import Error as CSVError
from csv import reader
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq

from discretion.design.proposal import FEW_NUMBERS
from discretion.errors import DiscretionError, TableError
from discretion.plan import Plan
from discretion.schema.categorical import text

NUMBER = r"^\s*-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
CODE = r"^\s*-?0\d"  # a leading zero: the text of a code, not a number
MISSING = pa.array(["", "?", ".", "-", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "None"])
PART, CSV_BYTES = 1 << 18, 1 << 24  # rows, or bytes of a CSV file, that are read at once
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}


def read_table(path: Path) -> pa.Table:
    """Return a CSV (also .csv.gz) or Parquet file; an empty cell means that the value is missing.

    A column of a CSV file is numbers if all its cells are, and if none begins with a needless zero.
    Among more numbers than could be codes a mark such as NA or ? means a missing one. Every other
    column is text, as it stands in the file.
    """
    table = _read(path)
    if path.suffix == ".parquet":
        return table
    return pa.table([_guessed(column) for column in table.columns], table.column_names)


def read_records(path: Path, plan: Plan) -> pa.Table:
    """Return the plan's columns of such a file, read as the plan wants them: labels or numbers."""
    return _records(path, _read(path), plan)


def records_in_parts(path: Path, plan: Plan) -> Iterator[pa.Table]:
    """Yield the same a part at a time, of a file that may be larger than memory."""
    with _readable(path):
        for batch in _batches(path):
            if batch.num_rows:
                yield _records(path, pa.Table.from_batches([batch]), plan)


def _records(path: Path, table: pa.Table, plan: Plan) -> pa.Table:
    columns = {}
    for name, attribute in plan.attributes.items():
        times = table.column_names.count(name)
        if times != 1:
            found = ", ".join(table.column_names)
            raise TableError(f"{path}: must have one column {name!r}, and has {times} ({found})")
        column = table[name]
        if path.suffix == ".parquet":
            columns[name] = column
        elif attribute.quantity is None:
            columns[name] = _labels(column, set(attribute.labels))
        elif attribute.quantity.calendar:
            columns[name] = _written(column)
        else:
            columns[name] = _numbers(f"{path}: {name}", column)
    return pa.table(columns)


def _read(path: Path) -> pa.Table:
    """Return a Parquet file as it is, or a CSV file with all its cells as text."""
    with _readable(path):
        if path.suffix == ".parquet":
            return pq.read_table(path)
        return csv.read_csv(path, **_as_text(path))


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the rows of such a file, so many at a time."""
    if path.suffix == ".parquet":
        yield from pq.ParquetFile(path).iter_batches(PART)
    else:
        options = csv.ReadOptions(block_size=CSV_BYTES)
        yield from csv.open_csv(path, read_options=options, **_as_text(path))


def _as_text(path: Path) -> dict[str, Any]:
    """Return how a CSV file is read with all its cells as text."""
    options = csv.ConvertOptions(
        column_types=dict.fromkeys(_header(path), pa.string()),
        null_values=[""],
        strings_can_be_null=True,
    )
    return {
        "parse_options": csv.ParseOptions(newlines_in_values=True),
        "convert_options": options,
    }


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raise an error that says in one line why a file cannot be read."""
    try:
        yield
    except (OSError, ValueError, CSVError, pa.ArrowException) as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise TableError(f"{path}: must be a CSV or Parquet file of records ({first})") from None


def _header(path: Path) -> list[str]:
    with pa.input_stream(str(path)) as stream:
        names = next(reader(TextIOWrapper(stream, "utf-8-sig", newline="")), [])
    for mark, word in SEPARATORS.items():
        if len(names) == 1 and mark in names[0]:
            raise TableError(
                f"{path}: must have commas between its columns, and seems to have {word}; convert "
                f"it, as with pandas.read_csv(..., sep={mark!r}).to_csv(..., index=False)"
            )
    return names


def _guessed(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of text as numbers, if that is what it is."""
    distinct = pc.utf8_trim_whitespace(column.unique().drop_null())
    number = pc.match_substring_regex(distinct, NUMBER)
    mark = pc.is_in(distinct, MISSING)
    code = pc.match_substring_regex(distinct, CODE)
    numbers, marks = (pc.sum(which).as_py() or 0 for which in (number, mark))
    if not numbers or pc.any(code).as_py() or numbers + marks < len(distinct):
        return column
    return column if marks and numbers <= FEW_NUMBERS else _numbers("", column)


def _written(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return cells without the spaces around them, and none where a mark says so."""
    cells = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(cells, MISSING), None, cells)


def _numbers(source: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    cells = pc.utf8_trim_whitespace(column)
    cells = pc.if_else(pc.is_in(cells, MISSING), None, cells)
    for kind in (pa.int64(), pa.float64()):
        try:
            return cells.cast(kind)
        except pa.ArrowInvalid:
            continue
    odd = cells.filter(pc.invert(pc.match_substring_regex(cells, NUMBER)))
    raise TableError(f"{source}: must be a number, got {odd.drop_null()[0].as_py()!r}")


def _labels(column: pa.ChunkedArray, labels: set[str]) -> pa.ChunkedArray:
    """Return text as it stands, but for a whole number spelled another way: 1.0 for the label 1."""
    if not labels:
        return column
    distinct = column.unique().drop_null()
    strange = [label for label in distinct.to_pylist() if label not in labels]
    spelled = pc.match_substring_regex(pa.array(strange, pa.string()), NUMBER).to_pylist()
    known = {s: text(float(s)) for s, number in zip(strange, spelled, strict=True) if number}
    if not any(label in labels for label in known.values()):
        return column
    encoded = column.combine_chunks().dictionary_encode()
    words = [known.get(label, label) for label in encoded.dictionary.to_pylist()]
    return pa.DictionaryArray.from_arrays(encoded.indices, pa.array(words, pa.string()))


def check_output(path: Path, *inputs: Path, overwrite: bool = True) -> None:
    """Refuse a path that cannot be written to, before any work is done for it."""
    if not path.parent.is_dir():
        raise DiscretionError(f"{path}: the folder must exist")
    if path.is_dir():
        raise DiscretionError(f"{path}: must be a file, not a folder")
    if path.exists() and any(path.samefile(read) for read in inputs if read.exists()):
        raise DiscretionError(f"{path}: must not be a file that is read")
    if path.exists() and not overwrite:
        raise DiscretionError(f"{path}: is there already; --force overwrites it")
