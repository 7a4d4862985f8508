"""The questions of analysts, answered from a store: each a function that returns a document.

What one-way estimates need is counted (the snapshot and the tail behind it); methods that need the
reports themselves, joint tables and synthetic rows read them in column batches, while more arrive.
"""

import warnings
from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from discretion.aggregate import Aggregate
from discretion.collector.estimates import (
    SHARES,
    Document,
    of_frequencies,
    of_mean,
    of_quantiles,
)
from discretion.collector.export import export_file
from discretion.collector.overview import of_curves, of_dependence, of_overview, of_screenings
from discretion.collector.store import Store
from discretion.errors import DependenceWarning, EstimateError, KindError
from discretion.joints import joint
from discretion.joints.document import document as joint_document
from discretion.numbers.readings import evidence_of
from discretion.robustness.joint_bound import joint_margin
from discretion.robustness.number_bound import margin
from discretion.robustness.number_screening import screen
from discretion.synthesis import dependence, publish
from discretion.table import ReportTable

FROM_REPORTS = ("mle", "blind")  # methods that an aggregate cannot answer


def answer_frequencies(
    store: Store, round: int, attribute: str, method: str, target: str, cap: float | None
) -> Document:
    """Estimate the frequencies of an attribute."""
    return of_frequencies(_data(store, round, method), attribute, method, target, cap)


def answer_mean(store: Store, round: int, attribute: str, method: str, target: str) -> Document:
    """Estimate the mean of a number."""
    return of_mean(store.aggregate(round), attribute, method, target)


def answer_quantiles(
    store: Store, round: int, attribute: str, at: list[float], margins: bool
) -> Document:
    """Estimate quantiles of a number; on request, with how far liars could move them."""
    return of_quantiles(store.aggregate(round), attribute, at, margins)


def answer_joint(store: Store, round: int, attributes: list[str], method: str) -> Document:
    """Estimate a joint table; the margins are those of its cells where that can be said.

    Else they are those of its attributes, one by one.
    """
    table = store.table(round)
    estimate = joint(table, attributes, method)
    return {**joint_document(estimate), "margins": _joint_margins(table, attributes)}


def answer_screening(store: Store, round: int, attribute: str) -> Document:
    """Test whether reports look like what honest devices send."""
    return screen(store.aggregate(round), attribute).document()


def answer_overview(store: Store, round: int) -> Document:
    """Estimate all that is asked, one by one."""
    return of_overview(store.aggregate(round))


def answer_curves(store: Store, round: int) -> Document:
    """Estimate quantiles of every number."""
    return of_curves(store.aggregate(round))


def answer_screenings(store: Store, round: int) -> Document:
    """Test the reports about everything that is asked."""
    return of_screenings(store.aggregate(round))


def answer_dependence(store: Store, round: int) -> Document:
    """Test every pair of attributes for dependence."""
    return of_dependence(dependence(store.table(round)))


def answer_counts(store: Store, round: int) -> Document:
    """Return the aggregate of a round: integers, and what every one-way estimate is made of."""
    return {"aggregate": store.aggregate(round).to_json()}


def answer_count(store: Store, round: int) -> Document:
    """Count what is new in a round, for those who ask later."""
    store.aggregate(round)
    return {}


def answer_rows(store: Store, round: int, count: int | None, path: str) -> Document:
    """Fit a model of the whole record, and write synthetic rows to a file."""
    publish(store.table(round), count).write(path)
    return {}


def answer_export(store: Store, round: int, path: str) -> Document:
    """Write the reports of a round to a Parquet file that carries the plan."""
    export_file(store, round, path)
    return {}


QUESTIONS: Mapping[str, Callable[..., Document]] = {
    "frequencies": answer_frequencies,
    "mean": answer_mean,
    "quantiles": answer_quantiles,
    "joint": answer_joint,
    "screening": answer_screening,
    "overview": answer_overview,
    "curves": answer_curves,
    "screenings": answer_screenings,
    "dependence": answer_dependence,
    "counts": answer_counts,
    "count": answer_count,
    "rows": answer_rows,
    "export": answer_export,
}


def answer(store: Store, question: str, values: Mapping[str, Any]) -> Document:
    """Answer a question; what the library warns of stands in the document."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = QUESTIONS[question](store, **values)
    notes = [str(w.message) for w in caught if issubclass(w.category, DependenceWarning)]
    return {**found, "round": values["round"], "warnings": notes}


def _joint_margins(table: ReportTable, attributes: list[str]) -> list[Document]:
    try:
        return [joint_margin(table, attributes, share).document() for share in SHARES]
    except (EstimateError, KindError):
        evidence = [evidence_of(table, name) for name in attributes]
        asked = product(evidence, SHARES)
        return [margin(each, each.attribute, share).document() for each, share in asked]


def _data(store: Store, round: int, method: str) -> ReportTable | Aggregate:
    return store.table(round) if method in FROM_REPORTS else store.aggregate(round)
