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

from discretion.synthesis.contrasts import Contrasts
from discretion.synthesis.signals import Question, Signals, Single

Vector = npt.NDArray[np.float64]
Axes = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Posterior:
    """Means of functions of a question's cells, given a report, from its likelihoods."""

    place: int  # of the question
    rows: slice  # of its likelihoods
    density: Single  # (cells,)
    weighted: Single  # (cells, functions)

    def of(self, signals: Signals) -> Single:
        """Return the means (reports, functions); of silent ones, zero."""
        likelihood = signals.likelihood[self.rows]
        means: Single = (likelihood.T @ self.weighted) / (self.density @ likelihood)[:, None]
        means[signals.strata[self.place] < 0] = 0
        return means


@dataclass(frozen=True, eq=False)
class Expectations:
    """The columns, and how they are worked out."""

    questions: tuple[Question, ...]
    contrasts: tuple[Contrasts, ...]

    @cached_property
    def columns(self) -> dict[tuple[int, int], slice]:
        """Where the contrasts of an axis stand, by the place of the question and the axis."""
        columns, start = {}, 0
        for place, question in enumerate(self.questions):
            for axis in question.axes:
                columns[place, axis] = slice(start, start + self.contrasts[axis].size)
                start += self.contrasts[axis].size
        return columns

    def block(self, place: int) -> slice:
        """Return where all columns of a question stand."""
        axes = self.questions[place].axes
        return slice(self.columns[place, axes[0]].start, self.columns[place, axes[-1]].stop)

    def of(self, signals: Signals) -> Single:
        """Return all columns (reports, columns)."""
        return np.column_stack([posterior.of(signals) for posterior in self._singles])

    def together(self, place: int, signals: Signals) -> Single:
        """Return what a bundle makes us expect of products of two attributes' contrasts."""
        return self._pairs[place].of(signals)

    def pairs(self, place: int) -> dict[tuple[int, int], slice]:
        """Return where these products stand, by the two axes, after the bundle's own columns."""
        own = self.block(place)
        found, start = {}, own.stop - own.start
        for pair in combinations(self.questions[place].axes, 2):
            size = self.contrasts[pair[0]].size * self.contrasts[pair[1]].size
            found[pair] = slice(start, start + size)
            start += size
        return found

    @property
    def bundles(self) -> list[int]:
        """The places of questions about several attributes."""
        return [i for i, question in enumerate(self.questions) if len(question.axes) > 1]

    @cached_property
    def _singles(self) -> list[Posterior]:
        return [
            self._posterior(place, [(axis,) for axis in question.axes])
            for place, question in enumerate(self.questions)
        ]

    @cached_property
    def _pairs(self) -> dict[int, Posterior]:
        return {
            place: self._posterior(place, list(combinations(self.questions[place].axes, 2)))
            for place in self.bundles
        }

    def _posterior(self, place: int, sets: Sequence[Axes]) -> Posterior:
        """Return the means of the products of contrasts of some sets of a question's axes."""
        question = self.questions[place]
        where = np.indices(question.sizes).reshape(len(question.sizes), -1)
        functions = np.column_stack([self._products(question, axes, where) for axes in sets])
        density = np.ones(1)
        for axis in question.axes:
            density = np.multiply.outer(density, self.contrasts[axis].frequencies).ravel()
        start = sum(other.cells for other in self.questions[:place])
        return Posterior(
            place,
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
