"""Sums by stratum, against NumPy's."""

import numpy as np

from discretion.kernel.products import add_by_stratum


def test_rows_and_their_products_are_added_to_their_stratum_and_silent_ones_to_none() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(50, 3)).astype(np.float32)
    strata = rng.integers(-1, 4, 50).astype(np.int32)
    sums, products = np.full((5, 3), 7.0), np.zeros((5, 3, 3))
    add_by_stratum(rows, strata, sums, products)
    for stratum in range(5):
        own = rows[strata == stratum].astype(np.float64)
        np.testing.assert_allclose(sums[stratum], 7 + own.sum(axis=0), rtol=1e-6)
        np.testing.assert_allclose(products[stratum], own.T @ own, atol=1e-5)
