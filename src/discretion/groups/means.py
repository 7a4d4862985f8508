"""Means of a number by group, with their differences and ratios."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.special import ndtri

from discretion.aggregate import check_round
from discretion.comparisons.difference import MEAN, DifferenceEstimate, SameTest
from discretion.engine import single_threaded
from discretion.errors import EstimateError
from discretion.estimate.documents import GroupMeans as Document
from discretion.estimate.documents import finite
from discretion.estimate.estimate import check_confidence
from discretion.estimate.homogeneity import warn_if_dependent
from discretion.estimate.legend import Legend
from discretion.groups import show
from discretion.groups.beside import comparisons
from discretion.groups.cells import Cells
from discretion.groups.grouping import Grouping, index_of
from discretion.groups.quotient import Estimated, Proportions, quotient
from discretion.groups.ratio import RatioEstimate
from discretion.groups.regression import Decoding, group_means
from discretion.groups.test import tested
from discretion.joints.axes import Bins
from discretion.numbers.mean import homogeneity_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import OfNumber
from discretion.render.tables import Table
from discretion.table import Reports
from discretion.table.columns import Mask
from discretion.table.frame import from_arrow

Array = npt.NDArray[np.float64]
REMEDY = "no method by group corrects it"


@dataclass(frozen=True, eq=False, repr=False)
class GroupMeans(OfNumber):
    """The mean of a number in each group; nan where a group is not clearly above zero."""

    attribute: str
    grouping: Grouping
    groups: tuple[str, ...]
    means: Estimated  # (groups,) unbiased, hence perhaps out of range
    mass: Estimated  # (groups,) the shares of the groups among all people
    ends: tuple[float, float]  # between which the numbers lie
    n: int  # owners who shared the number
    together: int  # and the groups
    legend: Legend = field(default_factory=Legend, kw_only=True)  # what people read of it

    @property
    def learnt(self) -> Mask:
        """Which groups are clearly above zero, so that something is said about them."""
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

    @cached_property
    def test(self) -> SameTest:
        """The test of whether all groups have one mean; those that are not learnt are left out."""
        own = self.means[np.flatnonzero(self.learnt)]
        if len(own.value) < 2:
            return SameTest(0.0, 0, 1.0)
        return tested(own[1:] - own[:1])

    @property
    def pvalue(self) -> float:
        """How likely differences as large as these are if all groups have one mean."""
        return self.test.pvalue

    def difference(self, first: str, second: str) -> DifferenceEstimate:
        """Return the first group's mean less the second's."""
        one, other = self._side(first), self._side(second)
        apart = one - other
        found = self.attribute, MEAN, one.value, other.value, apart.stderr, (self.n,), tested(apart)
        sides = self.grouping.side(first), self.grouping.side(second)
        return DifferenceEstimate(*found, sides, legend=self.legend)

    @property
    def has_ratios(self) -> bool:
        """Whether the number counts from zero up, so that a ratio means something."""
        return self.ends[0] >= 0 and self.attribute not in self.legend.moments

    def ratio(self, first: str, second: str) -> RatioEstimate:
        """Return the first group's mean over the second's, of a number that is not negative."""
        if not self.has_ratios:
            rule = "ratios are of numbers that count from zero up"
            raise EstimateError(f"{rule}, and {self.attribute!r} does not")
        sides = self.grouping.side(first), self.grouping.side(second)
        found = self.attribute, MEAN, self._side(first), self._side(second), self.n, sides
        return RatioEstimate(*found, legend=self.legend)

    @property
    def title(self) -> str:
        """What is estimated, by what and among whom."""
        return "mean of " + self.grouping.title(self.attribute, self.legend)

    def to_frame(self, backend: str = "pyarrow", confidence: float = 0.95) -> Any:
        """Return group, its share, value, stderr, low and high, a row for each group."""
        low, high = self.interval(confidence).T
        columns = {"share": self.shares.value, "value": self.value, "stderr": self.stderr}
        table = pa.table({"group": pa.array(self.groups), **columns, "low": low, "high": high})
        return from_arrow(self.dated(table, "value", "low", "high"), backend)

    def document(self, against: str | None = None) -> Document:
        """Return it for machines, and the other groups beside one; what is not learnt is null."""
        low, high = self.interval().T.tolist()
        columns = zip(
            self.groups, self.value.tolist(), self.stderr.tolist(), low, high, strict=True
        )
        names = ("label", "value", "stderr", "low", "high")
        found: Document = finite(
            {
                "attribute": self.attribute,
                "by": self.grouping.by,
                "given": dict(self.grouping.given),
                "reports": self.n,
                "together": self.together,
                "test": self.test.document(),
                "groups": self.shares.document(self.groups),
                "means": [dict(zip(names, row, strict=True)) for row in columns],
                **({} if against is None else {"comparisons": comparisons(self, against)}),
            }
        )
        return found

    def table(self) -> Table:
        """Return the groups with their shares and means."""
        return show.means(self)

    def _side(self, group: str) -> Estimated:
        at = index_of(self.groups, group, self.grouping.by or "the result")
        if not self.learnt[at]:
            side = self.grouping.side(group)
            raise EstimateError(f"{side} is not clearly above zero: nothing is learnt about it")
        return self.means[at : at + 1]


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
        Estimated(low + step * found.value[:, 0], step * found.root[..., 0])[own],
        mass[own],
        evidence.ends,
        evidence.n,
        cells.together,
        legend=Legend.of(plan),
    )
