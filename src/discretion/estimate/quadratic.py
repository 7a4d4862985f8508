"""The f >= 0 that minimises f' information f / 2 - pull' f, of those that fulfil equations.

Normal equations are a compiled kernel's work. Where it does not end at a minimum, as for equations
that one entry alone can fulfil, SciPy's non-negative least squares take over, in which an equation
is a row with a large weight.
"""

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.kernel.quadratic import RIDGE, minimise

Supports = npt.NDArray[np.bool_]  # (problems, entries)
Equation = tuple[Vector, float]  # row @ f = value

HEAVY = 1e3  # the weight of an equation, in those of others


def minimum(
    information: Matrix,
    pulls: Matrix,
    equations: tuple[Equation, ...],
    supports: Supports | None = None,
    first: int = 1,
) -> Matrix:
    """Return the minima for each pull: (problems, numbers of equations, entries).

    They are those with the first so many equations, with one more, and so on. ``supports``, where
    entries seem to be positive, are where to begin: the nearer, the faster.
    """
    left, right = _scaled(equations)
    begin = _every_second(pulls.shape) if supports is None else supports
    found, solved = minimise(information, pulls, left, right, first, begin)
    open_still = ~solved.all(axis=1)
    if open_still.any() and supports is not None:
        found[open_still] = minimum(information, pulls[open_still], equations, None, first)
    elif open_still.any():
        for i, stage in np.argwhere(~solved):
            used = equations[: first + stage]
            found[i, stage] = least_squares(information, pulls[i], used)
    return np.asarray(found)


def least_squares(information: Matrix, pull: Vector, equations: tuple[Equation, ...]) -> Vector:
    """Return the minimum by SciPy, slowly."""
    left, right = _scaled(equations)
    ridge = RIDGE * np.diag(information).max()
    root = np.linalg.cholesky(information + ridge * np.eye(len(pull)), upper=True)
    target = scipy.linalg.solve_triangular(root, pull, trans=1)
    weight = HEAVY * max(float(np.linalg.norm(target)), float(np.abs(root).max()), 1.0)
    f: Vector = scipy.optimize.nnls(
        np.vstack([root, weight * left]),
        np.concatenate([target, weight * right]),
        maxiter=100 * len(pull),
    )[0]
    return f


def _scaled(equations: tuple[Equation, ...]) -> tuple[Matrix, Vector]:
    """Return rows of which the largest entry is one, and their values."""
    rows = np.array([row for row, _ in equations], np.float64)
    scales = np.abs(rows).max(axis=1)
    scales[scales == 0] = 1.0
    return rows / scales[:, None], np.array([value for _, value in equations]) / scales


def _every_second(shape: tuple[int, ...]) -> Supports:
    """Return supports of neither too many entries nor, as equations need them, only a few."""
    supports = np.zeros(shape, np.bool_)
    supports[:, ::2] = supports[:, -1] = True
    return supports
