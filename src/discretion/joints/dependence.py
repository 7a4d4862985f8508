"""Mutual information of a table that noise has made: what the noise alone would give is taken off.

At independence the gradient vanishes and noise enters by its square, so the plug-in value is too
large by half the trace of W V, with W = diag(1 / (f g)) and V the covariance of the interactions;
its variance has the usual linear part and half the trace of (W V)^2.
"""

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import simplex

LEAST = 1e-12
Table = npt.NDArray[np.float64]


def information(table: Table, root: Table) -> tuple[float, float]:
    """Return the mutual information in nats and its standard error."""
    inside = simplex(table.ravel()).reshape(table.shape)
    f, g = inside.sum(axis=1), inside.sum(axis=0)
    product = np.maximum(np.outer(f, g), LEAST)
    logs = np.log(np.maximum(inside, LEAST) / product)
    rows, columns = root.sum(axis=2), root.sum(axis=1)
    mixed = root - rows[:, :, None] * g - f[:, None] * columns[:, None, :]
    scaled = mixed / np.sqrt(np.maximum(product, 1 / table.size**2))
    flat = scaled.reshape(len(scaled), -1)
    noise = flat @ flat.T if len(flat) < flat.shape[1] else flat.T @ flat
    slope = (root * np.where(inside > 0, logs, 0.0)).reshape(len(root), -1).sum(axis=1)
    plain = float((inside * logs)[inside > 0].sum())
    value = plain - float(np.trace(noise)) / 2
    return max(value, 0.0), float(np.sqrt(slope @ slope + (noise**2).sum() / 2))
