"""Shares of a tree by empirical Bayes: how much of what distinguishes siblings is noise.

From the root down, the shares of siblings are drawn towards what their parents' neighbours lead to
expect, a line through these. How far is estimated by James and Stein's rule, from all families of
a depth whose parents have about as much. Then each family is moved to the nearest shares that are
not negative and add up to their parent's. See docs/proofs/hierarchy.md.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.order.tree import Shape, Upwards

GROUPS = 4  # of families of a depth, by the share of the parent
LEAST = 8  # families of a group
NOTHING = 1e-12  # a share that leaves nothing to divide

Families = npt.NDArray[np.int64]


def shrunk(shape: Shape, up: Upwards) -> list[Vector]:
    """Return the shares of all depths."""
    found, parents = [], np.ones(1)
    for depth, (values, variance) in enumerate(zip(up.values, up.variances, strict=True)):
        counts = shape.children(depth)
        expected = shape.expected(depth, parents)
        if counts[-1] < shape.fanout:  # a smaller family has no line through it
            expected[-1] = np.where(
                np.arange(shape.fanout) < counts[-1], parents[-1] / counts[-1], 0
            )
        own = shape.families(values)
        there = np.arange(shape.fanout) < counts[:, None]
        lacking = (parents - own.sum(axis=1)) / counts
        apart = np.where(there, own + lacking[:, None] - expected, 0.0)
        kept = _kept(apart, counts, parents, variance)
        divided = expected + kept[:, None] * apart
        parents = _projected(divided, there, parents).ravel()[: len(values)]
        found.append(parents)
    return found


def _kept(apart: Matrix, counts: Vector, parents: Vector, variance: float) -> Vector:
    """Return how much of its deviation each family keeps."""
    kept = np.ones(len(parents))
    squares, free = (apart**2).sum(axis=1), counts - 1
    for group in _groups(parents):
        degrees, total = free[group].sum(), squares[group].sum()
        if degrees > 2:
            kept[group] = max(0.0, 1 - (degrees - 2) * variance / total) if total > 0 else 0.0
    return kept


def _groups(parents: Vector) -> Iterator[Families]:
    """Divide families that have something to divide by how much it is."""
    live = np.flatnonzero(parents > NOTHING)
    if len(live) < LEAST * GROUPS:
        yield live
        return
    ends = [len(live) * part // GROUPS for part in range(1, GROUPS)]
    ranked = live[np.argpartition(parents[live], ends)]
    yield from np.split(ranked, ends)


def _projected(values: Matrix, there: npt.NDArray[np.bool_], wholes: Vector) -> Matrix:
    """Return the nearest shares of each family that are not negative and have its whole."""
    if values.shape[1] == 2:
        first = np.where(there[:, 1], np.clip(values[:, 0], 0.0, wholes), wholes)
        return np.column_stack([first, wholes - first])
    ranked = -np.sort(-np.where(there, values, -np.inf), axis=1)
    above = np.cumsum(np.where(np.isfinite(ranked), ranked, 0.0), axis=1) - wholes[:, None]
    places = np.arange(1, values.shape[1] + 1)
    positive = ranked - above / places > 0
    last = np.maximum(positive.sum(axis=1), 1)
    drop = above[np.arange(len(values)), last - 1] / last
    return np.where(there, np.maximum(values - drop[:, None], 0.0), 0.0)
