"""Columns of sets and maps as the symbols of each owner: what devices make of lists and dicts.

Lists of labels, Arrow maps and structs (a field for each key) of numbers are read by column.
Anything else is read row by row, by the rule of a device.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from discretion.crowd.misfits import Misfits
from discretion.errors import RecordError
from discretion.kernel.numbers import MISSING
from discretion.schema.attribute import Misfit, is_missing
from discretion.schema.entries import Entries

Codes = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
NUMBERS = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)


@dataclass(frozen=True)
class Ragged:
    """The symbols of each owner, rising and each once: those of owner i end where i + 1's begin."""

    starts: Codes  # (n + 1,)
    symbols: Codes

    @classmethod
    def of(cls, rows: Codes, symbols: Codes, n: int) -> "Ragged":
        """Sort symbols that are in no order, by the row of each."""
        order = np.lexsort((symbols, rows))
        rows, symbols = rows[order], symbols[order]
        again = np.zeros(len(rows), np.bool_)
        again[1:] = (rows[1:] == rows[:-1]) & (symbols[1:] == symbols[:-1])
        counts = np.bincount(rows[~again], minlength=n)
        return cls(np.concatenate([[0], np.cumsum(counts)]), symbols[~again])


@dataclass(frozen=True)
class Flat:
    """All entries of a column: the row of each, the place of its label (or -1), and its number."""

    rows: Codes
    places: Codes
    numbers: Numbers | None


def present(column: pa.Array) -> Codes:
    """Return the number of each row, MISSING where there is no value."""
    there = np.asarray(column.is_valid())
    if any(is_(column.type) for is_ in NUMBERS):
        there &= ~np.isnan(np.asarray(column.cast(pa.float64(), safe=False).fill_null(0)))
    return np.where(there, np.arange(len(column)), MISSING)


def read_entries(
    attribute: Entries, column: pa.Array, rng: np.random.Generator, misfits: Misfits | None
) -> Ragged:
    """Return the symbols of a column; without ``misfits`` nothing may not fit."""
    flat = _flat(attribute, column)
    if flat is None:
        return _by_row(attribute, column, rng, misfits)
    rows, places, numbers = flat.rows, flat.places, flat.numbers
    kept = places >= 0
    strays = ~kept
    if numbers is not None and attribute.values is not None:
        unit = float(attribute.values.unit)
        low, high = attribute.values.low * unit, attribute.values.high * unit
        kept &= ~np.isnan(numbers)
        strays |= ~((numbers >= low) & (numbers <= high))
        rows, places, numbers = _last(rows[kept], places[kept], numbers[kept])
        rise = (np.clip(numbers, low, high) - low) / (high - low)
        places = 2 * places + (rng.random(len(rise)) < rise)
    else:
        home = attribute.home
        places = np.where(kept, places, -1 if home is None else home)
        kept = places >= 0
        rows, places = rows[kept], places[kept]
        if attribute.members:
            rows, places = _contained(attribute.members, rows, places)
    _note(attribute, column, np.unique(flat.rows[strays]), misfits)
    return Ragged.of(rows, places, len(column))


def _flat(attribute: Entries, column: pa.Array) -> Flat | None:
    """Return the entries of a column of a type that is read as a whole."""
    kind = column.type
    if attribute.values is None:
        if any(is_(kind) for is_ in LISTS) and not pa.types.is_nested(kind.value_type):
            own = column.drop_null()  # nulls may have entries
            rows = pc.list_parent_indices(own).to_numpy(zero_copy_only=False)
            there = np.flatnonzero(np.asarray(column.is_valid()))
            return Flat(there[rows], _places(attribute, pc.list_flatten(own)), None)
        if not pa.types.is_nested(kind):
            there = np.flatnonzero(np.asarray(column.is_valid()))
            return Flat(there, _places(attribute, column.drop_null()), None)
        return None
    if pa.types.is_map(kind) and any(is_(kind.item_type) for is_ in NUMBERS):
        starts = column.offsets.to_numpy()
        own = slice(starts[0], starts[-1])
        rows = np.repeat(np.arange(len(column)), np.diff(starts))
        places = _places(attribute, column.keys[own])
        return Flat(rows, places, _numbers(column.items[own]))
    if pa.types.is_struct(kind) and all(any(is_(f.type) for is_ in NUMBERS) for f in kind):
        return _of_fields(attribute, column)
    return None


