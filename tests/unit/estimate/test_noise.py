"""The covariance of one report, against enumeration of all that it may say."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from discretion.estimate.noise import ANSWER, Noise, simplex
from discretion.mechanism import MECHANISMS, law
from tests.builders import Vector
from tests.cases import for_each
from tests.mechanisms import SMALL
from tests.unit.estimate.exact import on_simplex, random_frequencies, score_covariance

ROUNDING = 1e-12  # relative: the covariance is a few float operations on exact fractions


@for_each("mechanism", MECHANISMS)
@for_each("size", [2, 3, 5])
@for_each("level", [250, 1000, 4000])
def test_noise_is_the_covariance_of_the_score(mechanism: str, size: int, level: int) -> None:
    one, f = SMALL[mechanism](size, level), random_frequencies(size, seed=level)
    expected = score_covariance(one, f)
    found = Noise.of(one).covariance(np.array(f, np.float64))
    np.testing.assert_allclose(found, expected, rtol=0, atol=ROUNDING * expected.max())


@for_each("mechanism", MECHANISMS)
@for_each("size", [2, 4])
def test_precision_is_one_over_the_variance_of_a_contrast(mechanism: str, size: int) -> None:
    one = SMALL[mechanism](size, 1500)
    covariance = score_covariance(one, [Fraction(1, size)] * size)
    contrast = np.array([1, -1, *[0] * (size - 2)]) / np.sqrt(2)
    precision = Noise.of(one).precision(size)
    assert precision == pytest.approx(1 / (contrast @ covariance @ contrast), rel=ROUNDING)


def test_noises_add_and_scale_like_their_covariances() -> None:
    one, other = Noise.of(law("grr", 4, 500)), Noise.of(law("oue", 4, 3000))
    f = np.array([0.1, 0.2, 0.3, 0.4])
    found = (one * 0.25 + other).covariance(f)
    np.testing.assert_allclose(found, 0.25 * one.covariance(f) + other.covariance(f))


def test_oue_has_the_variance_of_the_literature_up_to_the_contrast() -> None:
    """1/sinh^2(eps/2) + 2f - f^2 on the diagonal, -f g off it."""
    noise = Noise.of(law("oue", 4, 1500))
    f = np.array([0.1, 0.2, 0.3, 0.4])
    plain = np.diag(1 / np.sinh(0.75) ** 2 + 2 * f) - np.outer(f, f)
    H = np.eye(4) - 1 / 4
    np.testing.assert_allclose(noise.covariance(f), H @ plain @ H)


@pytest.mark.parametrize("size", [2, 3, 7])
def test_variances_are_the_diagonal_without_the_rest(size: int) -> None:
    noise, f = Noise(0.3, 2.0, 1.5), np.array(random_frequencies(size, seed=size), np.float64)
    np.testing.assert_allclose(noise.variance(f), np.diag(noise.covariance(f)))


def test_multinomial_is_the_covariance_of_an_unperturbed_answer() -> None:
    f = np.array([0.5, 0.2, 0.3])
    second = sum(share * np.outer(e, e) for share, e in zip(f, np.eye(3), strict=True))
    np.testing.assert_allclose(ANSWER.covariance(f), second - np.outer(f, f))


@given(arrays(np.float64, st.integers(1, 8), elements=st.floats(-3, 3)))
def test_simplex_is_the_nearest_point_of_it(values: Vector) -> None:
    found = simplex(values)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    np.testing.assert_allclose(found, on_simplex(values), atol=1e-9)


@given(arrays(np.float64, 6, elements=st.floats(-3, 3)), st.integers(0, 10**6))
def test_in_a_metric_the_point_is_still_the_nearest(values: Vector, seed: int) -> None:
    """What a move costs at the margin is equal where the point is above zero, and no less at it."""
    stiffness = np.random.default_rng(seed).gamma(1.0, 1.0, 6) + 0.01
    found = simplex(values, stiffness)
    assert found.min() >= 0
    assert found.sum() == pytest.approx(1)
    cost = stiffness * (values - found)
    np.testing.assert_allclose(cost[found > 0], cost.max(), atol=1e-9)


def test_a_point_of_the_simplex_stays_where_it_is() -> None:
    np.testing.assert_allclose(simplex(np.array([0.5, 0.0, 0.5])), [0.5, 0.0, 0.5])
