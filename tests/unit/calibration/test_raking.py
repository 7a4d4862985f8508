"""Raking: margins are met, as by iterative proportional fitting, and derivatives are right."""

import numpy as np
import pytest

from discretion.calibration.raking import Raked
from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, Vector

SHAPE = (3, 4)
RNG = np.random.default_rng(20261118)
Q = RNG.dirichlet(np.full(12, 2.0))
ROWS, COLUMNS = np.array([0.5, 0.2, 0.3]), np.array([0.1, 0.2, 0.3, 0.4])
TARGETS = np.concatenate([ROWS, COLUMNS])
STEP, CLOSE = 1e-6, 1e-7  # of differences: their error is of the order of the square of the step


def indicators() -> Matrix:
    cells = np.indices(SHAPE).reshape(2, -1)
    rows = cells[0] == np.arange(3)[:, None]
    return np.concatenate([rows, cells[1] == np.arange(4)[:, None]]).astype(np.float64)


A = indicators()


def fitted(q: Vector, rows: Vector, columns: Vector) -> Matrix:
    """Rake as Deming and Stephan did: each margin in turn."""
    p = q.reshape(SHAPE).copy()
    for _ in range(500):
        p *= (rows / p.sum(axis=1))[:, None]
        p *= columns / p.sum(axis=0)
    return p.ravel()


def test_newton_steps_lead_where_iterative_proportional_fitting_leads() -> None:
    raked = Raked.of(Q, A, TARGETS)
    np.testing.assert_allclose(A @ raked.p, TARGETS, atol=1e-12)
    np.testing.assert_allclose(raked.p, fitted(Q, ROWS, COLUMNS), atol=1e-10)
    np.testing.assert_allclose(raked.p, raked.weights * Q)


def test_a_margin_of_all_attributes_is_post_stratification() -> None:
    target = RNG.dirichlet(np.full(12, 2.0))
    raked = Raked.of(Q, np.eye(12), target)
    np.testing.assert_allclose(raked.weights, target / Q, rtol=1e-9)


def test_weights_far_from_one_are_found() -> None:
    rows, columns = np.array([1e-4, 1e-4, 1 - 2e-4]), np.array([0.97, 0.01, 0.01, 0.01])
    raked = Raked.of(Q, A, np.concatenate([rows, columns]))
    np.testing.assert_allclose(raked.p, fitted(Q, rows, columns), atol=1e-10)


def test_the_derivatives_are_those_of_finite_differences() -> None:
    """The table has a third attribute, which raking does not look at."""
    inner = RNG.dirichlet(np.full(2, 1.0), 12)
    table, raked = Q[:, None] * inner, Raked.of(Q, A, TARGETS)
    away = RNG.normal(size=(5, 12, 2))
    weight, raked_table = raked.weights[:, None], raked.weights[:, None] * table
    moved = raked.moved(raked_table, weight * away)
    for direction, slope in zip(away, moved, strict=True):
        ends = []
        for step in (STEP, -STEP):
            other = table + step * direction
            ends.append(Raked.of(other.sum(axis=1), A, TARGETS).weights[:, None] * other)
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * STEP), slope, atol=CLOSE)
    known = RNG.normal(size=(5, 7))
    known[:, :3] -= known[:, :3].mean(axis=1, keepdims=True)  # shares go on summing to one
    known[:, 3:] -= known[:, 3:].mean(axis=1, keepdims=True)
    moved = raked.followed(raked_table, known)
    for direction, slope in zip(known, moved, strict=True):
        each = [Raked.of(Q, A, TARGETS + s * direction).weights for s in (STEP, -STEP)]
        difference = (each[0] - each[1])[:, None] * table
        np.testing.assert_allclose(difference / (2 * STEP), slope, atol=CLOSE)


def test_nobody_in_the_population_has_a_weight_of_zero() -> None:
    rows = np.array([0.0, 0.4, 0.6])
    raked = Raked.of(Q, A, np.concatenate([rows, COLUMNS]))
    assert (raked.weights[:4] == 0).all()
    np.testing.assert_allclose(A @ raked.p, np.concatenate([rows, COLUMNS]), atol=1e-12)


def empty(*cells: int) -> Vector:
    q = Q.copy()
    q[list(cells)] = 0
    return q / q.sum()


@pytest.mark.parametrize(
    "q, message",
    [
        (empty(0, 1, 2, 3), "contradict"),  # a row that the population has
        (empty(3, 7, 10, 9, 8), "contradict"),  # the last row is left with one column: 0.4 > 0.3
    ],
)
def test_margins_that_no_weights_give_are_refused(q: Vector, message: str) -> None:
    with pytest.raises(EstimateError, match=message):
        Raked.of(q, A, TARGETS)


def test_margins_that_leave_some_cells_nothing_are_refused() -> None:
    """The last column is in the last row alone, all of which it needs."""
    targets = np.array([0.4, 0.2, 0.4, 0.1, 0.2, 0.3, 0.4])
    with pytest.raises(EstimateError, match="no weight at all"):
        Raked.of(empty(3, 7), A, targets)
