"""Reading true records from a file, for proposals, checks and simulations."""

from collections.abc import Iterator
from contextlib import contextmanager
from csv import Error as CSVError
from csv import reader
from io import TextIOWrapper
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as csv
import pyarrow.parquet as pq

from discretion.cli.cells import Notation, guessed, moments_of, noted, numbers_of
from discretion.design.proposal import FEW_NUMBERS
from discretion.errors import DiscretionError, NoSuchFile, TableError
from discretion.plan import Plan
from discretion.schema.categorical import text
from discretion.table.labelled import SUFFIXES as LABELLED
from discretion.table.labelled import labelled_parts, read_labelled

NUMBER = r"^\s*-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$"
PART, CSV_BYTES = 1 << 18, 1 << 24  # rows, or bytes of a CSV file, that are read at once
PARQUET = ".parquet"
SEPARATORS = ",;\t|"  # between the cells of a row; of equally many in the first row, the first


def read_table(path: Path) -> pa.Table:
    """Return a file of CSV (also .csv.gz), Parquet, SPSS or Stata; an empty cell has no value.

    A column of a CSV file is numbers, or dates, if all its cells are, and if no number begins with
    a needless zero. Among more numbers than could be codes a mark such as NA or ? means a missing
    one. Every other column is text, as it stands in the file. The field of a column has a note on
    how it was read.
    """
    table = _read(path)
    if _is_typed(path):
        return table
    found = [guessed(column, FEW_NUMBERS) for column in table.columns]
    fields = [noted(name, *each) for name, each in zip(table.column_names, found, strict=True)]
    return pa.table([column for column, _ in found], pa.schema(fields))


def read_records(path: Path, plan: Plan) -> pa.Table:
    """Return the plan's columns of such a file, read as the plan wants them: labels or numbers."""
    return _records(path, _read(path), plan, {})


def records_in_parts(path: Path, plan: Plan) -> Iterator[pa.Table]:
    """Yield the same a part at a time, of a file that may be larger than memory."""
    notations: dict[str, Notation] = {}
    with _readable(path):
        for batch in _batches(path):
            if batch.num_rows:
                yield _records(path, pa.Table.from_batches([batch]), plan, notations)


def _records(path: Path, table: pa.Table, plan: Plan, notations: dict[str, Notation]) -> pa.Table:
    """Return the plan's columns of a part of a file; ``notations`` are those of parts before."""
    columns = {}
    for name, attribute in plan.attributes.items():
        times = table.column_names.count(name)
        if times != 1:
            found = ", ".join(table.column_names)
            raise TableError(f"{path}: must have one column {name!r}, and has {times} ({found})")
        column = table[name]
        if _is_typed(path):
            columns[name] = column
        elif attribute.quantity is None:
            columns[name] = _labels(column, set(attribute.labels))
        elif attribute.quantity.calendar:
            columns[name] = moments_of(column)
        else:
            columns[name], own = numbers_of(column, notations.get(name))
            if own is not None and notations.setdefault(name, own) is not own:
                raise TableError(f"{path}: {name}: numbers must be written in one way in all rows")
    return pa.table(columns)


def _is_typed(path: Path) -> bool:
    """Whether a file says of what type its columns are."""
    return path.suffix in (PARQUET, *LABELLED)


def _read(path: Path) -> pa.Table:
    """Return a file with types as it is, or a CSV file with all its cells as text."""
    with _readable(path):
        if path.suffix in LABELLED:
            return read_labelled(path)
        if path.suffix == PARQUET:
            return pq.read_table(path)
        return csv.read_csv(path, **_as_text(path))


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    """Yield the rows of such a file, so many at a time."""
    if path.suffix in LABELLED:
        for part in labelled_parts(path):
            yield from part.to_batches()
    elif path.suffix == PARQUET:
        yield from pq.ParquetFile(path).iter_batches(PART)
    else:
        options = csv.ReadOptions(block_size=CSV_BYTES)
        yield from csv.open_csv(path, read_options=options, **_as_text(path))


def _as_text(path: Path) -> dict[str, object]:
    """Return how a CSV file is read with all its cells as text."""
    separator, names = _header(path)
    options = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()),
        null_values=[""],
        strings_can_be_null=True,
    )
    return {
        "parse_options": csv.ParseOptions(delimiter=separator, newlines_in_values=True),
        "convert_options": options,
    }


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Raise an error that says in one line why a file cannot be read."""
    try:
        yield
    except FileNotFoundError:
        raise NoSuchFile(path) from None
    except (OSError, ValueError, CSVError, pa.ArrowException) as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        kinds = "SPSS or Stata" if path.suffix in LABELLED else "CSV or Parquet"
        raise TableError(f"{path}: must be a {kinds} file of records ({first})") from None


def _header(path: Path) -> tuple[str, list[str]]:
    """Return what stands between the cells of a file, and the names of its columns."""
    rows = {}
    for separator in SEPARATORS:
        with pa.input_stream(str(path)) as stream:
            text = TextIOWrapper(stream, "utf-8-sig", newline="")
            rows[separator] = next(reader(text, delimiter=separator), [])
    separator = max(rows, key=lambda each: len(rows[each]))
    return separator, rows[separator]


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
