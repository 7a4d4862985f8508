"""Belief propagation: what each report makes probable in every cell of a junction tree.

Reports are worked on side by side, LANES at once. The axes of a clique are in three parts: some are
gone through value by value, and for each of these values the rest falls into a left and a right
half, so that whatever comes in (evidence about attributes, messages of children) is about one half
alone, and the message to the parent about the left one. Between the halves stands the table, and
nothing else: sums over cells, and posteriors summed over reports, are products of matrices.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from discretion.kernel import cached

LANES = 256
LEAST = np.float32(1e-30)
FAST = {"reassoc", "contract", "nsz", "arcp"}  # sums may be in any order; nothing is infinite

Single = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int64]
Maps = npt.NDArray[np.int32]


class Wiring(NamedTuple):
    """What comes into each clique and goes out of it: children first, the root last."""

    first: Indices  # (cliques + 1,): where the cells of each begin, the right half's run fastest
    shapes: Indices  # (cliques, 3): values gone through, cells of the left and of the right half
    inputs: Indices  # (2 cliques + 1,): where the inputs of each half begin among all
    rows: Indices  # (inputs,): the first row of each, messages after the evidence
    heights: Indices  # (inputs,): the rows of a message; 0 for evidence
    maps: Maps  # (inputs, cells): the row of each that a cell of its half takes
    out: Indices  # (cliques,): the first row of each clique's own message
    out_maps: Maps  # (cliques, cells): the row that a cell of the left half is summed on


class Room(NamedTuple):
    """What is worked out for the reports at hand, a lane each."""

    up: Single  # evidence, then messages to parents
    down: Single  # messages to children, at the same rows
    left: Single
    right: Single
    sums: Single  # of one half, over the other
    posteriors: Single  # of the cells of two halves


@cached(nogil=True, fastmath=FAST)
def beliefs(
    evidence: Single,  # (rows, reports)
    tables: Single,  # of the cliques: probabilities given the parent
    wiring: Wiring,
    expected: npt.NDArray[np.float64],  # (cells of all cliques,): posteriors are added to it
) -> float:
    """Add the posteriors of all reports to ``expected``, and return their log-likelihood."""
    known, n = evidence.shape
    root = len(wiring.out) - 1
    room = _room(wiring)
    scales = np.empty((root + 1, LANES), np.float32)
    value = 0.0
    for start in range(0, n, LANES):
        width = min(LANES, n - start)
        for row in range(known):
            for lane in range(width):
                room.up[row, lane] = evidence[row, start + lane]
        for clique in range(root + 1):
            _collect(clique, tables, wiring, room, scales[clique])
            for lane in range(width):
                value -= np.log(np.float64(scales[clique, lane]))
        for lane in range(LANES):
            room.down[wiring.out[root], lane] = lane < width
        for clique in range(root, -1, -1):
            _distribute(clique, tables, wiring, room, scales[clique], expected)
    return value


@njit(nogil=True)
def _room(wiring: Wiring) -> Room:
    height = wiring.out[-1] + 1  # the message of the root is one row
    left, right = wiring.shapes[:, 1], wiring.shapes[:, 2]
    both = max(left.max(), right.max())
    return Room(
        np.ones((height, LANES), np.float32),
        np.zeros((height, LANES), np.float32),
        np.empty((left.max(), LANES), np.float32),
        np.empty((right.max(), LANES), np.float32),
        np.empty((both, LANES), np.float32),
        np.empty((left * right).max(), np.float32),
    )


@njit(nogil=True)
def _end(clique: int, wiring: Wiring) -> int:
    """Return where the rows of a clique's message end."""
    last = clique == len(wiring.out) - 1
    return wiring.out[clique] + 1 if last else wiring.out[clique + 1]


@njit(nogil=True)
def _table(tables: Single, clique: int, value: int, wiring: Wiring) -> Single:
    """Return the table between the halves, at one of the values gone through."""
    _, left, right = wiring.shapes[clique]
    start = wiring.first[clique] + value * left * right
    return tables[start : start + left * right].reshape(left, right)


