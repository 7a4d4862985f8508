"""Dealing cells to rows: each gets its share of a group of rows, rounded, in a random order.

A cell of chance p among m rows is dealt to floor(m p) or ceil(m p) of them, and to m p on average:
independent draws would scatter by sqrt(m p (1 - p)). Every single row still has the chances of the
table.
"""

import numpy as np
import numpy.typing as npt
from numba import njit, uint64

from discretion.kernel.compiler import cached
from discretion.kernel.words import Words, uniform, word

Cells = npt.NDArray[np.int32]
Table = npt.NDArray[np.float64]


@cached()
def deal(given: Cells, chance: Table, state: Words, dealt: Cells) -> None:
    """Fill ``dealt`` with a cell for each row i, by the chances in ``chance[given[i]]``.

    The chances of a group are in proportion only. A group without any may have no rows.
    """
    groups, n = len(chance), len(given)
    ends = np.zeros(groups + 1, np.int64)
    for i in range(n):
        ends[given[i] + 1] += 1
    for group in range(groups):
        ends[group + 1] += ends[group]
    hand = np.empty(n, np.int32)
    for group in range(groups):
        first, last = ends[group], ends[group + 1]
        if first < last:
            _apportion(chance[group], hand[first:last], state)
            _shuffle(hand[first:last], state)
    for i in range(n):
        dealt[i] = hand[ends[given[i]]]  # from here on: where the group's next card lies
        ends[given[i]] += 1


@njit(inline="always")
def _apportion(chance: Table, hand: Cells, state: Words) -> None:
    """Fill ``hand`` with cells in order: systematic sampling, which needs one random offset."""
    total = 0.0
    for cell in range(len(chance)):
        total += chance[cell]
    if not 0 < total < np.inf:
        raise ValueError("rows were dealt into a group that has no chances")
    m, offset = len(hand), (word(state) >> uint64(11)) * 2.0**-53
    below, place = 0.0, 0
    for cell in range(len(chance)):
        below += chance[cell]
        # a cell without a chance adds nothing, and the last with one makes the ratio exactly 1
        end = np.int64(m * (below / total) + offset)
        while place < end and place < m:
            hand[place] = cell
            place += 1


@njit(inline="always")
def _shuffle(hand: Cells, state: Words) -> None:
    """Put a hand into a uniformly random order (Fisher and Yates)."""
    for last in range(len(hand) - 1, 0, -1):
        other = uniform(uint64(last + 1), state)
        hand[last], hand[other] = hand[other], hand[last]
