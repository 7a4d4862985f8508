"""A frame of true records as columns of codes, read strictly: a simulation should notice errors."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.errors import RecordError
from discretion.plan import Plan
from discretion.schema import Attribute, Bundle, Coarse, Numeric

MISSING = -1
Codes = npt.NDArray[np.int64]
Rows = slice | npt.NDArray[np.intp]
_NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
ON_GRID = 1e-9  # a float this near to a grid point, in steps, is meant to be that point


def code_columns(plan: Plan, data: pa.Table, rng: np.random.Generator) -> Codes:
    """Return codes (n, attributes); a null or NaN is MISSING, an impossible value refused."""
    codes = np.empty((data.num_rows, len(plan.attributes)), np.int64)
    for j, attribute in enumerate(plan.attributes.values()):
        if attribute.name not in data.column_names:
            raise RecordError(
                attribute.name, "the records must have this column", data.column_names
            )
        column = data[attribute.name].combine_chunks()
        codes[:, j] = _codes(attribute, column, rng)
    return codes


def codes_of(plan: Plan, name: str, codes: Codes, rows: Rows, rng: np.random.Generator) -> Codes:
    """Return the codes of an attribute, or of a bundle's cells, in rows that lack none of it."""
    places = list(plan.attributes)
    columns = [codes[rows, places.index(part)] for part in plan.parts(name)]
    attribute = plan.attribute(name)
    if not isinstance(attribute, Bundle):
        return columns[0]
    pairs = zip(attribute.parts, columns, strict=True)
    cells = [_levels(p, column, rng) if isinstance(p, Coarse) else column for p, column in pairs]
    return np.ravel_multi_index(cells, attribute.sizes)


def _levels(part: Coarse, codes: Codes, rng: np.random.Generator) -> Codes:
    """Round grid points to levels by the coin that keeps the mean, as a device does."""
    level, rest = np.divmod(codes * (part.size - 1), part.number.size - 1)
    return level + (rng.integers(0, part.number.size - 1, len(codes)) < rest)


def _codes(attribute: Attribute, column: pa.Array, rng: np.random.Generator) -> Codes:
    if isinstance(attribute, Numeric) and attribute.edges is None:
        return _grid_codes(attribute, _numbers(attribute, column), rng)
    return _distinct_codes(attribute, column)


def _distinct_codes(attribute: Attribute, column: pa.Array) -> Codes:
    """Look each distinct value up once."""
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()  # it may name values that no record has
    encoded = column.dictionary_encode()
    values = encoded.dictionary.to_pylist()
    known = [MISSING if v is None or v != v else attribute.code(v) for v in values]
    indices = encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)
    return np.array([*known, MISSING], np.int64)[indices]


def _numbers(attribute: Numeric, column: pa.Array) -> npt.NDArray[np.float64]:
    kind = column.type
    if not any(is_(kind) for is_ in _NUMBERS):
        raise RecordError(attribute.name, "must be a number", str(kind))
    return np.asarray(pc.cast(column, pa.float64()).fill_null(np.nan), np.float64)


def _grid_codes(
    attribute: Numeric, numbers: npt.NDArray[np.float64], rng: np.random.Generator
) -> Codes:
    """Round to the grid by the coin that keeps the mean, as a device does."""
    position = (numbers / float(attribute.unit) - attribute.low) / attribute.step
    outside = numbers[(position < -ON_GRID) | (position > attribute.size - 1 + ON_GRID)]
    if len(outside):
        rule = f"must lie between {attribute.labels[0]} and {attribute.labels[-1]}"
        raise RecordError(attribute.name, rule, float(outside[0]))
    nearest = np.rint(position)
    position = np.where(np.abs(position - nearest) <= ON_GRID, nearest, position)
    codes = np.floor(position)
    codes += rng.random(len(codes)) < position - codes
    return np.where(np.isnan(numbers), MISSING, codes).astype(np.int64)
