"""The questions of analysts, answered from a store: each a function that returns a document.

What one-way estimates need is counted (the snapshot and the tail behind it); methods that need the
reports themselves, joint tables and synthetic rows read them in column batches, while more arrive.
"""

import warnings
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import pyarrow as pa

from discretion.aggregate import Aggregate
from discretion.collector.store import Store
from discretion.errors import DependenceWarning, EstimateError, KindError
from discretion.estimate.document import document as frequency_document
from discretion.estimate.frequencies import frequencies
from discretion.joints import joint
from discretion.joints.document import document as joint_document
from discretion.joints.margin import joint_margin
from discretion.numbers import mean, quantiles
from discretion.numbers.document import curve_document, number_document
from discretion.numbers.margin import margin, quantile_margin, weights
from discretion.numbers.screening import screen
from discretion.publication import publish
from discretion.table import ReportTable
from discretion.table.reports import write_parts

SHARES = (0.01, 0.05)  # of liars, beside each interval
FROM_REPORTS = ("mle", "blind")  # methods that an aggregate cannot answer
Document = dict[str, Any]


def answer_frequencies(
    store: Store, round: int, attribute: str, method: str, target: str, cap: float | None
) -> Document:
    """Estimate the frequencies of an attribute."""
    data = _data(store, round, method)
    estimate = frequencies(data, attribute, method, target, cap)
    margins = [margin(data, attribute, share, cap).document() for share in SHARES]
    return {
        **frequency_document(estimate),
        "margins": margins,
        "weights": _weights(data, attribute, cap),
    }


def answer_mean(store: Store, round: int, attribute: str, method: str, target: str) -> Document:
    """Estimate the mean of a number."""
    data = store.aggregate(round)
    estimate = mean(data, attribute, method, target)
    margins = [margin(data, attribute, share).document() for share in SHARES]
    return {
        **number_document(estimate),
        "margins": margins,
        "weights": _weights(data, attribute, None),
    }


def answer_quantiles(store: Store, round: int, attribute: str, at: list[float]) -> Document:
    """Estimate quantiles of a number."""
    data = store.aggregate(round)
    estimate = quantiles(data, attribute, at)
    margins = [quantile_margin(data, attribute, share, at).document() for share in SHARES]
    return {**curve_document(estimate), "margins": margins}


def answer_joint(store: Store, round: int, attributes: list[str], method: str) -> Document:
    """Estimate a joint table; the margins are those of its cells where that can be said.

    Else they are those of its attributes, one by one.
    """
    table = table_of(store, round)
    estimate = joint(table, attributes, method)
    return {**joint_document(estimate), "margins": _joint_margins(table, attributes)}


def answer_screening(store: Store, round: int, attribute: str) -> Document:
    """Test whether reports look like what honest devices send."""
    return screen(store.aggregate(round), attribute).document()


def answer_counts(store: Store, round: int) -> Document:
    """Return the aggregate of a round: integers, and what every one-way estimate is made of."""
    return {"aggregate": store.aggregate(round).to_json()}


def answer_rows(store: Store, round: int, count: int | None, path: str) -> Document:
    """Fit a model of the whole record, and write synthetic rows to a file."""
    publish(table_of(store, round), count).write(path)
    return {}


def answer_export(store: Store, round: int, path: str) -> Document:
    """Write the reports of a round to a Parquet file that carries the plan."""
    write_parts(path, _parts(store, round))
    return {}


QUESTIONS: Mapping[str, Callable[..., Document]] = {
    "frequencies": answer_frequencies,
    "mean": answer_mean,
    "quantiles": answer_quantiles,
    "joint": answer_joint,
    "screening": answer_screening,
    "counts": answer_counts,
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


def table_of(store: Store, round: int) -> ReportTable:
    """Return all reports of a round in memory, as columns."""
    tables = [part.data for part in _parts(store, round)]
    return ReportTable(store.plan, pa.concat_tables(tables))


def _parts(store: Store, round: int) -> Iterator[ReportTable]:
    """Yield the reports of a round in column batches; the first one may be empty."""
    yield ReportTable.from_reports(store.plan, [])
    for bodies in store.reports(round):
        yield ReportTable.from_reports(store.plan, bodies)


def _joint_margins(table: ReportTable, attributes: list[str]) -> list[Document]:
    try:
        return [joint_margin(table, attributes, share).document() for share in SHARES]
    except (EstimateError, KindError):
        asked = product(attributes, SHARES)
        return [margin(table, name, share).document() for name, share in asked]


def _data(store: Store, round: int, method: str) -> ReportTable | Aggregate:
    return table_of(store, round) if method in FROM_REPORTS else store.aggregate(round)


def _weights(data: ReportTable | Aggregate, attribute: str, cap: float | None) -> list[Document]:
    if data.plan.secret:
        return []
    try:
        found = weights(data, attribute, cap)
    except EstimateError:  # reports that are not decoded have no weights
        return []
    return [{"level": w.level, "reports": w.reports, "share": w.share} for w in found]
