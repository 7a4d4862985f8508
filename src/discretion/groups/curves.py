"""Quantiles of a number by group, from the joint table of groups and fine bins of the number.

The share of a group up to an edge of the bins is a quotient of shares. Between two edges it rises
as everybody's does: the table itself is estimated so.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

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
from discretion.joints.joint import TableWeights
from discretion.numbers.distribution import checked_levels, density_of
from discretion.numbers.number_evidence import NumberEvidence
from discretion.numbers.result import OfNumber
from discretion.numbers.rising import Rising
from discretion.numbers.weighted import CurveWeights
from discretion.render.tables import Table
from discretion.table import Reports
from discretion.table.frame import Frame

Array = npt.NDArray[np.float64]


class QuantileWeights(TableWeights, CurveWeights, Protocol):
    """Weights to known margins, from ``calibrate``."""


@dataclass(frozen=True, eq=False, repr=False)
class GroupQuantiles(Indexed, ByGroup, OfNumber):
    """Quantiles of a number in each group; nan where a group is not clearly above zero."""

    at: Array  # (levels,) probabilities
    rising: Rising  # between the edges of the bins
    found: tuple[GroupTable, ...]  # with all these bins, or one for each end of a bin

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
        return self.found[0].shares(self.grouping)

    @cached_property
    def value(self) -> Array:
        """The quantiles (groups, levels): the first number at which the share is so large."""
        found = np.full((len(self.groups), len(self.at)), np.nan)
        below = np.concatenate([each.value for each in self._below], axis=1)
        for g in np.flatnonzero(~np.isnan(below).any(axis=1)):
            found[g] = self.rising.quantile(np.clip(below[g], 0, 1), self.at)
        return found

    def interval(self, confidence: float = 0.95) -> Array:
        """Return low and high (groups, levels, 2) of each quantile, one at a time."""
        ends_of = [each.interval(confidence) for each in self._below]
        least, most = np.moveaxis(np.concatenate(ends_of, axis=1), -1, 0)
        ends = np.full((len(self.groups), len(self.at), 2), np.nan)
        for g in np.flatnonzero(~np.isnan(self.value[:, 0])):
            ends[g] = self.rising.interval(least[g], most[g], self.at)
        return ends

    @cached_property
    def _below(self) -> list[Proportions]:
        """Which share of each group is up to the ends of bins, but for the last."""
        return [each.up_to() for each in self.found]

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
    weights: QuantileWeights | None = None,
) -> GroupQuantiles:
    """Estimate quantiles in each group; bins are of the other numbers."""
    if attribute in (bins or {}):
        raise EstimateError(f"quantiles of {attribute!r} choose their own bins: leave it out")
    wanted, evidence = checked_levels(levels), NumberEvidence.of(reports, attribute)
    rising = Rising.of(evidence, density_of(evidence))
    edges = [rising.bins] if weights is None else rising.halves
    tables = tuple(
        GroupTable.of(reports, attribute, grouping, {**(bins or {}), attribute: own}, weights)
        for own in edges
    )
    found = tables[0]
    behind = found.groups, found.n, found.together
    made = attribute, grouping, *behind, wanted, rising, tables
    return GroupQuantiles(*made, legend=Legend.of(reports.plan), weighted=found.weighted)
