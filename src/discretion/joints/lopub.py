"""LoPub's expectation maximisation, whole and on the cells a Lasso keeps. For comparison only.

Formula  P <- P * mean over the reports of L / (L P). ``em-lopub``: from the uniform table until the
         largest cell grows by 0.001 or less. ``hybrid``: from ``lasso``'s table until no cell moves
         by more than 0.001.
Source   Ren et al. (2018), Algorithms 1 and 3, and Section 6 for the 0.001. Algorithm 3 says just
         "until P converges"; the rule printed in Algorithm 1 would stop it wherever the largest
         cell of the Lasso is too large, at its first step. So it has the rule of their text.
Mended   the printed L, (f/2)^s (1 - f/2)^(1 - s) in every bit s, does not depend on the cell; the
         exponent has to be |s - H|, H the cell's bit, and then L is the likelihood. Algorithm 3
         keeps the cells it means to discard; its start has to be a distribution.

They cannot use partial records: only reports that hold all attributes count. They cannot detect
when they are done: a small step does not mean that the maximum is near, and cells of large tables
move in small steps only. ``hybrid`` cannot find a cell that ``lasso`` has dropped, nor does
``lasso`` drop those that are empty: it looks at marginals. LoPub has one budget for everybody.
Disclosed levels are used as they are; where they are secret everybody is given the plan's average,
as PLDP does, which makes both inconsistent: they believe the reports of small budgets too much and
those of large ones too little, however many there are.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from discretion.budget import Average
from discretion.errors import EstimateError
from discretion.estimate.em import Slope
from discretion.estimate.noise import Vector
from discretion.joints.build import likelihood_of
from discretion.joints.lasso import lasso
from discretion.joints.likelihood import Table
from discretion.joints.table_evidence import Groups, TableEvidence
from discretion.mechanism import SupportLaw
from discretion.plan import Family

GAP = 1e-3  # "the convergence gap is set as 0.001 for fast convergence"

Change = Callable[[Vector, Vector], float]


def em_lopub(evidence: TableEvidence) -> Table:
    """Return what Algorithm 1 makes of the complete records."""
    return _climbed(evidence, np.full(evidence.shape, 1 / evidence.cells), _growth)


def hybrid(evidence: TableEvidence) -> Table:
    """Return what Algorithm 3 makes of them: a cell that is zero in the start stays so."""
    return _climbed(evidence, lasso(evidence), _move)


def climbed(likelihood: Slope, start: Vector, change: Change) -> Vector:
    """Step, plainly, until the change is no more than the gap."""
    f, gap = start, np.inf
    while gap > GAP:
        _, multiplier = likelihood.slope(f)
        f, last = f * multiplier, f
        gap = change(last, f)
    return f


def _climbed(evidence: TableEvidence, start: Table, change: Change) -> Table:
    likelihood = likelihood_of(complete(evidence))
    return climbed(likelihood, start.ravel(), change).reshape(evidence.shape)


def _growth(last: Vector, now: Vector) -> float:
    """Return what the largest cell has grown by: line 17 of Algorithm 1."""
    return float(now.max() - last.max())


def _move(last: Vector, now: Vector) -> float:
    """Return the farthest move of a cell: "the maximum difference between two estimations"."""
    return float(np.abs(now - last).max())


def complete(evidence: TableEvidence) -> TableEvidence:
    """Return the reports that hold all attributes, secret levels replaced by the average."""
    if not evidence.holding(range(len(evidence.shape))):
        names = ", ".join(evidence.names)
        raise EstimateError(f"this method needs complete records: no report holds all of {names}")
    laws = _average(evidence) if evidence.plan.secret else None
    return evidence.chosen(partial(_complete, len(evidence.shape), laws))


def _complete(axes: int, laws: Mapping[str, SupportLaw] | None, groups: Groups) -> Groups:
    whole = [group for group in groups if len(group.axes) == axes]
    if laws is None:
        return tuple(whole)
    own = [tuple(part.under(laws[part.name]) for part in group.sets) for group in whole]
    return tuple(replace(group, parts=parts) for group, parts in zip(whole, own, strict=True))


def _average(evidence: TableEvidence) -> dict[str, SupportLaw]:
    """Return the law of each question at the average budget."""
    plan = evidence.plan
    if not isinstance(plan.policy, Average):
        rule = "this method needs disclosed levels, or a plan with an average budget"
        raise EstimateError(f"{rule} to put in their place")
    level = plan.policy.average
    return {name: plan.questions[name].law(level, Family.SETS) for name in evidence.questions}
