"""How far liars can move an estimate: the manipulation margin.

A share b of the N reports of a round, drawn at random, is replaced by copies of one report that the
plan allows, at a level of its menu. All of these tell about the attribute, however few others do.
With W the sum of all weights, w that of one report at the level, z its debiased score at a code and
f the weighted estimate there, the change to be expected is

    b N w (z - f) / ((1 - b) W + b N w),

and the margin is the largest over all levels and reports, upwards and downwards. Sending different
reports does no more harm: as a function of how many are sent of each, a quotient of linear ones is
largest at a single report. That does not hold under a cap, and for words of bits and columns of a
matrix, where the divisor is a matrix: there it is what liars of one level (and cohort) can do.

Of hashed reports it is a bound: with functions that devices draw, over all functions there are;
with functions that come with the credential, over what liars can do at one level with those that
they happen to have (``estimate.chance``). Derivation: docs/proofs/frequencies.md, section 13.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from discretion.errors import EstimateError
from discretion.estimate.documents import MarginShape, finite
from discretion.estimate.estimate import Tabular
from discretion.estimate.evidence import Data, Evidence
from discretion.estimate.noise import Vector
from discretion.mechanism import HASHED
from discretion.plan import Plan
from discretion.plan.parameters import ASSIGNED, DRAWN
from discretion.robustness.poisoning import of_bits, of_columns, of_moments, of_sets
from discretion.table.frame import from_arrow

SHARE = 0.05

WORST = "worst"  # nothing that the plan allows does more
ONE_LEVEL = "one level"  # nothing at one level (and cohort) does more; several levels perhaps
ATTACK = "attack"  # this much is shown to be possible, and perhaps more


@dataclass(frozen=True, eq=False, repr=False)
class Margin(Tabular):
    """How far an estimate moves when a share of all reports lies as harmfully as it can.

    The share is of the reports of the round, not of those about the attribute: liars choose what
    they share, so the fewer others do, the further they get.
    """

    attribute: str
    what: tuple[str, ...]  # what is estimated: the labels, or "mean", or levels of quantiles
    share: float  # of all reports of the round
    up: Vector  # (k,)
    down: Vector  # (k,), negative
    level: int  # at which the largest of them is reached, in thousandths; 0 where it is secret
    basis: str  # "worst", "one level" or "attack"
    functions: str = ""  # of hashed reports: "drawn", so that liars choose, or "assigned"

    @property
    def value(self) -> Vector:
        """The larger of both directions (k,)."""
        return np.maximum(np.abs(self.up), np.abs(self.down))

    @property
    def summary(self) -> str:
        """How many of the reports are false, and what is known about the harm."""
        share = f"{100 * self.share:g} % false reports"
        return f"{self.attribute}: how far {share} move the estimate ({self.basis})"

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return what is estimated, and how far it moves down and up, a row each."""
        columns = {"what": self.what, "down": self.down, "up": self.up, "margin": self.value}
        return from_arrow(pa.table({k: pa.array(v) for k, v in columns.items()}), backend)

    def document(self) -> MarginShape:
        """Return it for machines; None where there is no limit."""
        head = {"attribute": self.attribute, "share": self.share, "level": self.level}
        said = {"basis": self.basis, "functions": self.functions}
        found: MarginShape = finite({**head, **said, "margins": self.to_frame().to_pylist()})
        return found


def margin(data: Data, attribute: str, share: float = SHARE, cap: float | None = None) -> Margin:
    """Return how far a share of liars moves the weighted estimate of each label's frequency.

    The share is of all reports of the round, whatever they tell about. With a cap on the weight of
    a level, what they can do at any one level. Where levels are secret, of the moment estimate:
    infinite where liars can make reports look like pure noise.
    """
    check_share(share)
    evidence = Evidence.of(data, attribute)
    labels = evidence.plan.questions[attribute].attribute.labels
    if evidence.plan.secret:
        if cap is not None:
            raise EstimateError("a cap needs disclosed levels; the plan keeps them secret")
        return Margin(attribute, labels, share, *of_moments(evidence, share), 0, WORST)
    if evidence.tallies or cap is not None:
        menu, up, down = of_sets(evidence, share, cap)
    else:
        menu, up, down = (of_bits if evidence.bits else of_columns)(evidence, share)
    functions = functions_of(evidence.plan, attribute)
    worst_of_all = cap is None and evidence.tallies and functions != ASSIGNED
    basis = WORST if worst_of_all else ONE_LEVEL
    worst = np.maximum(np.abs(up), np.abs(down)).max(axis=1).argmax()
    ends = up.max(axis=0), down.min(axis=0)
    return Margin(attribute, labels, share, *ends, menu[int(worst)], basis, functions)


def functions_of(plan: Plan, attribute: str) -> str:
    """Return who chooses the hash functions of an attribute; nothing where there are none."""
    if plan.questions[attribute].mechanism not in HASHED:
        return ""
    return ASSIGNED if plan.questions[attribute].assigned else DRAWN


def check_share(share: float) -> None:
    """Refuse what is no share of the reports."""
    if not 0 < share < 1:
        raise EstimateError(f"share must lie between 0 and 1, got {share}")
