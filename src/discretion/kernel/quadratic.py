"""Least squares with f >= 0 and a few equations, from normal equations: many right-hand sides.

Which entries of f are positive, the support, is guessed and mended: negative entries leave it, and
those whose slope asks for more join it, many at once (block principal pivoting: Judice and Pires
1994, Kim and Park 2011). Neighbours have columns that are nearly alike, so that of those which are
near to each other only the worst changes: else they would come and go together. From the support
of a problem that is nearly the same, two or three steps are enough.
"""

import numpy as np
import numpy.typing as npt

from discretion.kernel.compiler import cached

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
MOST_STEPS = 100
APART = 2  # entries, of which one may change; twice as many after each step that mends nothing
SLOPE = 1e-10  # of the largest pull: what is no slope
NEGATIVE = 1e-12  # what is no negative entry
RIDGE = 1e-12  # of the largest information, added to each: columns may be alike


@cached(nogil=True, error_model="numpy")
def minimise(
    information: Matrix, pulls: Matrix, equations: Matrix, values: Vector, supports: Flags
) -> tuple[Matrix, Flags]:
    """Minimise f' information f / 2 - pull' f, with f >= 0 and equations f = values, for each pull.

    ``supports`` are where to begin and, afterwards, where each f is positive. Returned are the f,
    and whether each of them fulfils the conditions of a minimum.
    """
    found, solved = np.zeros(pulls.shape), np.zeros(len(pulls), np.bool_)
    ridge = RIDGE * np.diag(information).max()
    scales = np.sqrt(np.diag(information) + ridge)
    for i in range(len(pulls)):
        own = pulls[i], equations, values, supports[i], found[i]
        solved[i] = _pivot(information, ridge, scales, *own)
    return found, solved


@cached(nogil=True, error_model="numpy")
def _pivot(
    information: Matrix,
    ridge: float,
    scales: Vector,
    pull: Vector,
    equations: Matrix,
    values: Vector,
    support: Flags,
    f: Vector,
) -> bool:
    """Change the support until f, which is filled, is the minimum; return whether it is."""
    none = SLOPE * np.abs(pull).max()
    fewest, apart = len(f) + 1, APART
    multipliers, wrong = np.empty(len(values)), np.empty(len(f))
    for _ in range(MOST_STEPS):
        if not _balance(information, ridge, pull, equations, values, support, f, multipliers):
            return False
        slope = _slope(information, pull, equations, f, multipliers)
        count = _violations(scales, support, f, slope, none, wrong)
        if count == 0:
            return _is_level(slope, none, support, f)
        apart = APART if count < fewest else min(2 * apart, len(f))
        fewest = min(fewest, count)
        for j in range(len(f)):
            if wrong[j] > 0 and wrong[j] == wrong[max(j - apart, 0) : j + apart + 1].max():
                support[j] = not support[j]
    return False


@cached(nogil=True, error_model="numpy")
def _violations(
    scales: Vector, support: Flags, f: Vector, slope: Vector, none: float, wrong: Vector
) -> int:
    """Fill in how wrong it is that an entry is in the support, or is not; return how many are.

    Entries and slopes are compared in standard errors, as if there were no other entry.
    """
    count = 0
    for j in range(len(f)):
        if support[j]:
            wrong[j] = -f[j] * scales[j] if f[j] < -NEGATIVE else 0.0
        else:
            wrong[j] = -slope[j] / scales[j] if slope[j] < -none else 0.0
        count += wrong[j] > 0
    return count


@cached(nogil=True, error_model="numpy")
def _is_level(slope: Vector, none: float, support: Flags, f: Vector) -> bool:
    """Cut what is rounding off f and its support; return whether there is no slope on it."""
    level = True
    for j in range(len(f)):
        level &= not support[j] or abs(slope[j]) <= none
        f[j] = max(f[j], 0.0)
        support[j] = f[j] > 0
    return level


@cached(nogil=True, error_model="numpy")
def _slope(
    information: Matrix, pull: Vector, equations: Matrix, f: Vector, multipliers: Vector
) -> Vector:
    slope = -pull
    for e in range(len(multipliers)):
        slope -= multipliers[e] * equations[e]
    for j in range(len(f)):
        if f[j] != 0:
            own, part = information[j], f[j]
            for i in range(len(f)):
                slope[i] += part * own[i]
    return slope


@cached(nogil=True, error_model="numpy")
def _balance(
    information: Matrix,
    ridge: float,
    pull: Vector,
    equations: Matrix,
    values: Vector,
    support: Flags,
    f: Vector,
    multipliers: Vector,
) -> bool:
    """Fill f, which has no slope on the support and is zero elsewhere, and the multipliers.

    Return false if no f on this support fulfils the equations.
    """
    inside = np.flatnonzero(support)
    size, few = len(inside), len(values)
    rows = np.empty((size, size + 1 + few))  # the pull and the equations beside the information
    for a in range(size):
        own = information[inside[a]]
        for b in range(a, size):
            rows[a, b] = own[inside[b]]
        rows[a, a] += ridge
        rows[a, size] = pull[inside[a]]
        for e in range(few):
            rows[a, size + 1 + e] = equations[e, inside[a]]
    if not _eliminate(rows):
        return False
    small = np.zeros((few, few + 1))
    small[:, few] = values
    for a in range(size):
        for e in range(few):
            part = rows[a, size + 1 + e] / rows[a, a]
            small[e, few] -= part * rows[a, size]
            for d in range(few):
                small[e, d] += part * rows[a, size + 1 + d]
    if not _eliminate(small):
        return False
    _substitute(small, multipliers)
    for e in range(few):
        rows[:, size] += multipliers[e] * rows[:, size + 1 + e]
    f[:] = 0
    f[inside] = _substitute(rows, np.empty(size))
    return True


@cached(nogil=True, error_model="numpy")
def _eliminate(rows: Matrix) -> bool:
    """Make a symmetric system triangular, of which, and of what is beside it, the upper half is.

    Four pivots are taken off at a time, so that what is left is read a fourth as often. Return
    false if it is not positive definite.
    """
    size, width = rows.shape
    for start in range(0, size, 4):
        stop = min(start + 4, size)
        for p in range(start, stop):
            pivot = rows[p]
            if not pivot[p] > 0:
                return False
            for r in range(p + 1, stop):
                own, part = rows[r], pivot[r] / pivot[p]
                for c in range(r, width):
                    own[c] -= part * pivot[c]
        if stop < size:
            _take_off(rows, start, stop)
    return True


@cached(nogil=True, error_model="numpy")
def _take_off(rows: Matrix, start: int, stop: int) -> None:
    """Take four pivots off the rows after them."""
    i, j, k, m = rows[start], rows[start + 1], rows[start + 2], rows[start + 3]
    for r in range(stop, len(rows)):
        own, a, b = rows[r], i[r] / i[start], j[r] / j[start + 1]
        c, d = k[r] / k[start + 2], m[r] / m[start + 3]
        for x in range(r, rows.shape[1]):
            own[x] -= a * i[x] + b * j[x] + c * k[x] + d * m[x]


@cached(nogil=True, error_model="numpy", fastmath={"reassoc"})
def _substitute(rows: Matrix, x: Vector) -> Vector:
    """Fill x with the solution of a triangular system for the first column beside it."""
    size = len(rows)
    for a in range(size - 1, -1, -1):
        rest = rows[a, size]
        for b in range(a + 1, size):
            rest -= rows[a, b] * x[b]
        x[a] = rest / rows[a, a]
    return x
