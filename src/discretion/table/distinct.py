"""Different reports about some names, each once, and how often it came.

Reports of one or two attributes with few values are mostly equal to others. As what is said about a
name is its stratum and a few bytes, all that is said about some names is one integer, unless these
are many; equal ones are counted, shard by shard, and counts are merged. What estimators make of the
different ones and their counts is what they would make of all reports.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import prod
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.budget.level import RANGE
from discretion.kernel.distinct import append_digit, distinct, gathered
from discretion.plan import Plan
from discretion.table.columns import (
    Counts,
    fixed_column,
    matrix,
    possible_strata,
    present,
    strata_of,
    times_shared,
    whole,
)
from discretion.table.folder import ReportFolder
from discretion.table.reports import ReportTable, answer_columns

MOST = 1 << 21  # different reports that are worth their memory

Keys = npt.NDArray[np.uint64]
Indices = npt.NDArray[np.int32]


@dataclass(frozen=True)
class DistinctReports:
    """The different reports, in a fixed order, and how often each came."""

    table: ReportTable  # the columns of the names that were asked for
    times: Counts  # (rows,)
    shared: Counts  # (rows,) attributes that their owners shared in all; 0 if that was not asked


def distinct_reports(
    reports: ReportFolder, names: Sequence[str], *, sharing: bool = False
) -> DistinctReports | None:
    """Return the reports that answer about any of these names; None where too many differ.

    ``sharing``: those of owners who shared more, or fewer, attributes in all differ too.
    """
    plan = reports.plan
    alphabet = _Alphabet.of(plan, tuple(names), sharing=sharing)
    if alphabet.size > 1 << 64:
        return None
    read = plan.names if sharing else names
    found = reports.fold(read, partial(_counted, alphabet), _merged)
    if found is None:
        return None
    order = np.argsort(found[0])
    return alphabet.spelled(plan, found[0][order], found[1][order])


def distinct_answers(reports: ReportTable, name: str) -> tuple[ReportTable, Indices] | None:
    """Return the different answers about a name, and for each row which of them it has.

    Rows without one have -1. None where there are too many answers to choose from.
    """
    alphabet = _Alphabet.of(reports.plan, (name,), sharing=False)
    if alphabet.size > MOST:
        return None
    keys = alphabet.keys(reports).view(np.int64)
    occurs = np.zeros(alphabet.size, np.bool_)
    occurs[keys] = True
    found = 1 + np.flatnonzero(occurs[1:])
    index = np.full(alphabet.size, -1, np.int32)
    index[found] = np.arange(len(found))
    few = alphabet.spelled(reports.plan, found.astype(np.uint64), np.zeros(len(found), np.int64))
    return few.table, index[keys]


def _counted(alphabet: "_Alphabet", reports: ReportTable) -> tuple[Keys, Counts] | None:
    keys, times = distinct(alphabet.keys(reports))
    held_answers = keys >= alphabet.sharing
    return (keys[held_answers], times[held_answers]) if held_answers.sum() <= MOST else None


def _merged(
    one: tuple[Keys, Counts] | None, other: tuple[Keys, Counts] | None
) -> tuple[Keys, Counts] | None:
    if one is None or other is None:
        return None
    keys, times = np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
    found = gathered(keys, times)
    return found if len(found[0]) <= MOST else None


@dataclass(frozen=True)
class _Alphabet:
    """How reports are integers: a digit for each name, and one for how much was shared in all."""

    names: tuple[str, ...]
    sharing: int  # how many different numbers of shared attributes there are; 1 if none is asked
    strata: tuple[tuple[int, ...], ...]  # by name: the strata that its menu has
    widths: tuple[int, ...]  # by name: the bytes of an answer

    @classmethod
    def of(cls, plan: Plan, names: tuple[str, ...], *, sharing: bool) -> Self:
        shared = len(plan.attributes) + 1 if sharing else 1
        strata = tuple(possible_strata(plan, name) for name in names)
        return cls(names, shared, strata, tuple(plan.questions[name].n_bytes for name in names))

    @property
    def radixes(self) -> list[int]:
        return [1 + (len(g) << (8 * w)) for g, w in zip(self.strata, self.widths, strict=True)]

    @property
    def size(self) -> int:
        return prod(self.radixes) * self.sharing

    def keys(self, reports: ReportTable) -> Keys:
        """Return the integer of each report; of those without an answer, below ``sharing``."""
        plan, keys = reports.plan, np.zeros(len(reports), np.uint64)
        for name, strata, radix in zip(self.names, self.strata, self.radixes, strict=True):
            y, *stated = (whole(reports.data[c]) for c in answer_columns(plan, name))
            own, ranks = strata_of(stated, len(y)), _ranks(strata)
            append_digit(keys, matrix(y), own, present(y), ranks, np.uint64(radix))
        if self.sharing > 1:
            answered = np.column_stack([present(reports.data[f"{n}.y"]) for n in plan.names])
            shared = times_shared(plan, answered).sum(axis=1).astype(np.uint64)
            keys = keys * np.uint64(self.sharing) + shared
        return keys

    def spelled(self, plan: Plan, keys: Keys, times: Counts) -> DistinctReports:
        """Return the reports of which these are the integers."""
        shared = np.zeros(len(keys), np.int64)
        if self.sharing > 1:
            shared = (keys % np.uint64(self.sharing)).astype(np.int64)
            keys = keys // np.uint64(self.sharing)
        columns: dict[str, pa.Array] = {}
        for column in reversed(range(len(self.names))):
            radix = np.uint64(self.radixes[column])
            columns |= self._column(plan, column, keys % radix)
            keys = keys // radix
        wanted = [c for name in self.names for c in answer_columns(plan, name)]
        return DistinctReports(ReportTable(plan, pa.table(columns).select(wanted)), times, shared)

    def _column(self, plan: Plan, column: int, digits: Keys) -> dict[str, pa.Array]:
        name, width, there = self.names[column], self.widths[column], digits > 0
        codes = np.where(there, digits - np.uint64(1), np.uint64(0))
        y = np.ascontiguousarray(codes.astype("<u8")[:, None].view(np.uint8)[:, :width])
        strata = np.array(self.strata[column], np.int32)[
            (codes >> np.uint64(8 * width)).astype(int)
        ]
        found = {f"{name}.y": fixed_column(y, there)}
        if not plan.secret:
            found[f"{name}.level"] = pa.array(strata % RANGE, mask=~there)
        if plan.questions[name].ranges:
            found[f"{name}.range"] = pa.array(strata // RANGE, mask=~there)
        return found


@lru_cache(maxsize=256)
def _ranks(strata: tuple[int, ...]) -> Counts:
    ranks = np.zeros(max(strata) + 1, np.int64)
    ranks[list(strata)] = np.arange(len(strata))
    return ranks
