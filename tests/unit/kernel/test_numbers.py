"""Draws of numbers for many owners where the laws of one call differ in more than a coin."""

from collections import Counter

import numpy as np
import pytest

from discretion.crowd.shapes import draw
from discretion.mechanism import NUMBERS, Law, Table
from discretion.mechanism.halfspace import signs
from discretion.plan.optimal import optimal_weights
from tests.contract.conformance import row
from tests.significance import ALPHA, p_value

DRAWS, SEED = 20_000, 77


def drawn(laws: list[Law], codes: list[int]) -> list[Counter[int]]:
    """Draw for one code of each law, in one call with the owners mixed."""
    which = np.random.default_rng(SEED).permutation(np.arange(len(laws)).repeat(DRAWS))
    y = draw(laws, which, np.array(codes)[which], np.random.default_rng(SEED))
    rows = [y[which == own] for own in range(len(laws))]
    return [Counter(int.from_bytes(r.tobytes(), "little") for r in own) for own in rows]


@pytest.mark.parametrize("name", NUMBERS)
def test_owners_with_ranges_of_their_own_follow_their_laws(name: str) -> None:
    """Grids of 2, 5 and 300 points, at unequal levels, in one call."""
    laws: list[Law] = [NUMBERS[name](k, v) for k, v in ((2, 500), (5, 3000), (300, 1500))]
    codes = [1, 3, 120]
    for law, code, seen in zip(laws, codes, drawn(laws, codes), strict=True):
        assert p_value(seen, row(law, code)) > ALPHA, f"{law}, n={DRAWS}, seed={SEED}"


def test_tables_of_other_shapes_are_drawn_together() -> None:
    """11 x 21 and 61 x 61; at codes on a knot and between two."""
    laws: list[Law] = [Table(k, optimal_weights(v)) for k, v in ((7, 500), (101, 9000), (7, 2000))]
    codes = [3, 34, 0]
    for law, code, seen in zip(laws, codes, drawn(laws, codes), strict=True):
        assert p_value(seen, row(law, code)) > ALPHA, f"{law.size}, n={DRAWS}, seed={SEED}"


@pytest.mark.parametrize("numbers", [1, 2, 3, 6, 9])
def test_every_pattern_of_signs_follows_the_law(numbers: int) -> None:
    laws: list[Law] = [signs(1 << numbers, level) for level in (500, 4000)]
    codes = [0, (1 << numbers) - 1]
    for law, code, seen in zip(laws, codes, drawn(laws, codes), strict=True):
        assert p_value(seen, row(law, code)) > ALPHA, f"{law}, n={DRAWS}, seed={SEED}"
