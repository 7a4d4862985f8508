"""Wider bins far from a point: which they are, and that they hold what their parts do."""

import numpy as np
import pytest

from discretion.numbers.grading import ALIKE, DOUBLED, Grading

BINS = 90


@pytest.mark.parametrize("first, count", [(0, 5), (1, 8), (40, 9), (84, 6), (0, BINS)])
def test_bins_are_the_wider_the_farther_they_are(first: int, count: int) -> None:
    grading = Grading.around(first, count, np.ones(BINS))
    sizes = np.diff(grading.starts, append=BINS)
    assert grading.starts[0] == 0
    assert sizes[0] == sizes[-1] == 1
    assert np.isin(np.arange(first, first + count), grading.starts).all()
    right = sizes[grading.starts >= first + count][:-2]
    left = sizes[grading.starts < first][2:][::-1]
    for side in (left, right):
        assert (side[:ALIKE] == 1).all()
        assert (np.diff(side) >= 0).all()
        assert side.max(initial=1) <= 2**DOUBLED


def test_wider_bins_hold_what_their_parts_do() -> None:
    rng = np.random.default_rng(3)
    f, about = rng.dirichlet(np.ones(BINS)), rng.dirichlet(np.ones(BINS))
    grading = Grading.around(40, 9, about)
    wide = grading.total(f)
    assert len(wide) < BINS / 1.5
    np.testing.assert_allclose(grading.narrowed(wide, f), f)
    parted = grading.narrowed(wide, about)
    np.testing.assert_allclose(grading.total(parted), wide)
    rows = rng.standard_normal((4, BINS))
    np.testing.assert_allclose(grading.averaged(rows) @ wide, rows @ parted)
