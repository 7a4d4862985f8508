"""The table of groups and answers that everything about labels by group is made of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.groups.grouping import Grouping
from discretion.groups.quotient import Estimated, Proportions
from discretion.joints import JointEstimate, joint
from discretion.joints.axes import Bins
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

    @classmethod
    def of(
        cls, reports: Reports, attribute: str, grouping: Grouping, bins: Bins | None = None
    ) -> Self:
        """Estimate it from one likelihood, to which owners who share some of it contribute."""
        names = (*grouping.names, attribute)
        found = joint(reports, names, "blind" if reports.plan.secret else "mle", bins)
        together = found.holding[names]
        check_together(together, names)
        axes = dict(zip(found.attributes, found.labels, strict=True))
        labels = axes.pop(attribute)
        groups = grouping.labels(axes)
        group = grouping.cells(axes)
        own = np.flatnonzero(group >= 0)[np.argsort(group[group >= 0], kind="stable")]
        cells = _cells(found, len(group))
        return cls(
            groups, labels, found.value.reshape(len(group), -1)[own], cells[own], found.n, together
        )

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
        """Return which share of each group has each answer or one before (groups, labels)."""
        value = self.value.sum(1, keepdims=True)
        part = Estimated(self.cells.value.cumsum(1), self.cells.root.cumsum(2))
        return Proportions.of(
            divided(self.value.cumsum(1), value), part, self.cells.sum(1, keepdims=True)
        )


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
