"""An attribute that is reported in views: what each view says of it, together with its own reports.

A stratum is a level of the attribute alone, or of one of its views; its counts are those of the
view, folded. So the linear estimate, its covariance, the test of homogeneity and the manipulation
bounds are those of any sets of codes; rows of the likelihood are those of folded reports.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from discretion.budget.level import level_of, range_of, stratum_of
from discretion.estimate.expansion import Diagonal
from discretion.estimate.mle import Informed
from discretion.estimate.noise import Matrix, Vector
from discretion.family.counts import Tally
from discretion.family.family import Displacement
from discretion.family.sets import Sets
from discretion.family.sets.folded import FoldedLaw, FoldedPart
from discretion.family.sets.linear import PooledSets
from discretion.family.sets.manipulation import Manipulation
from discretion.mechanism.law import Scored
from discretion.plan import Question
from discretion.table import Reports, ReportTable
from discretion.table.columns import present

Rows = tuple[Matrix, Vector]  # different rows of a likelihood, and how often each came


@dataclass(frozen=True)
class Margins(Sets):
    """Reports about an attribute, alone and in views."""

    views: tuple[Question, ...] = ()

    def gathered(self, counted: Callable[[Sets], Mapping[int, Tally]]) -> dict[int, Tally]:
        """Return the counts by stratum, from those of the attribute and of its views."""
        found = dict(counted(Sets(self.question)))
        for index, view in enumerate(self.views, 1):
            for level, tally in counted(Sets(view)).items():
                found[stratum_of(level, index)] = self._folded(view, tally)
        return found

    def scored(self, stratum: int) -> Scored:
        """Return the law of what a stratum says of the attribute."""
        index = range_of(stratum)
        if not index:
            return self.law(stratum)
        view = self.views[index - 1]
        law = Sets(view).law(level_of(stratum))
        return FoldedLaw(law, law.size // self.size)

    def pooled(self, counts: Mapping[int, Tally], cap: float | None = None) -> PooledSets:
        return PooledSets([(self.scored(own), tally) for own, tally in counts.items()], cap)

    def likelihood(self, counts: Mapping[int, Tally], reports: Reports | None) -> Informed:
        assert reports is not None
        asked = [self.question, *self.views]
        names = [each.name for each in asked if each.name in reports.shared]
        rows, times = reports.fold(names, partial(_rows, self.name, names), _together)
        return MarginLikelihood(rows, times)

    def displaced(
        self, counts: Mapping[int, Tally], share: float, added: float, cap: float | None = None
    ) -> Displacement:
        """Return what the worst view does at each level."""
        offered = [(0, self.question), *enumerate(self.views, 1)]
        strata = [stratum_of(v, i) for i, each in offered for v in each.menu]
        laws = {stratum: self.scored(stratum) for stratum in strata}
        pooled = self.pooled(counts, cap)
        _, up, down = Manipulation(pooled, list(counts), laws, share, added, False).displaced()
        own = np.array([level_of(stratum) for stratum in strata])
        levels = np.unique(own)
        most = np.array([up[own == level].max(axis=0) for level in levels])
        least = np.array([down[own == level].min(axis=0) for level in levels])
        return Displacement(tuple(levels.tolist()), most, least)

    def pvalues(self, stratum: int, counts: Tally) -> tuple[float | None, float | None]:
        return super().pvalues(stratum, counts) if not range_of(stratum) else (None, None)

    def _folded(self, view: Question, tally: Tally) -> Tally:
        sizes = [part.size for part in view.attribute.parts]
        rest = tuple(i for i, part in enumerate(view.parts) if part != self.name)
        supports = tally.supports.reshape(sizes).sum(axis=rest)
        return Tally(tally.n, supports, np.zeros(self.size + 1, np.int64))


@dataclass(frozen=True)
class MarginLikelihood:
    """Different rows of likelihoods (m, size), and how often each came."""

    rows: Matrix
    times: Vector

    @cached_property
    def n(self) -> float:
        return float(self.times.sum())

    def at(self, f: Vector) -> Diagonal:
        density = self.rows @ f
        value = float(self.times @ np.log(density))
        scores = self.rows / density[:, None]
        slope, squares = self.times @ scores, self.times @ scores**2
        return Diagonal(f, value, slope / self.n, (squares - 2 * slope) / self.n + 1)

    def curvature(self, f: Vector) -> Matrix:
        scores = self.rows * (np.sqrt(self.times) / (self.rows @ f))[:, None]
        found: Matrix = scores.T @ scores / self.n
        return found


def _rows(attribute: str, names: list[str], reports: ReportTable) -> Rows:
    """Return the different likelihoods of the values, by the reports of a table."""
    found = []
    for name in names:
        question = reports.plan.questions[name]
        at = np.flatnonzero(present(reports.data[f"{name}.y"]))
        if not len(at):
            continue
        part = Sets(question).part(reports, at, tuple(range(len(question.parts)))).sets()
        kept = [question.parts.index(attribute)]
        own = FoldedPart.of(part, kept, (0,)).factor.likelihood(slice(0, len(at)))
        found.append(np.unique(own.astype(np.float64), axis=0, return_counts=True))
    size = reports.plan.questions[attribute].attribute.size
    rows = [np.zeros((0, size)), *(own for own, _ in found)]
    times = [np.zeros(0), *(own.astype(np.float64) for _, own in found)]
    return np.concatenate(rows), np.concatenate(times)


def _together(one: Rows, other: Rows) -> Rows:
    return np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
