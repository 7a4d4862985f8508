"""Systematic sampling of cells: each gets its share of a group of rows, rounded, in random order.

A cell of probability p among m rows is drawn floor(m p) or ceil(m p) times, m p on average, where
independent draws would scatter by sqrt(m p (1 - p)). Each single row still follows the table.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

from discretion.kernel import cached
from discretion.kernel.words import Words, uniform, word

Cells = npt.NDArray[np.int32]
Table = npt.NDArray[np.float64]


@cached()
def sample_systematically(given: Cells, weights: Table, state: Words, sampled: Cells) -> None:
    """Fill ``sampled`` with a cell for each row i, in proportion to ``weights[given[i]]``.

    A group whose weights are all zero may have no rows.
    """
    groups, n = len(weights), len(given)
    ends = np.zeros(groups + 1, np.int64)
    for i in range(n):
        ends[given[i] + 1] += 1
    for group in range(groups):
        ends[group + 1] += ends[group]
    draws = np.empty(n, np.int32)
    for group in range(groups):
        first, last = ends[group], ends[group + 1]
        if first < last:
            _apportion(weights[group], draws[first:last], state)
            _shuffle(draws[first:last], state)
    for i in range(n):
        sampled[i] = draws[ends[given[i]]]  # from here on: the next unused draw of the group
        ends[given[i]] += 1


@njit(inline="always")
def _apportion(weights: Table, draws: Cells, state: Words) -> None:
    """Fill ``draws`` with cells in order: systematic sampling, which needs one random offset."""
    total = 0.0
    for cell in range(len(weights)):
        total += weights[cell]
    if not 0 < total < np.inf:
        raise ValueError("rows were assigned to a group whose weights are all zero")
    m, offset = len(draws), (word(state) >> uint64(11)) * 2.0**-53
    below, i = 0.0, 0
    for cell in range(len(weights)):
        below += weights[cell]
        # a cell of weight 0 adds nothing, and the last other one makes the ratio exactly 1
        end = np.int64(m * (below / total) + offset)
        while i < end and i < m:
            draws[i] = cell
            i += 1


@njit(inline="always")
def _shuffle(draws: Cells, state: Words) -> None:
    """Put the draws into a uniformly random order (Fisher and Yates)."""
    for last in range(len(draws) - 1, 0, -1):
        other = uniform(uint64(last + 1), state)
        draws[last], draws[other] = draws[other], draws[last]
