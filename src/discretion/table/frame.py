"""Frames in and out: pandas, polars or Arrow, whichever the caller has."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import narwhals as nw
import pyarrow as pa

from discretion.errors import TableError

Frame = Any  # of the library that the caller names
ARROW = "pyarrow"
BACKENDS = (ARROW, "pandas", "polars")

P = ParamSpec("P")
Found = TypeVar("Found", bound="Framed")


@dataclass(frozen=True, eq=False, repr=False)
class Framed:
    """What can be had as a frame, by default of the library that its caller works with."""

    frames: str = field(default=ARROW, kw_only=True)

    def framed(self, table: pa.Table, backend: str | None) -> Frame:
        """Return a table as a frame of the named library, or of the caller's."""
        return from_arrow(table, backend or self.frames)


def as_its_caller(function: Callable[P, Found]) -> Callable[P, Found]:
    """Let a result make frames of the library that its reports, the first argument, came in."""

    @wraps(function)
    def called(*args: P.args, **options: P.kwargs) -> Found:
        found = function(*args, **options)
        data = next(iter([*args, *options.values()]))
        frames = getattr(data, "frames", ARROW)
        return found if frames == found.frames else replace(found, frames=frames)

    return called


def library_of(frame: Frame) -> str:
    """Return by which library a frame is made; of what is no frame, Arrow."""
    try:
        made = nw.from_native(frame).implementation
    except TypeError:
        return ARROW
    return str(made.value) if made.value in BACKENDS else ARROW


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
