"""Shrinkage to a power law: a few values are frequent, and many are rare.

A frequency x is taken as drawn with density proportional to x^-s between 1/n (one owner of n) and
1, and its estimate v as normal around it with its own standard error e. The exponent s is the one
under which the estimates are most likely, and what is given for v is the mean of x once v is known,

    E[x | v] = ∫ x x^-s φ((v - x) / e) dx / ∫ x^-s φ((v - x) / e) dx,

which has the least expected squared error as far as the law holds. Source: "Power" of Wang et al.
(NDSS 2020, arXiv:1905.08320), after Jia and Gong (INFOCOM 2019). Their standard error is one for
all values; here each has its own, and the exponent is fitted by the marginal likelihood.
"""

import numpy as np
import scipy

from discretion.estimate.noise import Matrix, Vector

NODES = 192  # of an integral; its bell is then wider than the distance of nodes
FAR = 8.0  # standard errors from the estimate that are integrated over
STEEPEST = 6.0  # an exponent at which nearly all of the law is at its lower end


def shrunk(value: Vector, stderr: Vector, n: int) -> Vector:
    """Return the mean of each frequency under the power law that fits best, of n owners."""
    uncertain = stderr > 0
    result = np.clip(value, 0.0, 1.0)
    if n > 1 and uncertain.any():
        least = 1 / n
        logs, parts = _integrand(value[uncertain], stderr[uncertain], least)
        s = exponent(logs, parts, least)
        result[uncertain] = _mean(logs, parts + (1 - s) * logs)
    return result


def exponent(logs: Matrix, parts: Matrix, least: float) -> float:
    """Return the exponent under which the estimates are most likely."""

    def unlikeliness(s: float) -> float:
        inner = parts + (1 - s) * logs
        top = inner.max(axis=1)
        each = top + np.log(np.exp(inner - top[:, None]).sum(axis=1))
        return float(len(parts) * _log_mass(s, least) - each.sum())

    return float(
        scipy.optimize.minimize_scalar(unlikeliness, bounds=(0.0, STEEPEST), method="bounded").x
    )


def _integrand(value: Vector, stderr: Vector, least: float) -> tuple[Matrix, Matrix]:
    """Return nodes log x (values, nodes), and the logarithm of weight and bell at each."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    near = np.clip(value, least, 1.0)
    low = np.log(np.maximum(near - FAR * stderr, least))[:, None]
    high = np.log(np.minimum(near + FAR * stderr, 1.0))[:, None]
    logs = (low + high) / 2 + (high - low) / 2 * nodes
    bell = -0.5 * ((value[:, None] - np.exp(logs)) / stderr[:, None]) ** 2
    return logs, bell + np.log(weights * (high - low))


def _mean(logs: Matrix, inner: Matrix) -> Vector:
    weights = np.exp(inner - inner.max(axis=1, keepdims=True))
    mean: Vector = (weights * np.exp(logs)).sum(axis=1) / weights.sum(axis=1)
    return mean


def _log_mass(s: float, least: float) -> float:
    """Return the logarithm of the integral of x^-s from ``least`` to 1."""
    log_range, bend = -np.log(least), s - 1
    if abs(bend) * log_range < 1e-9:
        return float(np.log(log_range))
    return float(np.log(np.expm1(bend * log_range) / bend))
