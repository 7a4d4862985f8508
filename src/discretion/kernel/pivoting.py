"""Least squares with f >= 0 and a few equations, from normal equations: many right-hand sides.

Which entries of f are positive, the support, is guessed and mended: negative entries leave it, and
those whose slope asks for more join it, many at once (block principal pivoting: Judice and Pires
1994, Kim and Park 2011). Neighbours have columns that are nearly alike, so that of those which are
near to each other only the worst changes: else they would come and go together. If that goes round
in circles, the last one alone changes, which ends (Murty 1974). The Cholesky root of the
information on the support changes with it. From the support of a problem that is nearly the same,
two or three steps are enough.
"""

from typing import NamedTuple

import numpy as np

from discretion.kernel import cached
from discretion.kernel.root import (
    OUTSIDE,
    Flags,
    Information,
    Matrix,
    Places,
    Root,
    Vector,
    begin_at,
    join,
    leave,
    product,
    room,
    substitute,
    substitute_back,
    with_ridge,
)

MOST_STEPS = 100
APART = 2  # entries, of which one may change; twice as many after each step that mends nothing
SLOPE = 1e-10  # of the largest pull: what is no slope
NEGATIVE = 1e-12  # what is no negative entry
OPEN, REFINED = 1e-11, 3  # of an equation: what is little, and how often one tries


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
    ridged, own = with_ridge(information), room(size, most + 1)
    rows, goals = np.zeros((most + 1, size)), values.copy()
    for e in range(most):
        scale = np.abs(equations[e]).max()
        if scale > 0:
            rows[e], goals[e] = equations[e] / scale, values[e] / scale
    used = begin_at(known, inside, rows, own)
    for i in range(count):
        rows[most] = pulls[i]
        own.sides[most, :used] = pulls[i][own.inside[:used]]
        substitute(own.matrix, own.sides[most:, :used])
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
            height += f[j] * (product(information[j], f) - 2 * pull[j])
    return height


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
                    used = join(known, problem.rows, root, used, j)
                else:
                    used = leave(root, used, place[j])
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
    slope = product(known.matrix[j], f) + (known.diagonal[j] - known.matrix[j, j]) * f[j]
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
        rest[e] -= product(sides[e], side)
    for _ in range(REFINED):
        for e in range(few):
            for g in range(few):
                small[e, g] = product(sides[e], sides[g])
            small[e, few] = rest[e]
        if not _solve(small, rest):
            return False
        for e in range(few):
            multipliers[e] += rest[e]
            side += rest[e] * sides[e]
        substitute_back(root, side, f)
        for e in range(few):
            rest[e] = problem.values[e] - product(problem.rows[e], f)
        if np.abs(rest).max() < OPEN:
            break
    return True


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
