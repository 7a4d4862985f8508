"""The f >= 0 that minimises f' information f - 2 pull' f, of those that fulfil equations.

Normal equations are a compiled kernel's work. Where it does not end at a minimum, as for equations
that one entry alone can fulfil, SciPy's non-negative least squares take over, in which an equation
is a row with a large weight.
"""

from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.kernel.pivoting import minimise
from discretion.kernel.root import RIDGE, root

Support = npt.NDArray[np.bool_]  # (entries,), which of them are positive
Equation = tuple[Vector, float]  # row @ f = value

HEAVY = 1e3  # the weight of an equation, in those of others


class Start(NamedTuple):
    """The support at which problems begin: a root of the information on it."""

    root: Matrix  # (rows, rows)
    rows: npt.NDArray[np.int64]  # (rows,), the entry of each

    @classmethod
    def on(cls, information: Matrix, support: Support) -> Self:
        return cls(*root(information, support))

    @classmethod
    def cold(cls, information: Matrix) -> Self:
        """Begin with neither too many entries nor, as equations need them, only a few."""
        support = np.zeros(len(information), np.bool_)
        support[::2] = support[-1] = True
        return cls.on(information, support)


class Minima(NamedTuple):
    """For each pull, with the first so many equations, with one more, and so on."""

    f: Matrix  # (pulls, numbers of equations, entries)
    height: Matrix  # (pulls, numbers of equations), f' information f - 2 pull' f
    end: Start  # the support of the last one, where problems that are much like it begin


def minima(
    information: Matrix,
    pulls: Matrix,
    equations: tuple[Equation, ...],
    start: Start | None = None,
    first: int = 1,
) -> Minima:
    """Return the minima for each pull, with the first so many equations and more.

    The nearer the start is to them, the faster.
    """
    rows, values = np.array([row for row, _ in equations]), np.array([at for _, at in equations])
    begin = Start.cold(information) if start is None else start
    f, height, solved, *last = minimise(information, pulls, rows, values, first, *begin)
    end = Start(*last)
    open_still = ~solved.all(axis=1)
    if open_still.any() and start is not None:
        again = minima(information, pulls[open_still], equations, None, first)
        f[open_still], height[open_still], _ = again
    elif open_still.any():
        for i, stage in np.argwhere(~solved):
            own = least_squares(information, pulls[i], equations[: first + stage])
            f[i, stage], height[i, stage] = own, own @ information @ own - 2 * pulls[i] @ own
    return Minima(f, height, end)


def least_squares(information: Matrix, pull: Vector, equations: tuple[Equation, ...]) -> Vector:
    """Return the minimum by SciPy, slowly."""
    left, right = np.array([row for row, _ in equations]), np.array([at for _, at in equations])
    scales = np.abs(left).max(axis=1)
    scales[scales == 0] = 1.0
    left, right = left / scales[:, None], right / scales
    ridge = RIDGE * np.diag(information).max()
    whole = np.linalg.cholesky(information + ridge * np.eye(len(pull)), upper=True)
    target = scipy.linalg.solve_triangular(whole, pull, trans=1)
    weight = HEAVY * max(float(np.linalg.norm(target)), float(np.abs(whole).max()), 1.0)
    rows, wanted, f = np.vstack([whole, weight * left]), right, np.zeros(len(pull))
    for _ in range(2):  # what the first leaves open of the equations is asked for once more
        sides = np.concatenate([target, weight * wanted])
        f = scipy.optimize.nnls(rows, sides, maxiter=100 * len(pull))[0]
        wanted = wanted + right - left @ f
    return f
