"""The cells of all attributes that make groups: how likely each is, and what reports say of it."""

from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from discretion.groups.grouping import Grouping
from discretion.groups.table import check_together
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.joints.build import likelihood_of
from discretion.joints.methods import most_likely_table
from discretion.joints.shards import about
from discretion.joints.table_evidence import part_of, partial_questions, questions_of
from discretion.table import Reports, ReportTable
from discretion.table.columns import present

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells that decide who is in which group, and how likely each is."""

    axes: tuple[Axis, ...]
    groups: tuple[str, ...]
    shares: Array  # P (cells,)
    member: Array  # (cells, groups): 1 where a cell belongs to it; the last may be all others
    together: int  # reports about all that makes groups, and the attribute that is asked for

    @classmethod
    def of(cls, reports: Reports, attribute: str, grouping: Grouping, bins: Bins | None) -> "Cells":
        """Estimate how likely each cell is; somebody must have shared the attribute beside it."""
        axes = axes_of(reports, grouping.names, bins)
        groups, member = _members(axes, grouping)
        evidence = about(reports, axes)
        evidence.check()
        shares = most_likely_table(evidence, likelihood_of(evidence)).value.ravel()
        names = (*grouping.names, attribute)
        together = reports.fold([*reports.plan.names], _Together(names))
        check_together(together, names)
        return cls(axes, groups, shares, member, together)

    def scores(self, reports: ReportTable) -> Array:
        """Return L / (L P) of each report (reports, cells): one where it says nothing."""
        shape = tuple(axis.size for axis in self.axes)
        where = np.indices(shape).reshape(len(shape), -1)
        likelihood = np.ones((len(reports), len(self.shares)))
        asked = questions_of(reports.plan, self.axes), partial_questions(reports.plan, self.axes)
        for question in chain(*asked):
            rows = np.flatnonzero(present(reports.data[f"{question}.y"]))
            if len(rows):
                part = part_of(reports, self.axes, question, rows)
                sizes = [shape[axis] for axis in part.axes]
                at = np.ravel_multi_index(tuple(where[axis] for axis in part.axes), sizes)
                likelihood[rows] *= part.factor.likelihood(slice(0, len(rows)))[:, at]
        return likelihood / (likelihood @ self.shares)[:, None]

    def among(self, scores: Array) -> Array:
        """Return how likely each owner is in each group, given what she reports."""
        return (scores * self.shares) @ self.member


def _members(axes: tuple[Axis, ...], grouping: Grouping) -> tuple[tuple[str, ...], Array]:
    """Return the groups, and which cells belong to which; the last one is of those not given."""
    labels = {axis.name: axis.labels for axis in axes}
    group = grouping.cells(labels)
    for i, axis in enumerate(axes):  # finer bins are in the group of their bin
        shape = [a.size if j < i else len(a.labels) for j, a in enumerate(axes)]
        group = axis.unfolded(group.reshape(shape), i).ravel()
    groups = grouping.labels(labels)
    member = (group[:, None] == [*range(len(groups)), -1]).astype(np.float64)
    return groups, member[:, : len(groups) + bool((group < 0).any())]


@dataclass(frozen=True)
class _Together:
    """Counts the reports that answer about all of some attributes, by whatever question."""

    names: tuple[str, ...]

    def __call__(self, reports: ReportTable) -> int:
        every = np.ones(len(reports), np.bool_)
        for name in self.names:
            asked = [q.name for q in reports.plan.questions.values() if name in q.parts]
            every &= np.any([present(reports.data[f"{q}.y"]) for q in asked], axis=0)
        return int(every.sum())
