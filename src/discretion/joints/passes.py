"""What a pass over some reports computes from the terms of their likelihood, as array code."""

from collections.abc import Sequence
from functools import reduce
from operator import add

import numpy as np
import numpy.typing as npt

from discretion.engine import namespace
from discretion.estimate.noise import Matrix, Vector

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.floating]
Terms = tuple[Floats, Floats]  # ``rows.Term``, in single or double precision


def slope_of(
    terms: Sequence[Terms], times: Vector, folded: Sequence[Floats]
) -> tuple[float, list[Matrix]]:
    """Return the log-likelihood of some reports, and the slope for each term's cells.

    Off the simplex a report may be impossible: then there is none, in whatever thread this is.
    """
    xp = namespace(folded[0])
    dots = (dot(a @ part, b) for (a, b), part in zip(terms, folded, strict=True))
    density = reduce(add, dots)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = xp.log(density.astype(np.float64)) @ times
        inverse = (times.astype(density.dtype) / density)[:, None]
    return value, [(a.T @ (b * inverse)).astype(np.float64) for a, b in terms]


def dot(own: Floats, b: Floats) -> Floats:
    """Return the sums of the products of rows; of NumPy's arrays the first is overwritten."""
    own *= b
    return own @ namespace(own).ones(b.shape[1], dtype=b.dtype)


def pairs_of(size: int) -> tuple[tuple[Indices, Indices], Indices]:
    """Return the pairs of so many cells, and the index of each (size, size)."""
    pairs = np.tril_indices(size)
    index = np.zeros((size, size), np.int64)
    index[pairs] = index.T[pairs] = np.arange(len(pairs[0]))
    return pairs, index


def products_of(side: Floats, pairs: tuple[Indices, Indices]) -> Floats:
    """Return the products of pairs of cells (pairs, reports)."""
    cells = namespace(side).stack(tuple(side.T))  # each in one piece
    return cells[pairs[0]] * cells[pairs[1]]
