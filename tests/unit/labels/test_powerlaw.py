"""Shrinkage to a power law, against quadrature of another kind and simulated frequencies."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from discretion.labels import powerlaw
from discretion.labels.powerlaw import shrunk
from tests.builders import Vector


def law(s: float, least: float, size: int, seed: int) -> Vector:
    """Draw from density proportional to x^-s between ``least`` and 1, by its inverse."""
    u, power = np.random.default_rng(seed).random(size), 1 - s
    drawn: Vector = (least**power + u * (1 - least**power)) ** (1 / power)
    return drawn


def fitted(value: Vector, stderr: Vector, n: int) -> float:
    return powerlaw.exponent(*powerlaw._integrand(value, stderr, 1 / n), 1 / n)


@pytest.mark.parametrize("s", [0.6, 1.5, 2.5])
def test_the_exponent_is_found_from_noisy_values_with_unequal_errors(s: float) -> None:
    n, rng = 10_000, np.random.default_rng(1)
    stderr = rng.choice([0.0002, 0.001], 4_000)
    value = law(s, 1 / n, 4_000, seed=2) + rng.normal(0, stderr)
    assert fitted(value, stderr, n) == pytest.approx(s, abs=0.1)


def test_means_are_those_of_adaptive_quadrature() -> None:
    n, stderr = 1_000, np.array([0.02, 0.02, 0.01, 0.05, 0.02, 0.001, 0.02])
    value = np.array([-0.05, 0.0, 0.02, 0.3, 0.17, 0.5, 1.03])
    s = fitted(value, stderr, n)

    def mean(v: float, e: float) -> float:
        ends = max(1 / n, v - 12 * e), min(1.0, max(v, 0) + 12 * e)
        inside = [p for p in (v, v - 2 * e, v + 2 * e) if ends[0] < p < ends[1]]
        top, whole = (
            quad(lambda x, k=k: x ** (k - s) * norm.pdf(v, x, e), *ends, points=inside, limit=200)[
                0
            ]
            for k in (1, 0)
        )
        return float(top / whole)

    expected = [mean(v, e) for v, e in zip(value, stderr, strict=True)]
    np.testing.assert_allclose(shrunk(value, stderr, n), expected, rtol=1e-5)


def test_frequencies_that_follow_the_law_have_a_smaller_error() -> None:
    n, rng = 10_000, np.random.default_rng(3)
    stderr = rng.choice([0.002, 0.01], 1_000)
    f = law(1.8, 1 / n, 1_000, seed=4)
    value = f + rng.normal(0, stderr)
    error, positive = (((x - f) ** 2).sum() for x in (shrunk(value, stderr, n), value.clip(0)))
    assert error < 0.4 * positive


def test_what_has_no_error_is_kept_and_what_is_impossible_is_not() -> None:
    value, stderr = np.array([0.4, 0.0, 1.2, -0.1]), np.array([0.0, 0.0, 0.0, 0.01])
    found = shrunk(value, stderr, 100)
    assert found[:3].tolist() == [0.4, 0.0, 1.0]
    assert 0.01 <= found[3] < 0.02
    assert shrunk(value, np.zeros(4), 100).tolist() == [0.4, 0.0, 1.0, 0.0]


def test_of_a_single_report_nothing_can_be_shrunk() -> None:
    assert shrunk(np.array([3.0, -2.0]), np.array([2.0, 2.0]), 1).tolist() == [1.0, 0.0]
