"""A model in one file: the arrays of its tables, and a header in JSON that says how they belong.

The file is a NumPy archive without pickles, so reading one runs no code. The sizes that it
announces are checked before its tables are decompressed, so a small file cannot take much memory.
What is read is checked: a model that loads is one whose rows can be sampled.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from operator import index
from pathlib import Path
from secrets import token_hex
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from discretion.errors import DiscretionError, EstimateError, NoSuchFile
from discretion.synthesis.archive import Announced, Archive, Array
from discretion.synthesis.model import Clique, Column, Model, Table

FORMAT = 1
SUFFIXES = (".npz",)
KIND = "discretion model"
TOLERANCE = 1e-6  # for sums that are one, and for separators that two tables share
LARGEST = 1 << 63  # above all whole numbers of a column
MOST_TEXT = 1 << 24  # bytes of the header: room for a grid of more than a million numbers
MOST_CELLS = 1 << 25  # of all tables and spreads together: 256 MiB
_BROKEN = (  # what NumPy, zipfile and json raise about bytes of any other kind
    AttributeError,
    BadZipFile,
    EOFError,
    KeyError,
    MemoryError,
    OverflowError,
    RuntimeError,
    TypeError,
    ValueError,
    zlib.error,
)


def save(model: Model, path: str | Path) -> None:
    """Write a model; ``load`` returns it bit for bit."""
    check(model)
    text = json.dumps(_header(model), allow_nan=False).encode()
    if len(text) > MOST_TEXT:
        rule = f"names and values may take {MOST_TEXT:,} bytes"
        raise EstimateError(f"{rule}, got {len(text):,}: give numbers a coarser grid")
    spreads = {f"spread.{j}": c.spread for j, c in enumerate(model.columns) if c.spread is not None}
    tables = {f"table.{i}": clique.table for i, clique in enumerate(model.cliques)}
    header = np.frombuffer(text, np.uint8)
    arrays: dict[str, npt.NDArray[Any]] = {"header": header, **tables, **spreads}
    with whole_file(Path(path)) as part, part.open("xb") as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)


def load(path: str | Path) -> Model:
    """Read a model that ``save`` wrote."""
    try:
        with Path(path).open("rb") as file, Archive(file) as archive:
            model = _loaded(archive)
    except EstimateError as error:
        raise EstimateError(f"{path}: {error}") from None
    except FileNotFoundError:
        raise NoSuchFile(path) from None
    except OSError as error:
        raise EstimateError(f"{path}: cannot be read ({error.strerror or error})") from None
    except _BROKEN:
        raise EstimateError(f"{path}: must be a whole file of a model") from None
    return model


def _loaded(archive: Archive) -> Model:
    """Read the header, then the tables: these only if their announced sizes make a model."""
    header = json.loads(archive.read("header", _announced_text(archive)).tobytes())
    announced: dict[str, Announced] = {}

    def outline(name: str) -> Array:
        announced[name] = archive.announced(name)
        return announced[name].outline()

    check_structure(_model(header, outline))
    model = _model(header, lambda name: archive.read(name, announced[name]))
    check_probabilities(model)
    return model


def _announced_text(archive: Archive) -> Announced:
    found = archive.announced("header")
    if found.dtype != np.uint8 or len(found.shape) != 1:
        raise ValueError(f"the header must be bytes, got {found.dtype} of shape {found.shape}")
    if found.size > MOST_TEXT:
        raise EstimateError(f"the header may take {MOST_TEXT:,} bytes, got {found.size:,}")
    return found


def check_suffix(path: Path, suffixes: Sequence[str]) -> None:
    """Refuse a path that does not say in which format to write, before any work is done for it."""
    if path.suffix not in suffixes:
        *others, last = suffixes
        named = f"{', '.join(others)} or {last}" if others else last
        raise DiscretionError(f"{path}: must end in {named}")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a name beside ``path`` to write to; at the end the file gets its own, or is deleted."""
    part = path.with_name(f".{path.name}.{token_hex(4)}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        reason = error.strerror or error
        raise DiscretionError(f"{path}: cannot be written ({reason})") from None
    finally:
        part.unlink(missing_ok=True)


def check(model: Model) -> None:
    """Refuse a model that is none: tables that do not fit, or that are no probabilities."""
    check_structure(model)
    check_probabilities(model)


def check_structure(model: Model) -> None:
    """Refuse columns and cliques that do not fit together; no entry of a table is looked at."""
    if not model.columns or not model.cliques:
        raise EstimateError("a model must have attributes and cliques")
    if len(set(model.names)) < len(model.names):
        raise EstimateError("attributes must have different names")
    for column in model.columns:
        _check_values(column)
    known: set[int] = set()
    shape = model.shape
    for position, clique in enumerate(model.cliques):
        with _named(position):
            _check_position(model, position, known)
            own = tuple(shape[axis] for axis in clique.axes)
            if clique.table.dtype != np.float64 or clique.table.shape != own:
                rule = f"the table must be float64 of shape {own}"
                raise EstimateError(f"{rule}, got {clique.table.shape}")
        known |= set(clique.axes)
    if missing := set(range(len(model.columns))) - known:
        raise EstimateError(f"no clique has {model.names[min(missing)]!r}")
    _check_cells(model)


def check_probabilities(model: Model) -> None:
    """Refuse tables that are no probabilities, or that disagree about what they share."""
    for position, clique in enumerate(model.cliques):
        with _named(position):
            _check_table(clique.table)
            _check_separator(model, clique)
    homes = {axis: clique for clique in reversed(model.cliques) for axis in clique.axes}
    for axis, column in enumerate(model.columns):
        if column.spread is not None:
            _check_spread(homes[axis], axis, column, column.spread)


@contextmanager
def _named(position: int) -> Iterator[None]:
    """Say of which clique an error speaks."""
    try:
        yield
    except EstimateError as error:
        raise EstimateError(f"clique {position}: {error}") from None


def _check_cells(model: Model) -> None:
    cells = sum(clique.table.size for clique in model.cliques)
    cells += sum(column.spread.size for column in model.columns if column.spread is not None)
    if cells > MOST_CELLS:
        raise EstimateError(f"a model may have {MOST_CELLS:,} cells in all, got {cells:,}")


def _check_values(column: Column) -> None:
    values = column.values
    words = all(isinstance(value, str) for value in values)
    numbers = all(_is_number(value) for value in values)
    if not (words or numbers) or not values or len(set(values)) < len(values):
        raise EstimateError(f"{column.name!r}: values must be different labels, or numbers")
    texts = all(isinstance(word, str) for word in (column.name, *column.labels))
    if not texts or len(set(column.labels)) < column.size:
        raise EstimateError(f"{column.name!r}: the name must be text, the labels different texts")
    shape = (column.size, len(values))
    if shape[0] != shape[1] if column.spread is None else shape != column.spread.shape:
        raise EstimateError(f"{column.name!r}: must have a value for each category, or a spread")
    if column.spread is not None and column.spread.dtype != np.float64:
        raise EstimateError(
            f"{column.name!r}: the spread must be float64, got {column.spread.dtype}"
        )


def _is_number(value: object) -> bool:
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST


def _check_position(model: Model, position: int, known: set[int]) -> None:
    """Check how a clique hangs on those before it, which have the ``known`` axes."""
    clique = model.cliques[position]
    axes, separator = set(clique.axes), set(clique.separator)
    known_axes = all(0 <= axis < len(model.columns) for axis in axes)
    if not known_axes or len(axes) < len(clique.axes):
        raise EstimateError(f"axes must be different attributes, got {clique.axes}")
    if (clique.parent is None) != (position == 0) or not -1 < (clique.parent or 0) < max(
        position, 1
    ):
        raise EstimateError(f"the parent must come before it, got {clique.parent}")
    shared = axes & set(() if clique.parent is None else model.cliques[clique.parent].axes)
    if separator != shared or shared != axes & known or len(separator) < len(clique.separator):
        raise EstimateError(
            f"the separator must be what the parent has too, got {clique.separator}"
        )


def _check_table(table: Table) -> None:
    if not (np.isfinite(table).all() and (table >= 0).all()):
        raise EstimateError("probabilities must not be negative")
    if abs((total := float(table.sum())) - 1) > TOLERANCE:
        raise EstimateError(f"probabilities must sum to one, got {total:.9g}")


def _check_separator(model: Model, clique: Clique) -> None:
    if clique.parent is None:
        return
    order = tuple(sorted(clique.separator))
    one, other = (_summed(c, order) for c in (clique, model.cliques[clique.parent]))
    if (gap := float(abs(one - other).max())) > TOLERANCE:
        raise EstimateError(f"it must agree with its parent about what they share: {gap:.3g} apart")


def _check_spread(home: Clique, axis: int, column: Column, spread: Table) -> None:
    """Check the probabilities within categories; one that never occurs may have none."""
    if not (np.isfinite(spread).all() and (spread >= 0).all()):
        raise EstimateError(f"{column.name!r}: the probabilities of values must not be negative")
    wrong = abs(spread.sum(axis=1) - 1) > TOLERANCE
    if (wrong & (_summed(home, (axis,)) > TOLERANCE)).any():
        raise EstimateError(f"{column.name!r}: the probabilities within a category must sum to one")


def _summed(clique: Clique, order: tuple[int, ...]) -> Table:
    """Return the table of some of a clique's axes, in order."""
    rest = tuple(i for i, axis in enumerate(clique.axes) if axis not in order)
    kept = [axis for axis in clique.axes if axis in order]
    return np.asarray(clique.table.sum(axis=rest)).transpose([kept.index(axis) for axis in order])


def _header(model: Model) -> dict[str, Any]:
    return {
        "kind": KIND,
        "format": FORMAT,
        "columns": [
            {
                "name": column.name,
                "labels": column.labels,
                "values": column.values,
                "spread": column.spread is not None,
            }
            for column in model.columns
        ],
        "cliques": [
            {"axes": clique.axes, "parent": clique.parent, "separator": clique.separator}
            for clique in model.cliques
        ],
    }


def _model(header: Any, array: Callable[[str], Array]) -> Model:
    """Return the model that a header describes, with each array by its name."""
    if header["kind"] != KIND or (found := index(header["format"])) < 1:
        raise ValueError
    if found > FORMAT:
        raise EstimateError(f"format {found} needs a newer version; this one reads {FORMAT}")
    columns = [
        Column(
            entry["name"],
            tuple(entry["labels"]),
            tuple(entry["values"]),
            array(f"spread.{position}") if entry["spread"] else None,
        )
        for position, entry in enumerate(header["columns"])
    ]
    cliques = [
        Clique(
            tuple(map(index, entry["axes"])),
            array(f"table.{position}"),
            None if entry["parent"] is None else index(entry["parent"]),
            tuple(map(index, entry["separator"])),
        )
        for position, entry in enumerate(header["cliques"])
    ]
    return Model(tuple(columns), tuple(cliques))
