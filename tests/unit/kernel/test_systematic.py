"""Cells are sampled in proportion to their weights: rounded in a group, each row as by a draw."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare

from discretion.kernel.draw import fresh_state
from discretion.kernel.systematic import Cells, Table, sample_systematically
from discretion.kernel.words import Words
from tests.significance import ALPHA

RUNS = 20_000
WEIGHTS = np.array([[0.15, 0.0, 0.5, 0.35]])
SLACK = 1e-9  # of a count: its expectation is computed in floating point


def state_of(seed: int) -> Words:
    return fresh_state(np.random.default_rng(seed))


def sampled(rows: list[int] | Cells, weights: Table, state: Words) -> Cells:
    cells = np.full(len(rows), -1, np.int32)
    sample_systematically(np.array(rows, np.int32), weights, state, cells)
    return cells


entry = st.one_of(st.just(0.0), st.floats(1e-12, 1e3))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    cells = draw(st.integers(1, 9))
    row = st.lists(entry, min_size=cells, max_size=cells)
    return np.array(draw(st.lists(row, min_size=1, max_size=6)))


@given(tables(), st.integers(0, 300), st.integers(0, 2**32))
def test_every_count_is_the_expected_one_rounded_up_or_down(
    weights: Table, n: int, seed: int
) -> None:
    possible = np.flatnonzero(weights.sum(axis=1) > 0)
    rng = np.random.default_rng(seed)
    rows = (rng.choice(possible, n) if len(possible) else possible).astype(np.int32)
    cells = sampled(rows, weights, state_of(seed))
    for group in possible:
        own = cells[rows == group]
        counts = np.bincount(own, minlength=weights.shape[1])
        expected = len(own) * weights[group] / weights[group].sum()
        assert len(counts) == weights.shape[1]
        assert (counts >= np.floor(expected - SLACK)).all()
        assert (counts <= np.ceil(expected + SLACK)).all()
        assert not counts[weights[group] == 0].any()


@pytest.mark.parametrize("row", [0, 1, 4])
def test_each_row_follows_the_weights_and_the_test_would_notice_if_not(row: int) -> None:
    state = state_of(41)
    seen = np.zeros(4)
    for _ in range(RUNS):
        seen[sampled([0] * 5, WEIGHTS, state)[row]] += 1
    some, wrong = [0, 2, 3], np.array([0.17, 0.5, 0.33])
    assert seen[1] == 0
    assert chisquare(seen[some], RUNS * WEIGHTS[0, some]).pvalue > ALPHA
    assert chisquare(seen[some], RUNS * wrong).pvalue < ALPHA


def test_all_orders_of_a_hand_are_equally_likely() -> None:
    state, orders = state_of(42), dict.fromkeys(permutations(range(4)), 0)
    for _ in range(RUNS):
        orders[tuple(sampled([0] * 4, np.full((1, 4), 0.25), state).tolist())] += 1
    assert chisquare(list(orders.values())).pvalue > ALPHA


def test_two_samples_of_one_group_are_independent_and_equal_shuffles_would_be_noticed() -> None:
    state = state_of(43)
    apart, alike = np.zeros((4, 4)), np.zeros((4, 4))
    for _ in range(RUNS):
        again = state.copy()
        one = sampled([0] * 6, WEIGHTS, state)[2]
        apart[one, sampled([0] * 6, WEIGHTS, state)[2]] += 1
        alike[one, sampled([0] * 6, WEIGHTS, again)[2]] += 1
    some = np.ix_([0, 2, 3], [0, 2, 3])
    assert chi2_contingency(apart[some]).pvalue > ALPHA
    assert chi2_contingency(alike[some]).pvalue < ALPHA


def test_groups_are_sampled_apart_whatever_the_order_of_their_rows() -> None:
    weights = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
    cells = sampled([2, 0, 2, 0, 0, 2, 2], weights, state_of(44))
    assert cells[[1, 3, 4]].tolist() == [0, 0, 0]
    assert sorted(cells[[0, 2, 5, 6]].tolist()) == [1, 1, 2, 2]


@pytest.mark.parametrize("weight", [0.0, np.nan, np.inf])
def test_rows_in_a_group_that_cannot_be_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="weights are all zero"):
        sampled([0, 1], np.array([[1.0, 1.0], [weight, 0.0]]), state_of(45))


def test_no_rounding_leaves_the_table() -> None:
    """Sums of many tenths miss one by a little, and many rows make that visible."""
    weights = np.array([[0.1] * 10 + [0.0]])
    for seed in range(20):
        counts = np.bincount(sampled(np.zeros(100_003, np.int32), weights, state_of(seed)))
        assert len(counts) == 10
        assert set(counts.tolist()) <= {10_000, 10_001}


def test_the_same_state_samples_the_same() -> None:
    rows = [0] * 1_000
    one, same, other = (sampled(rows, WEIGHTS, state_of(seed)).tolist() for seed in (5, 5, 6))
    assert one == same != other
