"""Intervals for tables that have none of their own: those of the moments, and they say so."""

from discretion.joints.evidence import TableEvidence
from discretion.joints.moments import Roots, Table, tensor

BASIS = "tensor"


def borrowed(evidence: TableEvidence) -> tuple[Roots, Table, str]:
    """Return the deviations of the moments, the table they are around, and whose they are."""
    moments = tensor(evidence, secret=evidence.plan.secret)
    return moments.root, moments.value, BASIS
