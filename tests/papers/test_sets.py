"""The study of sets and maps: methods are unbiased and spend what they say; the page is whole."""

from math import exp
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from papers.page import summary, write
from papers.sets import levels
from papers.sets.baskets import Baskets
from papers.sets.conditional import truth
from papers.sets.itemwise import ldpart
from papers.sets.miners import ldpminer, svim
from papers.sets.owners import Owners
from papers.sets.rounds import ROUNDS, mended, printed, spent
from papers.sets.study import Sets
from papers.sets.trials import OF_ITEMS, OF_MAPS, OF_PAIRS, OF_SETS
from papers.study import Findings, measure
from tests.cases import for_each

RUNS, WIDE = 300, 5.5  # standard errors
ROUNDING = 1e-12


def owners(n: int = 300) -> Owners:
    return Owners.of(12, 3, n, np.random.default_rng(2))


def baskets(n: int = 4000) -> Baskets:
    """Return baskets of 0 to 5 items, of which the first ones are in most."""
    rng = np.random.default_rng(6)
    lists = [
        np.unique(rng.geometric(0.15, rng.integers(0, 6)).clip(1, 60) - 1) for _ in range(n - 1)
    ]
    rows = [" ".join(map(str, own.tolist())) for own in lists]
    return Baskets.of(pa.table({"items": [*rows, "59"]}))


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


@for_each("name", [name for name in OF_MAPS if name != "PrivKVM+"])
def test_methods_for_maps_are_unbiased_for_shares_and_products(name: str) -> None:
    drawn, rng = owners(), np.random.default_rng(4)
    found = np.array([OF_MAPS[name](drawn, 8, rng) for _ in range(RUNS)])
    assert_unbiased(found[:, 0], drawn.shares)
    assert_unbiased(found[:, 1], drawn.products)


@for_each("name", OF_PAIRS)
def test_methods_for_two_keys_are_unbiased(name: str) -> None:
    drawn, rng = owners(3000), np.random.default_rng(5)
    found = np.array([OF_PAIRS[name](drawn, 6, 0, rng) for _ in range(RUNS)])[:, :, 1:]
    shares, products = truth(drawn, 0)
    both = (drawn.items == 0).any(axis=1) & (drawn.items == 4).any(axis=1)
    assert shares[4] == pytest.approx(both.mean())
    assert_unbiased(found[:, 0], shares[1:])
    assert_unbiased(found[:, 1], products[1:])


@for_each("name", [name for name in OF_ITEMS if name != "LDPart"])
def test_methods_for_item_level_privacy_are_unbiased(name: str) -> None:
    drawn, rng = owners(), np.random.default_rng(7)
    found = np.array([OF_ITEMS[name](drawn, 2, rng) for _ in range(RUNS)])
    assert_unbiased(found, drawn.shares)


def test_ldpart_finds_the_frequent_items_and_prunes_the_rest() -> None:
    drawn = Owners.of(64, 3, 4000, np.random.default_rng(8))
    found = ldpart(drawn, 1, np.random.default_rng(9))
    best = np.argsort(-drawn.shares)[:3]
    np.testing.assert_allclose(found[best], drawn.shares[best], atol=0.1)
    assert (found == 0).sum() > 20


@for_each("name", [*levels.OF_SETS, *levels.OF_MAPS])
def test_methods_spend_at_most_what_they_state(name: str) -> None:
    of = {**levels.OF_SETS, **levels.OF_MAPS}[name]
    less = any(word in name for word in ("PSFO", "printed", "PrivKVM+"))
    for epsilon in (1, 2):
        assert of(epsilon) <= epsilon + ROUNDING
        assert (of(epsilon) < 0.97 * epsilon) == less


def test_rounds_add_up_and_the_mended_ones_spend_all() -> None:
    for count in (1, 2, 3):
        rounds = printed(0.8, count)
        assert levels.level(*map(levels.asked, rounds)) == pytest.approx(spent(rounds))
    for plus in (False, True):
        assert spent(mended(1.5, ROUNDS, plus=plus)) == pytest.approx(1.5)


def test_the_published_levels_of_privkv_are_those_of_the_specification() -> None:
    of = levels.OF_MAPS["PrivKV, as printed"]
    assert (round(of(1), 3), round(of(4), 3)) == (0.719, 2.566)


def test_a_level_is_found_by_hand() -> None:
    law = levels.direct(3, exp(1.0))
    assert levels.level(law) == pytest.approx(1)
    assert levels.level(law, law) == pytest.approx(2)
    assert levels.item_level(levels.of_bits(1.0, 0.25)) == pytest.approx(1)
    assert levels.level(levels.of_bits(1.0, 0.25)) == pytest.approx(2.5)


def test_baskets_are_read_drawn_and_restricted() -> None:
    found = baskets()
    assert (found.n, found.size) == (4000, 60)
    assert found.column.to_pylist()[-1] == ["59"]
    own = found.among(np.array([3, 0]))
    assert own.shares == pytest.approx(found.shares[[3, 0]])
    again = found.some(np.array([3999, 5]))
    assert again.column.to_pylist() == [["59"], found.column.to_pylist()[5]]
    rng = np.random.default_rng(1)
    drawn = np.mean([5 * found.drawn(5, rng) for _ in range(60)], axis=0) / found.n
    np.testing.assert_allclose(drawn, found.shares, atol=0.01)
    assert found.f1(found.shares) == 1
    assert found.error(found.shares) == 0


@for_each("method", [svim, ldpminer])
def test_miners_find_the_frequent_items_of_baskets(method: object) -> None:
    assert callable(method)
    found = baskets()
    shares = method(found, 10.0, np.random.default_rng(2))
    best = np.argsort(-found.shares)[:4]
    np.testing.assert_allclose(shares[best], found.shares[best], atol=0.05)
    assert found.f1(shares) > 0.7


def test_the_study_measures_checks_and_writes_a_page(tmp_path: Path) -> None:
    study = Sets(runs=1, owners=0.01)
    table = pa.table({"items": ["1 2", "2", "0 1 2"] * 40})
    found: Findings = measure(study.steps({"retail": table}), workers=1)
    assert found.mean("mixed", "weighted") > 0
    page = write(study, found, tmp_path).read_text(encoding="utf-8")
    assert "| 4 of 256, ε = 1 |" in page
    assert "## The most frequent items" in page
    assert "bars" in summary(list(study.checks(found)))
