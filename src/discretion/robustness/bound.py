"""Manipulation bounds: how far false reports can move an estimate.

A share b of the N reports of a round, drawn at random, is replaced by copies of one report that the
plan allows, at a level of its menu. All of these are about the attribute, however few others are.
With W the sum of all weights, w that of one report at the level, z its debiased score at a code and
f the weighted estimate there, the change to be expected is

    b N w (z - f) / ((1 - b) W + b N w),

and the bound is the largest over all levels and reports, upwards and downwards. Sending different
reports does no more harm: as a function of how many are sent of each, a quotient of linear ones is
largest at a single report. That does not hold under a cap, and for codewords and columns of a
matrix, where the divisor is a matrix: there it is what false reports of one level (and cohort) can
do.

Of hashed reports it is a bound: with functions that devices draw, over all functions there are;
with functions that come with the credential, over what false reports can do at one level with those
that they happen to have (``family.sets.assigned``). Derivation: docs/proofs/frequencies.md, section
13.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from discretion.aggregate import Data, Evidence
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.documents.checks import MarginShape
from discretion.estimate.estimate import Tabular
from discretion.estimate.noise import Vector
from discretion.labels.blind import moment
from discretion.table.frame import Frame, as_its_caller

SHARE = 0.05

WORST = "worst"  # nothing that the plan allows does more
ONE_LEVEL = "one level"  # nothing at one level (and cohort) does more; several levels perhaps
ATTACK = "attack"  # this much is shown to be possible, and perhaps more


@dataclass(frozen=True, eq=False, repr=False)
class ManipulationBound(Tabular):
    """How far an estimate moves when a share of all reports is false and as harmful as can be.

    The share is of the reports of the round, not of those about the attribute: attackers choose
    what they share, so the fewer others do, the further they get.
    """

    attribute: str
    what: tuple[str, ...]  # what is estimated: the labels, or "mean", or levels of quantiles
    share: float  # of all reports of the round
    up: Vector  # (k,)
    down: Vector  # (k,), negative
    level: int  # at which the largest of them is reached, in thousandths; 0 where it is secret
    basis: str  # "worst", "one level" or "attack"
    functions: str = ""  # of hashed reports: "drawn", so that attackers choose, or "assigned"

    @property
    def value(self) -> Vector:
        """The larger of both directions (k,)."""
        return np.maximum(np.abs(self.up), np.abs(self.down))

    @property
    def summary(self) -> str:
        """How many of the reports are false, and what is known about the harm."""
        share = f"{100 * self.share:g} % false reports"
        return f"{self.attribute}: how far {share} move the estimate ({self.basis})"

    def to_frame(self, backend: str | None = None) -> Frame:
        """Return what is estimated, and how far it moves down and up, a row each."""
        columns = {"what": self.what, "down": self.down, "up": self.up, "margin": self.value}
        return self.framed(pa.table({k: pa.array(v) for k, v in columns.items()}), backend)

    def document(self) -> MarginShape:
        """Return it for machines; None where there is no limit."""
        head = {"attribute": self.attribute, "share": self.share, "level": self.level}
        said = {"basis": self.basis, "functions": self.functions}
        found: MarginShape = finite(
            {**head, **said, "margins": self.to_frame("pyarrow").to_pylist()}
        )
        return found


@as_its_caller
def margin(
    data: Data, attribute: str, share: float = SHARE, cap: float | None = None
) -> ManipulationBound:
    """Return how far a share of false reports moves the weighted share of each label.

    The share is of all reports of the round, whatever they are about. With a cap on the weight of
    a level, what they can do at any one level. Where levels are secret, of the moment estimate:
    infinite where false reports can make all reports look like pure noise.
    """
    check_share(share)
    evidence = Evidence.of(data, attribute)
    family, what = evidence.family, evidence.family.affected
    if evidence.secret:
        if cap is not None:
            raise EstimateError("a cap needs disclosed levels; the plan keeps them secret")
        return ManipulationBound(attribute, what, share, *_of_moments(evidence, share), 0, WORST)
    levels, up, down = family.displaced(evidence.counts, share, share * evidence.everyone, cap)
    basis = WORST if cap is None and family.exhaustive else ONE_LEVEL
    worst = np.maximum(np.abs(up), np.abs(down)).max(axis=1).argmax()
    ends = up.max(axis=0), down.min(axis=0)
    return ManipulationBound(
        attribute, what, share, *ends, levels[int(worst)], basis, family.functions
    )


def _of_moments(evidence: Evidence, share: float) -> tuple[Vector, Vector]:
    """Return how far the moment estimate moves: it falls or rises with the ones, to either end."""
    total, size = evidence.unary, evidence.family.size
    f, _ = moment(total)
    false, kept = share * evidence.everyone, (1 - share) * total.n
    part = false / (kept + false)  # of all reports that then hold the attribute
    supports = (1 - part) * total.supports / total.n
    changes = []
    for held, ones in ((1, 1), (1, size), (0, 0), (0, size - 1)):
        q = (supports.sum() + part * ones - 0.5) / (size - 1)
        if q >= 0.5:
            return np.full(size, np.inf), np.full(size, -np.inf)
        changes.append((supports + part * held - q) / (0.5 - q) - f)
    return np.max(changes, axis=0), np.min(changes, axis=0)


def check_share(share: object) -> None:
    """Refuse what is no share of the reports."""
    if not (isinstance(share, int | float) and 0 < share < 1):
        raise EstimateError(f"share must lie between 0 and 1, got {share!r}")
