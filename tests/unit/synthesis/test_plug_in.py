"""LoPub's graph: mutual information written out, its threshold, and the counts of its tables."""

from itertools import combinations
from math import comb, log

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.joints import joint
from discretion.synthesis.plug_in import (
    Pair,
    PlugIn,
    estimated,
    information,
    kept,
    plug_in,
    threshold,
)
from discretion.table import ReportTable
from tests.unit.joints.crowds import crowd, dependent, plan_of

SIZES = (2, 3, 4)
BLOOM = {"bloom": {"hashes": 2, "bits": 8}}
METHODS = ("lasso", "em-lopub", "hybrid")
TABLE7 = {0.1: 91, 0.2: 66, 0.3: 55, 0.4: 36, 0.5: 28}  # Adult, 15 attributes
TABLE8 = {0.1: 231, 0.2: 171, 0.3: 136}  # TPC-E, 24; at 0.4 and 0.5 no rule gives what is printed
TABLE9 = {0.1: 91, 0.15: 91, 0.2: 78, 0.25: 66, 0.3: 55}  # Retail, 16


def reports(mechanism: object = "subset", n: int = 4000, seed: int = 3) -> ReportTable:
    """Return reports with personal budgets; one attribute in five is missing."""
    plan = plan_of(SIZES, [mechanism] * len(SIZES))  # type: ignore[list-item]
    return crowd(plan, dependent(SIZES, strength=2.0), n, seed)


def test_information_is_that_of_the_formula() -> None:
    table = np.array([[0.3, 0.1, 0.0], [0.1, 0.2, 0.3]])
    by_hand = sum(
        p * log(p / (table[i].sum() * table[:, j].sum()))
        for (i, j), p in np.ndenumerate(table)
        if p > 0
    )
    assert information(table) == pytest.approx(by_hand, rel=1e-12)
    assert information(np.outer([0.2, 0.8], [0.5, 0.5])) == pytest.approx(0, abs=1e-12)


def test_the_threshold_is_in_nats_and_that_of_cramers_v() -> None:
    """A table with a small V of phi has about this information: half of chi-squared over n."""
    phi = 0.02
    shift = phi / 4 * np.array([[1, -1], [-1, 1]])
    assert threshold((2, 5), 0.4) == pytest.approx(0.08)
    assert threshold((4, 3), 0.1) == pytest.approx(0.01)
    assert information(0.25 + shift) == pytest.approx(threshold((2, 2), phi), rel=1e-3)


@pytest.mark.parametrize("d, counts", [(15, TABLE7), (24, TABLE8), (16, TABLE9)])
def test_rounding_gives_the_pairs_that_the_paper_counts(d: int, counts: dict[float, int]) -> None:
    for phi, pairs in counts.items():
        assert comb(len(kept(range(d), phi, "independent")), 2) == pairs, f"d = {d}, phi = {phi}"


def test_the_printed_floor_would_not_give_them() -> None:
    assert comb(int(15 * (1 - 0.1)), 2) != TABLE7[0.1]
    assert comb(int(16 * (1 - 0.15)), 2) != TABLE9[0.15]


def test_large_entropies_are_looked_at_or_where_all_is_dependent_small_ones() -> None:
    entropies = [0.3, 1.2, 0.1, 0.9]
    assert kept(entropies, 0.5, "independent") == [1, 3]
    assert kept(entropies, 0.5, "dependent") == [0, 2]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mechanism", ["subset", BLOOM], ids=["subset", "bloom"])
def test_tables_are_those_of_joint(method: str, mechanism: object) -> None:
    collected = reports(mechanism, 1500)
    value = joint(collected, ["a", "c"], method).value
    np.testing.assert_allclose(estimated(collected, ["a", "c"], method), value, atol=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_edges_are_the_pairs_above_the_threshold(method: str) -> None:
    collected = reports()
    found = plug_in(collected, 0.2, method)
    assert [pair.names for pair in found.pairs] == list(combinations("abc", 2))
    for pair in found.pairs:
        table = estimated(collected, pair.names, method)
        assert pair.information == pytest.approx(information(table))
        assert pair.threshold == threshold(table.shape, 0.2)
        assert pair.edge == (pair.names in found.edges) == found.graph.has_edge(*pair.names)
    assert set(found.graph) == {"a", "b", "c"}


def test_dependence_is_found_where_it_is_and_lasso_cannot_find_it() -> None:
    """Of neighbours that depend strongly; the same marginals shuffled look the same to lasso."""
    collected = reports(n=8000)
    neighbours = {("a", "b"), ("b", "c")}
    assert neighbours <= set(plug_in(collected, 0.2).edges)
    plan = collected.plan
    f = dependent(SIZES, strength=2.0)
    apart = np.einsum("i,j,k->ijk", f.sum((1, 2)), f.sum((0, 2)), f.sum((0, 1)))
    same = crowd(plan, apart, 8000, 3)
    for one, other in neighbours:
        by_lasso = [information(estimated(r, [one, other], "lasso")) for r in (collected, same)]
        by_em = [information(estimated(r, [one, other], "em-lopub")) for r in (collected, same)]
        assert by_lasso[0] == pytest.approx(by_lasso[1], rel=0.5), "marginals say nothing"
        assert by_em[0] > 3 * by_em[1]


def test_edges_come_strongest_first_and_what_is_supposed_last() -> None:
    pairs = (Pair("a", "b", 0.2, 0.1), Pair("a", "c", 0.09, 0.03), Pair("b", "c", 0.01, 0.02))
    found = PlugIn(("a", "b", "c", "d"), pairs, (("a", "d"),), 0.3, "lasso")
    assert found.edges == (("a", "c"), ("a", "b"), ("a", "d"))


def test_pruned_pairs_are_supposed_and_not_estimated() -> None:
    collected = reports(n=1000)
    none, all_of_them = (plug_in(collected, 0.3, prune=p) for p in ("independent", "dependent"))
    assert len(none.pairs) == len(all_of_them.pairs) == 1
    assert none.supposed == ()
    assert len(all_of_them.supposed) == 2
    assert none.pairs[0].names == ("b", "c"), "the attributes with the most values"
    assert all_of_them.pairs[0].names[0] == "a", "and here with the least entropy"


def test_what_cannot_be_asked_is_refused() -> None:
    collected = reports(n=300)
    with pytest.raises(EstimateError, match="phi must lie between 0 and 1, got 1"):
        plug_in(collected, 1)
    with pytest.raises(EstimateError, match="method must be one of lasso, em-lopub, hybrid"):
        plug_in(collected, 0.2, "mle")
