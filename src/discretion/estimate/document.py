"""Frequencies for machines: what is written as JSON, by commands and servers alike."""

from math import isfinite
from typing import Any

from discretion.estimate.result import FrequencyEstimate


def finite(value: Any) -> Any:
    """Return the same with None for every number that JSON cannot write, however deep."""
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list):
        return [finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def document(estimate: FrequencyEstimate) -> dict[str, Any]:
    """Return an estimate for machines."""
    test, frame = estimate.homogeneity, estimate.to_frame()
    found: dict[str, Any] = finite(
        {
            "attribute": estimate.attribute,
            "method": estimate.method,
            **({"post": list(estimate.steps)} if estimate.steps else {}),
            "target": estimate.target,
            "reports": estimate.n,
            "effective_n": estimate.effective_n,
            "homogeneity_p": None if test is None else test.pvalue,
            "frequencies": frame.rename_columns(["label", *frame.column_names[1:]]).to_pylist(),
        }
    )
    return found
