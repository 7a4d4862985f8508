"""The physical limit, against information that is computed from channels one by one."""

import itertools
from math import comb, inf

import numpy as np
import pytest

from discretion.estimate.noise import Noise
from discretion.labels import frequency_limit
from discretion.labels.frequencies import largest_eigenvalue
from discretion.mechanism import law
from tests.cases import for_each
from tests.unit.estimate.exact import Matrix

EPSILONS = (0.25, 1.0, 2.5, 6.0)


def subset_channel(size: int, count: int, epsilon: float) -> Matrix:
    """Return P(set | code) for all sets of so many codes: (sets, size)."""
    rows = [
        [np.exp(epsilon) if code in chosen else 1.0 for code in range(size)]
        for chosen in itertools.combinations(range(size), count)
    ]
    return np.array(rows) / (comb(size - 1, count - 1) * np.exp(epsilon) + comb(size - 1, count))


def eigenvalue(channel: Matrix) -> float:
    """Return the information about a contrast in one report, at the uniform distribution."""
    size = channel.shape[1]
    information = channel.T @ (channel / channel.mean(axis=1, keepdims=True))
    contrast = np.array([1, -1, *[0] * (size - 2)]) / np.sqrt(2)
    return float(contrast @ information @ contrast)


def best(size: int, epsilon: float) -> float:
    return max(eigenvalue(subset_channel(size, w, epsilon)) for w in range(1, size))


@pytest.mark.parametrize("size", [2, 3, 6])
def test_the_eigenvalue_is_that_of_the_best_subset_report(size: int) -> None:
    expected = [best(size, epsilon) for epsilon in EPSILONS]
    np.testing.assert_allclose(largest_eigenvalue(size, np.array(EPSILONS)), expected)


@for_each("size", [2, 3, 4])
@for_each("epsilon", EPSILONS)
def test_no_other_report_carries_more_information(size: int, epsilon: float) -> None:
    """Any row of probabilities within a factor e^epsilon, and the same for all other codes."""
    rng, top = np.random.default_rng(size), largest_eigenvalue(size, np.array([epsilon]))[0]
    for _ in range(50):
        row = np.exp(epsilon * rng.choice([0, 1, rng.random()], size))
        channel = np.array(list(itertools.permutations(row)))
        assert eigenvalue(channel / channel.sum(axis=0)) <= top * (1 + 1e-12)


def test_the_limit_adds_information_over_unequal_owners() -> None:
    epsilons = [0.25, 0.25, 1.0, 6.0, 0.0]  # the last one did not share
    information = sum(best(4, epsilon) for epsilon in epsilons[:4])
    assert frequency_limit(4, epsilons) == pytest.approx(3 / information)


def test_owners_who_share_nothing_do_not_count() -> None:
    assert frequency_limit(5, [1, 0, 3, 0]) == frequency_limit(5, [3, 1])


def test_without_anyone_there_is_no_limit_to_the_error() -> None:
    assert frequency_limit(5, [0, 0]) == inf


@for_each("size", [2, 5, 40])
@for_each("level", [250, 1000, 4000])
def test_the_subset_mechanism_attains_it(size: int, level: int) -> None:
    precision = Noise.of(law("subset", size, level)).precision(size)
    assert 1 / precision == pytest.approx(frequency_limit(size, [level / 1000]) / (size - 1))


def test_grr_attains_it_where_it_is_the_best_subset_and_else_does_not() -> None:
    assert 1 / Noise.of(law("grr", 3, 3000)).precision(3) == pytest.approx(
        frequency_limit(3, [3.0]) / 2
    )
    assert 1 / Noise.of(law("grr", 40, 1000)).precision(40) > 2 * frequency_limit(40, [1.0]) / 39
