"""Peaks of expansions over the simplex, by their conditions, and stretches of known curvatures."""

import numpy as np
import pytest

from discretion.estimate.expansion import Curved, Dense, Diagonal
from tests.builders import Vector
from tests.cases import for_each

STRETCHES = [0.2, 1.0, 7.0]


def is_peak(g: Vector, slope: Vector) -> None:
    """No direction along the simplex rises: the slope is largest, and equal, where g is above 0."""
    assert g.min() >= 0
    assert g.sum() == pytest.approx(1)
    np.testing.assert_allclose(slope[g > 0], slope.max(), atol=1e-8)


@for_each("stretch", STRETCHES)
@for_each("seed", range(20))
def test_the_peak_of_a_diagonal_curvature(seed: int, stretch: float) -> None:
    rng, size = np.random.default_rng(seed), 9
    f, curvature = rng.dirichlet(np.full(size, 0.4)), rng.gamma(1.0, 5.0, size)
    multiplier = 1 + rng.standard_normal(size)
    g = Diagonal(f, 0.0, multiplier, curvature).peak(stretch)
    is_peak(g, multiplier - stretch * curvature * (g - f))


@for_each("stretch", STRETCHES)
@for_each("seed", range(20))
def test_the_peak_of_a_dense_curvature(seed: int, stretch: float) -> None:
    rng = np.random.default_rng(seed)
    root, f = rng.gamma(1.0, 1.0, (12, 5)), rng.dirichlet(np.full(5, 0.4))
    multiplier = root.T @ root @ f  # as for every likelihood: C f = G
    for each in (
        Dense(f, 0.0, multiplier, root),
        Curved(f, 0.0, multiplier, root / 2, 2 * np.ones(len(root))),
    ):
        g = each.peak(stretch)
        is_peak(g, multiplier - stretch * root.T @ root @ (g - f))


@pytest.mark.parametrize("factor", STRETCHES)
def test_a_curvature_that_is_wrong_by_a_factor_is_stretched_by_it(factor: float) -> None:
    rng = np.random.default_rng(2)
    f, step = np.full(6, 1 / 6), rng.standard_normal(6) / 100
    step -= step.mean()
    curvature, root = rng.gamma(2.0, 5.0, 6), rng.standard_normal((8, 6))
    rough = Diagonal(f, 0.0, np.ones(6), curvature)
    fall = factor * curvature * step
    assert rough.stretch(step, fall - fall @ (1 / curvature) / (1 / curvature).sum()) > 0
    assert rough.stretch(step, fall + 3.0) == pytest.approx(factor)  # constants do not count
    for each in (
        Dense(f, 0.0, np.ones(6), root),
        Curved(f, 0.0, np.ones(6), root / 2, 2 * np.ones(len(root))),
    ):
        assert each.stretch(step, factor * root.T @ root @ step) == pytest.approx(factor)


def test_codes_that_nothing_is_known_of_do_not_move_far() -> None:
    """No curvature and no slope: a report that says nothing about the last code."""
    f, multiplier = np.array([0.4, 0.3, 0.3]), np.array([1.1, 0.9, 1.0])
    g = Diagonal(f, 0.0, multiplier, np.array([2.0, 2.0, 0.0])).peak(1.0)
    assert g[0] > f[0]
    assert g[1] < f[1]
    assert g[2] == pytest.approx(0.3, abs=0.1)
