"""Least squares with f >= 0 and a few equations, from normal equations: many right-hand sides.

Which entries of f are positive, the support, is guessed and mended: negative entries leave it, and
those whose slope asks for more join it, many at once (block principal pivoting: Judice and Pires
1994, Kim and Park 2011). Neighbours have columns that are nearly alike, so that of those which are
near to each other only the worst changes: else they would come and go together. If that goes round
in circles, the last one alone changes, which ends (Murty 1974). The Cholesky root of the
information on the support changes with it: an inverse would lose all its digits where columns are
alike. From the support of a problem that is nearly the same, two or three steps are enough.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from discretion.kernel import cached

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
MOST_STEPS = 100
APART = 2  # entries, of which one may change; twice as many after each step that mends nothing
SLOPE = 1e-10  # of the largest pull: what is no slope
NEGATIVE = 1e-12  # what is no negative entry
RIDGE = 1e-12  # of the largest information, added to each: columns may be alike
OPEN, REFINED = 1e-11, 3  # of an equation: what is little, and how often one tries
OUTSIDE = -1


class Information(NamedTuple):
    """The information, and its diagonal with a little more."""

    matrix: Matrix
    diagonal: Vector


class Root(NamedTuple):
    """Room for the upper root of the information on a support, with a row for each entry of it."""

    matrix: Matrix
    inside: Places  # the entry of each row
    place: Places  # the row of each entry; OUTSIDE where it is not in the support


class Problem(NamedTuple):
    """A right-hand side, and the equations that f must fulfil."""

    pull: Vector
    equations: Matrix
    values: Vector


@cached(nogil=True, error_model="numpy")
def minimise(
    information: Matrix,
    pulls: Matrix,
    equations: Matrix,
    values: Vector,
    first: int,
    known: Matrix,
    rows: Places,
) -> tuple[Matrix, Flags]:
    """Minimise f' information f / 2 - pull' f, with f >= 0 and equations f = values, for each pull.

    That is done with the first so many equations, then with one more, and so on. ``known`` is the
    root on the support where all begin, and ``rows`` the entry of each of its rows (see ``root``).
    Returned are the f, (pulls, numbers of equations, entries), and whether each of them fulfils the
    conditions of a minimum.
    """
    count, size = pulls.shape
    stages = len(values) + 1 - first
    found, solved = np.zeros((count, stages, size)), np.zeros((count, stages), np.bool_)
    ridged = _ridged(information)
    own = Root(np.empty((size, size)), np.empty(size, np.int64), np.empty(size, np.int64))
    for i in range(count):
        used = _copy(known, rows, own)
        for stage in range(stages):
            few = first + stage
            problem = Problem(pulls[i], equations[:few], values[:few])
            used, solved[i, stage] = _pivot(ridged, problem, own, used, found[i, stage])
    return found, solved


@cached(nogil=True, error_model="numpy")
def root(information: Matrix, support: Flags) -> tuple[Matrix, Places]:
    """Return a root of the information on a support, and the entry of each of its rows."""
    most, used, ridged = support.sum(), 0, _ridged(information)
    place = np.full(len(support), OUTSIDE, np.int64)
    own = Root(np.empty((most, most)), np.empty(most, np.int64), place)
    for j in range(len(support)):
        if support[j]:
            used = _join(ridged, own, used, j)
    return own.matrix[:used, :used].copy(), own.inside[:used].copy()


@cached(nogil=True, error_model="numpy")
def _ridged(information: Matrix) -> Information:
    diagonal = np.diag(information).copy()
    diagonal += RIDGE * diagonal.max()
    return Information(information, diagonal)


@cached(nogil=True, error_model="numpy")
def _copy(known: Matrix, rows: Places, root: Root) -> int:
    """Begin with a root that is known; return how many entries it has."""
    used = len(rows)
    root.matrix[:used, :used], root.inside[:used], root.place[:] = known, rows, OUTSIDE
    for a in range(used):
        root.place[rows[a]] = a
    return used


@cached(nogil=True, error_model="numpy")
def _pivot(
    known: Information, problem: Problem, root: Root, used: int, f: Vector
) -> tuple[int, bool]:
    """Change the support until f, which is filled, is the minimum.

    Return how many entries the support has, and whether it is.
    """
    none, place = SLOPE * np.abs(problem.pull).max(), root.place
    fewest, apart = len(f) + 1, APART
    multipliers, wrong = np.zeros(len(problem.values)), np.empty(len(f))
    for _ in range(MOST_STEPS):
        if not _balance(problem, root, used, f, multipliers):
            return used, False
        slope = _slope(known, problem, f, multipliers)
        count = _violations(known.diagonal, place, f, slope, none, wrong)
        if count == 0:
            return used, _is_level(slope, none, place, f)
        apart = APART if count < fewest else min(2 * apart, len(f))
        fewest = min(fewest, count)
        last = apart == len(f)
        for j in range(len(f) - 1, -1, -1):
            near = wrong[max(j - apart, 0) : j + apart + 1]
            if wrong[j] > 0 and (last or wrong[j] == near.max()):
                if place[j] == OUTSIDE:
                    used = _join(known, root, used, j)
                else:
                    used = _leave(root, used, place[j])
                if last:
                    break
    return used, False


@cached(nogil=True, error_model="numpy")
def _violations(
    diagonal: Vector, place: Places, f: Vector, slope: Vector, none: float, wrong: Vector
) -> int:
    """Fill in how wrong it is that an entry is in the support, or is not; return how many are.

    Entries and slopes are compared in standard errors, as if there were no other entry.
    """
    count = 0
    for j in range(len(f)):
        wrong[j] = 0.0
        if place[j] == OUTSIDE and slope[j] < -none:
            wrong[j] = slope[j] ** 2 / diagonal[j]
        elif f[j] < -NEGATIVE:
            wrong[j] = f[j] ** 2 * diagonal[j]
        count += wrong[j] > 0
    return count


@cached(nogil=True, error_model="numpy")
def _is_level(slope: Vector, none: float, place: Places, f: Vector) -> bool:
    """Cut off what is rounding; return whether there is no slope on the support."""
    level = True
    for j in range(len(f)):
        level &= place[j] == OUTSIDE or abs(slope[j]) <= none
        f[j] = max(f[j], 0.0)
    return level


@cached(nogil=True, error_model="numpy")
def _slope(known: Information, problem: Problem, f: Vector, multipliers: Vector) -> Vector:
    slope = -problem.pull
    for e in range(len(multipliers)):
        slope -= multipliers[e] * problem.equations[e]
    for j in range(len(f)):
        if f[j] != 0:
            own, part = known.matrix[j], f[j]
            for i in range(len(f)):
                slope[i] += part * own[i]
            slope[j] += part * (known.diagonal[j] - own[j])
    return slope


@cached(nogil=True, error_model="numpy")
def _balance(problem: Problem, root: Root, used: int, f: Vector, multipliers: Vector) -> bool:
    """Fill f, which has no slope on the support and is zero elsewhere, and the multipliers.

    Return false if no f on this support fulfils the equations.
    """
    few, inside = len(problem.values), root.inside
    sides = np.empty((few + 1, used))
    for a in range(used):
        sides[few, a] = problem.pull[inside[a]]
        for e in range(few):
            sides[e, a] = problem.equations[e, inside[a]]
    _divide(root.matrix, sides)
    multipliers[:], small, rest = 0, np.empty((few, few + 1)), problem.values.copy()
    for e in range(few):
        rest[e] -= _product(sides[e], sides[few])
    for _ in range(REFINED):
        for e in range(few):
            for g in range(few):
                small[e, g] = _product(sides[e], sides[g])
            small[e, few] = rest[e]
        if not _solve(small, rest):
            return False
        for e in range(few):
            multipliers[e] += rest[e]
            sides[few] += rest[e] * sides[e]
        _place(root, sides[few].copy(), f)
        for e in range(few):
            rest[e] = problem.values[e] - _product(problem.equations[e], f)
        if np.abs(rest).max() < OPEN:
            break
    return True


@cached(nogil=True, error_model="numpy")
def _place(root: Root, side: Vector, f: Vector) -> None:
    """Fill f with the x that solves root x = side, which is used up; it is zero elsewhere."""
    f[:] = 0
    for a in range(len(side) - 1, -1, -1):
        side[a] -= _product(root.matrix[a, a + 1 : len(side)], side[a + 1 :])
        side[a] /= root.matrix[a, a]
        f[root.inside[a]] = side[a]


@cached(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _divide(root: Matrix, sides: Matrix) -> None:
    """Solve root' x = side for each side, which x replaces."""
    used = sides.shape[1]
    for a in range(used):
        row = root[a]
        for e in range(len(sides)):
            side = sides[e]
            side[a] /= row[a]
            part = side[a]
            for b in range(a + 1, used):
                side[b] -= part * row[b]


