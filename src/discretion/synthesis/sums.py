"""What reports add up to, shard by shard: all that the scores of all pairs need, in two folds.

The first one sums, for each question and level, what the reports make us expect, and its products.
With the means of these the second one centres each report among those of its level and sums the
products of all columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from discretion.kernel.strata import add_by_stratum
from discretion.synthesis.expectation import Expectations
from discretion.synthesis.signals import Signals, Single

Matrix = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
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
    """What a first look at some reports comes to."""

    levels: tuple[LevelSums, ...]  # by question
    both: Mapping[Pair, csr_array]  # by two questions: how many answer both, by their levels
    heard: Counts  # (axes,): reports that tell about an attribute
    squares: Matrix  # (columns, columns): sums of products of squares
    bundles: Mapping[int, Matrix]  # by question: sums of products of one, its columns and its pairs

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(
            tuple(a + b for a, b in zip(self.levels, other.levels, strict=True)),
            {pair: own + other.both[pair] for pair, own in self.both.items()},
            self.heard + other.heard,
            self.squares + other.squares,
            {place: own + other.bundles[place] for place, own in self.bundles.items()},
        )


@dataclass(frozen=True, eq=False)
class Products:
    """Sums of the products of centred columns, and the columns of some reports."""

    total: Matrix  # (columns, columns)
    sample: Single  # (reports, columns)

    def __add__(self, other: "Products") -> "Products":
        return Products(self.total + other.total, np.concatenate([self.sample, other.sample]))


def sums_of(expectations: Expectations, axes: int, signals: Signals) -> Sums:
    """Return what the reports of a shard add up to."""
    columns, questions = expectations.of(signals), range(len(expectations.questions))
    squares = columns**2
    return Sums(
        tuple(_levels(expectations, place, columns, signals) for place in questions),
        {pair: _both(expectations, pair, signals) for pair in combinations(questions, 2)},
        _heard(expectations, axes, signals),
        (squares.T @ squares).astype(np.float64),
        {place: _bundled(expectations, place, columns, signals) for place in expectations.bundles},
    )


def products_of(
    expectations: Expectations, means: tuple[Single, ...], every: int, signals: Signals
) -> Products:
    """Return the products of columns less the mean of their level, and every so many reports."""
    columns = expectations.of(signals)
    for place, own in enumerate(means):
        told = signals.strata[place] >= 0
        columns[told, expectations.block(place)] -= own[signals.strata[place, told]]
    return Products((columns.T @ columns).astype(np.float64), columns[::every].copy())


def _levels(expectations: Expectations, place: int, columns: Single, signals: Signals) -> LevelSums:
    own = np.ascontiguousarray(columns[:, expectations.block(place)])
    strata, levels = signals.strata[place], len(expectations.questions[place].strata)
    sums = np.zeros((levels, own.shape[1]))
    products = np.zeros((levels, own.shape[1], own.shape[1]))
    add_by_stratum(own, strata, sums, products)
    return LevelSums(np.bincount(strata[strata >= 0], minlength=levels), sums, products)


def _both(expectations: Expectations, pair: Pair, signals: Signals) -> csr_array:
    one, other = (signals.strata[place] for place in pair)
    told = (one >= 0) & (other >= 0)
    shape = tuple(len(expectations.questions[place].strata) for place in pair)
    found = csr_array((np.ones(int(told.sum()), np.int64), (one[told], other[told])), shape)
    found.sum_duplicates()
    return found


def _heard(expectations: Expectations, axes: int, signals: Signals) -> Counts:
    heard = np.zeros((axes, signals.n), np.bool_)
    for question, strata in zip(expectations.questions, signals.strata, strict=True):
        heard[list(question.axes)] |= strata >= 0
    return heard.sum(axis=1)


def _bundled(expectations: Expectations, place: int, columns: Single, signals: Signals) -> Matrix:
    told = signals.strata[place] >= 0
    own = columns[told, expectations.block(place)]
    pairs = expectations.together(place, signals)[told]
    whole = np.column_stack([np.ones(len(own)), own, pairs]).astype(np.float64)
    return whole.T @ whole
