"""Estimates of numbers for machines: what is written as JSON, by commands and servers alike."""

from typing import Any

from discretion.estimate.document import finite
from discretion.numbers.result import CurveEstimate, NumberEstimate


def document(estimate: NumberEstimate, quantiles: CurveEstimate | None) -> dict[str, Any]:
    """Return a mean, with quantiles where reports tell some."""
    curve = None if quantiles is None else curve_document(quantiles)["quantiles"]
    return {**number_document(estimate), "quantiles": curve}


def number_document(estimate: NumberEstimate) -> dict[str, Any]:
    """Return one number about a number, its mean, sum or variance, under that name."""
    test, (low, high) = estimate.homogeneity, estimate.interval()
    found: dict[str, Any] = finite(
        {
            "attribute": estimate.attribute,
            "method": estimate.method,
            "target": estimate.target,
            "reports": estimate.n,
            "effective_n": estimate.effective_n,
            "homogeneity_p": None if test is None else test.pvalue,
            estimate.what: {
                "value": estimate.value,
                "stderr": estimate.stderr,
                "low": low,
                "high": high,
            },
        }
    )
    return found


def curve_document(curve: CurveEstimate) -> dict[str, Any]:
    """Return quantiles, or the cdf: its rows have the number under ``at``."""
    frame, quantiles = curve.to_frame(), curve.what == "quantile"
    rows = frame if quantiles else frame.rename_columns(["at", *frame.column_names[1:]])
    found: dict[str, Any] = finite(
        {
            "attribute": curve.attribute,
            "method": "likelihood",
            "reports": curve.n,
            "quantiles" if quantiles else "cdf": rows.to_pylist(),
        }
    )
    return found
