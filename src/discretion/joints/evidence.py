"""What the reports say about several attributes: groups of owners who answered the same questions.

A question is an attribute, or a bundle of some. Whoever left a question out is in another group,
where it is no factor of the likelihood; so every report that answers any of them counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from discretion.errors import EstimateError
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.joints.coded import CodedPart, coded_part
from discretion.joints.outputs import NumberPart, number_part
from discretion.plan import Plan
from discretion.table import ReportTable
from discretion.table.columns import matrix, present
from discretion.table.expansion import times_shared
from discretion.table.support import packed_supports

Bits = npt.NDArray[np.uint8]  # (n, size): which codes each report speaks for
Levels = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Part:
    """One question that all owners of a group answered with sets of codes."""

    name: str
    axes: tuple[int, ...]  # of the table of cells: one, or for a bundle several
    sizes: tuple[int, ...]
    bits: Bits
    levels: Levels  # (n,) in thousandths; 0 where they are secret

    @property
    def size(self) -> int:
        return self.bits.shape[1]

    @property
    def strata(self) -> tuple[Levels, Indices]:
        """The levels that occur, and for each report the place of its own among them."""
        levels, which = np.unique(self.levels, return_inverse=True)
        return levels, which

    @property
    def ones(self) -> Levels:
        """How many codes each report speaks for."""
        return self.bits.sum(axis=1, dtype=np.int64)


@dataclass(frozen=True)
class Group:
    """The owners who answered one set of questions, a row each."""

    parts: tuple[Part | CodedPart | NumberPart, ...]
    shared: Levels  # (n,) how many attributes of the plan each of them shared in all

    def __len__(self) -> int:
        return len(self.shared)

    @property
    def axes(self) -> tuple[int, ...]:
        return tuple(axis for part in self.parts for axis in part.axes)

    @property
    def supports(self) -> tuple[Part, ...]:
        """The questions, all of which must be answered with sets of codes."""
        for part in self.parts:
            if isinstance(part, NumberPart):
                raise EstimateError(f"this method needs labels, and {part.name!r} is a number")
        return tuple(part for part in self.parts if isinstance(part, Part))


@dataclass(frozen=True)
class Evidence:
    """The reports of one round about the cells of a table with these attributes as axes."""

    reports: ReportTable
    axes: tuple[Axis, ...]
    groups: tuple[Group, ...]

    @classmethod
    def of(cls, reports: ReportTable, names: Sequence[str], bins: Bins | None = None) -> Self:
        """Group the reports by the questions they answer; each attribute needs some."""
        if len(reports.rounds) > 1:
            rounds = ", ".join(map(str, reports.rounds))
            raise EstimateError(f"reports must be of one round, got {rounds}: use of_round()")
        axes = axes_of(reports, names, bins)
        evidence = cls(reports, axes, tuple(_groups(reports, axes)))
        for axis, name in enumerate(names):
            if not evidence.holding((axis,)):
                raise EstimateError(f"nobody shared {name!r} in these reports")
        return evidence

    @classmethod
    def about(cls, reports: ReportTable, axis: Axis) -> Self:
        """Take what is said about one axis alone."""
        return cls(reports, (axis,), tuple(_groups(reports, (axis,))))

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
    def n(self) -> int:
        return sum(map(len, self.groups))

    @property
    def cells(self) -> int:
        return int(np.prod(self.shape))

    def holding(self, axes: Sequence[int]) -> int:
        """Return how many reports answer about all of these axes."""
        return sum(len(group) for group in self.groups if set(axes) <= set(group.axes))

    def answering(self, axes: Iterable[int]) -> int:
        """Return how many reports answer about any of these axes."""
        wanted = set(axes)
        return sum(len(group) for group in self.groups if wanted & set(group.axes))


def _groups(reports: ReportTable, axes: Sequence[Axis]) -> Iterator[Group]:
    plan, data = reports.plan, reports.data
    names = [axis.name for axis in axes]
    questions = [
        name
        for name in plan.names
        if set(plan.parts(name)) <= set(names) and not plan.is_numbers(name)
    ]
    answered = np.column_stack([present(data[f"{name}.y"]) for name in plan.names])
    shared = times_shared(plan, answered).sum(axis=1)
    asked = answered[:, [plan.names.index(name) for name in questions]]
    pattern = asked @ (1 << np.arange(len(questions)))
    order = _by_id(reports)
    for code in np.unique(pattern[pattern > 0]):
        rows = order[pattern[order] == code]
        own = [question for i, question in enumerate(questions) if code >> i & 1]
        yield Group(tuple(part_of(reports, axes, q, rows) for q in own), shared[rows])


def _by_id(reports: ReportTable) -> Indices:
    """Return the rows by their random ids: folds and shards of that order are random ones."""
    ids = matrix(reports.data["id"].combine_chunks())
    return np.argsort(np.ascontiguousarray(ids[:, :8]).view(np.uint64)[:, 0], kind="stable")


def part_of(
    reports: ReportTable, axes: Sequence[Axis], question: str, rows: Indices
) -> Part | CodedPart | NumberPart:
    """Return what these rows of the reports, all of which answer it, say about a question."""
    names = [axis.name for axis in axes]
    if reports.plan.is_number(question):
        return number_part(reports, axes, question, rows)
    if reports.plan.is_coded(question):
        return coded_part(reports, names, question, rows)
    return _support_part(reports, question, names, rows)


def _support_part(reports: ReportTable, question: str, names: Sequence[str], rows: Indices) -> Part:
    plan = reports.plan
    size = plan.attribute(question).size
    places = tuple(names.index(part) for part in plan.parts(question))
    levels, y = reports.columns(question)
    used, which = np.unique(levels[rows], return_inverse=True)
    laws = [plan.support_law(question, level or plan.menu(question)[0]) for level in used.tolist()]
    packed = packed_supports(laws, which, y[rows])
    bits = np.unpackbits(packed, axis=1, count=size, bitorder="little")
    sizes = tuple(plan.attribute(names[place]).size for place in places)
    return Part(question, places, sizes, bits, levels[rows].astype(np.int64))
