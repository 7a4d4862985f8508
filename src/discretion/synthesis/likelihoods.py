"""Per-report likelihoods of every question, with ones where a report is silent.

A model of the whole record reads each report as soft evidence, so missing attributes, personal
levels and mixed mechanisms are no special cases.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace
from discretion.family import of
from discretion.family.outputs import OutputFactor
from discretion.family.part import Factor, Indices, Part, Single
from discretion.family.sets.part import Bits
from discretion.joints.allocation import BudgetMixture
from discretion.joints.axes import Axis
from discretion.joints.table_evidence import Group, part_of
from discretion.table import ReportTable
from discretion.table.columns import Levels, Mask, present, times_shared

SILENT = -1

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Question:
    """An attribute or a bundle that somebody answered about."""

    name: str
    axes: tuple[int, ...]  # one, or for a bundle several
    sizes: tuple[int, ...]
    strata: Codes  # (strata,), rising: the levels, with the cohort, that occur among all reports
    law: BudgetMixture | None = None  # of secret levels

    @property
    def cells(self) -> int:
        return prod(self.sizes)

    def about(self, axes: tuple[int, ...]) -> "Question":
        """Return the same answers, as what they say of some of the axes."""
        if axes == self.axes:
            return self
        sizes = tuple(self.sizes[self.axes.index(axis)] for axis in axes)
        return replace(self, axes=axes, sizes=sizes)


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """The likelihoods of some reports, over the cells of all questions."""

    values: Single  # (cells of all questions, reports): in units of the likeliest cell
    strata: Levels  # (questions, reports): the index of the report's level; or SILENT
    bits: tuple[
        Bits, ...
    ] = ()  # (reports, cells) of each question: for secret levels, the sets of codes reported
    ties: tuple[
        Single, ...
    ] = ()  # (reports, 4) of each pair: what its law of secret levels makes of both, over apart
    packed: tuple["PackedCells", ...] = ()  # by question, in place of values: what a device keeps

    @property
    def n(self) -> int:
        return self.strata.shape[1]

    def of(self, index: int, rows: slice) -> Single:
        """Return the likelihoods (cells, reports) of a question, whose rows of all these are."""
        return self.packed[index].values if self.packed else self.values[rows]


@dataclass(frozen=True, eq=False)
class PackedCells:
    """A question's likelihoods in few bytes; expanding them is array code."""

    factor: Factor  # of all reports; arbitrary where one is silent
    there: Mask  # (reports,): who answered

    @property
    def values(self) -> Single:
        """(cells, reports), in units of the likeliest cell; of a silent report, ones."""
        own = self.factor.likelihood(slice(0, len(self.there)))
        own = own / own.max(axis=1, keepdims=True)
        return namespace(own).where(self.there[:, None], own, np.float32(1)).T


def read_packed(
    axes: Sequence[Axis], questions: Sequence[Question], reports: ReportTable
) -> Likelihoods:
    """Return the likelihoods of reports with disclosed levels, as a device keeps them."""
    packed, strata = [], np.full((len(questions), len(reports)), SILENT, np.int32)
    for index, question in enumerate(questions):
        there = present(reports.data[f"{question.name}.y"])
        rows, own = np.flatnonzero(there), np.maximum(np.cumsum(there) - 1, 0)
        strata[index, rows] = np.searchsorted(question.strata, strata_of(reports, question.name))
        if len(rows):
            factor = _part(axes, question, reports, rows).at(own).factor.packed
        else:
            factor = OutputFactor(np.ones((1, question.cells), np.float32), own)
        packed.append(PackedCells(factor, there))
    return Likelihoods(np.ones((0, len(reports)), np.float32), strata, packed=tuple(packed))


