"""The f >= 0 that minimises f' information f / 2 - pull' f, of those that fulfil equations.

Normal equations are a compiled kernel's work. Where it does not end at a minimum, as for equations
that one entry alone can fulfil, SciPy's non-negative least squares take over, in which an equation
is a row with a large weight.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import scipy

from discretion.estimate.noise import Matrix, Vector
from discretion.kernel.quadratic import END, OUTSIDE, RIDGE, invert, minimise

Supports = npt.NDArray[np.bool_]  # (problems, entries)
Equation = tuple[Vector, float]  # row @ f = value

NOWHERE = OUTSIDE
HEAVY = 1e3  # the weight of an equation, in those of others


@dataclass(frozen=True, eq=False)
class Start:
    """Where problems begin: supports, and inverses of the information on some that are near."""

    supports: Supports  # (problems, entries), where entries seem to be positive
    inverses: npt.NDArray[np.float64]  # (problems, or one for all, rows, rows)
    rows: npt.NDArray[np.int64]  # (problems, or one, rows), the entry of each row

    @classmethod
    def at(cls, supports: Supports) -> Self:
        """Begin at supports of which no inverse is known."""
        none = np.zeros((len(supports), 0), np.int64)
        return cls(supports, np.zeros((*none.shape, 0)), none)

    @classmethod
    def cold(cls, information: Matrix, problems: int) -> Self:
        """Begin with neither too many entries nor, as equations need them, only a few."""
        support = np.zeros((1, len(information)), np.bool_)
        support[:, ::2] = support[:, -1] = True
        return cls(np.repeat(support, problems, axis=0), *invert(information, support))

    @classmethod
    def inverted(cls, information: Matrix, supports: Supports) -> Self:
        """Begin at supports, with the inverses on them."""
        return cls(supports, *invert(information, supports))

    def moved(self, supports: Supports, entries: npt.NDArray[np.int64]) -> Self:
        """Begin at other supports, where each entry has another number, or is NOWHERE."""
        known = np.append(entries, [END, OUTSIDE])  # which is where -2 and -1 point to
        return replace(self, supports=supports, rows=known[self.rows])

    def __getitem__(self, some: slice) -> Self:
        return replace(
            self,
            supports=self.supports[some],
            inverses=self.inverses[some],
            rows=self.rows[some],
        )


def minimum(
    information: Matrix,
    pulls: Matrix,
    equations: tuple[Equation, ...],
    start: Start | None = None,
    first: int = 1,
) -> Matrix:
    """Return the minima for each pull: (problems, numbers of equations, entries).

    They are those with the first so many equations, with one more, and so on. The nearer the start
    is to them, the faster.
    """
    left, right = _scaled(equations)
    begin = Start.cold(information, len(pulls)) if start is None else start
    found, solved = minimise(
        information, pulls, left, right, first, begin.supports, begin.inverses, begin.rows
    )
    open_still = ~solved.all(axis=1)
    if open_still.any() and start is not None:
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
