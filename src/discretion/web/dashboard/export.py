"""Tables as files: CSV for spreadsheets, Parquet with its types, JSON for programs."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from discretion.render.formats import is_formula
from discretion.web.dashboard.documents import Sheet


@dataclass(frozen=True, slots=True)
class Export:
    """Rows under their heads; what is not known is empty."""

    heads: Sequence[str]
    rows: Sequence[Sequence[object]]

    @classmethod
    def of(cls, sheet: Sheet) -> "Export":
        """Return all rows of a sheet, with every digit."""
        return cls(sheet["heads"], sheet["rows"])

    def csv(self) -> bytes:
        """Return it as CSV; no cell is a formula."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(plain, self.heads))
        writer.writerows([_plain(cell) for cell in row] for row in self.rows)
        return text.getvalue().encode()

    def json(self) -> bytes:
        """Return it as JSON: a list of objects."""
        rows = [dict(zip(self.heads, row, strict=True)) for row in self.rows]
        return json.dumps(rows, ensure_ascii=False, allow_nan=False).encode()

    def parquet(self) -> bytes:
        """Return it as a Parquet file; a column of texts and numbers is one of texts."""
        import pyarrow as pa
        from pyarrow import parquet

        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.heads)
        arrays = [pa.array(_of_one_kind(column)) for column in columns]
        file = io.BytesIO()
        parquet.write_table(pa.table(dict(zip(self.heads, arrays, strict=True))), file)
        return file.getvalue()


class FileKind(NamedTuple):
    """A kind of file: its name, how a table is written to it, and its media type."""

    name: str
    write: Callable[[Export], bytes]
    media: str


KINDS: Mapping[str, FileKind] = {
    "csv": FileKind("CSV", Export.csv, "text/csv; charset=utf-8"),
    "parquet": FileKind("Parquet", Export.parquet, "application/vnd.apache.parquet"),
    "json": FileKind("JSON", Export.json, "application/json"),
}


def plain(name: str) -> str:
    """Return a name as text, whatever its author put first: an apostrophe keeps formulas asleep."""
    return f"'{name}" if is_formula(name) else name


def _plain(cell: object) -> object:
    return plain(cell) if isinstance(cell, str) else cell


def _of_one_kind(column: Sequence[object]) -> Sequence[object]:
    known = {type(cell) for cell in column if cell is not None}
    if str in known and len(known) > 1:
        return [None if cell is None else str(cell) for cell in column]
    return column
