"""The questions of analysts, answered from a store: each a function that returns a document.

What one-way estimates need is counted (the snapshot and the tail behind it); methods that need the
reports themselves, joint tables and synthetic rows read them in column batches, while more arrive.
"""

import warnings
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from discretion.candidates import focus
from discretion.collector.analysis import answer_analysis, answer_statistic
from discretion.collector.overview import (
    of_curves,
    of_overview,
    of_screenings,
    of_trends,
)
from discretion.collector.public_results import publish as publish_results
from discretion.collector.store import Store
from discretion.collector.store.backup import export_file
from discretion.errors import EvidenceWarning
from discretion.family import of
from discretion.statistics import STATISTICS
from discretion.statistics.registry import first_of
from discretion.statistics.statistic import ROUND
from discretion.synthesis import dependence, publish
from discretion.table import ReportTable
from discretion.web.dashboard.documents import Curves, Overview, Screenings, Trends

Document = dict[str, Any]


def answer_overview(
    store: Store, round: int, candidates: Mapping[str, list[str]] | None = None
) -> Overview:
    """Estimate all that is asked, one by one; ``candidates`` are those of texts, by attribute."""
    return of_overview(store.aggregate(round), candidates or {}, lambda: store.table(round))


def answer_trends(store: Store) -> Trends:
    """Follow everything that can be over all rounds."""
    return of_trends([store.aggregate(each.round) for each in store.rounds()])


def answer_curves(store: Store, round: int) -> Curves:
    """Estimate quantiles of every number."""
    return of_curves(store.aggregate(round))


def answer_screenings(store: Store, round: int) -> Screenings:
    """Test the reports about everything that is asked."""
    return of_screenings(store.aggregate(round))


def answer_dependence(store: Store, round: int) -> Document:
    """Test every pair of attributes for dependence, but for those without a list of values."""
    table = store.table(round)
    return dependence(table, listed(table)).document()


def answer_counts(store: Store, round: int) -> Document:
    """Return the aggregate of a round: integers, and what every one-way estimate is made of."""
    return {"aggregate": store.aggregate(round).to_json()}


def answer_count(store: Store, round: int) -> Document:
    """Count what is new in a round, for those who ask later."""
    store.aggregate(round)
    return {}


def answer_rows(
    store: Store, round: int, count: int | None, path: str, attributes: list[str] | None = None
) -> Document:
    """Fit a model of the whole record, and write synthetic rows to a file."""
    publish(store.table(round), count, attributes=attributes).write(path)
    return {}


def answer_focus(store: Store, round: int, attribute: str, count: int, sets: int) -> Document:
    """Make the plan of a next round about what is estimated of an attribute first."""
    statistic = first_of(store.plan.questions[attribute].kind)
    read = store.table if statistic.reads_reports(store.plan, attribute) else store.aggregate
    made = focus(statistic.function(read(round), attribute), count, sets)
    return {"plan": made.to_bytes().decode()}


def listed(table: ReportTable) -> list[str] | None:
    """Return the attributes that were shared and have a list of values; None where all do."""
    plan = table.plan
    tabulated = [name for name in plan.attributes if of(plan.questions[name]).tabulated]
    if len(tabulated) == len(plan.attributes):
        return None
    shared = {part for name in table.shared for part in plan.questions[name].parts}
    return [name for name in tabulated if name in shared]


def answer_export(store: Store, round: int, path: str) -> Document:
    """Write the reports of a round to a Parquet file that carries the plan."""
    export_file(store, round, path)
    return {}


def answer_publish(store: Store, round: int, day: str) -> Document:
    """Look at a round, and publish its results where there is enough that is new."""
    return {"published": publish_results(store, round, date.fromisoformat(day))}


def _about(values: Mapping[str, Any]) -> Document:
    """Return the round that was asked about, if it was one."""
    return {name: values[name] for name in ROUND.rounds if name in values}


QUESTIONS: Mapping[str, Callable[..., Mapping[str, object]]] = {
    "overview": answer_overview,
    "analysis": answer_analysis,
    "curves": answer_curves,
    "screenings": answer_screenings,
    "trends": answer_trends,
    "dependence": answer_dependence,
    "counts": answer_counts,
    "count": answer_count,
    "rows": answer_rows,
    "focus": answer_focus,
    "export": answer_export,
    "publish": answer_publish,
}


def answer(store: Store, question: str, values: Mapping[str, Any]) -> Document:
    """Answer a question; what the library warns of stands in the document."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found: Mapping[str, Any]
        if question in STATISTICS:
            found = answer_statistic(store, STATISTICS[question], **values)
        else:
            found = {**QUESTIONS[question](store, **values), **_about(values)}
    notes = [str(w.message) for w in caught if issubclass(w.category, EvidenceWarning)]
    return {**found, "warnings": notes}
