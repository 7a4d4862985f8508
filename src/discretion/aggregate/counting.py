"""Counting reports by grade, a shard at a time: integers that add up in any order."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from discretion.aggregate.tally import BitCounts, Outputs, Tally
from discretion.mechanism import Bloom, Hashed, Histogram, Law
from discretion.plan import Family, Plan
from discretion.schema import Bundle
from discretion.table import Reports, ReportTable
from discretion.table.coded import count_words
from discretion.table.columns import Bytes, Levels
from discretion.table.outputs import count_outputs, count_told
from discretion.table.sketch import count_sketch
from discretion.table.support import Counts, count_supports

Counted = Tally | BitCounts | Outputs
Some = TypeVar("Some", Tally, BitCounts, Outputs)


def count(reports: Reports, name: str) -> dict[int, Tally]:
    """Return the tallies of an attribute with labels by level, from the smallest up."""
    reports.plan.questions[name].law(
        reports.plan.questions[name].menu[0], Family.SETS
    )  # of labels alone
    return _folded(reports, name, _count)


def count_coded(reports: Reports, name: str) -> dict[int, BitCounts]:
    """Return the counts of a coded attribute's bits, or a text's cells, by level, rising."""
    return _folded(reports, name, _count_coded)


def count_numbers(reports: Reports, name: str) -> dict[int, Outputs]:
    """Return the outputs of a number, or of a bundle of numbers, by grade, from the smallest up."""
    return _folded(reports, name, _count_numbers)


def count_columns(reports: Reports, name: str) -> dict[int, Outputs]:
    """Return the outputs of a matrix by level, from the smallest up."""
    return _folded(reports, name, _count_columns)


def _folded(
    reports: Reports, name: str, work: Callable[[str, ReportTable], dict[int, Some]]
) -> dict[int, Some]:
    found = reports.fold([name], partial(work, name), _together)
    return dict(sorted(found.items()))


def _count(name: str, reports: ReportTable) -> dict[int, Tally]:
    plan, found = reports.plan, dict[int, Tally]()
    first = plan.questions[name].menu[0]  # stands for secret ones
    for levels, y in reports.answers(name):
        used, supports, sizes = count_supports(
            lambda level: plan.questions[name].law(level or first, Family.SETS), y, levels
        )
        ns = sizes.sum(axis=1).tolist()
        rows = zip(used.tolist(), map(Tally, ns, supports, sizes), strict=True)
        add_to(found, dict(rows))
    return found


def _count_coded(name: str, reports: ReportTable) -> dict[int, BitCounts]:
    law = reports.plan.questions[name].law(reports.plan.questions[name].menu[0])
    found: dict[int, BitCounts] = {}
    for levels, y in reports.answers(name):
        used, n, counts = _counted(law, y, levels)
        add_to(found, dict(zip(used.tolist(), map(BitCounts, n, counts), strict=True)))
    return found


def _counted(law: Law, y: Bytes, levels: Levels) -> tuple[Counts, Counts, Counts]:
    if isinstance(law, Hashed):
        return count_sketch(law, y, levels)
    assert isinstance(law, Bloom | Histogram)
    return count_words(law.coding, y, levels)


def _count_numbers(name: str, reports: ReportTable) -> dict[int, Outputs]:
    plan, found = reports.plan, dict[int, Outputs]()
    bundle = plan.questions[name].attribute
    for grades, y in reports.answers(name):
        if isinstance(bundle, Bundle):
            rows = count_told(y, grades, bundle.sizes)
        else:
            rows = count_outputs(
                y, grades, lambda grade: plan.questions[name].law(grade, Family.NUMBERS).n_outputs
            )
        add_to(found, {grade: Outputs(n, counts) for grade, n, counts in rows})
    return found


def _count_columns(name: str, reports: ReportTable) -> dict[int, Outputs]:
    plan, found = reports.plan, dict[int, Outputs]()
    for levels, y in reports.answers(name):
        rows = count_outputs(
            y, levels, lambda level: plan.questions[name].law(level, Family.COLUMNS).n_outputs
        )
        add_to(found, {level: Outputs(n, counts) for level, n, counts in rows})
    return found


def counted(reports: ReportTable) -> dict[str, dict[int, Counted]]:
    """Count all that a table tells."""
    return {name: _counting(reports.plan, name)(name, reports) for name in reports.plan.names}


def _counting(plan: Plan, name: str) -> Callable[[str, ReportTable], dict[int, Any]]:
    if (
        plan.questions[name].family is Family.WORDS
        or plan.questions[name].family is Family.SKETCHES
    ):
        return _count_coded
    if plan.questions[name].family is Family.COLUMNS:
        return _count_columns
    return _count if plan.questions[name].labels else _count_numbers


def _together(one: dict[int, Any], other: Mapping[int, Any]) -> dict[int, Any]:
    merged = dict(one)
    add_to(merged, other)
    return merged


def all_together(
    one: dict[str, dict[int, Counted]], other: Mapping[str, Mapping[int, Counted]]
) -> dict[str, dict[int, Counted]]:
    """Add up what two tables tell."""
    return {name: _together(grades, other[name]) for name, grades in one.items()}


def add_to(mine: dict[int, Any], more: Mapping[int, Any]) -> None:
    """Add tallies to those that there are, grade by grade."""
    for grade, tally in more.items():
        mine[grade] = mine[grade] + tally if grade in mine else tally
