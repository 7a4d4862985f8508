"""What reports about sets say about single items, as columns beside theirs.

The column of ``basket:milk`` has for each report how many of the item's codes are in it; that of
several items of one set has all of these. Items that are asked for together stand in the second
column alone, as one report is not evidence twice. Reports of fewer entries than they are say
nothing about them, nor do those of a cohort that puts two of them in one cell.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
import pyarrow as pa

from discretion.plan import Plan, Question
from discretion.plan.sets import Holdings
from discretion.schema.holding import Holding
from discretion.table.coded import cohorts_of
from discretion.table.columns import (
    Bytes,
    Codes,
    Levels,
    Mask,
    fixed_column,
    matrix,
    present,
    whole,
)
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


def codes_of(question: Question) -> list[Codes]:
    """Return the codes of each item in each cohort: (cohorts, sides)."""
    parameters = cast("Holdings", question.parameters)
    return [np.array(parameters.codes_of(part)) for part in question.attribute.parts]


def outputs_of(question: Question, y: Bytes, cohorts: Codes) -> Bytes:
    """Return the output of each report: the last item fastest, each by how many of its codes."""
    found, rows = np.zeros(len(y), np.uint8), np.arange(len(y))
    for codes in codes_of(question):
        found *= np.uint8(1 + codes.shape[1])
        for bits in codes[cohorts].T:
            found += y[rows, bits >> 3] >> (bits & 7).astype(np.uint8) & 1
    return found[:, None]


def says(question: Question, ranges: Levels, cohorts: Codes) -> Mask:
    """Return which reports have enough entries, and codes, to say something about all items."""
    codes = np.hstack(codes_of(question))
    distinct = np.array([len({*own}) == len(own) for own in codes.tolist()])
    return (lengths_of(question)[ranges] >= len(question.parts)) & distinct[cohorts]


def lengths_of(question: Question) -> Codes:
    """Return how many entries a report has at most, by the place of that on the menu."""
    places = range(max(1, len(question.ranges)))
    within = (cast("Holding", question.within(place).parts[0]) for place in places)
    return np.array([held.entries.length for held in within])


def _cohorts(question: Question, y: Bytes, ranges: Levels) -> Codes:
    """Return the cohort of each report, which stands above as many bits as its length makes."""
    found = np.zeros(len(y), np.int64)
    for place, length in enumerate(lengths_of(question) if question.cohorts > 1 else ()):
        own = ranges == place
        words = replace(question.encoding, bits=question.encoding.bits + int(length))
        found[own] = cohorts_of(words, y[own])
    return found


def _columns(
    plan: Plan, question: Question, data: pa.Table, *, empty: bool
) -> Iterator[tuple[str, pa.Array]]:
    stated = answer_columns(plan, question.attribute.source)
    y, *others = (whole(data[column]) for column in stated)
    there, ranges = present(y) & (not empty), np.zeros(len(y), np.int32)
    if question.ranges:
        ranges = others[-1].fill_null(0).to_numpy(zero_copy_only=False)
    bits = matrix(y)
    cohorts = _cohorts(question, bits, ranges)
    there &= says(question, ranges, cohorts)
    named = answer_columns(plan, question.name)
    yield named[0], fixed_column(outputs_of(question, bits, cohorts), there)
    for name, column in zip(named[1:], others, strict=True):
        yield (
            name,
            pa.array(column.fill_null(0).to_numpy(zero_copy_only=False), pa.int32(), mask=~there),
        )
