"""How much one attribute reveals about another: mutual information from a table that noise made.

The plug-in value is that of the table on the simplex. Noise adds to it: near independence most of
it, where it is nearly a quadratic form, and less where attributes depend strongly. So it is
compared with what it would be if other tables were true. They lie on a path: from the product of
the margins to the estimated table, and on to tables that depend still more, f g (P / f g)^t. At
each, the covariance of the estimate gives draws, and these the law of the plug-in value, by its
first three moments. The estimate is the information at which the plug-in value is to be expected;
an interval has all those at which it would not be among the extreme values (Fieller's and Neyman's
inversion of a test), hence zero, where a test of independence does not reject.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy
from scipy.special import ndtri, xlogy

from discretion.estimate.estimate import check_confidence
from discretion.estimate.noise import Matrix, Vector, simplex
from discretion.joints.likelihood import Table

INSIDE = np.linspace(0, 1, 13) ** 1.5  # of the path, from independence to the estimate
BEYOND = 1 + 0.05 * 1.5 ** np.arange(32)  # and on, as far as it takes
MOST_DRAWS, LEAST_DRAWS = 512, 32
MOST_ENTRIES = 1 << 21  # of all draws at a table
SKEWED = 3.0  # a skewness beyond which a gamma law has too heavy a tail
EXACT = 1e-12  # a standard error that is none
CERTAIN = 8.0  # standard errors beyond which more say no more
ENOUGH = 5.0  # of them, at which the path may end
Compared = tuple[float, float, float, float]  # information, mean and error seen, score


@dataclass(frozen=True)
class MutualInformation:
    """In nats, from 0 to ``most``."""

    value: float
    stderr: float
    most: float
    path: Vector  # information of the tables that were tried, increasing
    scores: Vector  # how many standard errors above those the estimate is, decreasing

    @classmethod
    def of(cls, table: Table, root: Table) -> Self:
        """Estimate it from a table of two attributes, which may be negative, and deviations."""
        nearest = simplex(table.ravel()).reshape(table.shape)
        plugged = float(plug_in(nearest[None])[0])
        noise = _draws(root.reshape(len(root), -1))
        path, means, sizes, scores = np.array(list(_along(nearest, noise, plugged))).T
        path[0] = 0.0  # but for rounding
        path, scores = np.maximum.accumulate(path), np.minimum.accumulate(scores)
        means = np.maximum.accumulate(means)
        value = float(np.interp(plugged, means, path))
        most = float(np.log(min(table.shape)))
        return cls(min(value, most), float(np.interp(value, path, sizes)), most, path, scores)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return low and high: they hold the value, and reach to a standard error at least."""
        check_confidence(confidence)
        bound = ndtri((1 + confidence) / 2)
        low = float(np.interp(-bound, -self.scores, self.path))
        high = float(np.interp(bound, -self.scores, self.path, right=self.most))
        return min(low, self.value), min(max(high, self.value, self.stderr), self.most)


def plug_in(tables: Table) -> Vector:
    """Return the mutual information of tables (n, rows, columns) in nats."""
    cells = xlogy(tables, tables).sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    found: Vector = cells - xlogy(rows, rows).sum(axis=1) - xlogy(columns, columns).sum(axis=1)
    return np.maximum(found, 0.0)


def _along(table: Table, noise: Matrix, plugged: float) -> Iterator[Compared]:
    """Yield what is seen of the tables on the path, until it is clearly more than ``plugged``."""
    for t in [*INSIDE, *BEYOND]:
        found = _compared(_at(table, t), noise, plugged)
        yield found
        if t > 1 and found[-1] < -ENOUGH:
            return


def _compared(table: Table, noise: Matrix, plugged: float) -> Compared:
    """Return a table's information, what would be seen of it, and how unlikely ``plugged`` is."""
    seen = plug_in(_nearest(table.ravel() + noise).reshape(-1, *table.shape))
    mean, size = float(seen.mean()), max(float(seen.std()), EXACT)
    skewness = float(np.clip((((seen - mean) / size) ** 3).mean(), -SKEWED, SKEWED))
    below = scipy.stats.pearson3.cdf((plugged - mean) / size, skewness)
    score = float(np.clip(ndtri(below), -CERTAIN, CERTAIN))
    return float(plug_in(table[None])[0]), mean, size, score


def _at(table: Table, t: float) -> Table:
    """Return the table that depends t times as much, about."""
    product = np.outer(table.sum(axis=1), table.sum(axis=0))
    if t <= 1:
        return (1 - t) * product + t * table
    some = table > 0
    logs = (1 - t) * np.log(product[some]) + t * np.log(table[some])
    raised = np.zeros_like(table)
    raised[some] = np.exp(logs - logs.max())
    return raised / raised.sum()


def _draws(root: Matrix) -> Matrix:
    """Return draws of noise with these deviations, each with its opposite."""
    half = int(np.clip(MOST_ENTRIES // root.shape[1], LEAST_DRAWS, MOST_DRAWS)) // 2
    noise = np.random.default_rng(0).standard_normal((half, len(root))) @ root
    return np.concatenate([noise, -noise])


def _nearest(rows: Matrix) -> Matrix:
    """Return the point of the simplex nearest to each row."""
    falling = -np.sort(-rows, axis=1)
    over = (falling.cumsum(axis=1) - 1) / np.arange(1, rows.shape[1] + 1)
    kept = (falling > over).sum(axis=1) - 1
    return np.maximum(rows - np.take_along_axis(over, kept[:, None], axis=1), 0.0)
