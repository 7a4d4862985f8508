"""A frame of true records as columns of codes: as devices read them, or strictly."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.crowd.entries import Ragged, present, read_entries
from discretion.crowd.misfits import Misfits
from discretion.errors import RecordError
from discretion.kernel.numbers import MISSING, OUTSIDE, round_to_grid
from discretion.plan import Plan
from discretion.randomness import system
from discretion.schema import Attribute, Bundle, Coarse, Condition, Numeric
from discretion.schema.attribute import Misfit, is_missing
from discretion.schema.entries import Entries
from discretion.table.columns import whole

Codes = npt.NDArray[np.int64]
Rows = slice | npt.NDArray[np.intp]
Found = tuple[int, Misfit | None]  # the code of a value, and why it does not fit
_SORTED = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
_NUMBERS = (*_SORTED, pa.types.is_null)
_RISING = (Misfit.BELOW, None, Misfit.ABOVE)
ROWS = 1 << 16  # dealt with at a time, so that what is drawn for them stays in the cache


def code_columns(
    plan: Plan, data: pa.Table, rng: np.random.Generator, misfits: Misfits | None = None
) -> Codes:
    """Return codes (n, attributes); a null or NaN is MISSING.

    What does not fit is read as on a device, and noted in ``misfits``; without them it is refused.
    """
    only, *others = plan.attributes.values()
    if not (others or only.several):
        return _codes(only, _column(data, only.name), rng, misfits)[:, None]  # without a copy
    codes = np.empty((data.num_rows, len(plan.attributes)), np.int64)
    known: dict[str, Codes] = {}
    for j, (name, attribute) in enumerate(plan.attributes.items()):
        known[name] = codes[:, j]
        if attribute.several:  # which are read by ``entry_columns``: here, where they stand
            codes[:, j] = present(_column(data, name))
        elif attribute.conditions:
            codes[:, j] = _conditional_codes(attribute, data, known, rng, misfits)
        else:
            codes[:, j] = _codes(attribute, _column(data, name), rng, misfits)
    return codes


def entry_columns(
    plan: Plan, data: pa.Table, rng: np.random.Generator, misfits: Misfits | None = None
) -> Mapping[str, Ragged]:
    """Return the symbols of all rows, of the attributes that are sets or maps."""
    return {
        name: read_entries(cast("Entries", attribute), _column(data, name), rng, misfits)
        for name, attribute in plan.attributes.items()
        if attribute.several
    }


def note_misfits(plan: Plan, data: pa.Table, misfits: Misfits) -> None:
    """Note what does not fit in records, which stand below those that were noted before."""
    rng = np.random.default_rng(0)
    code_columns(plan, data, rng, misfits)
    entry_columns(plan, data, rng, misfits)
    misfits.rows += data.num_rows


def exact_numbers(plan: Plan, data: pa.Table, name: str) -> npt.NDArray[np.float64]:
    """Return a column of numbers as they are read, neither clamped nor rounded to the grid."""
    number = plan.questions[name].attribute.number
    assert number is not None
    return _numbers(number, _column(data, name), Misfits())


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
    own = [_levels(part, column, rng) for part, column in zip(parts, columns, strict=True)]
    cell = cast("Bundle", plan.questions[name].attribute).cell(cast("Sequence[int]", own))
    return cast("Codes", cell)


def _levels(part: Attribute, codes: Codes, rng: np.random.Generator) -> Codes:
    """Round grid points to the levels of a part by the coin that keeps the mean, as a device does.

    The codes of labels and bins are those of the part already.
    """
    if part.number is None or part.number is part:
        return codes
    level, rest = cast("Coarse", part).position(cast("int", codes))
    coins = rng.integers(0, part.number.size - 1, len(codes)) < rest
    return np.asarray(level + coins)


def _conditional_codes(
    attribute: Attribute,
    data: pa.Table,
    known: Mapping[str, Codes],
    rng: np.random.Generator,
    misfits: Misfits | None,
) -> Codes:
    """Return codes of those to whom it applies, and of the others the last one.

    What the records hold of the others is not looked at. Where a condition is about a missing
    value, so is this: a device would not report it.
    """
    applies, unknown = np.ones(data.num_rows, np.bool_), np.zeros(data.num_rows, np.bool_)
    for condition in attribute.conditions:
        unknown |= applies & (known[condition.attribute.name] == MISSING)
        applies &= _meets(condition, data, known[condition.attribute.name], misfits)
    column = pc.if_else(pa.array(applies), _column(data, attribute.name), None)
    codes = np.where(applies, _codes(attribute, column, rng, misfits), attribute.size - 1)
    return np.where(unknown, MISSING, codes)


def _meets(
    condition: Condition, data: pa.Table, codes: Codes, misfits: Misfits | None
) -> npt.NDArray[np.bool_]:
    """Return who meets a condition, given the codes of the attribute that it is about."""
    source = condition.attribute
    if condition.ends is None or source.quantity is None:
        return np.isin(codes, [source.code(label) for label in condition.labels])
    grid, (low, high) = source.quantity, condition.ends
    again = None if misfits is None else Misfits()  # they are noted already
    numbers = _numbers(grid, _column(data, source.name), again)
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


def _codes(
    attribute: Attribute, column: pa.Array, rng: np.random.Generator, misfits: Misfits | None
) -> Codes:
    if attribute.number is not None and not attribute.listed:
        numbers = _numbers(attribute.number, column, misfits)
        if misfits is not None:
            numbers = np.clip(numbers, *_ends(attribute.number))
        return _grid_codes(attribute.number, numbers, rng)
    indices, values = _distinct(column)
    found = _each(attribute, column, values, strict=misfits is None)
    if misfits is not None:
        misfits.add_all(attribute, indices, values, [misfit for _, misfit in found])
    return np.array([code for code, _ in found], np.int64)[indices]


def _each(
    attribute: Attribute, column: pa.Array, values: list[object], *, strict: bool
) -> list[Found]:
    """Return the code of each value of a column, and why it does not fit.

    Bins rise with the number, so a few of the numbers tell what all of them are.
    """
    read = partial(_read, attribute, strict=strict)
    if attribute.quantity is None or not any(is_(column.type) for is_ in _SORTED):
        return [read(value) for value in values]
    found: list[Found] = [(MISSING, None)] * len(values)
    numbers = cast("list[float]", values)  # or decimals
    rising = sorted(
        (i for i, value in enumerate(values) if not is_missing(value)), key=lambda i: numbers[i]
    )
    start = 0
    while start < len(rising):
        own = read(values[rising[start]])
        stop = bisect_right(rising, _rank(own), start, key=lambda i: _rank(read(values[i])))
        for i in rising[start:stop]:
            found[i] = own
        start = stop
    return found


def _rank(found: Found) -> tuple[int, int]:
    """Return what rises with a number."""
    code, misfit = found
    return _RISING.index(misfit), code


def _read(attribute: Attribute, value: object, *, strict: bool) -> Found:
    """Return the code of a value; no coin is tossed for labels, bins and texts."""
    if is_missing(value):
        return MISSING, None
    if strict:
        return attribute.code(value), None
    misfit = attribute.misfit(value)
    if misfit is Misfit.NO_NUMBER:
        return MISSING, misfit
    return attribute.encode(attribute.answer(value), system()), misfit


def _distinct(column: pa.Array) -> tuple[Codes, list[object]]:
    """Return which of some values each row has; the last one is None.

    A dictionary may name values that no record has: they are None as well.
    """
    if pa.types.is_nested(column.type):
        return np.arange(len(column)), [*column.to_pylist(), None]
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    nothing = len(encoded.dictionary)
    indices = encoded.indices.cast(pa.int64()).fill_null(nothing).to_numpy()
    held = np.bincount(indices, minlength=nothing + 1)
    values = [encoded.dictionary[i].as_py() if held[i] else None for i in range(nothing)]
    return indices, [*values, None]


def _numbers(
    attribute: Numeric, column: pa.Array, misfits: Misfits | None
) -> npt.NDArray[np.float64]:
    """Return a column as numbers, infinite or as they are outside the range; NaN: there is none."""
    if any(is_(column.type) for is_ in _NUMBERS) and not attribute.calendar:
        numbers = pc.cast(column, pa.float64(), safe=False)
        if numbers.null_count:
            numbers = numbers.fill_null(np.nan)  # which copies
        found = np.asarray(numbers, np.float64)
        if misfits is not None:
            _note_outside(attribute, found, misfits)
        return found
    if misfits is None and not attribute.calendar:
        raise RecordError(attribute.name, "must be a number", _first(column))
    indices, values = _distinct(column)
    if misfits is not None:
        why = [None if is_missing(value) else attribute.misfit(value) for value in values]
        misfits.add_all(attribute, indices, values, why)
    strict = misfits is None
    return np.array([_number(attribute, value, strict=strict) for value in values])[indices]


def _number(attribute: Numeric, value: object, *, strict: bool) -> float:
    misfit = None if is_missing(value) else attribute.misfit(value)
    if is_missing(value) or (misfit is Misfit.NO_NUMBER and not strict):
        return np.nan
    if misfit in (Misfit.BELOW, Misfit.ABOVE):
        return -np.inf if misfit is Misfit.BELOW else np.inf
    return float(attribute.clamped(value))


def _note_outside(attribute: Numeric, numbers: npt.NDArray[np.float64], misfits: Misfits) -> None:
    """Note which numbers lie outside the range.

    The ends are floats that print as the plan has them, so comparing floats compares decimals.
    """
    low, high = _ends(attribute)
    for misfit, which in ((Misfit.BELOW, numbers < low), (Misfit.ABOVE, numbers > high)):
        if which.any():
            rows = np.flatnonzero(which)
            misfits.add(attribute, misfit, rows, lambda row: float(numbers[row]))


def _ends(attribute: Numeric) -> tuple[float, float]:
    return float(attribute.low * attribute.unit), float(attribute.high * attribute.unit)


def _first(column: pa.Array) -> object:
    """Return the first value that is there."""
    return next((value.as_py() for value in column if value.is_valid), None)


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
