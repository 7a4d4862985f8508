"""The Cholesky root of an information on a support, which changes entry by entry.

With the root changes what it divides, so that each step of a problem solves from below only. An
inverse would lose all its digits where columns are alike.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from discretion.kernel import cached

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
RIDGE = 1e-12  # of the largest information, added to each: columns may be alike
OUTSIDE = -1


class Information(NamedTuple):
    """The information, and its diagonal with a little more."""

    matrix: Matrix
    diagonal: Vector


class Root(NamedTuple):
    """Room for the upper root of the information on a support, with a row for each entry of it.

    ``sides`` are the equations and the pull on the support, divided by the transposed root.
    """

    matrix: Matrix
    sides: Matrix  # (equations + 1, rows)
    inside: Places  # the entry of each row
    place: Places  # the row of each entry; OUTSIDE where it is not in the support


@cached(nogil=True, error_model="numpy")
def root(information: Matrix, support: Flags) -> tuple[Matrix, Places]:
    """Return a root of the information on a support, and the entry of each of its rows."""
    used, ridged, nothing = 0, with_ridge(information), np.empty((0, len(support)))
    own = room(len(support), 0)
    own.place[:] = OUTSIDE
    for j in range(len(support)):
        if support[j]:
            used = join(ridged, nothing, own, used, j)
    return own.matrix[:used, :used].copy(), own.inside[:used].copy()


@njit(nogil=True, error_model="numpy")
def with_ridge(information: Matrix) -> Information:
    """Return the information, a little of which is added to its diagonal."""
    diagonal = np.diag(information).copy()
    diagonal += RIDGE * diagonal.max()
    return Information(information, diagonal)


@njit(nogil=True, error_model="numpy")
def room(size: int, sides: int) -> Root:
    """Return room for a root of so many entries, and for what it divides."""
    places = np.empty((2, size), np.int64)
    return Root(np.empty((size, size)), np.empty((sides, size)), places[0], places[1])


@njit(nogil=True, error_model="numpy")
def begin_at(known: Matrix, inside: Places, rows: Matrix, root: Root) -> int:
    """Begin with a root that is known; return how many entries it has."""
    used = len(inside)
    root.matrix[:used, :used], root.inside[:used], root.place[:] = known, inside, OUTSIDE
    for a in range(used):
        root.place[inside[a]] = a
    root.sides[:, :used] = rows[:, inside]
    substitute(known, root.sides[:, :used])
    return used


@njit(nogil=True, error_model="numpy")
def join(known: Information, rows: Matrix, root: Root, used: int, j: int) -> int:
    """Take an entry into the support, unless others can replace it; return how many there are."""
    column = np.empty((1, used))
    for a in range(used):
        column[0, a] = known.matrix[j, root.inside[a]]
    substitute(root.matrix, column)
    rest = known.diagonal[j] - product(column[0], column[0])
    if not rest > 0:
        return used
    own = np.sqrt(rest)
    for a in range(used):
        root.matrix[a, used] = column[0, a]
    root.matrix[used, used] = own
    for e in range(len(rows)):
        root.sides[e, used] = (rows[e, j] - product(column[0], root.sides[e, :used])) / own
    root.inside[used], root.place[j] = j, used
    return used + 1


@njit(nogil=True, error_model="numpy")
def leave(root: Root, used: int, here: int) -> int:
    """Take a row's entry out, and rotate those below into its place; return how many remain."""
    matrix, sides, inside, place = root
    place[inside[here]] = OUTSIDE
    for a in range(here):
        for b in range(here, used - 1):
            matrix[a, b] = matrix[a, b + 1]
    gone, out = matrix[here, :used].copy(), sides[:, here].copy()
    for a in range(here + 1, used):
        inside[a - 1] = inside[a]
        place[inside[a]] = a - 1
        length = np.sqrt(matrix[a, a] ** 2 + gone[a] ** 2)
        cosine, sine = matrix[a, a] / length, gone[a] / length
        for b in range(a, used):
            below = matrix[a, b]
            matrix[a - 1, b - 1] = cosine * below + sine * gone[b]
            gone[b] = cosine * gone[b] - sine * below
        for e in range(len(sides)):
            below = sides[e, a]
            sides[e, a - 1] = cosine * below + sine * out[e]
            out[e] = cosine * out[e] - sine * below
    return used - 1


@njit(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def substitute_back(root: Root, side: Vector, f: Vector) -> None:
    """Fill f with the x that solves root x = side; it is zero elsewhere."""
    used, matrix, x = len(side), root.matrix, np.empty(len(side))
    f[:] = 0
    for a in range(used - 1, -1, -1):
        rest = side[a]
        for b in range(a + 1, used):
            rest -= matrix[a, b] * x[b]
        x[a] = rest / matrix[a, a]
        f[root.inside[a]] = x[a]


@njit(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def substitute(root: Matrix, sides: Matrix) -> None:
    """Solve root' x = side for each side, which x replaces."""
    used = sides.shape[1]
    for e in range(len(sides)):
        side = sides[e]
        for a in range(used):
            row = root[a]
            side[a] /= row[a]
            part = side[a]
            for b in range(a + 1, used):
                side[b] -= part * row[b]


@njit(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def product(one: Vector, other: Vector) -> float:
    """Return the sum of products, in any order."""
    total = 0.0
    for a in range(len(other)):
        total += one[a] * other[a]
    return total