def read(axes: Sequence[Axis], questions: Sequence[Question], reports: ReportTable) -> Likelihoods:
    """Return the likelihoods of these reports."""
    n = len(reports)
    likelihood = np.ones((sum(question.cells for question in questions), n), np.float32)
    strata, bits, start = np.full((len(questions), n), SILENT, np.int32), [], 0
    for index, question in enumerate(questions):
        rows = np.flatnonzero(present(reports.data[f"{question.name}.y"]))
        own, codes = _read(axes, question, reports, rows)
        end = start + question.cells
        likelihood[start:end, rows] = (own / own.max(axis=1, keepdims=True)).T  # no overflow
        strata[index, rows] = np.searchsorted(question.strata, strata_of(reports, question.name))
        if codes is not None:
            spoken = np.zeros((n, question.cells), np.uint8)
            spoken[rows] = codes
            bits.append(spoken)
        start = end
    return Likelihoods(likelihood, strata, tuple(bits))


def tied(
    axes: Sequence[Axis],
    questions: Sequence[Question],
    laws: Mapping[tuple[int, int], BudgetMixture],
    reports: ReportTable,
) -> Likelihoods:
    """Return the likelihoods of reports with secret levels, and what pairs add to them.

    An owner's levels hang together, so what two reports make of a cell is not the product of what
    each does: by which bits are set, the likelihood of both over that product.
    """
    alone, ties = read(axes, questions, reports), []
    shared = _shared(reports)
    for pair, law in laws.items():
        own = [question for axis in pair for question in questions if question.axes == (axis,)]
        answered = [present(reports.data[f"{question.name}.y"]) for question in own]
        rows = np.flatnonzero(np.logical_and(*answered))
        found = np.ones((len(reports), 4), np.float32)
        if len(rows):
            about = tuple(axes[axis] for axis in pair)
            parts = tuple(part_of(reports, about, question.name, rows) for question in own)
            one, other = (
                _tables(question, replace(part, axes=(0,)), shared[rows])
                for question, part in zip(own, parts, strict=True)
            )
            both = law.tables(Group(parts, shared[rows]))
            apart = one[:, :, None] * other[:, None]  # zero where no cell has such bits
            ratio = np.divide(both, apart, out=np.zeros_like(both), where=apart > 0)
            found[rows] = (ratio / ratio.max(axis=(1, 2), keepdims=True)).reshape(-1, 4)
        ties.append(found)
    return replace(alone, ties=tuple(ties))


def _tables(question: Question, part: Part, shared: Indices) -> Single:
    assert question.law is not None
    return question.law.tables(Group((part,), shared))


def _read(
    axes: Sequence[Axis], question: Question, reports: ReportTable, rows: Indices
) -> tuple[Single, Bits | None]:
    """Return the likelihoods (rows, cells), and for secret levels the reported sets as bits."""
    if not len(rows):
        nothing = np.ones((0, question.cells), np.float32)
        return nothing, None if question.law is None else nothing.astype(np.uint8)
    part = _part(axes, question, reports, rows)
    if question.law is None:
        return part.factor.likelihood(slice(0, len(rows))), None
    group, bits = Group((part,), _shared(reports)[rows]), part.sets().bits
    off, on = np.split(question.law.tables(group), 2, axis=1)
    return np.where(bits, on, off), bits


def _part(axes: Sequence[Axis], question: Question, reports: ReportTable, rows: Indices) -> Part:
    own = tuple(axes[axis] for axis in question.axes)
    return part_of(reports, own, question.name, rows)


def strata_of(reports: ReportTable, question: str) -> Codes:
    """Return the stratum of each report that answers: its level, and its cohort if it has one."""
    rows = np.flatnonzero(present(reports.data[f"{question}.y"]))
    levels, y = reports.columns(question)
    return of(reports.plan.questions[question]).strata(levels[rows], y[rows])


def _shared(reports: ReportTable) -> Indices:
    """Return how many attributes each owner shared in all."""
    answered = [present(reports.data[f"{name}.y"]) for name in reports.plan.names]
    return times_shared(reports.plan, np.column_stack(answered)).sum(axis=1)
