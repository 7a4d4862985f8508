"""Quantiles of a number by group, from the joint table of groups and fine bins of the number.

The share of a group up to an edge of the bins is a quotient of shares. A number may be the quantile
at a probability if the share up to it may be that (Woodruff 1952); an interval ends at the edges
beyond the last ones that may.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from discretion.errors import EstimateError
from discretion.estimate.documents import GroupQuantiles as Document
from discretion.estimate.documents import finite
from discretion.estimate.legend import Legend
from discretion.groups import show
from discretion.groups.beside import ByGroup
from discretion.groups.grouping import Grouping
from discretion.groups.quotient import Proportions
from discretion.groups.table import GroupTable
from discretion.joints.axes import Bins
from discretion.numbers.distribution import checked_levels, density_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import OfNumber
from discretion.render.tables import Table
from discretion.table import Reports
from discretion.table.frame import from_arrow

Array = npt.NDArray[np.float64]
BINS = 16  # with about equally many people in each; a table is made of finer ones


@dataclass(frozen=True, eq=False, repr=False)
class GroupQuantiles(ByGroup, OfNumber):
    """Quantiles of a number in each group; nan where a group is not clearly above zero."""

    at: Array  # (levels,) probabilities
    edges: Array  # (bins + 1,) of the number
    found: GroupTable

    @cached_property
    def shares(self) -> Proportions:
        """The share of each group; of a single one, among all people."""
        return self.found.shares(self.grouping)

    @cached_property
    def value(self) -> Array:
        """The quantiles (groups, levels), between the edges of a bin in proportion."""
        below = np.maximum.accumulate(np.pad(self._below.value, ((0, 0), (1, 0))), axis=1)
        rows = [np.interp(self.at, own, self.edges) for own in below]
        return np.where(np.isnan(below[:, -1:]), np.nan, np.array(rows))

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high (groups, levels, 2) of each quantile, one at a time."""
        low, high = np.moveaxis(self._below.interval(confidence), -1, 0)
        least = np.maximum.accumulate(np.pad(low, ((0, 0), (1, 0))), axis=1)
        most = np.minimum.accumulate(high[:, ::-1], axis=1)[:, ::-1]
        most = np.pad(most, ((0, 0), (1, 0)))  # nobody is below the first edge
        last = len(self.edges) - 1
        ends = np.full((len(self.groups), len(self.at), 2), np.nan)
        for g in np.flatnonzero(~np.isnan(self.value[:, 0])):
            first = np.searchsorted(most[g], self.at, side="left") - 1
            end = np.searchsorted(least[g], self.at, side="right")
            ends[g, :, 0] = self.edges[np.clip(first, 0, last)]
            ends[g, :, 1] = self.edges[np.clip(end, 0, last)]
        return ends

    @cached_property
    def _below(self) -> Proportions:
        return self.found.up_to()

    @property
    def title(self) -> str:
        """What is estimated, by what and among whom."""
        return "quantiles of " + self.grouping.title(self.attribute, self.legend)

    def to_frame(self, backend: str = "pyarrow", confidence: float = 0.95) -> Any:
        """Return group, level, value, low and high, a row each."""
        return from_arrow(self.dated(self._table(confidence), "value", "low", "high"), backend)

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
    density, last = density_of(evidence), evidence.number.size - 1
    inner = density.quantile(np.arange(1, BINS) / BINS)
    points = np.unique(np.clip(np.append(inner, [0, last]), 0, last))
    edges = np.array([evidence.value(point) for point in points])
    found = GroupTable.of(reports, attribute, grouping, {**(bins or {}), attribute: edges.tolist()})
    behind = found.groups, found.n, found.together
    made = attribute, grouping, *behind, wanted, edges, found
    return GroupQuantiles(*made, legend=Legend.of(reports.plan))
