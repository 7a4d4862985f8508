"""Local-level filters: x_t = f_t + noise of known variance, f_t = f_(t-1) + a step.

How large steps are is not known. A bank of filters, one for each ratio of the variance of a step to
that of the noise, is weighted by how well each predicts: online with weights that fade, so that a
step is followed; afterwards by the whole likelihood, and smoothed in both directions. The weights
spread over ratios, which counts that the right one is not known.

Source: Harvey (1989), Forecasting, Structural Time Series Models and the Kalman Filter, chapter 3.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector

ONLINE = np.concatenate([[0.0], np.geomspace(1e-3, 30.0, 10)])  # steps' variance over the noise's
SMOOTH = np.concatenate([[0.0], np.geomspace(1e-5, 30.0, 40)])
FADE = 0.9  # of what predictions were worth a round ago
DRAWN = 0.02  # of each filter towards the mixture in a round: one that is lost comes back

Filters = npt.NDArray[np.float64]  # (r, k), one for each ratio and label; or (t, r, k)


@dataclass(frozen=True, slots=True)
class Track:
    """A curve with its standard errors, both (t, k)."""

    value: Matrix
    stderr: Matrix


def online(x: Matrix, variance: Matrix, gaps: Vector) -> Track:
    """Return what each round and all before it say; no round sees a later one."""
    scale = np.median(variance, axis=0)
    steps = ONLINE[:, None] * scale
    mean, spread = np.tile(x[0], (len(ONLINE), 1)), np.tile(variance[0], (len(ONLINE), 1))
    worth = np.zeros(len(ONLINE))
    values, errors = [x[0]], [variance[0]]
    for t in range(1, len(x)):
        predicted = spread + steps * gaps[t - 1]
        total, apart = predicted + variance[t], x[t] - mean
        worth = FADE * worth + _likelihood(apart, total)
        gain = predicted / total
        mean, spread = mean + gain * apart, (1 - gain) * predicted
        weights = _weights(worth)
        value = weights @ mean
        values.append(value)
        errors.append(weights @ (spread + (mean - value) ** 2))
        mean = (1 - DRAWN) * mean + DRAWN * value
    return Track(np.array(values), np.sqrt(errors))


def smoothed(x: Matrix, variance: Matrix, gaps: Vector) -> Track:
    """Return what all rounds together say about each of them."""
    steps = SMOOTH[:, None] * np.median(variance, axis=0)
    means, spreads, ahead, worth = _forward(x, variance, gaps, steps)
    mean, spread = means[-1], spreads[-1]
    smooth, errors = [mean], [spread]
    for t in range(len(x) - 2, -1, -1):
        back = spreads[t] / ahead[t + 1]
        mean = means[t] + back * (mean - means[t])
        spread = spreads[t] + back**2 * (spread - ahead[t + 1])
        smooth.append(mean)
        errors.append(spread)
    weights = _weights(worth)
    curves, own = np.array(smooth[::-1]), np.array(errors[::-1])
    value = np.einsum("r,trk->tk", weights, curves)
    total = np.einsum("r,trk->tk", weights, own + (curves - value[:, None]) ** 2)
    return Track(value, np.sqrt(total))


def _forward(
    x: Matrix, variance: Matrix, gaps: Vector, steps: Filters
) -> tuple[Filters, Filters, Filters, Vector]:
    """Return means, their variances, those that were predicted, and the likelihoods."""
    mean, spread = np.tile(x[0], (len(steps), 1)), np.tile(variance[0], (len(steps), 1))
    means, spreads, ahead, worth = [mean], [spread], [spread], np.zeros(len(steps))
    for t in range(1, len(x)):
        predicted = spread + steps * gaps[t - 1]
        total, apart = predicted + variance[t], x[t] - mean
        worth = worth + _likelihood(apart, total)
        gain = predicted / total
        mean, spread = mean + gain * apart, (1 - gain) * predicted
        means.append(mean)
        spreads.append(spread)
        ahead.append(predicted)
    return np.array(means), np.array(spreads), np.array(ahead), worth


def _likelihood(apart: Filters, total: Filters) -> Vector:
    """Return the log-likelihood of each filter; shares sum to one, so one label is no news."""
    k = apart.shape[1]
    each: Vector = -0.5 * (np.log(total) + apart**2 / total).sum(axis=1)
    return each * (k - 1) / k if k > 1 else each


def _weights(worth: Vector) -> Vector:
    found: Vector = np.exp(worth - worth.max())
    return found / found.sum()
