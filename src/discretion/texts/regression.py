"""Buckets explained by candidates: least squares with frequencies that are not negative.

A cell's share is the sum of the frequencies of the candidates in it, and of what other texts there
are, which are in all buckets alike. RAPPOR (Erlingsson, Pihur and Korolova 2014) is decoded like
this; here every cell weighs as its cohort's reports do, and the covariance comes from the laws.
"""

import numpy as np
import scipy

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector
from discretion.estimate.spread import Known, Spread
from discretion.family.part import Indices
from discretion.family.sketches import Sketch


def regression(sketch: Sketch, buckets: Indices) -> tuple[Vector, Vector, Spread]:
    """Return frequencies of the candidates, those that may be negative, and the spread of these.

    ``buckets`` (cohorts, candidates, hashes) are the buckets of the candidates.
    """
    gram = _products(sketch, buckets, sketch.weight[:, None] * np.ones(sketch.encoding.bits))
    own = sum(own[at].sum(axis=1) for own, at in zip(sketch.totals, buckets, strict=True))
    target = np.append(own, sketch.base * sketch.totals.sum())
    try:
        factor, low = scipy.linalg.cho_factor(gram, lower=True)
    except scipy.linalg.LinAlgError:
        raise EstimateError(
            "buckets do not distinguish all candidates: fewer candidates, or method='weighted'"
        ) from None
    unbounded = scipy.linalg.cho_solve((factor, low), target)
    root = np.tril(factor)
    bounded, _ = scipy.optimize.nnls(root.T, np.linalg.solve(root, target))
    unknown = max(sketch.concentration - float((bounded[:-1] ** 2).sum()), 0.0)  # of others
    lumps = sketch.weight[:, None] ** 2 * unknown * sketch.base * (1 - sketch.base)
    meat = _products(sketch, buckets, sketch.spread() + lumps)
    covariance = scipy.linalg.cho_solve(
        (factor, low), scipy.linalg.cho_solve((factor, low), meat).T
    )
    k = buckets.shape[1]
    return bounded[:k], unbounded[:k], Known(covariance[:k, :k])


def _products(sketch: Sketch, buckets: Indices, weights: Matrix) -> Matrix:
    """Return sums over buckets of weight times what any two candidates, or the rest, have there."""
    _, k, hashes = buckets.shape
    total, base = np.zeros((k + 1, k + 1)), sketch.base
    for own, weight in zip(buckets, weights, strict=True):
        for i in range(hashes):
            mine = weight[own[:, i]]
            total[:k, k] += base * mine
            for j in range(hashes):
                same = own[:, i, None] == own[None, :, j]
                total[:k, :k] += same * mine[:, None]
        total[k, k] += base**2 * weight.sum()
    total[k, :k] = total[:k, k]
    return total
