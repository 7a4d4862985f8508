"""One-way estimates as documents, each with its margins and the weight of each level."""

from typing import Any

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.estimate.document import document as frequency_document
from discretion.labels.frequencies import frequencies
from discretion.numbers import mean, quantiles
from discretion.numbers.document import curve_document, number_document
from discretion.robustness.number_bound import margin, quantile_margin, weights
from discretion.table import Reports

SHARES = (0.01, 0.05)  # of liars, beside each interval
Data = Reports | Aggregate
Document = dict[str, Any]


def of_frequencies(
    data: Data, attribute: str, method: str, target: str, cap: float | None
) -> Document:
    """Estimate the frequencies of an attribute."""
    estimate = frequencies(data, attribute, method, target, cap)
    margins = [margin(data, attribute, share, cap).document() for share in SHARES]
    return {
        **frequency_document(estimate),
        "margins": margins,
        "weights": of_weights(data, attribute, cap),
    }


def of_mean(data: Data, attribute: str, method: str, target: str) -> Document:
    """Estimate the mean of a number."""
    estimate = mean(data, attribute, method, target)
    margins = [margin(data, attribute, share).document() for share in SHARES]
    return {
        **number_document(estimate),
        "margins": margins,
        "weights": of_weights(data, attribute, None),
    }


def of_quantiles(data: Data, attribute: str, at: list[float], margins: bool) -> Document:
    """Estimate quantiles of a number; margins, which take longer than all else, on request."""
    estimate = quantiles(data, attribute, at)
    shares = SHARES if margins else ()
    bounds = [quantile_margin(data, attribute, share, at).document() for share in shares]
    return {**curve_document(estimate), "margins": bounds}


def of_weights(data: Data, attribute: str, cap: float | None) -> list[Document]:
    """Return the reports of each level and their share of the weight; none where it is secret."""
    if data.plan.secret:
        return []
    try:
        found = weights(data, attribute, cap)
    except EstimateError:  # reports that are not decoded have no weights
        return []
    return [{"level": w.level, "reports": w.reports, "share": w.share} for w in found]
