"""What the reports say about several attributes: groups of owners who answered the same questions.

A question is an attribute, or a bundle of some. Whoever left a question out is in another group,
where it is no factor of the likelihood; so every report that answers any of them counts.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self, TypeVar, cast

import numpy as np

from discretion.aggregate import check_round
from discretion.engine import added
from discretion.errors import EstimateError
from discretion.estimate.noise import Vector
from discretion.family import of
from discretion.family.part import Indices, Keys, Part
from discretion.family.sets.folded import FoldedPart
from discretion.family.sets.part import SetPart
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.plan import Plan
from discretion.table import Reports, ReportTable
from discretion.table.columns import Mask, present
from discretion.table.support import Counts

Result = TypeVar("Result")

FEW = 1 << 16  # values that are ranked by counting


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
        """What is answered about the attributes: these, and bundles with any of them."""
        asked = [*questions_of(self.plan, self.axes), *partial_questions(self.plan, self.axes)]
        return [question for question in asked if question in self.reports.shared]

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
    """Return what may be answered about the attributes of some axes and no others."""
    names = {axis.name for axis in axes}
    inside = (each for each in plan.questions.values() if set(each.parts) <= names)
    return [each.name for each in inside if of(each).tabulated]


def partial_questions(plan: Plan, axes: Sequence[Axis]) -> list[str]:
    """Return the bundles that some axes have attributes of, and others besides."""
    names = {axis.name for axis in axes}
    across = (q for q in plan.questions.values() if names & set(q.parts) and set(q.parts) - names)
    return [each.name for each in across if of(each).foldable]


def groups_of(
    reports: ReportTable,
    axes: Sequence[Axis],
    times: Vector | None = None,
    shared: Counts | None = None,
) -> Groups:
    """Group the rows of a table; ``times`` and ``shared`` are of its rows, where they are known."""
    plan, data = reports.plan, reports.data
    there = [name for name in plan.names if f"{name}.y" in data.column_names]
    asked_of = [*questions_of(plan, axes), *partial_questions(plan, axes)]
    questions = [name for name in asked_of if name in there]
    answered = {name: present(data[f"{name}.y"]) for name in there}
    if shared is None:
        shared = np.zeros(len(reports), np.int64)
        for name, some in answered.items():
            shared += len(plan.questions[name].parts) * some
    asked = np.zeros((len(reports), len(questions)), np.bool_)
    for column, name in enumerate(questions):
        asked[:, column] = answered[name]
    found = []
    for given, rows in patterns_of(asked, reports.by_id):
        own = [questions[i] for i in given]
        parts = tuple(part_of(reports, axes, question, rows) for question in own)
        found.append(Group(parts, shared[rows], None if times is None else times[rows]))
    return _merged(found)


def _merged(groups: Sequence[Group]) -> Groups:
    """Make one group of those that say the same of an axis by different bundles."""
    alike: dict[tuple[object, ...], list[Group]] = {}
    for number, group in enumerate(groups):
        kind = group.parts[0].alike if len(group.parts) == 1 else None
        alike.setdefault(kind or (number,), []).append(group)
    return tuple(same[0] if len(same) == 1 else _joined(same) for same in alike.values())


def _joined(groups: Sequence[Group]) -> Group:
    parts = [cast("FoldedPart", group.parts[0]) for group in groups]
    times = [group.times for group in groups if group.times is not None]
    shared = np.concatenate([group.shared for group in groups])
    return Group((FoldedPart.joined(parts),), shared, np.concatenate(times) if times else None)


def patterns_of(answered: Mask, order: Indices) -> Iterator[tuple[list[int], Indices]]:
    """Yield which questions some rows of (n, questions) answer, and these rows in an order."""
    if not answered.size:
        return
    packed = np.packbits(answered[:, ::-1], axis=1)
    wide = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), np.uint8)
    wide[:, wide.shape[1] - packed.shape[1] :] = packed
    words = wide.view(">u8").astype(np.uint64)
    which = np.zeros(len(words), np.int64)
    for word in words.T:  # each pattern's rank among those that occur
        which = _ranks(which * (int((rank := _ranks(word)).max()) + 1) + rank)
    narrow = which[order].astype(np.min_scalar_type(int(which.max())))
    rows = order[np.argsort(narrow, kind="stable")]
    for own in np.split(rows, np.cumsum(np.bincount(which))[:-1]):
        if given := np.flatnonzero(answered[own[0]]).tolist():
            yield given, own


def _ranks(values: Indices | Keys) -> Indices:
    """Return the rank of each value among those that occur; small ones without sorting."""
    if values.max() >= FEW:
        return np.unique(values, return_inverse=True)[1]
    small = values.astype(np.int64)
    found: Indices = (np.cumsum(np.bincount(small) > 0) - 1)[small]
    return found


def part_of(reports: ReportTable, axes: Sequence[Axis], question: str, rows: Indices) -> Part:
    """Return what these rows of the reports, all of which answer it, say about a question.

    Of a bundle with other attributes besides: what they say about those that are axes.
    """
    names, asked = [axis.name for axis in axes], reports.plan.questions[question].parts
    kept = [i for i, part in enumerate(asked) if part in names]
    indices = tuple(names.index(asked[i]) for i in kept)
    family = of(reports.plan.questions[question])
    if len(kept) < len(asked):
        whole = family.part(reports, rows, tuple(range(len(asked))))
        return FoldedPart.of(whole.sets(), kept, indices)
    axis = axes[indices[0]]
    return family.part(reports, rows, indices, axis.mixing, coin=axis.coin)
