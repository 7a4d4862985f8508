"""Report families: what a report is, how it is counted, and what follows from the counts."""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from discretion.family.cells import Cells
from discretion.family.codewords import Codewords
from discretion.family.columns import Columns
from discretion.family.covers import Covers
from discretion.family.family import LabelFamily, LinearFamily, ReportFamily
from discretion.family.intervals import Intervals
from discretion.family.numbers import Blocks, Numbers
from discretion.family.prefixes import Prefixes
from discretion.family.sets import Sets
from discretion.family.sets.margins import Margins
from discretion.family.sketches import Sketches
from discretion.plan import Family, Plan, Question

__all__ = [
    "FAMILIES",
    "Blocks",
    "Cells",
    "Covers",
    "Intervals",
    "LabelFamily",
    "LinearFamily",
    "Numbers",
    "Prefixes",
    "ReportFamily",
    "Sets",
    "Sketches",
    "about",
    "of",
]


FAMILIES: Mapping[Family, type[ReportFamily[Any]]] = MappingProxyType(
    {
        Family.SETS: Sets,
        Family.CODEWORDS: Codewords,
        Family.SKETCHES: Sketches,
        Family.PREFIXES: Prefixes,
        Family.COLUMNS: Columns,
        Family.NUMBERS: Numbers,
        Family.INTERVALS: Intervals,
        Family.BLOCKS: Blocks,
        Family.COVERS: Covers,
        Family.CELLS: Cells,
    }
)


def about(plan: Plan, name: str, reported: Collection[str]) -> ReportFamily[Any]:
    """Return the family of all reports about a question: of an attribute in views, these too."""
    question = plan.questions[name]
    views = tuple(
        other
        for other in plan.questions.values()
        if other.view and name in other.parts and other.name != name and other.name in reported
    )
    return Margins(question, views) if views else of(question)


def of(question: Question) -> ReportFamily[Any]:
    """Return the family of the reports about a question."""
    return FAMILIES[question.family](question)
