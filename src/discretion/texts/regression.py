"""Cells explained by candidates: least squares with frequencies that are not negative.

A cell's share is the sum of the frequencies of the candidates in it, and of what other texts there
are, which lie in all cells alike. RAPPOR (Erlingsson, Pihur and Korolova 2014) is decoded like
this; here every cell weighs as its cohort's reports do, and the covariance comes from the laws.
"""

import numpy as np
import numpy.typing as npt
import scipy

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.spread import Known, Spread
from discretion.family.sketches import Cells

Places = npt.NDArray[np.int64]


def regression(cells: Cells, places: Places) -> tuple[Vector, Vector, Spread]:
    """Return frequencies of the candidates, those that may be negative, and the spread of these.

    ``places`` (cohorts, candidates, hashes) are the cells of the candidates.
    """
    gram = _products(cells, places, cells.weight[:, None] * np.ones(cells.encoding.bits))
    target = _targets(cells, places)
    try:
        factor, low = scipy.linalg.cho_factor(gram, lower=True)
    except scipy.linalg.LinAlgError:
        raise EstimateError(
            "cells do not tell all candidates apart: fewer candidates, or method='weighted'"
        ) from None
    unbounded = scipy.linalg.cho_solve((factor, low), target)
    root = np.tril(factor)
    bounded, _ = scipy.optimize.nnls(root.T, np.linalg.solve(root, target))
    unknown = max(cells.concentration - float((bounded[:-1] ** 2).sum()), 0.0)  # of the other texts
    lumps = cells.weight[:, None] ** 2 * unknown * cells.base * (1 - cells.base)
    meat = _products(cells, places, cells.spread() + lumps)
    covariance = scipy.linalg.cho_solve(
        (factor, low), scipy.linalg.cho_solve((factor, low), meat).T
    )
    k = places.shape[1]
    return bounded[:k], unbounded[:k], Known(covariance[:k, :k])


def _products(cells: Cells, places: Places, weights: Matrix) -> Matrix:
    """Return sums over cells of weight times what any two candidates, or the rest, have there."""
    _, k, hashes = places.shape
    total, base = np.zeros((k + 1, k + 1)), cells.base
    for own, weight in zip(places, weights, strict=True):
        for i in range(hashes):
            mine = weight[own[:, i]]
            total[:k, k] += base * mine
            for j in range(hashes):
                same = own[:, i, None] == own[None, :, j]
                total[:k, :k] += same * mine[:, None]
        total[k, k] += base**2 * weight.sum()
    total[k, :k] = total[:k, k]
    return total


def _targets(cells: Cells, places: Places) -> Vector:
    own = sum(told[at].sum(axis=1) for told, at in zip(cells.told, places, strict=True))
    return np.append(own, cells.base * cells.told.sum())
