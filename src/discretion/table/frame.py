"""Frames in and out: pandas, polars or Arrow, whichever the caller has."""

from typing import Any

import narwhals as nw
import pyarrow as pa

from discretion.errors import TableError

Frame = Any  # of the library that the caller names
BACKENDS = ("pyarrow", "pandas", "polars")


def to_arrow(frame: object) -> pa.Table:
    """Return a frame of any supported library, a mapping of columns or a list of rows, as Arrow."""
    if isinstance(frame, pa.Table):
        return frame
    rows = isinstance(frame, list) and all(isinstance(row, dict) for row in frame)
    if rows or isinstance(frame, dict):
        try:
            return pa.Table.from_pylist(frame) if rows else pa.table(frame)
        except (pa.ArrowException, TypeError) as error:
            raise TableError(f"columns must be of one type and one length ({error})") from None
    try:
        native = nw.maybe_reset_index(nw.from_native(frame))
    except TypeError:
        kind = type(frame).__name__
        raise TableError(f"a frame must be pandas, polars or Arrow, got {kind}") from None
    return (native.collect() if isinstance(native, nw.LazyFrame) else native).to_arrow()


def from_arrow(table: pa.Table, backend: str) -> Frame:
    """Return an Arrow table as a frame of the named library."""
    frame = nw.from_native(table, eager_only=True)
    match backend:
        case "pyarrow":
            return table
        case "pandas":
            return frame.to_pandas()
        case "polars":
            return frame.to_polars()
    raise TableError(f"a frame must be one of {', '.join(BACKENDS)}, got {backend!r}")
