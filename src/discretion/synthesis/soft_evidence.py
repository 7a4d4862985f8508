"""The soft evidence of all reports, shard by shard; whatever is learnt from it is a fold."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Self, TypeVar

import numpy as np

from discretion.aggregate import Aggregate, check_round, including
from discretion.engine import Kept
from discretion.errors import EstimateError
from discretion.estimate.em import ascend
from discretion.estimate.homogeneity import Homogeneity
from discretion.estimate.noise import Vector
from discretion.joints.allocation import BudgetMixture
from discretion.joints.axes import Axis, Bins, axes_of
from discretion.joints.bins import even_bins
from discretion.joints.build import likelihood_of
from discretion.joints.joint import levels_tested
from discretion.joints.shards import about
from discretion.joints.table_evidence import questions_of
from discretion.plan import Plan
from discretion.synthesis.likelihoods import (
    Codes,
    Likelihoods,
    Question,
    read,
    read_packed,
    strata_of,
    tied,
)
from discretion.table import Reports, ReportTable

GAIN = 0.02  # nats in all, less than which the last steps of a marginal must have brought
PASSES = 200
LEAST = 0.5  # reports that every value is given, so that none is impossible

Part = TypeVar("Part")
Strata = dict[str, dict[int, int]]  # by question: the strata that occur, and how often


@dataclass(frozen=True, eq=False)
class SoftEvidence:
    """The likelihoods of the reports of one round, over the attributes as axes."""

    reports: Reports
    axes: tuple[Axis, ...]
    questions: tuple[Question, ...]
    marginals: tuple[Vector, ...]  # the frequencies of each attribute, none of which is zero
    n: int  # reports, silent ones included
    shards: Kept[Likelihoods]
    counts: Aggregate  # of what is about the attributes

    @classmethod
    def of(cls, reports: Reports, names: Sequence[str], bins: Bins | None = None) -> Self:
        """Find which questions were answered at which levels; each attribute needs some reports."""
        check_round(reports)
        if not names:
            raise EstimateError("there are no reports about labels, or about numbers by themselves")
        reports = including(reports, names)
        plan, counts = reports.plan, Aggregate.about(reports, names)
        axes = axes_of(counts, names, {**even_bins(counts, names), **(bins or {})}, finer=False)
        asked = [question for question in questions_of(plan, axes) if question in reports.shared]
        strata: Strata = reports.fold(asked, partial(_seen, asked))
        questions = tuple(
            _question(reports, axes, name, found) for name, found in strata.items() if found
        )
        covered = {axis for question in questions for axis in question.axes}
        for index, name in enumerate(names):
            if index not in covered:
                raise EstimateError(f"nobody shared {name!r} in these reports")
        answers = {name: sum(found.values()) for name, found in strata.items()}
        marginals = _marginals(reports, axes, sorted(questions, key=lambda q: -answers[q.name]))
        needed = plan.names if plan.secret else [question.name for question in questions]
        shards = reports.keep(needed, partial(_reader(reports), axes, questions))
        return cls(reports, axes, questions, marginals, len(reports), shards, counts)

    @property
    def plan(self) -> Plan:
        return self.reports.plan

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.size for axis in self.axes)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(axis.name for axis in self.axes)

    @property
    def homogeneity(self) -> dict[str, Homogeneity]:
        """The tests whether levels agree, of each question for which they can be compared."""
        return levels_tested(self.counts, self.axes)

    def about(self, *axes: int) -> list[int]:
        """Return the indices of the questions that are about all of these axes together."""
        return [i for i, each in enumerate(self.questions) if set(axes) <= set(each.axes)]

    def rows(self, index: int) -> slice:
        """Return the rows of the likelihoods of a question's cells."""
        start = sum(question.cells for question in self.questions[:index])
        return slice(start, start + self.questions[index].cells)

    def tied(self, pairs: Sequence[tuple[int, int]]) -> Kept[Likelihoods]:
        """Return the likelihoods, of secret levels with what these pairs of attributes add."""
        if not self.plan.secret:
            return self.shards
        laws = {
            (a, b): BudgetMixture.learnt(
                about(self.reports, (self.axes[a], self.axes[b]), sharing=True)
            )
            for a, b in pairs
        }
        return self.reports.keep(self.plan.names, partial(tied, self.axes, self.questions, laws))

    def folded(self, keep: Callable[[Question, int], tuple[int, ...]]) -> Self:
        """Return the evidence of bundles as what it says of those of their axes that are kept."""
        questions = tuple(
            question.about(keep(question, turn)) for turn, question in enumerate(self.questions)
        )
        if questions == self.questions:
            return self
        names = [question.name for question in questions]
        shards = self.reports.keep(names, partial(_reader(self.reports), self.axes, questions))
        return replace(self, questions=questions, shards=shards)

    def fold(self, work: Callable[[Likelihoods], Part]) -> Part:
        """Apply the work to the likelihoods of each shard, and add the results in shard order."""
        return self.shards.fold(work)


def _reader(reports: Reports) -> Callable[..., Likelihoods]:
    """Return what reads likelihoods: packed for a device, unless levels are secret."""
    return read if reports.engine.rows is None or reports.plan.secret else read_packed


def _seen(questions: Sequence[str], reports: ReportTable) -> Strata:
    found = {}
    for question in questions:
        codes, counts = np.unique(strata_of(reports, question), return_counts=True)
        found[question] = dict(zip(codes.tolist(), counts.tolist(), strict=True))
    return found


def _question(
    reports: Reports, axes: tuple[Axis, ...], name: str, strata: Iterable[int]
) -> Question:
    plan, names = reports.plan, [axis.name for axis in axes]
    indices = tuple(names.index(part) for part in plan.questions[name].parts)
    own = tuple(axes[index] for index in indices)
    law = BudgetMixture.learnt(about(reports, own, sharing=True)) if plan.secret else None
    codes: Codes = np.array(sorted(strata), np.int64)
    return Question(name, indices, tuple(axis.size for axis in own), codes, law)


def _marginals(
    reports: Reports, axes: tuple[Axis, ...], questions: Sequence[Question]
) -> tuple[Vector, ...]:
    """Return the frequencies of each attribute, from the first question about it."""

    @cache
    def table(question: Question) -> Vector:
        own = tuple(axes[axis] for axis in question.axes)
        return _most_likely(reports, own, question.law).reshape(question.sizes)

    found = []
    for axis in range(len(axes)):
        question = next(question for question in questions if axis in question.axes)
        others = tuple(i for i, own in enumerate(question.axes) if own != axis)
        found.append(table(question).sum(axis=others))
    return tuple(found)


def _most_likely(reports: Reports, axes: tuple[Axis, ...], law: BudgetMixture | None) -> Vector:
    """Return the most likely frequencies of the cells of some axes, none of which is zero."""
    likelihood = likelihood_of(about(reports, axes, sharing=law is not None), law)
    cells = int(np.prod([axis.size for axis in axes]))
    fit = ascend(likelihood, np.full(cells, 1 / cells), 0.0, PASSES, GAIN)
    return (fit.f * likelihood.n + LEAST) / (likelihood.n + LEAST * cells)
