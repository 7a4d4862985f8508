"""A frame of true records as columns of codes, read strictly: a simulation should notice errors."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.errors import RecordError
from discretion.kernel.numbers import MISSING, OUTSIDE, round_to_grid
from discretion.plan import Plan
from discretion.schema import Attribute, Condition, Numeric
from discretion.table.columns import whole

Codes = npt.NDArray[np.int64]
Rows = slice | npt.NDArray[np.intp]
_NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
ROWS = 1 << 16  # dealt with at a time, so that what is drawn for them stays in the cache


def code_columns(plan: Plan, data: pa.Table, rng: np.random.Generator) -> Codes:
    """Return codes (n, attributes); a null or NaN is MISSING, an impossible value refused."""
    if len(plan.attributes) == 1:
        (only,) = plan.attributes.values()
        return _codes(only, _column(data, only.name), rng)[:, None]  # without a copy
    codes = np.empty((data.num_rows, len(plan.attributes)), np.int64)
    known: dict[str, Codes] = {}
    for j, (name, attribute) in enumerate(plan.attributes.items()):
        known[name] = codes[:, j]
        if attribute.conditions:
            codes[:, j] = _conditional_codes(attribute, data, known, rng)
        else:
            codes[:, j] = _codes(attribute, _column(data, name), rng)
    return codes


def batches(n: int) -> Iterator[slice]:
    """Yield the rows from the first to the last, a few at a time."""
    return (slice(start, min(start + ROWS, n)) for start in range(0, n, ROWS))


def codes_of(plan: Plan, name: str, codes: Codes, rows: Rows, rng: np.random.Generator) -> Codes:
    """Return the codes of an attribute, or of a bundle's cells, in rows that lack none of it."""
    names = list(plan.attributes)
    columns = [codes[rows, names.index(part)] for part in plan.questions[name].parts]
    parts = plan.questions[name].attribute.parts
    if len(parts) == 1:
        return columns[0]
    cells = [_levels(part, column, rng) for part, column in zip(parts, columns, strict=True)]
    return np.ravel_multi_index(cells, [part.size for part in parts])


def _levels(part: Attribute, codes: Codes, rng: np.random.Generator) -> Codes:
    """Round grid points to the levels of a part by the coin that keeps the mean, as a device does.

    The codes of labels and bins are those of the part already.
    """
    if part.number is None or part.number is part:
        return codes
    last = part.number.size - 1
    level, rest = np.divmod(codes * (part.size - 1), last)
    return level + (rng.integers(0, last, len(codes)) < rest)


def _conditional_codes(
    attribute: Attribute, data: pa.Table, known: Mapping[str, Codes], rng: np.random.Generator
) -> Codes:
    """Return codes of those to whom it applies, and of the others the last one.

    What the records hold of the others is not looked at. Where a condition is about a missing
    value, so is this: a device would not report it.
    """
    applies, unknown = np.ones(data.num_rows, np.bool_), np.zeros(data.num_rows, np.bool_)
    for condition in attribute.conditions:
        unknown |= applies & (known[condition.attribute.name] == MISSING)
        applies &= _meets(condition, data, known[condition.attribute.name])
    column = pc.if_else(pa.array(applies), _column(data, attribute.name), None)
    codes = np.where(applies, _codes(attribute, column, rng), attribute.size - 1)
    return np.where(unknown, MISSING, codes)


def _meets(condition: Condition, data: pa.Table, codes: Codes) -> npt.NDArray[np.bool_]:
    """Return who meets a condition, given the codes of the attribute that it is about."""
    source = condition.attribute
    if condition.ends is None or source.quantity is None:
        return np.isin(codes, [source.code(label) for label in condition.labels])
    grid, (low, high) = source.quantity, condition.ends
    numbers = _numbers(grid, _column(data, source.name))
    inside = (numbers >= float(low * grid.unit)) | (low == grid.low)
    inside &= (numbers <= float(high * grid.unit)) | (high == grid.high)
    away = source.size - 1 if source.conditions else MISSING
    return inside & (codes != away) & (codes != MISSING)


def _column(data: pa.Table, name: str) -> pa.Array:
    if name not in data.column_names:
        raise RecordError(name, "the records must have this column", data.column_names)
    column = data[name]
    if column.num_chunks > 1 and pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)  # Arrow does not unify all dictionaries
    return whole(column)


def _codes(attribute: Attribute, column: pa.Array, rng: np.random.Generator) -> Codes:
    if attribute.number is not None and not attribute.listed:
        return _grid_codes(attribute.number, _numbers(attribute.number, column), rng)
    if pa.types.is_nested(column.type):
        return np.array([_code(attribute, value) for value in column.to_pylist()], np.int64)
    return _distinct_codes(attribute, column)


def _code(attribute: Attribute, value: object) -> int:
    return MISSING if value is None or value != value else attribute.code(value)


def _distinct_codes(attribute: Attribute, column: pa.Array) -> Codes:
    """Look each distinct value up once; a dictionary may name some that no record has."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    nothing = len(encoded.dictionary)
    indices = encoded.indices.cast(pa.int64()).fill_null(nothing).to_numpy()
    held = np.flatnonzero(np.bincount(indices, minlength=nothing + 1)[:-1])
    values = (encoded.dictionary[i].as_py() for i in held.tolist())
    codes = np.full(nothing + 1, MISSING)
    codes[held] = [_code(attribute, value) for value in values]
    return codes[indices]


def _numbers(attribute: Numeric, column: pa.Array) -> npt.NDArray[np.float64]:
    if attribute.calendar:
        return _moments(attribute, column)
    kind = column.type
    if not any(is_(kind) for is_ in _NUMBERS):
        raise RecordError(attribute.name, "must be a number", str(kind))
    numbers = pc.cast(column, pa.float64())
    if numbers.null_count:
        numbers = numbers.fill_null(np.nan)  # which copies
    return np.asarray(numbers, np.float64)


def _moments(attribute: Numeric, column: pa.Array) -> npt.NDArray[np.float64]:
    """Return dates, or times of day, as numbers: each distinct one is read once."""
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    values = [*(encoded.dictionary[i].as_py() for i in range(len(encoded.dictionary))), None]
    known = [
        np.nan if value is None or value != value else float(attribute.clamped(value))
        for value in values
    ]
    return np.array(known)[encoded.indices.cast(pa.int64()).fill_null(len(known) - 1).to_numpy()]


def _grid_codes(
    attribute: Numeric, numbers: npt.NDArray[np.float64], rng: np.random.Generator
) -> Codes:
    """Round to the grid by the coin that keeps the mean, as a device does."""
    unit, low, step = float(attribute.unit), float(attribute.low), float(attribute.stride)
    line = (unit, low, step, float(attribute.size - 1))
    codes, coins = np.empty(len(numbers), np.int64), np.empty(ROWS)
    for rows in batches(len(numbers)):
        own = rng.random(out=coins[: rows.stop - rows.start])
        if round_to_grid(numbers[rows], own, *line, codes[rows]):
            stray = numbers[rows][codes[rows] == OUTSIDE][0]
            rule = f"must lie between {attribute.labels[0]} and {attribute.labels[-1]}"
            raise RecordError(attribute.name, rule, float(stray))
    return codes
