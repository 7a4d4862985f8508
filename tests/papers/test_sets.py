"""The study of sets and maps: its methods are unbiased, and its bars and page are whole."""

from pathlib import Path

import numpy as np
import pytest

from papers.page import summary, write
from papers.sets.owners import Owners
from papers.sets.study import OF_MAPS, OF_SETS, Sets
from papers.study import Findings, measure
from tests.cases import for_each

RUNS, WIDE = 300, 5.5  # standard errors


def owners(n: int = 300) -> Owners:
    return Owners.of(12, 3, n, np.random.default_rng(2))


def test_owners_have_different_items_and_numbers_in_range() -> None:
    drawn = owners()
    assert drawn.items.shape == (300, 3)
    assert all(len({*row}) == 3 for row in drawn.items.tolist())
    assert drawn.shares.sum() == pytest.approx(3)
    assert np.abs(drawn.numbers).max() <= 1
    by_hand = (drawn.numbers * (drawn.items == 4)).sum() / 300
    assert drawn.products[4] == pytest.approx(by_hand)


def assert_unbiased(found: np.ndarray, truth: np.ndarray) -> None:
    """The mean of many runs is the truth, and would not be that of other items."""
    error = found.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - truth) < WIDE * error).all()
    assert (np.abs(found.mean(axis=0) - np.roll(truth, 1)) > WIDE * error).any()


@for_each("name", OF_SETS)
def test_methods_for_sets_are_unbiased(name: str) -> None:
    drawn, rng = owners(), np.random.default_rng(3)
    found = np.array([OF_SETS[name](drawn, 2, rng) for _ in range(RUNS)])
    assert_unbiased(found, drawn.shares)


@for_each("name", OF_MAPS)
def test_methods_for_maps_are_unbiased_for_shares_and_products(name: str) -> None:
    drawn, rng = owners(), np.random.default_rng(4)
    found = np.array([OF_MAPS[name](drawn, 4, rng) for _ in range(RUNS)])
    assert_unbiased(found[:, 0], drawn.shares)
    assert_unbiased(found[:, 1], drawn.products)


def test_the_study_measures_checks_and_writes_a_page(tmp_path: Path) -> None:
    study = Sets(runs=1, owners=0.01)
    found: Findings = measure(study.steps({}), workers=1)
    assert found.mean("mixed", "weighted") > 0
    page = write(study, found, tmp_path).read_text(encoding="utf-8")
    assert "| 4 of 256, ε = 1 |" in page
    assert "bars" in summary(list(study.checks(found)))
