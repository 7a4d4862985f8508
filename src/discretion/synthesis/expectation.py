"""What a report makes us expect of contrasts, were the attributes independent.

Columns stand for the contrasts of each attribute by each question about it, all questions one after
the other. A report that is silent about a question makes us expect nothing: zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Vector
from discretion.family.part import Single
from discretion.synthesis.likelihoods import Likelihoods, Question
from discretion.synthesis.terms import Contrasts

Axes = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Posterior:
    """Means of functions of a question's cells, given a report, from its likelihoods."""

    index: int  # of the question
    rows: slice  # of its likelihoods
    density: Single  # (cells,)
    weighted: Single  # (cells, functions)

    def of(self, likelihoods: Likelihoods) -> Single:
        """Return the means (reports, functions); of silent ones, zero."""
        likelihood = likelihoods.of(self.index, self.rows)
        means: Single = (likelihood.T @ self.weighted) / (self.density @ likelihood)[:, None]
        means[likelihoods.strata[self.index] < 0] = 0
        return means


@dataclass(frozen=True, eq=False)
class Expectations:
    """The columns, and how they are worked out."""

    questions: tuple[Question, ...]
    contrasts: tuple[Contrasts, ...]

    @cached_property
    def columns(self) -> dict[tuple[int, int], slice]:
        """Where the contrasts of an axis stand, by the index of the question and the axis."""
        columns, start = {}, 0
        for index, question in enumerate(self.questions):
            for axis in question.axes:
                columns[index, axis] = slice(start, start + self.contrasts[axis].size)
                start += self.contrasts[axis].size
        return columns

    def block(self, index: int) -> slice:
        """Return where all columns of a question stand."""
        axes = self.questions[index].axes
        return slice(self.columns[index, axes[0]].start, self.columns[index, axes[-1]].stop)

    def of(self, likelihoods: Likelihoods) -> Single:
        """Return all columns (reports, columns)."""
        return np.column_stack([posterior.of(likelihoods) for posterior in self._singles])

    def together(self, index: int, likelihoods: Likelihoods) -> Single:
        """Return what a bundle makes us expect of products of two attributes' contrasts."""
        return self._pairs[index].of(likelihoods)

    def posteriors(self, index: int) -> tuple[Posterior, Posterior]:
        """Return how a bundle's own columns are worked out, and then its products."""
        return self._singles[index], self._pairs[index]

    def pairs(self, index: int) -> dict[tuple[int, int], slice]:
        """Return where these products stand, by the two axes, after the bundle's own columns."""
        own = self.block(index)
        found, start = {}, own.stop - own.start
        for pair in combinations(self.questions[index].axes, 2):
            size = self.contrasts[pair[0]].size * self.contrasts[pair[1]].size
            found[pair] = slice(start, start + size)
            start += size
        return found

    @property
    def bundles(self) -> list[int]:
        """The indices of questions about several attributes."""
        return [i for i, question in enumerate(self.questions) if len(question.axes) > 1]

    @cached_property
    def _singles(self) -> list[Posterior]:
        return [
            self._posterior(index, [(axis,) for axis in question.axes])
            for index, question in enumerate(self.questions)
        ]

    @cached_property
    def _pairs(self) -> dict[int, Posterior]:
        return {
            index: self._posterior(index, list(combinations(self.questions[index].axes, 2)))
            for index in self.bundles
        }

    def _posterior(self, index: int, sets: Sequence[Axes]) -> Posterior:
        """Return the means of the products of contrasts of some sets of a question's axes."""
        question = self.questions[index]
        where = np.indices(question.sizes).reshape(len(question.sizes), -1)
        functions = np.column_stack([self._products(question, axes, where) for axes in sets])
        density = np.ones(1)
        for axis in question.axes:
            density = np.multiply.outer(density, self.contrasts[axis].frequencies).ravel()
        start = sum(other.cells for other in self.questions[:index])
        return Posterior(
            index,
            slice(start, start + question.cells),
            density.astype(np.float32),
            (functions * density[:, None]).astype(np.float32),
        )

    def _products(self, question: Question, axes: Axes, where: npt.NDArray[np.int64]) -> Vector:
        found = np.ones((where.shape[1], 1))
        for axis in axes:
            own = self.contrasts[axis].functions[where[question.axes.index(axis)]]
            found = (found[:, :, None] * own[:, None]).reshape(len(own), -1)
        return found
