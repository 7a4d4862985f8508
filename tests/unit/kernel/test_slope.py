"""One pass of the likelihood, against matrices, across the blocks that it works in."""

import numpy as np
import pytest

from discretion.kernel.slope import BYTES, ROWS, slope_of
from tests.cases import for_each

EXCESS = np.array([0.5, 3.0, 30.0, -0.2])


@for_each("rows", [1, ROWS - 1, ROWS, 2 * ROWS + 3])
@for_each("size", [1, 8, 9, 8 * BYTES, 8 * BYTES + 5, 200])
def test_a_pass_is_what_matrices_say(rows: int, size: int) -> None:
    rng = np.random.default_rng(size)
    bits = rng.random((rows, size)) < 0.3
    classes, counts = rng.integers(0, 4, rows), rng.integers(1, 9, rows).astype(np.float64)
    f = rng.dirichlet(np.ones(size))
    packed = np.packbits(bits, axis=1, bitorder="little")
    value, slope, squares = slope_of(packed, classes, counts, EXCESS, f)
    L = 1 + EXCESS[classes, None] * bits
    scores = L / (L @ f)[:, None]
    assert value == pytest.approx(counts @ np.log(L @ f))
    np.testing.assert_allclose(slope, counts @ scores)
    np.testing.assert_allclose(squares, counts @ scores**2)
