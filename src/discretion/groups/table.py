"""The table of groups and answers that everything about labels by group is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.estimate.quotient import Estimated, Proportions
from discretion.estimate.weighting import Weighting
from discretion.groups.grouping import Grouping
from discretion.joints import JointEstimate, joint
from discretion.joints.axes import Bins
from discretion.joints.joint import TableWeights
from discretion.table import Reports
from discretion.table.columns import Mask

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroupTable:
    """How many of all people are in each group with each answer, as shares (groups, labels)."""

    groups: tuple[str, ...]
    labels: tuple[str, ...]
    value: Array  # the most likely ones
    cells: Estimated  # what intervals are made of
    n: int  # reports behind it
    together: int  # those that answer about all of the attributes
    weighted: Weighting | None = None  # to known margins

    @classmethod
    def of(
        cls,
        reports: Reports,
        attribute: str,
        grouping: Grouping,
        bins: Bins | None = None,
        weights: TableWeights | None = None,
    ) -> Self:
        """Estimate it from one likelihood, to which owners who share some of it contribute.

        With ``weights`` it is that of a population, from unbiased moments of all reports.
        """
        names = (*grouping.names, attribute)
        method = "blind" if reports.plan.secret else "mle"
        method = method if weights is None else "auto"
        return cls.made(joint(reports, names, method, bins, weights=weights), grouping)

    @classmethod
    def made(cls, found: JointEstimate, grouping: Grouping) -> Self:
        """Take it from the joint table of what makes the groups and, last, of the attribute."""
        together = found.holding[found.attributes]
        check_together(together, found.attributes)
        axes = dict(zip(found.attributes, found.labels, strict=True))
        attribute = found.attributes[-1]
        labels = axes.pop(attribute)
        groups = grouping.labels(axes)
        group = grouping.cells(axes)
        own = np.flatnonzero(group >= 0)[np.argsort(group[group >= 0], kind="stable")]
        cells = _cells(found, len(group))
        value = found.value.reshape(len(group), -1)[own]
        return cls(groups, labels, value, cells[own], found.n, together, found.weighted)

    @property
    def learnt(self) -> Mask:
        """Which groups are clearly above zero (groups,)."""
        return self.cells.sum(1).clear

    def among(self, axis: int) -> Proportions:
        """Return each cell's share: of its group (1), or of its answer (0)."""
        whole = self.value.sum(axis, keepdims=True)
        return Proportions.of(
            divided(self.value, whole), self.cells, self.cells.sum(axis, keepdims=True)
        )

    @property
    def total(self) -> Proportions:
        """Each cell's share of all cells."""
        everybody = self.cells.sum(0, keepdims=True).sum(1, keepdims=True)
        return Proportions.of(
            divided(self.value, self.value.sum(keepdims=True)), self.cells, everybody
        )

    def shares(self, grouping: Grouping) -> Proportions:
        """Return the share of each group; of a single one, among all people."""
        if grouping.by is None:
            return Proportions.among_all(self.value.sum(1), self.cells.sum(1))
        return self.margin(1)

    def margin(self, axis: int) -> Proportions:
        """Return the share of each group (1), or of each answer (0), among those in the table."""
        value, part = self.value.sum(axis), self.cells.sum(axis)
        whole = part.sum(0, keepdims=True)
        return Proportions.of(divided(value, value.sum(keepdims=True)), part, whole)

    def up_to(self) -> Proportions:
        """Return which share of each group has each answer but the last, or one before it."""
        value, cells = self.value.sum(1, keepdims=True), self.cells
        part = Estimated(cells.value.cumsum(1), cells.root.cumsum(2))[:, :-1]
        shares = divided(self.value.cumsum(1), value)[:, :-1]
        return Proportions.of(shares, part, cells.sum(1, keepdims=True))


def divided(part: Array, whole: Array) -> Array:
    """Return quotients; nan where the whole is nothing."""
    nothing = np.full(np.broadcast(part, whole).shape, np.nan)
    return np.divide(part, whole, out=nothing, where=whole > 0)


def _cells(found: JointEstimate, groups: int) -> Estimated:
    root = found.root.reshape(len(found.root), groups, -1)
    return Estimated(found.centre.reshape(groups, -1), root)


def check_together(together: int, names: Sequence[str]) -> None:
    """Refuse attributes of which nobody shared all, so that nothing connects them."""
    if not together:
        raise EstimateError(
            f"nobody shared {' and '.join(names)} together: groups need some who did"
        )
