"""From evidence to its likelihood, with levels that reports disclose or a law of secret ones."""

import numpy as np

from discretion.joints.allocation import AllocationLaw
from discretion.joints.coded import CodedPart
from discretion.joints.evidence import Evidence, Group, Part
from discretion.joints.likelihood import GroupLikelihood, JointLikelihood
from discretion.joints.outputs import NumberPart
from discretion.joints.rows import (
    DisclosedRows,
    Factor,
    NumberFactor,
    Rows,
    SecretRows,
    SupportFactor,
    split,
)
from discretion.plan import Plan


def likelihood_of(evidence: Evidence, law: AllocationLaw | None = None) -> JointLikelihood:
    """Return the likelihood of all reports: given the levels, or given the law of secret ones."""
    return JointLikelihood(
        evidence.shape, tuple(_group(evidence.plan, group, law) for group in evidence.groups)
    )


def _group(plan: Plan, group: Group, law: AllocationLaw | None) -> GroupLikelihood:
    sizes = tuple(part.size for part in group.parts)
    sides = split(sizes, secret=law is not None)
    rows: Rows
    if law is None:
        rows = DisclosedRows(tuple(factor_of(plan, part) for part in group.parts), sides)
    else:
        bits = tuple(part.bits for part in group.supports)
        rows = SecretRows(bits, law.tables(group), sides)
    return GroupLikelihood(tuple(part.axes for part in group.parts), sizes, rows, len(group))


def factor_of(plan: Plan, part: Part | CodedPart | NumberPart) -> Factor:
    """Return the likelihood of each cell that a question tells apart, report by report."""
    if isinstance(part, CodedPart):
        return part
    if isinstance(part, NumberPart):
        return NumberFactor(part.rows.astype(np.float32), part.which)
    levels, which = part.strata
    ratios = np.array([float(plan.law(part.name, int(v)).ratio) for v in levels])
    return SupportFactor(part.bits, ratios[which])
