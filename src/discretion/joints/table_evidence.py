"""What the reports say about several attributes: groups of owners who answered the same questions.

A question is an attribute, or a bundle of some. Whoever left a question out is in another group,
where it is no factor of the likelihood; so every report that answers any of them counts.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np

from discretion.aggregate import check_round
from discretion.engine import added
from discretion.errors import EstimateError
from discretion.estimate.noise import Vector
from discretion.family import of
from discretion.family.part import Indices, Part
from discretion.family.sets.part import SetPart
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.plan import Plan
from discretion.table import Reports, ReportTable
from discretion.table.columns import matrix, present
from discretion.table.expansion import times_shared
from discretion.table.support import Counts

Result = TypeVar("Result")


@dataclass(frozen=True)
class Group:
    """The owners who answered one set of questions, a row each."""

    parts: tuple[Part, ...]
    shared: Counts  # (n,) how many attributes of the plan each of them shared in all
    times: Vector | None = None  # (n,) how many owners a row stands for; None: one

    def __len__(self) -> int:
        return len(self.shared)

    @property
    def reports(self) -> int:
        """How many reports the rows stand for."""
        return len(self) if self.times is None else int(self.times.sum())

    @property
    def axes(self) -> tuple[int, ...]:
        return tuple(axis for part in self.parts for axis in part.axes)

    @property
    def sets(self) -> tuple[SetPart, ...]:
        """The questions, all of which must be answered with sets of codes."""
        return tuple(part.sets() for part in self.parts)


Groups = tuple[Group, ...]


class TableEvidence(ABC):
    """The reports of one round about the cells of a table with these attributes as axes."""

    reports: Reports
    axes: tuple[Axis, ...]

    @property
    @abstractmethod
    def sizes(self) -> Sequence[tuple[tuple[int, ...], int]]:
        """The axes that some reports answer about, and how many do."""

    @abstractmethod
    def fold(
        self, work: Callable[[Groups], Result], merge: Callable[[Result, Result], Result] = added
    ) -> Result:
        """Do the work on the groups of each shard, and merge in the order of the shards."""

    @abstractmethod
    def chosen(self, choose: Callable[[Groups], Groups]) -> "TableEvidence":
        """Return the evidence of other groups, made of these."""

    @property
    def plan(self) -> Plan:
        return self.reports.plan

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.size for axis in self.axes)

    @property
    def questions(self) -> list[str]:
        """What may be answered about the attributes, and is: these and their bundles."""
        return [q for q in questions_of(self.plan, self.axes) if q in self.reports.shared]

    @property
    def n(self) -> int:
        return sum(n for _, n in self.sizes)

    @property
    def cells(self) -> int:
        return int(np.prod(self.shape))

    def holding(self, axes: Sequence[int]) -> int:
        """Return how many reports answer about all of these axes."""
        return sum(n for own, n in self.sizes if set(axes) <= set(own))

    def answering(self, axes: Iterable[int]) -> int:
        """Return how many reports answer about any of these axes."""
        wanted = set(axes)
        return sum(n for own, n in self.sizes if wanted & set(own))

    def check(self) -> None:
        """Refuse evidence that says nothing about some attribute."""
        for axis, name in enumerate(self.names):
            if not self.holding((axis,)):
                raise EstimateError(f"nobody shared {name!r} in these reports")


@dataclass(frozen=True)
class Evidence(TableEvidence):
    """Evidence in memory: a row for each report, or for several that are equal."""

    reports: Reports
    axes: tuple[Axis, ...]
    groups: Groups

    @classmethod
    def of(cls, reports: ReportTable, names: Sequence[str], bins: Bins | None = None) -> Self:
        """Group the reports by the questions they answer; each attribute needs some."""
        check_round(reports)
        axes = axes_of(reports, names, bins)
        evidence = cls(reports, axes, groups_of(reports, axes))
        evidence.check()
        return evidence

    @property
    def sizes(self) -> Sequence[tuple[tuple[int, ...], int]]:
        return [(group.axes, group.reports) for group in self.groups]

    def fold(
        self, work: Callable[[Groups], Result], merge: Callable[[Result, Result], Result] = added
    ) -> Result:
        return work(self.groups)

    def chosen(self, choose: Callable[[Groups], Groups]) -> Self:
        return replace(self, groups=choose(self.groups))


def questions_of(plan: Plan, axes: Sequence[Axis]) -> list[str]:
    """Return what may be answered about the attributes of some axes: these and their bundles."""
    names = {axis.name for axis in axes}
    inside = (each for each in plan.questions.values() if set(each.parts) <= names)
    return [each.name for each in inside if of(each).tabulated]


def groups_of(
    reports: ReportTable,
    axes: Sequence[Axis],
    times: Vector | None = None,
    shared: Counts | None = None,
) -> Groups:
    """Group the rows of a table; ``times`` and ``shared`` are of its rows, where they are known."""
    plan, data = reports.plan, reports.data
    questions = questions_of(plan, axes)
    there = [name for name in plan.names if f"{name}.y" in data.column_names]
    answered = np.zeros((len(reports), len(plan.names)), np.bool_)
    for name in there:
        answered[:, plan.names.index(name)] = present(data[f"{name}.y"])
    shared = times_shared(plan, answered).sum(axis=1) if shared is None else shared
    asked = answered[:, [plan.names.index(name) for name in questions]]
    pattern = asked @ (1 << np.arange(len(questions)))
    order, found = _by_id(reports), []
    for code in np.unique(pattern[pattern > 0]):
        rows = order[pattern[order] == code]
        own = [question for i, question in enumerate(questions) if code >> i & 1]
        parts = tuple(part_of(reports, axes, question, rows) for question in own)
        found.append(Group(parts, shared[rows], None if times is None else times[rows]))
    return tuple(found)


def _by_id(reports: ReportTable) -> Indices:
    """Return the rows by their random ids, if there are any.

    Folds and shards of that order are random ones.
    """
    if "id" not in reports.data.column_names:
        return np.arange(len(reports))
    ids = matrix(reports.data["id"].combine_chunks())
    return np.argsort(np.ascontiguousarray(ids[:, :8]).view(np.uint64)[:, 0], kind="stable")


def part_of(reports: ReportTable, axes: Sequence[Axis], question: str, rows: Indices) -> Part:
    """Return what these rows of the reports, all of which answer it, say about a question."""
    names = [axis.name for axis in axes]
    indices = tuple(names.index(part) for part in reports.plan.questions[question].parts)
    family = of(reports.plan.questions[question])
    axis = axes[indices[0]]
    return family.part(reports, rows, indices, axis.mixing, coin=axis.coin)
