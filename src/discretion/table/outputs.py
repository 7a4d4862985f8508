"""Outputs of numbers and of matrices: how often each was reported, how likely a code makes it."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from discretion.kernel.count import count_codes, level_index
from discretion.mechanism import (
    Decodable,
    Geometric,
    Hybrid,
    Marginal,
    Matrix,
    Table,
    TwoPoint,
    Window,
)
from discretion.mechanism.matrix import WHOLE
from discretion.randomness import ONE
from discretion.table.columns import Bytes, Codes, Levels, codes
from discretion.table.support import Counts

Probabilities = npt.NDArray[np.float64]


def count_outputs(
    y: Bytes, strata: Levels, n_outputs: Callable[[int], int]
) -> Iterator[tuple[int, int, Counts]]:
    """Yield the strata that occur, their reports, and how often each has each of its outputs."""
    used, index = level_index(strata)
    sizes_used = [n_outputs(stratum) for stratum in used.tolist()]
    most = max(sizes_used, default=0)
    counts = count_codes(np.ascontiguousarray(y), strata, index, len(used), most)
    for stratum, outputs, own in zip(used.tolist(), counts, sizes_used, strict=True):
        yield stratum, int(outputs.sum()), outputs[:own]


def count_part_levels(
    y: Bytes, strata: Levels, sizes: Sequence[int]
) -> Iterator[tuple[int, int, Counts]]:
    """Yield the strata that occur, their reports, and how often each part has each level.

    All parts of the bundle have equally many levels: (parts, levels).
    """
    used, index = level_index(strata)
    own, levels = index[strata], sizes[0]
    parts = np.unravel_index(codes(y), tuple(sizes))
    flat = [np.bincount(own * levels + part, minlength=len(used) * levels) for part in parts]
    counts = np.stack([count.reshape(len(used), levels) for count in flat], axis=1)
    for stratum, outputs in zip(used.tolist(), counts, strict=True):
        yield stratum, int(outputs[0].sum()), outputs


def probabilities(law: Decodable | Matrix) -> Probabilities:
    """Return P(y | code) for every output and code, (outputs, size)."""
    if isinstance(law, Matrix):
        return np.array(law.weights, np.float64).T / WHOLE
    return np.diff(below(law, np.arange(law.n_outputs + 1)), axis=0)


def below(law: Decodable, edges: Codes) -> Probabilities:
    """Return the probability of an output below each edge, for every code: (edges, size)."""
    match law:
        case TwoPoint(size, base, slope):
            heads = base / ONE + slope / ONE * np.arange(size)
            return np.stack([np.zeros(size), 1 - heads, np.ones(size)])[edges]
        case Window(size, cells, span, keep):
            inside = np.clip(edges[:, None] - np.arange(size) * cells, 0, span)
            outside = edges[:, None] - inside
            return keep / ONE / span * inside + (ONE - keep) / ONE / law.line * outside
        case Hybrid(points, window, mix):
            share = mix / ONE
            first = (1 - share) * below(points, np.minimum(edges, 2))
            return first + share * below(window, np.maximum(edges - 2, 0)) if mix else first
        case Geometric(size, step):
            q, away = step / ONE, edges[:, None] - np.arange(size)
            tail = q ** np.where(away > 0, away, 1 - away) / (1 + q)
            inner = np.where(away > 0, 1 - tail, tail)
            return np.where(edges[:, None] == 0, 0.0, np.where(edges[:, None] == size, 1.0, inner))
        case Table(size, weights):
            return _between(np.array(weights, np.float64) / sum(weights[0]), size)[edges]
        case Marginal(size, levels, own):
            other = float((1 - own) / (levels - 1))
            rows = np.full((levels, levels), other) + float(law.gap) * np.eye(levels)
            return _between(rows, size)[edges]
    raise TypeError(f"no shape to tabulate {law!r}")


def _between(knots: Probabilities, size: int) -> Probabilities:
    """Cumulate the rows of knots (knots, outputs) and round between them: (outputs + 1, size)."""
    cumulated = np.pad(knots.cumsum(axis=1), ((0, 0), (1, 0)))
    position = np.arange(size) * ((len(knots) - 1) / (size - 1))
    left = np.minimum(position.astype(np.int64), len(knots) - 2)
    share = (position - left)[:, None]
    return ((1 - share) * cumulated[left] + share * cumulated[left + 1]).T
