"""One-way estimates as documents, each with its margins and the weight of each level."""

from typing import Any

from discretion.aggregate import Aggregate
from discretion.errors import EstimateError
from discretion.estimate.document import document as frequency_document
from discretion.estimate.evidence import Evidence
from discretion.estimate.frequencies import frequencies
from discretion.numbers import mean, quantiles
from discretion.numbers.document import curve_document, number_document
from discretion.numbers.readings import Data, Readings
from discretion.robustness.number_bound import margin, quantile_margin, weights
from discretion.table import Reports

SHARES = (0.01, 0.05)  # of liars, beside each interval
Document = dict[str, Any]


def of_frequencies(
    data: Reports | Aggregate, attribute: str, method: str, target: str, cap: float | None
) -> Document:
    """Estimate the frequencies of an attribute."""
    evidence = Evidence.of(data, attribute)
    estimate = frequencies(evidence, attribute, method, target, cap)
    margins = [margin(evidence, attribute, share, cap).document() for share in SHARES]
    return {
        **frequency_document(estimate),
        "margins": margins,
        "weights": of_weights(evidence, cap),
    }


def of_mean(data: Data, attribute: str, method: str, target: str) -> Document:
    """Estimate the mean of a number."""
    readings = Readings.of(data, attribute)
    estimate = mean(readings, attribute, method, target)
    margins = [margin(readings, attribute, share).document() for share in SHARES]
    return {
        **number_document(estimate),
        "margins": margins,
        "weights": of_weights(readings),
    }


def of_quantiles(data: Data, attribute: str, at: list[float], margins: bool) -> Document:
    """Estimate quantiles of a number; margins, which take longer than all else, on request."""
    readings = Readings.of(data, attribute)
    estimate = quantiles(readings, attribute, at)
    shares = SHARES if margins else ()
    bounds = [quantile_margin(readings, attribute, share, at).document() for share in shares]
    return {**curve_document(estimate), "margins": bounds}


def of_weights(evidence: Evidence | Readings, cap: float | None = None) -> list[Document]:
    """Return the reports of each level and their share of the weight; none where it is secret."""
    if evidence.plan.secret:
        return []
    try:
        found = weights(evidence, evidence.attribute, cap)
    except EstimateError:  # reports that are not decoded have no weights
        return []
    return [{"level": w.level, "reports": w.reports, "share": w.share} for w in found]
