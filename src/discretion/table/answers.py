"""Checking columns of answers by themselves, as they come from a file, in one compiled pass."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.budget.stratum import RANGE
from discretion.errors import Refusal, TableError
from discretion.kernel.read import first_stray
from discretion.plan import Plan
from discretion.table.columns import matrix, present, strata_of, whole
from discretion.table.grammar import grammar_of
from discretion.table.reports import answer_columns

Indices = npt.NDArray[np.int64]


def check_answers(plan: Plan, data: pa.Table, names: Iterable[str], source: str) -> None:
    """Refuse a table in which some answer, taken by itself, is none of the plan's."""
    for name in names:
        y, *stated = (whole(data[column]) for column in answer_columns(plan, name))
        there = present(y)
        if any((present(column) != there).any() for column in stated):
            rule = f"what is said about {name!r} must be there together"
            raise TableError(f"{source}: {rule} ({Refusal.MISSING_FIELD})")
        rules, shift, limits, ones = _rules(plan, name)
        strata = strata_of(stated, len(y))
        row = first_stray(matrix(y), strata, there, rules, shift, limits, ones)
        if row >= 0:
            inside = 0 <= strata[row] < len(rules) and rules[strata[row]] >= 0
            reason = Refusal.IMPOSSIBLE_OUTPUT if inside else Refusal.LEVEL_OFF_MENU
            rule = f"row {row} of its shard has an answer about {name!r} that no device sends"
            raise TableError(f"{source}: {rule} ({reason})")


@lru_cache(maxsize=256)
def _rules(plan: Plan, name: str) -> tuple[Indices, int, Indices, Indices]:
    """Return by stratum where its rule stands, and the rules: see ``Grammar``."""
    grammar, column = grammar_of(plan), plan.names.index(name)
    start, end = grammar.limit_ends[column : column + 2]
    menu = [0] if plan.secret else plan.questions[name].menu
    strata = [
        RANGE * r + level for r in range(max(len(plan.questions[name].ranges), 1)) for level in menu
    ]
    rules = np.full(max(strata) + 1, -1, np.int64)
    rules[strata] = np.arange(len(strata))
    return rules, int(grammar.shifts[column]), grammar.limits[start:end], grammar.ones[start:end]
