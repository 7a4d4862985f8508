"""Inverse covariances as a diagonal and two rows each, against dense matrices."""

import numpy as np
import pytest

from discretion.estimate.noise import Noise
from discretion.estimate.precision import NoisePrecisions
from discretion.mechanism import MECHANISMS, law
from tests.cases import for_each
from tests.unit.estimate.exact import Matrix, random_frequencies


def dense(precisions: NoisePrecisions) -> Matrix:
    """Return the matrix of each group: (groups, size, size)."""
    groups, size = precisions.diagonal.shape
    columns = [precisions @ np.tile(unit, (groups, 1)) for unit in np.eye(size)]
    return np.stack(columns, axis=2)


@for_each("mechanism", MECHANISMS)
@for_each("size", [2, 5, 20])
@for_each("level", [250, 3000, 12000])
def test_it_is_the_inverse_on_contrasts(mechanism: str, size: int, level: int) -> None:
    noise, other = Noise.of(law(mechanism, size, level)), Noise.of(law(mechanism, size, 1000))
    f = np.array(random_frequencies(size, seed=level), np.float64)
    found = dense(NoisePrecisions.of([other, noise], f))[1]
    contrasts = np.eye(size) - 1 / size
    np.testing.assert_allclose(found @ noise.covariance(f), contrasts, atol=1e-8)
    np.testing.assert_allclose(found.sum(axis=0), 0, atol=1e-9 * np.abs(found).max())
    np.testing.assert_allclose(found, found.T, rtol=1e-12)


@for_each("mechanism", MECHANISMS)
def test_a_sum_is_solved_on_contrasts(mechanism: str) -> None:
    rng, size = np.random.default_rng(31), 12
    f = rng.dirichlet(np.ones(size))
    noises = [Noise.of(law(mechanism, size, level)) * 0.01 for level in (500, 1500, 3000, 6000)]
    precisions = NoisePrecisions.of(noises, f)
    total = dense(precisions).sum(axis=0)
    b = rng.standard_normal(size)
    b -= b.mean()
    x = precisions.solve(b)
    np.testing.assert_allclose(x, np.linalg.pinv(total, hermitian=True) @ b, rtol=1e-6)
    np.testing.assert_allclose(total @ x, b, atol=1e-9)
    assert x.sum() == pytest.approx(0, abs=1e-9 * np.abs(x).max())