def _of_fields(attribute: Entries, column: pa.Array) -> Flat:
    """Return the entries of a struct: a field that is null is not there."""
    parts = []
    for name, values in zip((f.name for f in column.type), column.flatten(), strict=True):
        rows = np.flatnonzero(np.asarray(values.is_valid()))
        place = np.full(len(rows), attribute.codes.get(name, -1))
        parts.append((rows, place, _numbers(values.drop_null())))
    if not parts:
        return Flat(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    rows, places, numbers = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Flat(rows, places, numbers)


def _numbers(column: pa.Array) -> Numbers:
    return np.asarray(pc.cast(column, pa.float64(), safe=False).fill_null(np.nan), np.float64)


def _places(attribute: Entries, labels: pa.Array) -> Codes:
    """Return the place of each label in the plan; -1 where it has none."""
    if not len(labels):
        return np.zeros(0, np.int64)
    encoded = labels if pa.types.is_dictionary(labels.type) else labels.dictionary_encode()
    found = map(attribute.find, encoded.dictionary.to_pylist())
    known = [-1 if place is None else place for place in found]
    indices = encoded.indices.cast(pa.int64()).fill_null(len(known)).to_numpy()
    return np.array([*known, -1], np.int64)[indices]


def _contained(
    members: tuple[tuple[int, ...], ...], rows: Codes, places: Codes
) -> tuple[Codes, Codes]:
    """Return the itemsets that each row contains, of the items that it has."""
    order = np.lexsort((rows, places))
    rows, starts = (
        rows[order],
        np.searchsorted(places[order], np.arange(max(map(max, members)) + 2)),
    )
    held = [np.unique(rows[a:b]) for a, b in pairwise(starts.tolist())]
    found = [reduce(np.intersect1d, [held[place] for place in own]) for own in members]
    counts = [len(own) for own in found]
    return np.concatenate(found), np.repeat(np.arange(len(members)), counts)


def _last(rows: Codes, places: Codes, numbers: Numbers) -> tuple[Codes, Codes, Numbers]:
    """Return the last number of each key of each row."""
    keys = rows * (int(places.max(initial=0)) + 1) + places
    _, first = np.unique(keys[::-1], return_index=True)
    last = len(keys) - 1 - first
    return rows[last], places[last], numbers[last]


def _note(
    attribute: Entries, column: pa.Array, rows: npt.NDArray[np.intp], misfits: Misfits | None
) -> None:
    if misfits is not None:
        misfits.add(attribute, Misfit.ENTRIES, rows, lambda row: column[row].as_py())
    elif len(rows):
        rule = f"must have no entries beyond {attribute.domain}"
        raise RecordError(attribute.name, rule, column[int(rows[0])].as_py())


@dataclass(frozen=True)
class _Coins:
    """A generator as the source of exact coins."""

    rng: np.random.Generator

    def below(self, n: int) -> int:
        return int(self.rng.random() * n)

    def coin(self, heads: int) -> bool:
        return self.below(1 << 64) < heads


def _by_row(
    attribute: Entries, column: pa.Array, rng: np.random.Generator, misfits: Misfits | None
) -> Ragged:
    rows, symbols, strays, source = list[int](), list[int](), list[int](), _Coins(rng)
    for row, value in enumerate(column.to_pylist()):
        if is_missing(value):
            continue
        own = _without_nulls(value)
        if attribute.misfit(own):
            strays.append(row)
        found = attribute.encoded(json.loads(attribute.answer(own)), source)
        rows += [row] * len(found)
        symbols += found
    _note(attribute, column, np.array(strays, np.intp), misfits)
    return Ragged.of(np.array(rows, np.int64), np.array(symbols, np.int64), len(column))


def _without_nulls(value: object) -> object:
    """Return what a row has; of a struct, which has all fields, those that are there."""
    if isinstance(value, Mapping):
        return {key: each for key, each in value.items() if each is not None}
    return value
