"""Least squares with f >= 0 and a few equations, from normal equations: many right-hand sides.

Which entries of f are positive, the support, is guessed and mended: negative entries leave it, and
those whose slope asks for more join it, many at once (block principal pivoting: Judice and Pires
1994, Kim and Park 2011). Neighbours have columns that are nearly alike, so that of those which are
near to each other only the worst changes: else they would come and go together. If that goes round
in circles, the last one alone changes, which ends (Murty 1974). The Cholesky root of the
information on the support changes with it, and with the root what it divides, so that each step
solves from below only. An inverse would lose all its digits where columns are alike. From the
support of a problem that is nearly the same, two or three steps are enough.
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
    """Room for the upper root of the information on a support, with a row for each entry of it.

    ``sides`` are the equations and the pull on the support, divided by the transposed root.
    """

    matrix: Matrix
    sides: Matrix  # (equations + 1, rows)
    inside: Places  # the entry of each row
    place: Places  # the row of each entry; OUTSIDE where it is not in the support


class Problem(NamedTuple):
    """Equations and, below them, the pull; and the values that the first equations must have."""

    rows: Matrix  # (equations + 1, entries)
    values: Vector


@cached(nogil=True, error_model="numpy")
def minimise(
    information: Matrix,
    pulls: Matrix,
    equations: Matrix,
    values: Vector,
    first: int,
    known: Matrix,
    inside: Places,
) -> tuple[Matrix, Matrix, Flags, Matrix, Places]:
    """Minimise f' information f - 2 pull' f, with f >= 0 and equations f = values, for each pull.

    That is done with the first so many equations, then with one more, and so on. ``known`` is the
    root on the support where all begin, and ``inside`` the entry of each of its rows (see
    ``root``). Returned are the f, (pulls, numbers of equations, entries), what is minimised at
    each, whether it fulfils the conditions of a minimum, and the root on the last support.
    """
    count, size = pulls.shape
    most = len(values)
    stages = most + 1 - first
    found, least = np.zeros((count, stages, size)), np.zeros((count, stages))
    solved = np.zeros((count, stages), np.bool_)
    ridged, own = _ridged(information), _room(size, most + 1)
    rows, goals = np.zeros((most + 1, size)), values.copy()
    for e in range(most):
        scale = np.abs(equations[e]).max()
        if scale > 0:
            rows[e], goals[e] = equations[e] / scale, values[e] / scale
    used = _copy(known, inside, rows, own)
    for i in range(count):
        rows[most] = pulls[i]
        own.sides[most, :used] = pulls[i][own.inside[:used]]
        _divide(own.matrix, own.sides[most:, :used])
        for stage in range(stages):
            problem, f = Problem(rows, goals[: first + stage]), found[i, stage]
            used, solved[i, stage] = _pivot(ridged, problem, own, used, f)
            least[i, stage] = _height(information, pulls[i], f)
    return found, least, solved, own.matrix[:used, :used].copy(), own.inside[:used].copy()


@cached(nogil=True, error_model="numpy")
def _height(information: Matrix, pull: Vector, f: Vector) -> float:
    """Return f' information f - 2 pull' f."""
    height = 0.0
    for j in range(len(f)):
        if f[j] > 0:
            height += f[j] * (_product(information[j], f) - 2 * pull[j])
    return height


@cached(nogil=True, error_model="numpy")
def root(information: Matrix, support: Flags) -> tuple[Matrix, Places]:
    """Return a root of the information on a support, and the entry of each of its rows."""
    used, ridged, nothing = 0, _ridged(information), np.empty((0, len(support)))
    own = _room(len(support), 0)
    own.place[:] = OUTSIDE
    for j in range(len(support)):
        if support[j]:
            used = _join(ridged, nothing, own, used, j)
    return own.matrix[:used, :used].copy(), own.inside[:used].copy()


@cached(nogil=True, error_model="numpy")
def _ridged(information: Matrix) -> Information:
    diagonal = np.diag(information).copy()
    diagonal += RIDGE * diagonal.max()
    return Information(information, diagonal)


@cached(nogil=True, error_model="numpy")
def _room(size: int, sides: int) -> Root:
    places = np.empty((2, size), np.int64)
    return Root(np.empty((size, size)), np.empty((sides, size)), places[0], places[1])


@cached(nogil=True, error_model="numpy")
def _copy(known: Matrix, inside: Places, rows: Matrix, root: Root) -> int:
    """Begin with a root that is known; return how many entries it has."""
    used = len(inside)
    root.matrix[:used, :used], root.inside[:used], root.place[:] = known, inside, OUTSIDE
    for a in range(used):
        root.place[inside[a]] = a
    root.sides[:, :used] = rows[:, inside]
    _divide(known, root.sides[:, :used])
    return used


@cached(nogil=True, error_model="numpy")
def _pivot(
    known: Information, problem: Problem, root: Root, used: int, f: Vector
) -> tuple[int, bool]:
    """Change the support until f, which is filled, is the minimum.

    Return how many entries the support has, and whether it is.
    """
    none, place = SLOPE * np.abs(problem.rows[-1]).max(), root.place
    fewest, apart = len(f) + 1, APART
    multipliers, wrong = np.zeros(len(problem.rows)), np.empty(len(f))
    multipliers[-1] = 1
    for _ in range(MOST_STEPS):
        if not _balance(problem, root, used, f, multipliers):
            return used, False
        count = _violations(known, problem, place, f, multipliers, none, wrong)
        if count == 0:
            return used, _is_level(known, problem, place, f, multipliers, none)
        apart = APART if count < fewest else min(2 * apart, len(f))
        fewest = min(fewest, count)
        last = apart == len(f)
        for j in range(len(f) - 1, -1, -1):
            if wrong[j] > 0 and (last or _is_worst(wrong, j, apart)):
                if place[j] == OUTSIDE:
                    used = _join(known, problem.rows, root, used, j)
                else:
                    used = _leave(root, used, place[j])
                if last:
                    break
    return used, False


@cached(nogil=True, error_model="numpy")
def _is_worst(wrong: Vector, j: int, apart: int) -> bool:
    """Return whether no other entry near to this one is more wrong."""
    for i in range(max(j - apart, 0), min(j + apart + 1, len(wrong))):
        if wrong[i] > wrong[j]:
            return False
    return True


@cached(nogil=True, error_model="numpy")
def _violations(
    known: Information,
    problem: Problem,
    place: Places,
    f: Vector,
    multipliers: Vector,
    none: float,
    wrong: Vector,
) -> int:
    """Fill in how wrong it is that an entry is in the support, or is not; return how many are.

    Entries and slopes are compared in standard errors, as if there were no other entry.
    """
    count = 0
    for j in range(len(f)):
        wrong[j] = 0.0
        if place[j] == OUTSIDE:
            slope = _slope(known, problem, f, multipliers, j)
            if slope < -none:
                wrong[j] = slope**2 / known.diagonal[j]
        elif f[j] < -NEGATIVE:
            wrong[j] = f[j] ** 2 * known.diagonal[j]
        count += wrong[j] > 0
    return count


@cached(nogil=True, error_model="numpy")
def _is_level(
    known: Information,
    problem: Problem,
    place: Places,
    f: Vector,
    multipliers: Vector,
    none: float,
) -> bool:
    """Cut off what is rounding; return whether there is no slope on the support."""
    level = True
    for j in range(len(f)):
        if place[j] != OUTSIDE:
            level &= abs(_slope(known, problem, f, multipliers, j)) <= none
    for j in range(len(f)):
        f[j] = max(f[j], 0.0)
    return level


@cached(nogil=True, error_model="numpy")
def _slope(known: Information, problem: Problem, f: Vector, multipliers: Vector, j: int) -> float:
    """Return the slope at one entry. The pull has a multiplier of one."""
    slope = _product(known.matrix[j], f) + (known.diagonal[j] - known.matrix[j, j]) * f[j]
    for e in range(len(multipliers)):
        slope -= multipliers[e] * problem.rows[e, j]
    return slope


@cached(nogil=True, error_model="numpy")
def _balance(problem: Problem, root: Root, used: int, f: Vector, multipliers: Vector) -> bool:
    """Fill f, which has no slope on the support and is zero elsewhere, and the multipliers.

    Return false if no f on this support fulfils the equations.
    """
    few, sides = len(problem.values), root.sides[:, :used]
    side, small, rest = sides[-1].copy(), np.empty((few, few + 1)), problem.values.copy()
    multipliers[:-1] = 0
    for e in range(few):
        rest[e] -= _product(sides[e], side)
    for _ in range(REFINED):
        for e in range(few):
            for g in range(few):
                small[e, g] = _product(sides[e], sides[g])
            small[e, few] = rest[e]
        if not _solve(small, rest):
            return False
        for e in range(few):
            multipliers[e] += rest[e]
            side += rest[e] * sides[e]
        _place(root, side, f)
        for e in range(few):
            rest[e] = problem.values[e] - _product(problem.rows[e], f)
        if np.abs(rest).max() < OPEN:
            break
    return True


@cached(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _place(root: Root, side: Vector, f: Vector) -> None:
    """Fill f with the x that solves root x = side; it is zero elsewhere."""
    used, matrix, x = len(side), root.matrix, np.empty(len(side))
    f[:] = 0
    for a in range(used - 1, -1, -1):
        rest = side[a]
        for b in range(a + 1, used):
            rest -= matrix[a, b] * x[b]
        x[a] = rest / matrix[a, a]
        f[root.inside[a]] = x[a]


@cached(nogil=True, error_model="numpy", fastmath={"contract", "reassoc"})
def _divide(root: Matrix, sides: Matrix) -> None:
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
def _join(known: Information, rows: Matrix, root: Root, used: int, j: int) -> int:
    """Take an entry into the support, unless others can replace it; return how many there are."""
    column = np.empty((1, used))
    for a in range(used):
        column[0, a] = known.matrix[j, root.inside[a]]
    _divide(root.matrix, column)
    rest = known.diagonal[j] - _product(column[0], column[0])
    if not rest > 0:
        return used
    own = np.sqrt(rest)
    for a in range(used):
        root.matrix[a, used] = column[0, a]
    root.matrix[used, used] = own
    for e in range(len(rows)):
        root.sides[e, used] = (rows[e, j] - _product(column[0], root.sides[e, :used])) / own
    root.inside[used], root.place[j] = j, used
    return used + 1


@cached(nogil=True, error_model="numpy")
def _leave(root: Root, used: int, here: int) -> int:
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
