"""How well the model agrees with estimates that take no model: unbiased moments of the reports.

Such a moment scatters, so even a model that is the truth is off from it: by the sum over the cells
of E|N(0, s)| / 2, in total variation. A ratio of about one, or below as the model was fitted to the
same reports, means that it agrees as well as the noise allows one to see. Whether it misses is
tested by the sum of squares, whose law under noise is about that of a multiple of chi-square
(Satterthwaite 1946). A large table may hide one cell, so a cell that is off by five standard errors
is a miss too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import pi

import numpy as np
import scipy

from discretion.family.part import Indices
from discretion.joints.axes import Axis
from discretion.joints.moments import SHARDS, tensor
from discretion.joints.table_evidence import (
    Evidence,
    Group,
    part_of,
    partial_questions,
    patterns_of,
    questions_of,
)
from discretion.synthesis.model import Model, Table
from discretion.table import Reports, ReportTable
from discretion.table.columns import Mask, present, times_shared
from discretion.table.folder import sampled

CLEAR = 5.0  # standard errors of a cell that are a miss by themselves, whatever the table says
TINY = 1e-12  # a standard error of zero is none
RATE = 0.05  # of the misses that are none, among all misses: at most, on average
WORK = 1 << 24  # reports times pairs: beyond, each pair is compared on a part of the reports


@dataclass(frozen=True)
class Agreement:
    """One attribute, or two, as the model and as unbiased moments have them."""

    attributes: tuple[str, ...]
    distance: float  # total variation between model and moments
    noise: float  # what noise alone would give
    p: float  # of a distance like this one, if the model were the truth
    adjusted: float  # the smallest false discovery rate at which the model misses
    misses: bool
    n: int  # reports about all of the attributes
    largest: float  # the largest difference of a cell, in its standard errors

    @property
    def ratio(self) -> float:
        """The distance in units of what noise alone would give."""
        return self.distance / self.noise


@dataclass(frozen=True, eq=False)
class Unbiased:
    """A table of moments, with deviations (r, *shape) whose products sum up to its covariance."""

    value: Table
    root: Table
    n: int

    @property
    def stderr(self) -> Table:
        return np.sqrt((self.root**2).sum(axis=0))


@dataclass(frozen=True, eq=False)
class UnbiasedTables:
    """Unbiased tables of a model's attributes, in its bins, from the reports that cover them."""

    reports: Reports
    axes: tuple[Axis, ...]

    def table(self, names: Sequence[str]) -> Unbiased | None:
        """Return the moments of some attributes; None where no reports cover them."""
        axes = tuple(axis for name in names for axis in self.axes if axis.name == name)
        evidence = Evidence(self._sample, axes, tuple(self._groups(axes, set(names))))
        if not (n := evidence.holding(range(len(names)))):
            return None
        moments = tensor(evidence, secret=self.reports.plan.secret)
        asked = set(range(len(names)))
        if any(set(kept) <= asked for kept in moments.unknown):
            return None
        return Unbiased(moments.value, moments.root, n)

    @cached_property
    def singles(self) -> dict[str, Unbiased | None]:
        """The table of each attribute alone."""
        return {axis.name: self.table((axis.name,)) for axis in self.axes}

    def _groups(self, axes: tuple[Axis, ...], asked: set[str]) -> Iterator[Group]:
        """Yield the owners who answered the same questions, about all that is asked."""
        plan = self.reports.plan
        every = [*questions_of(plan, axes), *partial_questions(plan, axes)]
        questions = [question for question in every if self._answered[question].any()]
        answered = [np.zeros((len(self._shared), 0), np.bool_)]
        answered += [self._answered[question][:, None] for question in questions]
        for given, rows in patterns_of(np.hstack(answered), np.arange(len(self._shared))):
            shared = [questions[i] for i in given]
            if asked <= {part for question in shared for part in plan.questions[question].parts}:
                parts = tuple(part_of(self._sample, axes, question, rows) for question in shared)
                yield Group(parts, self._shared[rows])

    @cached_property
    def _answered(self) -> dict[str, Mask]:
        data = self._sample.data
        return {name: present(data[f"{name}.y"]) for name in self.reports.plan.names}

    @cached_property
    def _shared(self) -> Indices:
        answered = np.column_stack(list(self._answered.values()))
        return times_shared(self.reports.plan, answered).sum(axis=1)

    @cached_property
    def _sample(self) -> ReportTable:
        """The reports by their random ids: all of them, or as many as time allows."""
        pairs = max(len(self.axes) * (len(self.axes) - 1) // 2, 1)
        return sampled(self.reports, max(WORK // pairs, SHARDS))


def agreements(model: Model, tables: UnbiasedTables, order: int) -> tuple[Agreement, ...]:
    """Compare all sets of so many attributes that the reports cover."""
    found = []
    for names in combinations(model.names, order):
        own = tables.singles[names[0]] if order == 1 else tables.table(names)
        if own is not None:
            found.append(compared(names, model.marginal(names), own))
    adjusted = scipy.stats.false_discovery_control([each.p for each in found]) if found else []
    return tuple(
        replace(each, adjusted=float(q), misses=bool(q <= RATE or each.largest >= CLEAR))
        for each, q in zip(found, adjusted, strict=True)
    )


def compared(names: Sequence[str], model: Table, unbiased: Unbiased) -> Agreement:
    """Compare one table of the model with its moments, by itself."""
    gap = (model - unbiased.value).ravel()
    noise = np.sqrt(2 / pi) * unbiased.stderr.sum() / 2
    trace, df = _noise(unbiased)
    p = float(scipy.stats.chi2.sf(df * float(gap @ gap) / trace, df))
    distance = float(abs(gap).sum() / 2)
    largest = float((abs(gap) / np.maximum(unbiased.stderr.ravel(), TINY)).max())
    misses = p <= RATE or largest >= CLEAR
    return Agreement(tuple(names), distance, float(noise), p, p, misses, unbiased.n, largest)


def _noise(unbiased: Unbiased) -> tuple[float, float]:
    """Return the trace of the covariance, and the degrees of freedom of a sum of squares.

    The square of a covariance estimated from so many shards is larger than it should be; that is
    taken off.
    """
    root = unbiased.root.reshape(len(unbiased.root), -1)
    shards = min(SHARDS, unbiased.n)
    trace = float((root**2).sum())
    gram = root @ root.T if len(root) < root.shape[1] else root.T @ root
    square = (float((gram**2).sum()) - trace**2 / shards) * shards / (shards + 1)
    return trace, trace**2 / max(square, trace**2 / (root.shape[1] - 1))
