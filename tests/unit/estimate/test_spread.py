"""Uncertainty on demand: worked out once, when it is asked for, and the same as at once."""

import pickle

import numpy as np
import pytest

from discretion.estimate.noise import Noise
from discretion.estimate.spread import AroundOwners, Known, Later, NoiseSpread, Spread, Stratified
from discretion.labels import frequencies
from discretion.mechanism import MECHANISMS
from tests.builders import answered, disclosed
from tests.cases import for_each
from tests.unit.estimate.exact import Matrix

F = np.array([0.5, 0.3, 0.2])
COVARIANCE = np.array([[2.0, -1.0, -1.0], [-1.0, 3.0, -2.0], [-1.0, -2.0, 3.0]])


class Work:
    """Counts how often it is done."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Matrix:
        self.times += 1
        return COVARIANCE


def test_nothing_is_worked_out_before_it_is_asked_for_and_then_once() -> None:
    work = Work()
    spread = AroundOwners(Later(work), F, 10)
    assert work.times == 0
    np.testing.assert_allclose(spread.variance, np.diag(spread.covariance))
    np.testing.assert_allclose(spread.covariance, COVARIANCE - (np.diag(F) - np.outer(F, F)) / 10)
    assert work.times == 1


NOISE = NoiseSpread(Noise(0.1, 2.0, 1.0), F)
STRATA = Stratified(
    ((0.25, NOISE), (0.5, NoiseSpread(Noise(0.3, 1.0, 0.5), F[::-1]))),
    np.array([[0.1, -0.2, 0.1]]),
)
SPREADS = [Known(COVARIANCE), Later(Work()), NOISE, STRATA, AroundOwners(STRATA, F, 7)]


@pytest.mark.parametrize("spread", SPREADS, ids=lambda spread: type(spread).__name__)
def test_variances_are_the_diagonal_of_the_covariance(spread: Spread) -> None:
    np.testing.assert_allclose(spread.variance, np.diag(spread.covariance))


@for_each("method", ["mle", "weighted", "stratified"])
@for_each("target", ["population", "owners"])
@for_each("mechanism", MECHANISMS)
def test_standard_errors_are_those_of_the_covariance(
    mechanism: str, target: str, method: str
) -> None:
    codes = np.random.default_rng(41).choice(3, 900, p=F)
    estimate = frequencies(answered(disclosed(mechanism, 3), codes, 41), "x", method, target)
    np.testing.assert_allclose(estimate.stderr, np.sqrt(np.diag(estimate.covariance)))


def test_a_stored_estimate_carries_its_covariance_and_not_the_reports() -> None:
    codes = np.random.default_rng(42).choice(3, 5_000, p=F)
    estimate = frequencies(answered(disclosed("oue", 3), codes, 42), "x", "mle")
    stored = pickle.dumps(estimate)
    assert len(stored) < 5_000
    np.testing.assert_array_equal(pickle.loads(stored).covariance, estimate.covariance)
