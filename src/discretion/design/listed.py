"""Columns with several entries in a row, as questions: lists become sets, mappings become maps."""

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.design.grid import round_grid
from discretion.plan.file import flow, lines_of
from discretion.plan.sets import MOST_LENGTH
from discretion.schema.categorical import OTHER, text

MOST_ITEMS = 256  # that are listed; rarer ones become "other"
MOST_STEPS = 100  # of whole numbers that stay on a grid of their own
WHOLE = 0.9  # of all owners, whose entries are reported all

Fields = tuple[str, ...]
LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)


def question_of(column: pa.Array, printable: Callable[[str], bool]) -> tuple[str, Fields] | None:
    """Return a reason and the fields of a question; no fields where it cannot be asked.

    None for a column of another type.
    """
    kind = column.type
    if any(is_(kind) for is_ in LISTS) and not pa.types.is_nested(kind.value_type):
        return _set(pc.list_flatten(column), pc.list_value_length(column), printable)
    if pa.types.is_map(kind) and any(is_(kind.item_type) for is_ in NUMBERS):
        offsets = column.offsets.to_numpy()
        own = slice(offsets[0], offsets[-1])
        return _map(column.keys[own], column.items[own], np.diff(offsets), printable)
    if pa.types.is_struct(kind) and all(any(is_(f.type) for is_ in NUMBERS) for f in kind):
        names = [field.name for field in kind]
        there = np.array([np.asarray(values.is_valid()) for values in column.flatten()])
        keys = pa.array(np.repeat(np.array(names, object), there.sum(axis=1)))
        values = [part.drop_null().cast(pa.float64()) for part in column.flatten()]
        return _map(keys, pa.concat_arrays(values), there.sum(axis=0), printable)
    return None


def _set(items: pa.Array, sizes: pa.Array, printable: Callable[[str], bool]) -> tuple[str, Fields]:
    kept, rest = _kept(items, printable, MOST_ITEMS)
    if len(kept) < 2:
        return "Its lists have fewer than two different items.", ()
    labels = [*kept, OTHER] if rest else kept
    length, share = _length(sizes.drop_null().to_numpy(), len(labels))
    reason = f"Lists of {len(kept)} items. {share}"
    if rest:
        reason += f' {rest:,} rarer or unprintable ones become "other".'
    return reason, ("kind: set", *lines_of("items", map(flow, labels)), f"length: {length}")


def _map(
    keys: pa.Array,
    values: pa.Array,
    sizes: npt.NDArray[np.int64],
    printable: Callable[[str], bool],
) -> tuple[str, Fields]:
    kept, rest = _kept(keys, printable, MOST_ITEMS)
    numbers = np.asarray(values.cast(pa.float64()).drop_null(), np.float64)
    numbers = numbers[np.isfinite(numbers)]
    grid = _grid(numbers)
    if len(kept) < 2 or grid is None:
        return "Its mappings have fewer than two different keys, or no numbers for a grid.", ()
    length, share = _length(sizes, len(kept))
    reason = f"Numbers for {len(kept)} keys. {share}"
    if rest:
        reason += f" {rest:,} rarer or unprintable keys are left out."
    low, high, step = grid
    fields = f"range: [{low}, {high}]", f"step: {step}", f"length: {length}"
    return reason, ("kind: map", *lines_of("keys", map(flow, kept)), *fields)


def _kept(entries: pa.Array, printable: Callable[[str], bool], most: int) -> tuple[list[str], int]:
    """Return the most frequent labels in alphabetical order, and how many are left out."""
    tally = Counter[str]()
    for each in pc.value_counts(entries.drop_null()).to_pylist():
        tally[text(each["values"])] += each["counts"]
    frequent = sorted(filter(printable, tally), key=lambda label: (-tally[label], label))
    named = [label for label in frequent if label != OTHER][:most]
    return sorted(named, key=lambda label: (label.casefold(), label)), len(tally) - len(named)


def _length(sizes: npt.NDArray[np.int64], entries: int) -> tuple[int, str]:
    """Return how many entries hold all that most owners have, and the words for it."""
    wanted = int(np.quantile(sizes, WHOLE, method="higher")) if len(sizes) else 1
    length = min(max(wanted, 1), entries, MOST_LENGTH)
    share = float((sizes <= length).mean()) if len(sizes) else 1.0
    return length, f"{100 * share:.0f} % of the rows have {length} or fewer."


def _grid(numbers: npt.NDArray[np.float64]) -> Sequence[str] | None:
    """Return the range and the step of a grid with all numbers, as a plan has them."""
    if not len(numbers) or numbers.min() == numbers.max():
        return None
    low, high = float(numbers.min()), float(numbers.max())
    if (numbers % 1 == 0).all() and high - low <= MOST_STEPS:
        return f"{low:.0f}", f"{high:.0f}", "1"
    grid = round_grid(numbers)
    if grid is None:
        return None
    return [f"{Decimal(each).normalize() + 0:f}" for each in (grid.low, grid.high, grid.step)]
