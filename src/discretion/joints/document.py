"""Joint tables for machines: what is written as JSON, by commands and servers alike."""

from typing import Any

from discretion.estimate.document import finite
from discretion.joints.result import JointEstimate


def document(estimate: JointEstimate) -> dict[str, Any]:
    """Return an estimate for machines."""
    found: dict[str, Any] = finite(
        {
            "attributes": list(estimate.attributes),
            "method": estimate.method,
            **({"post": list(estimate.steps)} if estimate.steps else {}),
            "intervals": estimate.basis,
            "reports": estimate.n,
            "together": estimate.holding[estimate.attributes],
            "unidentified": [list(names) for names in estimate.unidentified],
            "cells": estimate.to_frame().to_pylist(),
        }
    )
    return found
