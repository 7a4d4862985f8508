"""What reports about sets say about single items, as columns beside theirs.

The column of ``basket:milk`` has for each report how many of the item's codes are in it; that of
several items of one set has all of these. Items that are asked for together stand in the second
column alone, as one report is not evidence twice. Reports of fewer entries than they are say
nothing about them.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
import pyarrow as pa

from discretion.plan import Plan, Question
from discretion.schema.holding import Holding
from discretion.table.columns import Bytes, Levels, Mask, fixed_column, matrix, present, whole
from discretion.table.reports import ReportTable, answer_columns


def table_with(plan: Plan, reports: ReportTable) -> ReportTable:
    """Return a table with the columns of all that a plan has beside what is asked."""
    there, data = reports.data.column_names, reports.data
    implied = [question for question in plan.questions.values() if question.implied]
    together = {part for question in implied if len(question.parts) > 1 for part in question.parts}
    names = {column for question in implied for column in answer_columns(plan, question.name)}
    data = data.select([column for column in there if column not in names])
    for question in implied:
        if f"{question.attribute.source}.y" in there:
            for name, column in _columns(plan, question, data, empty=question.name in together):
                data = data.append_column(name, column)
    return replace(reports, plan=plan, data=data)


def bits_of(question: Question, y: Bytes) -> Bytes:
    """Return the output of each report: the last item fastest, each by how many of its codes."""
    found = np.zeros(len(y), np.uint8)
    for part in question.attribute.parts:
        bits = cast("Holding", part).bits
        found *= np.uint8(1 + len(bits))
        for bit in bits:
            found += y[:, bit >> 3] >> (bit & 7) & 1
    return found[:, None]


def says(question: Question, ranges: Levels) -> Mask:
    """Return which reports have enough entries to say something about all items."""
    lengths = [
        cast("Holding", question.within(place).parts[0]).entries.length
        for place in range(max(1, len(question.ranges)))
    ]
    return np.array(lengths)[ranges] >= len(question.parts)


def _columns(
    plan: Plan, question: Question, data: pa.Table, *, empty: bool
) -> Iterator[tuple[str, pa.Array]]:
    stated = answer_columns(plan, question.attribute.source)
    y, *others = (whole(data[column]) for column in stated)
    there = present(y) & (not empty)
    if question.ranges:
        ranges = others[-1].fill_null(0).to_numpy(zero_copy_only=False)
        there &= says(question, ranges)
    named = answer_columns(plan, question.name)
    yield named[0], fixed_column(bits_of(question, matrix(y)), there)
    for name, column in zip(named[1:], others, strict=True):
        yield (
            name,
            pa.array(column.fill_null(0).to_numpy(zero_copy_only=False), pa.int32(), mask=~there),
        )
