"""Contrasts are orthonormal; where values have an order, they are polynomials of rising degree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.estimate.noise import Vector
from discretion.synthesis.terms import UNORDERED, Contrasts

TINY = 1e-9


@st.composite
def laws(draw: st.DrawFn, most: int = 12) -> Vector:
    """Frequencies none of which is zero; some are rare."""
    weights = draw(st.lists(st.floats(-9, 0), min_size=2, max_size=most))
    f = np.exp(np.array(weights))
    return np.asarray(f / f.sum())


@given(laws(), st.booleans())
def test_they_have_mean_zero_and_variance_one_and_are_uncorrelated(f: Vector, order: bool) -> None:
    contrasts = Contrasts.of(f, ordered=order)
    assert contrasts.functions.shape == (len(f), len(f) - 1)
    assert contrasts.size == len(f) - 1
    np.testing.assert_allclose(f @ contrasts.functions, 0, atol=TINY)
    second = contrasts.functions.T @ (f[:, None] * contrasts.functions)
    np.testing.assert_allclose(second, np.eye(len(f) - 1), atol=TINY)


@given(laws(most=6))
def test_of_ordered_values_the_kth_is_a_polynomial_of_degree_k(f: Vector) -> None:
    contrasts, x = Contrasts.of(f, ordered=True), np.linspace(-1, 1, len(f))
    assert contrasts.degrees.tolist() == list(range(1, len(f)))
    for k in range(1, len(f)):
        own = contrasts.functions[:, k - 1]
        fit = np.polynomial.Polynomial.fit(x, own, k)
        np.testing.assert_allclose(fit(x), own, atol=1e-6 * np.abs(own).max())
        assert abs(fit.convert().coef[-1]) > 1e-6


def test_labels_have_one_degree_and_a_pair_of_them_one_contrast() -> None:
    assert Contrasts.of(np.array([0.2, 0.3, 0.5]), ordered=False).degrees.tolist() == [
        UNORDERED,
        UNORDERED,
    ]
    (one, other) = Contrasts.of(np.array([0.2, 0.8]), ordered=False).functions[:, 0]
    assert abs(one) == pytest.approx(2)
    assert other == pytest.approx(-one / 4)


def test_a_table_near_independence_has_the_information_of_its_terms() -> None:
    """Half the sum of squares of theta, up to the third order."""
    rng = np.random.default_rng(1)
    f, g = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(3))
    phi, psi = (Contrasts.of(law, ordered=False).functions for law in (f, g))
    theta = 1e-3 * rng.standard_normal((3, 2))
    apart = np.outer(f, g)
    table = apart * (1 + phi @ theta @ psi.T)
    information = (table * np.log(table / apart)).sum()
    assert information == pytest.approx((theta**2).sum() / 2, rel=0.01)
