"""Least squares with f >= 0 and a few equations, from normal equations: many right-hand sides.

Which entries of f are positive, the support, is guessed and mended: negative entries leave it, and
those whose slope asks for more join it, many at once (block principal pivoting: Judice and Pires
1994, Kim and Park 2011). Neighbours have columns that are nearly alike, so that of those which are
near to each other only the worst changes: else they would come and go together. The inverse on the
support is kept, and changes with it. From the support of a problem that is nearly the same, two or
three steps are enough.
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
OUTSIDE = -1


class Information(NamedTuple):
    """The information, and its diagonal with a little more."""

    matrix: Matrix
    diagonal: Vector


class Inverse(NamedTuple):
    """Room for the inverse on a support, of which as many rows are used as there are entries."""

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
    inverse on the support where all begin, and ``rows`` the entry of each of its rows (see
    ``invert``). Returned are the f, (pulls, numbers of equations, entries), and whether each of
    them fulfils the conditions of a minimum.
    """
    count, size = pulls.shape
    stages = len(values) + 1 - first
    found, solved = np.zeros((count, stages, size)), np.zeros((count, stages), np.bool_)
    ridged = _ridged(information)
    inverse = Inverse(np.empty((size, size)), np.empty(size, np.int64), np.empty(size, np.int64))
    for i in range(count):
        used = _copy(known, rows, inverse)
        for stage in range(stages):
            few = first + stage
            problem = Problem(pulls[i], equations[:few], values[:few])
            used, solved[i, stage] = _pivot(ridged, problem, inverse, used, found[i, stage])
    return found, solved


@cached(nogil=True, error_model="numpy")
def invert(information: Matrix, support: Flags) -> tuple[Matrix, Places]:
    """Return the inverse of the information on a support, and the entry of each of its rows."""
    most, used, ridged = support.sum(), 0, _ridged(information)
    place = np.full(len(support), OUTSIDE, np.int64)
    inverse = Inverse(np.empty((most, most)), np.empty(most, np.int64), place)
    for j in range(len(support)):
        if support[j]:
            used = _join(ridged, inverse, used, j)
    return inverse.matrix[:used, :used].copy(), inverse.inside[:used].copy()


@cached(nogil=True, error_model="numpy")
def _ridged(information: Matrix) -> Information:
    diagonal = np.diag(information).copy()
    diagonal += RIDGE * diagonal.max()
    return Information(information, diagonal)


@cached(nogil=True, error_model="numpy")
def _copy(known: Matrix, rows: Places, inverse: Inverse) -> int:
    """Begin with an inverse that is known; return how many entries it has."""
    matrix, inside, place = inverse
    place[:] = OUTSIDE
    for a in range(len(rows)):
        inside[a], place[rows[a]] = rows[a], a
        for b in range(len(rows)):
            matrix[a, b] = known[a, b]
    return len(rows)


@cached(nogil=True, error_model="numpy")
def _pivot(
    known: Information, problem: Problem, inverse: Inverse, used: int, f: Vector
) -> tuple[int, bool]:
    """Change the support until f, which is filled, is the minimum.

    Return how many entries the support has, and whether it is.
    """
    none, place = SLOPE * np.abs(problem.pull).max(), inverse.place
    fewest, apart = len(f) + 1, APART
    multipliers, wrong = np.zeros(len(problem.values)), np.empty(len(f))
    for _ in range(MOST_STEPS):
        if not _balance(problem, inverse, used, f, multipliers):
            return used, False
        slope = _slope(known, problem, f, multipliers)
        count = _violations(known.diagonal, place, f, slope, none, wrong)
        if count == 0:
            return used, _is_level(slope, none, place, f)
        apart = APART if count < fewest else min(2 * apart, len(f))
        fewest = min(fewest, count)
        for j in range(len(f)):
            if wrong[j] > 0 and wrong[j] == wrong[max(j - apart, 0) : j + apart + 1].max():
                if place[j] == OUTSIDE:
                    used = _join(known, inverse, used, j)
                else:
                    used = _leave(inverse, used, place[j])
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
def _balance(problem: Problem, inverse: Inverse, used: int, f: Vector, multipliers: Vector) -> bool:
    """Fill f, which has no slope on the support and is zero elsewhere, and the multipliers.

    Return false if no f on this support fulfils the equations.
    """
    few, inside = len(problem.values), inverse.inside
    sides, moved = np.empty((few + 1, used)), np.empty((few + 1, used))
    for a in range(used):
        sides[few, a] = problem.pull[inside[a]]
        for e in range(few):
            sides[e, a] = problem.equations[e, inside[a]]
    _multiply(inverse.matrix, sides, moved)
    small = np.empty((few, few + 1))
    for e in range(few):
        for g in range(few + 1):
            small[e, g] = _product(sides[e], moved[g])
        small[e, few] = problem.values[e] - small[e, few]
    if not _solve(small, multipliers):
        return False
    f[:] = 0
    for a in range(used):
        part = moved[few, a]
        for e in range(few):
            part += multipliers[e] * moved[e, a]
        f[inside[a]] = part
    return True


@cached(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _multiply(inverse: Matrix, sides: Matrix, products: Matrix) -> None:
    """Fill in the inverse times each side, row by row of it; sums may be in any order."""
    for a in range(sides.shape[1]):
        own = inverse[a]
        for e in range(len(sides)):
            products[e, a] = _product(own, sides[e])


@cached(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _product(one: Vector, other: Vector) -> float:
    """Return the sum of products, in any order; the first may be longer."""
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
def _join(known: Information, inverse: Inverse, used: int, j: int) -> int:
    """Take an entry into the support, unless others can replace it; return how many there are."""
    matrix, inside, place = inverse
    column, products = np.empty((1, used)), np.empty((1, used))
    for a in range(used):
        column[0, a] = known.matrix[j, inside[a]]
    _multiply(matrix, column, products)
    moved = products[0]
    rest = known.diagonal[j] - _product(moved, column[0])
    if not rest > 0:
        return used
    for a in range(used):
        own, part = matrix[a], moved[a] / rest
        for b in range(used):
            own[b] += part * moved[b]
        own[used] = -part
        matrix[used, a] = -part
    matrix[used, used] = 1 / rest
    inside[used], place[j] = j, used
    return used + 1


@cached(nogil=True, error_model="numpy")
def _leave(inverse: Inverse, used: int, here: int) -> int:
    """Take a row's entry out of the support; the last row takes its place.

    Return how many remain.
    """
    matrix, inside, place = inverse
    last, entry = used - 1, inside[here]
    for a in range(used):
        matrix[a, here], matrix[a, last] = matrix[a, last], matrix[a, here]
    for a in range(used):
        matrix[here, a], matrix[last, a] = matrix[last, a], matrix[here, a]
    inside[here] = inside[last]
    place[inside[here]] = here
    place[entry] = OUTSIDE
    gone = matrix[last]
    for a in range(last):
        own, part = matrix[a], gone[a] / gone[last]
        for b in range(last):
            own[b] -= part * gone[b]
    return last
