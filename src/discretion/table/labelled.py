"""Files of SPSS and Stata: columns with a question, and values with labels.

What a file says about a column stands in the metadata of its Arrow field. A value that its author
declared missing is null, and its label is no label of a value.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from discretion.errors import TableError
from discretion.extras import needed
from discretion.schema.categorical import text

SPSS, STATA = (".sav", ".zsav"), (".dta",)
SUFFIXES = (*SPSS, *STATA)
KEY = b"discretion.column"
ROWS = 1 << 16  # that are read at once


@dataclass(frozen=True)
class Described:
    """What a file says about a column: its question, and what people call its values."""

    question: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)  # by code, as a plan writes it

    @classmethod
    def of(cls, column: pa.Field) -> Self:
        """Return what the metadata of a column says."""
        found = (column.metadata or {}).get(KEY)
        return cls(**json.loads(found)) if found else cls()

    def on(self, column: pa.Field) -> pa.Field:
        """Return the column with this as metadata."""
        if not self.question and not self.labels:
            return column
        said = json.dumps({"question": self.question, "labels": dict(self.labels)})
        return column.with_metadata({KEY: said.encode()})


def read_labelled(path: Path) -> pa.Table:
    """Return all rows of a file."""
    return pa.concat_tables(labelled_parts(path, 0), promote_options="permissive")


def labelled_parts(path: Path, rows: int = ROWS) -> Iterator[pa.Table]:
    """Yield the rows of a file, so many at a time; all at once if ``rows`` is 0."""
    _, about = _read(path, metadataonly=True, user_missing=True)
    described = {name: _described(about, name) for name in about.column_names}
    first = 0
    while True:
        columns, _ = _read(path, row_offset=first, row_limit=rows)
        table = _table(path, columns, described)
        if not first or table.num_rows:
            yield table
        first += rows
        if not rows or table.num_rows < rows:
            return


def _read(path: Path, **options: Any) -> tuple[Mapping[str, Any], Any]:
    with needed(f"a {path.suffix} file"):
        import pyreadstat
    if not path.exists():
        raise FileNotFoundError(2, "No such file or directory", str(path))
    read = pyreadstat.read_dta if path.suffix in STATA else pyreadstat.read_sav
    try:
        columns, about = read(str(path), output_format="dict", **options)
    except (
        pyreadstat.ReadstatError,
        pyreadstat.PyreadstatError,
        ValueError,
        OverflowError,
    ) as error:
        kind = "Stata" if path.suffix in STATA else "SPSS"
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise TableError(f"{path}: must be a {kind} file of records ({first})") from None
    return columns, about


def _described(about: Any, name: str) -> Described:
    """Return what is said of a column, without the labels of values that count as missing."""
    numeric = about.readstat_variable_types.get(name) != "string"
    ranges = about.missing_ranges.get(name, ())
    labels = {
        text(value): " ".join(str(label).split())
        for value, label in sorted(about.variable_value_labels.get(name, {}).items(), key=_order)
        if str(label).strip() and not (numeric and isinstance(value, str))  # .a to .z of Stata
        if not any(each["lo"] <= value <= each["hi"] for each in ranges)
    }
    return Described(" ".join((about.column_names_to_labels.get(name) or "").split()), labels)


def _order(pair: tuple[Any, str]) -> tuple[bool, Any]:
    return isinstance(pair[0], str), pair[0]


def _table(path: Path, columns: Mapping[str, Any], described: Mapping[str, Described]) -> pa.Table:
    arrays, fields = [], []
    for name, values in columns.items():
        try:
            array = _array(values)
        except pa.ArrowException as error:
            raise TableError(f"{path}: {name}: its values cannot be read ({error})") from None
        arrays.append(array)
        fields.append(described[name].on(pa.field(name, array.type)))
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _array(values: Any) -> pa.Array:
    """Return values as Arrow has them: whole numbers as such, empty text as missing."""
    array = pa.array(values, from_pandas=True)
    if pa.types.is_string(array.type):
        return pc.if_else(pc.equal(pc.utf8_trim_whitespace(array), ""), None, array)
    if pa.types.is_floating(array.type):
        try:
            return array.cast(pa.int64())
        except pa.ArrowInvalid:
            return array
    return array
