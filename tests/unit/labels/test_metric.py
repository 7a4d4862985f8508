"""The nearest point in the metric of a covariance, against all sets of cells that may be zero."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.errors import EstimateError
from discretion.estimate.noise import Matrix, simplex
from discretion.labels import metric
from discretion.labels.consistency import centred, norm
from discretion.labels.metric import nearest, regular
from tests.builders import Vector
from tests.cases import for_each


def drawn(size: int, seed: int, rank: int | None = None) -> tuple[Vector, Matrix]:
    """Return values that sum to one and a covariance of contrasts, far from a scalar one."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(size, rank or size)) * rng.lognormal(0, 1, rank or size)
    return norm(rng.normal(1 / size, 0.5, size)), centred(root @ root.T)


def enumerated(value: Vector, covariance: Matrix) -> Vector:
    """Return the nearest point, by the pseudo-inverse on every set of cells that may be zero."""
    inverse = np.linalg.pinv(covariance, rcond=1e-9)
    best, least = value, np.inf
    for kept in product([False, True], repeat=len(value)):
        inside = np.flatnonzero(kept)
        if not len(inside):
            continue
        k = len(inside)  # of (x - v)' M (x - v), with a multiplier for the sum
        system = np.block([[inverse[np.ix_(inside, inside)], np.ones((k, 1))], [np.ones(k), 0.0]])
        right = np.append((inverse @ value)[inside], 1.0)
        x = np.zeros(len(value))
        x[inside] = np.linalg.lstsq(system, right, rcond=None)[0][:-1]
        away = float((x - value) @ inverse @ (x - value))
        if (x >= -1e-12).all() and abs(x.sum() - 1) < 1e-9 and away < least:
            best, least = x, away
    return best


@for_each("size", [2, 3, 5, 7])
@for_each("seed", range(12))
def test_it_is_the_best_of_all_sets_of_zeros(size: int, seed: int) -> None:
    value, covariance = drawn(size, seed)
    np.testing.assert_allclose(nearest(value, covariance), enumerated(value, covariance), atol=1e-7)


@given(st.integers(2, 24), st.integers(0, 10_000))
def test_it_keeps_the_conditions_of_a_minimum(size: int, seed: int) -> None:
    value, covariance = drawn(size, seed)
    found = nearest(value, covariance)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    slope = np.linalg.pinv(covariance, rcond=1e-11) @ (found - value)
    level = slope[found > 0]
    scale = np.abs(slope).max() + 1
    assert np.ptp(level) <= 1e-5 * scale
    assert (slope >= level.mean() - 1e-5 * scale).all()


def test_cells_that_change_one_at_a_time_come_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [drawn(30, seed) for seed in range(20)]
    many = [nearest(*case) for case in cases]
    monkeypatch.setattr(metric, "PATIENCE", 0)
    np.testing.assert_allclose([nearest(*case) for case in cases], many, atol=1e-9)


@pytest.mark.parametrize("rank", [1, 3, 10])
def test_uneven_covariances_come_to_an_end_with_frequencies(rank: int) -> None:
    for seed in range(10):
        found = nearest(*drawn(30, seed, rank))
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1)


def test_rounding_that_goes_round_in_circles_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metric, "MOST", 0)
    with pytest.raises(EstimateError, match="too uneven for norm-gls: take norm-sub"):
        nearest(*drawn(3, 1))


def test_with_the_same_variance_everywhere_it_is_the_plain_projection() -> None:
    value = norm(np.random.default_rng(5).normal(0.02, 0.1, 50))
    found = nearest(value, 0.01 * centred(np.eye(50)))
    np.testing.assert_allclose(found, simplex(value), atol=1e-12)


def test_what_is_known_exactly_is_not_moved() -> None:
    """The first two cells have no noise; what the third lacks, the fourth and fifth give."""
    root = np.zeros((5, 5))
    root[2:, 2:] = np.eye(3) - 1 / 3
    found = nearest(np.array([0.3, 0.3, -0.2, 0.4, 0.2]), root @ root.T)
    np.testing.assert_allclose(found, [0.3, 0.3, 0, 0.3, 0.1], atol=1e-6)


def test_directions_without_variance_get_a_little() -> None:
    _, covariance = drawn(6, 1, rank=3)
    values = np.linalg.eigvalsh(regular(covariance))
    assert values[1] == pytest.approx(1e-8 * values[-1], rel=1e-3)
