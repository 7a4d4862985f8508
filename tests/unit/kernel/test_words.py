"""The word generator against its published sequence, and the exact draws made from its words."""

import numpy as np
import pytest
from numba import njit
from scipy.stats import binom, chisquare

from discretion.kernel.draw import fresh_state
from discretion.kernel.words import (
    AHEAD,
    ALL,
    LAST,
    Words,
    fill,
    lanes,
    refill,
    uniform,
    wide,
    word,
)
from tests.significance import ALPHA

DRAWS = 200_000
PUBLISHED = [  # xoshiro256++ from the state 1, 2, 3, 4
    41943041,
    58720359,
    3588806011781223,
    3591011842654386,
    9228616714210784205,
    9973669472204895162,
    14011001112246962877,
    12406186145184390807,
    15849039046786891736,
    10450023813501588000,
]


@njit(nogil=True)
def words(n: int, state: Words) -> Words:
    drawn = np.empty(n, np.uint64)
    for i in range(n):
        drawn[i] = word(state)
    return drawn


@njit(nogil=True)
def many_lanes(heads: np.uint64, n: int, state: Words) -> Words:
    drawn, ahead, at = np.empty(n, np.uint64), np.empty(AHEAD, np.uint64), AHEAD
    for i in range(n):
        if at > LAST:
            at = refill(ahead, at, state)
        drawn[i], at = lanes(heads, ahead, at)
    return drawn


@njit(nogil=True)
def lanes_one_by_one(heads: np.uint64, n: int, state: Words) -> Words:
    """Do what ``lanes`` promises in the plainest way: bit by bit, word by word."""
    drawn = np.empty(n, np.uint64)
    for i in range(n):
        below, undecided = np.uint64(0), ALL
        for place in range(63, -1, -1):
            bits = word(state)
            if (heads >> np.uint64(place)) & np.uint64(1):
                below |= undecided & ~bits
                undecided &= bits
            else:
                undecided &= ~bits
            if undecided == 0:
                break
        drawn[i] = below
    return drawn


@njit(nogil=True)
def uniforms(bound: np.uint64, n: int, state: Words) -> Words:
    drawn = np.empty(n, np.uint64)
    for i in range(n):
        drawn[i] = uniform(bound, state)
    return drawn


@njit(nogil=True)
def wides(bound: np.uint64, n: int, state: Words) -> Words:
    drawn = np.empty(n, np.uint64)
    for i in range(n):
        drawn[i] = wide(bound, state)
    return drawn


def test_words_are_those_of_xoshiro256plusplus() -> None:
    assert words(10, np.array([1, 2, 3, 4], np.uint64)).tolist() == PUBLISHED
    drawn, state = np.empty(6, np.uint64), np.array([1, 2, 3, 4], np.uint64)
    fill(drawn[:4], state)
    fill(drawn[4:], state)
    assert drawn.tolist() == PUBLISHED[:6]


@pytest.mark.parametrize("heads", [0, 1, 1 << 63, 3 << 61, 0x123456789ABCDEF0, int(ALL)])
def test_lanes_take_their_words_one_after_the_other_whatever_was_drawn_ahead(heads: int) -> None:
    state = fresh_state(np.random.default_rng(32))
    expected = lanes_one_by_one(np.uint64(heads), 5 * AHEAD, state.copy())
    np.testing.assert_array_equal(many_lanes(np.uint64(heads), 5 * AHEAD, state), expected)


@pytest.mark.parametrize("probability", [0.001, 0.25, 0.3, 0.5, 0.97])
def test_each_lane_is_a_coin_of_its_own_and_the_test_would_notice_if_not(
    probability: float,
) -> None:
    heads = np.uint64(int(probability * 2**64))
    drawn = many_lanes(heads, DRAWS // 64, fresh_state(np.random.default_rng(31)))
    bits = np.unpackbits(drawn.view(np.uint8)).reshape(-1, 64)
    total, n = int(bits.sum()), bits.size
    assert 2 * min(binom.cdf(total, n, probability), binom.sf(total - 1, n, probability)) > ALPHA
    wrong = probability * 0.9 if probability < 0.9 else probability * 0.98
    far = min(binom.cdf(total, n, wrong), binom.sf(total - 1, n, wrong))
    assert far < (ALPHA if probability > 0.01 else 0.5)
    columns = bits.sum(axis=0)
    spread = ((columns - columns.mean()) ** 2).sum() / (len(bits) * probability * (1 - probability))
    assert 20 < spread < 140  # chi-square with 63 degrees of freedom


def test_the_ends_of_the_scale_are_exact() -> None:
    state = fresh_state(np.random.default_rng(32))
    assert not many_lanes(np.uint64(0), 1_000, state).any()
    assert (many_lanes(ALL, 1_000, state) == ALL).all()  # but one in 2^64


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000])
def test_uniform_draws_are_uniform(bound: int) -> None:
    drawn = uniforms(np.uint64(bound), DRAWS, fresh_state(np.random.default_rng(33)))
    counts = np.bincount(drawn.astype(np.int64), minlength=bound)
    assert len(counts) == bound
    assert bound == 1 or chisquare(counts).pvalue > ALPHA


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 1000])
def test_wide_draws_are_uniform(bound: int) -> None:
    drawn = wides(np.uint64(bound), DRAWS, fresh_state(np.random.default_rng(34)))
    counts = np.bincount(drawn.astype(np.int64), minlength=bound)
    assert len(counts) == bound
    assert bound == 1 or chisquare(counts).pvalue > ALPHA


@pytest.mark.parametrize("bound", [3 << 40, (1 << 40) - 87, 1 << 63])
def test_wide_draws_are_uniform_up_to_large_bounds(bound: int) -> None:
    drawn = wides(np.uint64(bound), DRAWS, fresh_state(np.random.default_rng(35)))
    assert int(drawn.max()) < bound
    counts = np.histogram(drawn.astype(np.float64) / bound, bins=12, range=(0, 1))[0]
    assert chisquare(counts).pvalue > ALPHA


def test_a_state_is_never_zero_and_follows_its_generator() -> None:
    one, same = (fresh_state(np.random.default_rng(7)) for _ in range(2))
    assert one.tolist() == same.tolist()
    assert one.all()
