"""LoCop: margins from reports of each attribute, and a Gaussian copula for what they share.

The correlation of a pair is that of the normal scores of two attributes, in the order of their
codes. It is estimated from the unbiased table of the pair, as the paper does from debiased bits.
"""

from collections.abc import Sequence
from math import pi, sin

import numpy as np
from scipy.special import ndtri
from scipy.stats import multivariate_normal

import discretion as ds
from discretion.estimate.noise import simplex
from papers.views.people import Array, Pair

MOST = 0.97  # of a correlation


def locop(reports: ds.ReportTable, pairs: Sequence[Pair]) -> dict[Pair, Array]:
    """Return the tables of some pairs from reports of each attribute by itself."""
    return {
        pair: copula_table(ds.joint(reports, [f"x{i}" for i in pair], method="tensor").value)
        for pair in pairs
    }


def copula_table(table: Array) -> Array:
    """Return the table of the Gaussian copula that has its margins and its rank correlation."""
    one, other = (simplex(table.sum(axis=axis)) for axis in (1, 0))
    scores = [np.cumsum(own) - own / 2 for own in (one, other)]
    centred = [s - 0.5 for s in scores]
    spread = np.sqrt([(own * c**2).sum() for own, c in zip((one, other), centred, strict=True)])
    rank = float(centred[0] @ table @ centred[1]) / max(float(np.prod(spread)), 1e-9)
    correlation = min(max(2 * sin(pi / 6 * min(max(rank, -1), 1)), -MOST), MOST)
    edges = [
        ndtri(np.clip(np.concatenate([[0], np.cumsum(own)]), 1e-9, 1 - 1e-9))
        for own in (one, other)
    ]
    grid = np.stack(np.meshgrid(*edges, indexing="ij"), axis=-1)
    below = multivariate_normal(np.zeros(2), [[1, correlation], [correlation, 1]]).cdf(grid)
    cells = np.diff(np.diff(np.asarray(below), axis=0), axis=1)
    return np.asarray(simplex(cells.ravel()).reshape(cells.shape))