@cached(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _product(one: Vector, other: Vector) -> float:
    """Return the sum of products, in any order."""
    total = 0.0
    for a in range(len(other)):
        total += one[a] * other[a]
    return total


@cached(nogil=True, error_model="numpy")
def _solve(rows: Matrix, x: Vector) -> bool:
    """Solve a small symmetric system, with its right-hand side beside it, that is used up.

    Return false if it is not positive definite.
    """
    few = len(rows)
    for p in range(few):
        if not rows[p, p] > 0:
            return False
        for r in range(p + 1, few):
            rows[r] -= rows[r, p] / rows[p, p] * rows[p]
    for p in range(few - 1, -1, -1):
        x[p] = rows[p, few]
        for r in range(p + 1, few):
            x[p] -= rows[p, r] * x[r]
        x[p] /= rows[p, p]
    return True


@cached(nogil=True, error_model="numpy")
def _join(known: Information, root: Root, used: int, j: int) -> int:
    """Take an entry into the support, unless others can replace it; return how many there are."""
    matrix, inside, place = root
    column = np.empty((1, used))
    column[0] = known.matrix[j][inside[:used]]
    _divide(matrix, column)
    rest = known.diagonal[j] - _product(column[0], column[0])
    if not rest > 0:
        return used
    matrix[:used, used] = column[0]
    matrix[used, used] = np.sqrt(rest)
    inside[used], place[j] = j, used
    return used + 1


@cached(nogil=True, error_model="numpy")
def _leave(root: Root, used: int, here: int) -> int:
    """Take a row's entry out, and rotate those below into its place; return how many remain."""
    matrix, inside, place = root
    place[inside[here]] = OUTSIDE
    for row in matrix[:here]:
        for b in range(here, used - 1):
            row[b] = row[b + 1]
    gone = matrix[here, :used].copy()
    for a in range(here + 1, used):
        inside[a - 1] = inside[a]
        place[inside[a]] = a - 1
        above, row = matrix[a - 1], matrix[a]
        length = np.sqrt(row[a] ** 2 + gone[a] ** 2)
        cosine, sine = row[a] / length, gone[a] / length
        for b in range(a, used):
            above[b - 1] = cosine * row[b] + sine * gone[b]
            gone[b] = cosine * gone[b] - sine * row[b]
    return used - 1