@njit(fastmath=FAST)
def _multiply(half: Single, size: int, side: int, value: int, wiring: Wiring, up: Single) -> None:
    """Fill a half with the products of what comes in."""
    half[:size] = 1
    for k in range(wiring.inputs[side], wiring.inputs[side + 1]):
        row, cells = wiring.rows[k], wiring.maps[k, value * size :]
        for cell in range(size):
            own, coming = half[cell], up[row + cells[cell]]
            for lane in range(LANES):
                own[lane] *= coming[lane]


@njit(fastmath=FAST)
def _collect(clique: int, tables: Single, wiring: Wiring, room: Room, scale: Single) -> None:
    """Sum a clique's products onto its message, and divide it by its total for each report."""
    values, left, right = wiring.shapes[clique]
    top, end = wiring.out[clique], _end(clique, wiring)
    room.up[top:end] = 0
    for value in range(values):
        _multiply(room.left, left, 2 * clique, value, wiring, room.up)
        _multiply(room.right, right, 2 * clique + 1, value, wiring, room.up)
        np.dot(_table(tables, clique, value, wiring), room.right[:right], room.sums[:left])
        onto = wiring.out_maps[clique, value * left :]
        for cell in range(left):
            sent, own, summed = room.up[top + onto[cell]], room.left[cell], room.sums[cell]
            for lane in range(LANES):
                sent[lane] += own[lane] * summed[lane]
    scale[:] = 0
    for row in range(top, end):
        for lane in range(LANES):
            scale[lane] += room.up[row, lane]
    for lane in range(LANES):
        scale[lane] = 1 / max(scale[lane], LEAST)
    for row in range(top, end):
        for lane in range(LANES):
            room.up[row, lane] *= scale[lane]


@njit(fastmath=FAST)
def _distribute(
    clique: int,
    tables: Single,
    wiring: Wiring,
    room: Room,
    scale: Single,
    expected: npt.NDArray[np.float64],
) -> None:
    """Add a clique's posteriors to what is expected, and onto the messages to its children."""
    values, left, right = wiring.shapes[clique]
    top, side = wiring.out[clique], 2 * clique
    for row in range(top, _end(clique, wiring)):
        for lane in range(LANES):
            room.down[row, lane] *= scale[lane] / max(room.up[row, lane], LEAST)
    for k in range(wiring.inputs[side], wiring.inputs[side + 2]):
        room.down[wiring.rows[k] : wiring.rows[k] + wiring.heights[k]] = 0
    posteriors = room.posteriors[: left * right].reshape(left, right)
    for value in range(values):
        table = _table(tables, clique, value, wiring)
        _multiply(room.left, left, side, value, wiring, room.up)
        _multiply(room.right, right, side + 1, value, wiring, room.up)
        onto = wiring.out_maps[clique, value * left :]
        for cell in range(left):
            own, coming = room.left[cell], room.down[top + onto[cell]]
            for lane in range(LANES):
                own[lane] *= coming[lane]
        np.dot(room.left[:left], room.right[:right].T, posteriors)
        start = wiring.first[clique] + value * left * right
        for i in range(left):
            for j in range(right):
                expected[start + i * right + j] += table[i, j] * posteriors[i, j]
        if _has_messages(side, wiring):
            np.dot(table, room.right[:right], room.sums[:left])
            _pass_down(room.left, left, side, value, wiring, room)
        if _has_messages(side + 1, wiring):
            np.dot(table.T, room.left[:left], room.sums[:right])
            _pass_down(room.right, right, side + 1, value, wiring, room)


@njit(nogil=True)
def _has_messages(side: int, wiring: Wiring) -> bool:
    return bool(wiring.heights[wiring.inputs[side] : wiring.inputs[side + 1]].any())


@njit(fastmath=FAST)
def _pass_down(half: Single, size: int, side: int, value: int, wiring: Wiring, room: Room) -> None:
    """Sum the posteriors of a half onto the messages to its children."""
    for cell in range(size):
        own, summed = half[cell], room.sums[cell]
        for lane in range(LANES):
            summed[lane] *= own[lane]
    for k in range(wiring.inputs[side], wiring.inputs[side + 1]):
        if wiring.heights[k]:
            row, cells = wiring.rows[k], wiring.maps[k, value * size :]
            for cell in range(size):
                sent, summed = room.down[row + cells[cell]], room.sums[cell]
                for lane in range(LANES):
                    sent[lane] += summed[lane]
