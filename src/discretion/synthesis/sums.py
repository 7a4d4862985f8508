"""What reports add up to, shard by shard: all that the scores of all pairs need, in two folds.

The first one sums, for each question and level, what the reports make us expect, and its products.
With the means of these the second one centres each report among those of its level and sums the
products of all columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.sparse import csr_array

from discretion.estimate.noise import Matrix
from discretion.family.part import Single
from discretion.kernel.products import add_by_stratum
from discretion.synthesis.expectation import Expectations
from discretion.synthesis.likelihoods import Likelihoods
from discretion.table.support import Counts

Pair = tuple[int, int]


@dataclass(frozen=True, eq=False)
class LevelSums:
    """What the reports of each level say about one question."""

    counts: Counts  # (strata,): who answered
    sums: Matrix  # (strata, columns)
    products: Matrix  # (strata, columns, columns)

    def __add__(self, other: "LevelSums") -> "LevelSums":
        return LevelSums(
            self.counts + other.counts, self.sums + other.sums, self.products + other.products
        )

    @property
    def means(self) -> Matrix:
        return self.sums / np.maximum(self.counts, 1)[:, None]

    @property
    def covariances(self) -> Matrix:
        """The covariance of the columns at each level; of a single report, none."""
        outer = self.means[:, :, None] * self.sums[:, None]
        return (self.products - outer) / np.maximum(self.counts - 1, 1)[:, None, None]


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of a first pass over some reports."""

    levels: tuple[LevelSums, ...]  # by question
    both: Mapping[Pair, csr_array]  # by two questions: how many answer both, by their levels
    answered: Counts  # (axes,): reports about each attribute
    squares: Matrix  # (columns, columns): sums of products of squares
    bundles: Mapping[int, Matrix]  # by question: sums of products of one, its columns and its pairs

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            tuple(a + b for a, b in zip(self.levels, other.levels, strict=True)),
            {pair: own + other.both[pair] for pair, own in self.both.items()},
            self.answered + other.answered,
            self.squares + other.squares,
            {index: own + other.bundles[index] for index, own in self.bundles.items()},
        )


@dataclass(frozen=True, eq=False)
class Products:
    """Sums of the products of centred columns, and the columns of some reports."""

    total: Matrix  # (columns, columns)
    sample: Single  # (reports, columns)

    def __add__(self, other: "Products") -> "Products":
        return Products(self.total + other.total, np.concatenate([self.sample, other.sample]))


def sums_of(expectations: Expectations, axes: int, likelihoods: Likelihoods) -> Sums:
    """Return what the reports of a shard add up to."""
    columns, questions = expectations.of(likelihoods), range(len(expectations.questions))
    squares = columns**2
    return Sums(
        tuple(_levels(expectations, index, columns, likelihoods) for index in questions),
        {pair: _both(expectations, pair, likelihoods) for pair in combinations(questions, 2)},
        _answered(expectations, axes, likelihoods),
        (squares.T @ squares).astype(np.float64),
        {
            index: _bundled(expectations, index, columns, likelihoods)
            for index in expectations.bundles
        },
    )


def products_of(
    expectations: Expectations, means: tuple[Single, ...], every: int, likelihoods: Likelihoods
) -> Products:
    """Return the products of columns less the mean of their level, and every so many reports."""
    columns = expectations.of(likelihoods)
    for index, own in enumerate(means):
        answered = likelihoods.strata[index] >= 0
        columns[answered, expectations.block(index)] -= own[likelihoods.strata[index, answered]]
    return Products((columns.T @ columns).astype(np.float64), columns[::every].copy())


def _levels(
    expectations: Expectations, index: int, columns: Single, likelihoods: Likelihoods
) -> LevelSums:
    own = np.ascontiguousarray(columns[:, expectations.block(index)])
    strata, levels = likelihoods.strata[index], len(expectations.questions[index].strata)
    sums = np.zeros((levels, own.shape[1]))
    products = np.zeros((levels, own.shape[1], own.shape[1]))
    add_by_stratum(own, strata, sums, products)
    return LevelSums(np.bincount(strata[strata >= 0], minlength=levels), sums, products)


def _both(expectations: Expectations, pair: Pair, likelihoods: Likelihoods) -> csr_array:
    one, other = (likelihoods.strata[index] for index in pair)
    answered = (one >= 0) & (other >= 0)
    shape = tuple(len(expectations.questions[index].strata) for index in pair)
    found = csr_array(
        (np.ones(int(answered.sum()), np.int64), (one[answered], other[answered])), shape
    )
    found.sum_duplicates()
    return found


def _answered(expectations: Expectations, axes: int, likelihoods: Likelihoods) -> Counts:
    answered = np.zeros((axes, likelihoods.n), np.bool_)
    for question, strata in zip(expectations.questions, likelihoods.strata, strict=True):
        answered[list(question.axes)] |= strata >= 0
    return answered.sum(axis=1)


def _bundled(
    expectations: Expectations, index: int, columns: Single, likelihoods: Likelihoods
) -> Matrix:
    answered = likelihoods.strata[index] >= 0
    own = columns[answered, expectations.block(index)]
    pairs = expectations.together(index, likelihoods)[answered]
    whole = np.column_stack([np.ones(len(own)), own, pairs]).astype(np.float64)
    return whole.T @ whole
