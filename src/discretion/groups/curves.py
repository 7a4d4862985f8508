"""Quantiles of a number by group, from the joint table of groups and fine bins of the number.

The share of a group up to an edge of the bins is a quotient of shares. Between two edges it rises
as everybody's does, heaps included: the table itself is estimated so. A number may be the quantile
at a probability if the share up to it may be that (Woodruff 1952).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.errors import EstimateError
from discretion.estimate.documents import finite
from discretion.estimate.documents.groups import GroupQuantiles as Document
from discretion.estimate.entry import Indexed
from discretion.estimate.legend import Legend
from discretion.estimate.quotient import Proportions
from discretion.groups import show
from discretion.groups.beside import ByGroup
from discretion.groups.grouping import Grouping
from discretion.groups.table import GroupTable
from discretion.joints.axes import Bins
from discretion.joints.bins import Points
from discretion.numbers.distribution import checked_levels, density_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import OfNumber
from discretion.render.tables import Table
from discretion.table import Reports
from discretion.table.frame import Frame

Array = npt.NDArray[np.float64]
BINS = 16  # with about equally many people in each; a table is made of finer ones
FAINT = 1e-9  # of everybody, at points where nobody is
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False, repr=False)
class GroupQuantiles(Indexed, ByGroup, OfNumber):
    """Quantiles of a number in each group; nan where a group is not clearly above zero."""

    at: Array  # (levels,) probabilities
    values: Array  # (points,) the numbers that there are
    everybody: Array  # (points + 1,) the share of everybody below each of them, and of all
    edges: Points  # (bins + 1,) the points with which bins begin, and the end of the last one
    found: GroupTable

    @property
    def heading(self) -> str:
        """What its picture is called."""
        return self.title

    @property
    def keys(self) -> Sequence[Sequence[Hashable]]:
        """The names along each axis of the value."""
        return (
            self.groups,
            tuple(self.at.tolist()),
        )

    @cached_property
    def shares(self) -> Proportions:
        """The share of each group; of a single one, among all people."""
        return self.found.shares(self.grouping)

    @cached_property
    def value(self) -> Array:
        """The quantiles (groups, levels): the first number at which the share is so large."""
        found = np.full((len(self.groups), len(self.at)), np.nan)
        for g in np.flatnonzero(~np.isnan(self._below.value[:, 0])):
            up_to = self._curve(self._below.value[g])[1:]
            found[g] = self.values[_within(np.searchsorted(up_to, self.at - ROUNDING), up_to)]
        return found

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high (groups, levels, 2) of each quantile, one at a time."""
        least, most = np.moveaxis(self._below.interval(confidence), -1, 0)
        most = np.minimum.accumulate(most[:, ::-1], axis=1)[:, ::-1]
        ends = np.full((len(self.groups), len(self.at), 2), np.nan)
        for g in np.flatnonzero(~np.isnan(self.value[:, 0])):
            below, up_to = self._curve(least[g])[:-1], self._curve(most[g])[1:]
            first = np.searchsorted(up_to, self.at, side="left")
            last = np.searchsorted(below, self.at, side="right") - 1
            ends[g, :, 0] = self.values[_within(first, up_to)]
            ends[g, :, 1] = self.values[last]
        return ends

    def _curve(self, up_to: Array) -> Array:
        """Return which share is below each point, and in all, from those up to the ends of bins."""
        rising = np.maximum.accumulate(np.append(0.0, up_to))
        rising[-1] = 1.0
        curve: Array = np.interp(self.everybody, self.everybody[self.edges], rising)
        return curve

    @cached_property
    def _below(self) -> Proportions:
        return self.found.up_to()

    def tick(self, value: float) -> str:
        """Write a value on an axis."""
        return self.write(value)

    @property
    def title(self) -> str:
        """What is estimated, by what and among whom."""
        return "quantiles of " + self.grouping.title(self.attribute, self.legend)

    def to_frame(self, backend: str | None = None, confidence: float = 0.95) -> Frame:
        """Return group, level, value, low and high, a row each."""
        return self.framed(self.dated(self._table(confidence), "value", "low", "high"), backend)

    def _table(self, confidence: float = 0.95) -> pa.Table:
        low, high = np.moveaxis(self.interval(confidence), -1, 0)
        groups = np.repeat(np.array(self.groups, object), len(self.at))
        columns = {"group": pa.array(groups), "level": np.tile(self.at, len(self.groups))}
        ends = {"low": low.ravel(), "high": high.ravel()}
        return pa.table({**columns, "value": self.value.ravel(), **ends})

    def document(self) -> Document:
        """Return it for machines; what is not learnt is null."""
        found: Document = finite(
            {
                **self.head,
                "groups": self.shares.document(self.groups),
                "quantiles": self._table().to_pylist(),
            }
        )
        return found

    def table(self) -> Table:
        """Return the quantiles of each group in a row."""
        return show.quantiles(self)


def quantiles_by(
    reports: Reports,
    attribute: str,
    grouping: Grouping,
    levels: npt.ArrayLike,
    bins: Bins | None = None,
) -> GroupQuantiles:
    """Estimate quantiles in each group; bins are of the other numbers."""
    if attribute in (bins or {}):
        raise EstimateError(f"quantiles of {attribute!r} choose their own bins: leave it out")
    wanted, evidence = checked_levels(levels), NumberEvidence.of(reports, attribute)
    density, size = density_of(evidence), evidence.number.size
    inner = density.quantile(np.arange(1, BINS) / BINS)
    edges = np.unique(np.clip(np.append(inner, [0, size - 1]), 0, size - 1)).astype(np.int64)
    values = np.array([evidence.value(point) for point in range(size)])
    mass = np.diff(density.cdf(np.arange(-1, size))) + FAINT / size
    everybody = np.append(0.0, np.cumsum(mass)) / mass.sum()
    own = {**(bins or {}), attribute: values[edges].tolist()}
    found = GroupTable.of(reports, attribute, grouping, own)
    behind = found.groups, found.n, found.together
    curve = values, everybody, np.append(edges[:-1], size), found
    made = attribute, grouping, *behind, wanted, *curve
    return GroupQuantiles(*made, legend=Legend.of(reports.plan))


def _within(at: Points, points: Array) -> Points:
    """Keep to the last point what rounding puts beyond it."""
    return np.minimum(at, len(points) - 1)
