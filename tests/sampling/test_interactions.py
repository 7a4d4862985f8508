"""What three attributes do together, and which of two tables is better, as bars: ``make slow``.

The tables of two attributes need the files of the data sets (``DISCRETION_DATA``).
"""

import os
from pathlib import Path

import numpy as np
import pytest

from experiments import pairs
from experiments.interactions import CASES, SEED, errors, named, over_better, published
from papers.data import VARIABLE

RATIO_BAR = 1.3
NAMED_BAR, WARNED_BAR = 0.95, 0.08
PAIR_BARS = (1.03, 1.10)  # on average, and of any table


@pytest.mark.slow
@pytest.mark.parametrize("owners", [10_000, 50_000])
@pytest.mark.parametrize("case", CASES)
def test_the_default_is_nearly_as_good_as_the_better_method(case: str, owners: int) -> None:
    found = errors(case, owners, 20, SEED)
    print(f"seed {SEED}, {case}, {owners:,} owners: auto, mle, map {found.round(4)}")
    assert over_better(found.tolist()) <= RATIO_BAR


@pytest.mark.slow
def test_exclusive_or_is_found() -> None:
    assert named("xor 75", 50_000, 200, SEED) >= NAMED_BAR


@pytest.mark.slow
@pytest.mark.parametrize("owners", [10_000, 50_000])
def test_nothing_is_found_where_pairs_are_all_there_is(owners: int) -> None:
    assert named("pairs", owners, 200, SEED) <= WARNED_BAR


@pytest.mark.slow
def test_a_publication_of_eight_attributes_names_the_triple() -> None:
    assert published("xor 75", 50_000, 20, SEED) >= NAMED_BAR - 0.1


@pytest.mark.slow
@pytest.mark.skipif(VARIABLE not in os.environ, reason=f"needs the data sets: {VARIABLE}")
@pytest.mark.xfail(reason="1.016 on average, 1.14 at most: decision 0056", strict=False)
def test_the_default_of_two_attributes_is_nearly_the_better_method() -> None:
    place, ratios = Path(os.environ[VARIABLE]), []
    for pair in pairs.TABLES:
        found = pairs.errors(pair, place, 20, pairs.SEED)
        ratios.append(pairs.over_better(found))
        print(f"{pair.title}: {found}, {ratios[-1]:.3f}")
    assert np.mean(ratios) <= PAIR_BARS[0]
    assert max(ratios) <= PAIR_BARS[1]


def test_one_small_crowd_of_an_exclusive_or_is_enough_to_find_it() -> None:
    assert named("xor 90", 5_000, 1, SEED) == 1
