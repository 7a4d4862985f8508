"""Raking: weights by which a distribution has known margins, and how they follow its changes.

With q the distribution of some attributes among the respondents, t the known margins and A the
matrix that takes cells to margins, the raked distribution is

    p = w q,    w = exp(A' x),    A p = t.

Of all distributions with these margins it is nearest to q by the divergence of Kullback and Leibler
(Ireland and Kullback 1968). x is the minimum of sum q exp(A' x) - t' x, a convex function; it is
found by Newton steps. Where a margin is of all attributes at once, w = t / q: post-stratification.
Differentiating A p = t gives

    dp = w dq + p (A' dx),    [A diag(p) A'] dx = dt - A (w dq).

Proof: docs/proofs/calibration.md.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector

STEPS = 100
CLOSE = 1e-12  # to the margins
HALVINGS = 40  # of a step that goes too far
INSIDE = 1e-7  # of a cell's share: what must be left of each, or some weight is nothing
NOT_MET = "no weights give the respondents all these margins"


@dataclass(frozen=True, eq=False)
class Raked:
    """The weight of each cell, and how the raked distribution follows ``q`` and the margins."""

    margins: Matrix  # A: (margins, cells), zeros and ones
    weights: Vector  # (cells,)
    p: Vector  # (cells,): the raked distribution
    solved: Matrix  # (margins, margins): the inverse of A diag(p) A' on margins that agree

    @classmethod
    def of(cls, q: Vector, margins: Matrix, targets: Vector) -> "Raked":
        """Rake q, of which no cell is negative, to the targets, each set of which sums to one."""
        some = (q > 0) & ~(margins[targets == 0] > 0).any(axis=0)
        _check(q[some], margins[:, some], targets)
        weights = np.zeros(len(q))
        weights[some] = _weights(q[some], margins[:, some], targets)
        p: Vector = weights * q
        solved: Matrix = np.linalg.pinv((margins * p) @ margins.T, hermitian=True).astype(
            np.float64
        )
        return cls(margins, weights, p, solved)

    def moved(self, table: Matrix, own: Matrix) -> Matrix:
        """Return how a raked table (cells, more) moves with weighted deviations (r, ..., more)."""
        return own - self.followed(table, own.sum(axis=2) @ self.margins.T)

    def followed(self, table: Matrix, away: Matrix) -> Matrix:
        """Return how it moves with deviations (r, margins) of the margins: p (A' dx)."""
        return (away @ self.solved @ self.margins)[:, :, None] * table


def _check(q: Vector, margins: Matrix, targets: Vector) -> None:
    """Refuse margins that no positive weights give: the largest s with p >= s q is found."""
    equal = np.column_stack([margins, margins @ q])  # of p - s q, and s
    found = scipy.optimize.linprog(
        np.append(np.zeros(len(q)), -1.0), A_eq=equal, b_eq=targets, method="highs"
    )
    if found.status == 2:
        raise EstimateError(f"{NOT_MET}: together they contradict each other, or empty cells")
    if found.status != 0 or found.x[-1] < INSIDE:
        raise EstimateError(f"{NOT_MET}, unless some cells that they have get no weight at all")


def _weights(q: Vector, margins: Matrix, targets: Vector) -> Vector:
    """Return the weights by Newton steps on the dual, halved until it falls."""
    x, weights = np.zeros(len(targets)), np.ones(len(q))
    height = float(q.sum())
    for _ in range(STEPS):
        p = weights * q
        away = margins @ p - targets
        if np.abs(away).max() < CLOSE:
            return weights
        step = np.linalg.lstsq((margins * p) @ margins.T, -away, rcond=None)[0]
        for _ in range(HALVINGS):
            with np.errstate(over="ignore"):
                weights = np.exp(margins.T @ (x + step))
                now = float(q @ weights - targets @ (x + step))
            if now <= height + CLOSE:
                break
            step = step / 2
        x, height = x + step, now
    raise EstimateError(
        f"raking did not converge in {STEPS} steps: it is off by {np.abs(away).max():.2g}"
    )
