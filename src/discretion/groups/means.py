"""Means of a number by group, with their differences and ratios."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.special import ndtri

from discretion.aggregate import check_round
from discretion.comparisons.difference import MEAN
from discretion.engine import single_threaded
from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.documents.groups import GroupMeans as Document
from discretion.estimate.entry import Indexed
from discretion.estimate.estimate import check_confidence
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.estimate.quotient import Estimated, Proportions, learnt, quotient
from discretion.groups import show
from discretion.groups.beside import Comparable
from discretion.groups.cells import Cells
from discretion.groups.grouping import Grouping
from discretion.groups.regression import Decoding, group_means
from discretion.groups.table import GroupTable
from discretion.joints import JointEstimate
from discretion.joints.axes import Bins
from discretion.numbers.mean import homogeneity_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import OfNumber
from discretion.render.tables import Table
from discretion.table import Reports
from discretion.table.columns import Mask
from discretion.table.frame import Frame

Array = npt.NDArray[np.float64]
REMEDY = "no method by group corrects it"


class CoinWeights(Protocol):
    """Weights to known margins, from ``calibrate``."""

    def coins(self, data: object, attributes: Sequence[str], number: str) -> JointEstimate: ...


@dataclass(frozen=True, eq=False, repr=False)
class GroupMeans(Indexed, Comparable, OfNumber):
    """The mean of a number in each group; nan where a group is not clearly above zero."""

    means: Estimated  # (groups,) unbiased, hence perhaps out of range
    mass: Estimated  # (groups,) the shares of the groups among all people
    ends: tuple[float, float]  # between which the numbers lie

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return self.title

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (self.groups,)

    @property
    def labels(self) -> tuple[str, ...]:
        return MEAN

    @property
    def learnt(self) -> Mask:
        return self.mass.clear

    @cached_property
    def shares(self) -> Proportions:
        """The share of each group; of a single one, among all people."""
        if self.grouping.by is None:
            return Proportions.among_all(self.mass.value, self.mass)
        whole = self.mass.sum(0, keepdims=True)
        return Proportions.of(quotient(self.mass, whole).value, self.mass, whole)

    @property
    def value(self) -> Array:
        """The means (groups,), kept to the range of the numbers."""
        return np.where(self.learnt, np.clip(self.means.value, *self.ends), np.nan)

    @property
    def stderr(self) -> Array:
        """The standard errors (groups,)."""
        return np.where(self.learnt, self.means.stderr, np.nan)

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high (groups, 2) of each mean, within the range of the numbers."""
        check_confidence(confidence)
        half = float(ndtri((1 + confidence) / 2)) * self.stderr
        ends = np.column_stack([self.means.value - half, self.means.value + half])
        return np.clip(ends, *self.ends)

    @property
    def unbiased(self) -> Estimated:
        return self.means[:, None]

    @property
    def free(self) -> int:
        return 1

    @property
    def has_ratios(self) -> bool:
        """Whether the number counts from zero up, so that a ratio means something."""
        return self.ends[0] >= 0 and self.attribute not in self.legend.moments

    def tick(self, value: float) -> str:
        """Write a value on an axis."""
        return self.write(value)

    @property
    def title(self) -> str:
        """What is estimated, by what and among whom."""
        return "mean of " + self.grouping.title(self.attribute, self.legend)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return group, its share, value, stderr, low and high, a row for each group."""
        low, high = self.interval(confidence).T
        columns = {"share": self.shares.value, "value": self.value, "stderr": self.stderr}
        table = pa.table({"group": pa.array(self.groups), **columns, "low": low, "high": high})
        return self.framed(self.dated(table, "value", "low", "high"), backend)

    def document(self, against: str | None = None) -> Document:
        """Return it for machines, and the other groups beside one; what is not learnt is null."""
        found: Document = finite(
            {
                **self.head,
                "test": self.test.document(),
                "groups": self.shares.document(self.groups),
                "means": learnt(self.groups, self.value, self.stderr, self.interval()),
                **({} if against is None else {"comparisons": self.comparisons(against)}),
            }
        )
        return found

    def table(self) -> Table:
        """Return the groups with their shares and means."""
        return show.means(self)


@single_threaded
def means_by(
    reports: Reports, attribute: str, grouping: Grouping, bins: Bins | None = None
) -> GroupMeans:
    """Estimate the mean of a number in each group by one regression of all reports."""
    plan = reports.plan
    if plan.secret:
        raise EstimateError("means by group need disclosed levels; the plan keeps them secret")
    check_round(reports)
    evidence = NumberEvidence.of(reports, attribute)
    decoding = Decoding.of(evidence)
    warn_if_dependent({attribute: homogeneity_of(evidence)}, REMEDY)
    cells = Cells.of(reports, attribute, grouping, bins)
    found, mass = group_means(reports, decoding, cells)
    own, low, step = np.arange(len(cells.groups)), evidence.value(0), evidence.step
    return GroupMeans(
        attribute,
        grouping,
        cells.groups,
        evidence.n,
        cells.together,
        Estimated(low + step * found.value[:, 0], step * found.root[..., 0])[own],
        mass[own],
        evidence.ends,
        legend=Legend.of(plan),
    )


def weighted_means_by(
    reports: Reports, attribute: str, grouping: Grouping, weights: CoinWeights
) -> GroupMeans:
    """Estimate the mean in each group of a population: how often a coin for it shows heads."""
    evidence = NumberEvidence.of(reports, attribute)
    table = GroupTable.made(weights.coins(reports, grouping.names, attribute), grouping)
    mass = table.cells.sum(1)
    heads = quotient(table.cells[:, 1], mass)
    step = evidence.step * (evidence.number.size - 1)
    return GroupMeans(
        attribute,
        grouping,
        table.groups,
        table.n,
        table.together,
        Estimated(evidence.value(0) + step * heads.value, step * heads.root),
        mass,
        evidence.ends,
        legend=Legend.of(reports.plan),
        weighted=table.weighted,
    )
