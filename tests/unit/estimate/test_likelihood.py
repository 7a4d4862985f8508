"""The maximum of a likelihood on the simplex, against a long plain EM and against scans."""

from dataclasses import dataclass
from zlib import crc32

import numpy as np
import pytest
from scipy.stats import binom

from discretion.errors import EstimateError
from discretion.estimate import likelihood as module
from discretion.estimate.expansion import Diagonal, Near
from discretion.estimate.likelihood import TOLERANCE, Likelihood, MixtureLikelihood, maximise
from tests.builders import Vector
from tests.cases import for_each

POINTS = np.array([0.05, 0.2, 0.35, 0.45])


def mixture(weights: tuple[float, ...], n: int, outcomes: int = 12) -> MixtureLikelihood:
    """Return counts of ones from a mixture of binomial laws, as a sample of n shows them."""
    probabilities = binom.pmf(np.arange(outcomes + 1)[:, None], outcomes, POINTS)
    counts = np.random.default_rng(81).multinomial(n, probabilities @ weights).astype(np.float64)
    return MixtureLikelihood(probabilities[counts > 0], counts[counts > 0])


def uniform(likelihood: MixtureLikelihood) -> Vector:
    laws = likelihood.probabilities.shape[1]
    return np.full(laws, 1 / laws)


def plain_em(likelihood: Likelihood, start: Vector, steps: int = 20_000) -> Vector:
    f = start
    for _ in range(steps):
        f = f * likelihood.at(f).multiplier
    return f


MIXTURES = [(0.3, 0.2, 0.4, 0.1), (0.5, 0.0, 0.5, 0.0), (0.0, 0.0, 1.0, 0.0)]


@pytest.mark.parametrize("weights", MIXTURES)
def test_no_long_plain_em_does_better(weights: tuple[float, ...]) -> None:
    likelihood = mixture(weights, 3_000)
    f = maximise(likelihood, uniform(likelihood))
    assert f.min() >= 0
    assert f.sum() == pytest.approx(1)
    em = plain_em(likelihood, uniform(likelihood))
    assert likelihood.at(f).value >= likelihood.at(em).value - TOLERANCE
    np.testing.assert_allclose(f, em, atol=0.02)  # the laws overlap, so weights are uncertain


@for_each("weights", MIXTURES)
@for_each("n", [1, 10, 3_000, 10**6, 10**9])
def test_the_result_carries_its_certificate(weights: tuple[float, ...], n: int) -> None:
    likelihood = mixture(weights, n)
    multiplier = likelihood.at(maximise(likelihood, uniform(likelihood))).multiplier
    assert n * (multiplier.max() - 1) <= TOLERANCE


def test_two_laws_by_a_scan_of_all_weights() -> None:
    probabilities = binom.pmf(np.arange(7)[:, None], 6, [0.1, 0.4])
    counts = np.array([30, 55, 60, 40, 20, 7, 3], np.float64)
    scan = np.linspace(0, 1, 100_001)
    values = counts @ np.log(
        np.outer(probabilities[:, 0], scan) + np.outer(probabilities[:, 1], 1 - scan)
    )
    best = scan[np.argmax(values)]
    f = maximise(MixtureLikelihood(probabilities, counts), np.array([0.5, 0.5]))
    np.testing.assert_allclose(f, [best, 1 - best], atol=1e-3)


def test_a_law_that_explains_nothing_gets_no_weight_at_all() -> None:
    probabilities = np.array([[0.5, 0.1], [0.5, 0.9]])
    f = maximise(MixtureLikelihood(probabilities, np.array([60.0, 40.0])), np.array([0.5, 0.5]))
    np.testing.assert_allclose(f, [1, 0], atol=1e-9)


def test_a_known_mixture_is_found_from_exact_shares() -> None:
    probabilities = binom.pmf(np.arange(31)[:, None], 30, POINTS)
    weights = np.array([0.3, 0.2, 0.4, 0.1])
    f = maximise(MixtureLikelihood(probabilities, probabilities @ weights * 1e7), np.full(4, 1 / 4))
    np.testing.assert_allclose(f, weights, atol=1e-3)


def test_one_law_has_all_the_weight() -> None:
    likelihood = MixtureLikelihood(np.array([[0.25], [0.75]]), np.array([3.0, 1.0]))
    assert maximise(likelihood, np.ones(1)).tolist() == [1.0]


def test_laws_that_are_equal_are_no_trouble() -> None:
    probabilities = np.repeat(binom.pmf(np.arange(5)[:, None], 4, [[0.3, 0.45]]), 3, axis=1)
    likelihood = MixtureLikelihood(probabilities, np.array([5.0, 6.0, 4.0, 2.0, 1.0]))
    f = maximise(likelihood, np.full(6, 1 / 6))
    assert f.sum() == pytest.approx(1)
    assert f.min() >= 0
    assert 18 * (likelihood.at(f).multiplier.max() - 1) <= TOLERANCE


def test_the_start_matters_for_the_time_only() -> None:
    likelihood = mixture(MIXTURES[0], 3_000)
    starts = [np.full(4, 1 / 4), np.array([0.0, 1.0, 0.0, 0.0]), np.array([0.9, 0.0, 0.0, 0.1])]
    values = [likelihood.at(maximise(likelihood, start)).value for start in starts]
    assert max(values) - min(values) <= TOLERANCE


@dataclass(frozen=True)
class Rough:
    """A likelihood of which only the diagonal of the curvature is known, and that by a factor."""

    right: MixtureLikelihood
    factor: float

    @property
    def n(self) -> float:
        return self.right.n

    def at(self, f: Vector) -> Diagonal:
        right = self.right.at(f)
        squares = (right.root**2).sum(axis=0) - 2 * right.multiplier + 1
        return Diagonal(f, right.value, right.multiplier, self.factor * squares)


@for_each("weights", MIXTURES)
@for_each("factor", [0.1, 1, 10])
def test_a_rough_curvature_costs_steps_and_no_accuracy(
    weights: tuple[float, ...], factor: float
) -> None:
    right = mixture(weights, 3_000)
    exact, found = (maximise(each, uniform(right)) for each in (right, Rough(right, factor)))
    assert abs(right.at(exact).value - right.at(found).value) <= TOLERANCE


@dataclass(frozen=True)
class Flat:
    """A likelihood whose curvature is taken from elsewhere, where it is a few times smaller."""

    right: MixtureLikelihood
    factor: float

    @property
    def n(self) -> float:
        return self.right.n

    def at(self, f: Vector) -> Near:
        right = self.right.at(f)
        curvature = self.factor * right.root.T @ right.root + 1e-9 * np.eye(len(f))
        return Near(f, right.value, right.multiplier, curvature)


@for_each("factor", [0.2, 0.4, 1])
def test_steps_by_too_small_a_curvature_do_not_go_to_and_fro(
    factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_STEPS", 200)
    right = mixture(MIXTURES[0], 3_000)
    found = maximise(Flat(right, factor), uniform(right))
    assert right.at(maximise(right, uniform(right))).value - right.at(found).value <= TOLERANCE


@dataclass(frozen=True)
class Rounded:
    """A likelihood in few digits: what is still to be gained is off by as much."""

    right: MixtureLikelihood

    @property
    def n(self) -> float:
        return self.right.n

    def at(self, f: Vector) -> Near:
        right = self.right.at(f)
        off = 1e-3 * np.random.default_rng(crc32(f.tobytes())).random(len(f))
        return Near(f, right.value, right.multiplier + off, right.root.T @ right.root)


def test_steps_end_where_rounding_hides_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STEPS", 2_000)
    right = mixture(MIXTURES[0], 3_000)
    found = maximise(Rounded(right), uniform(right), tolerance=1e-6, blur=0.02)
    assert right.at(maximise(right, uniform(right))).value - right.at(found).value <= 0.02
    with pytest.raises(EstimateError, match="the likelihood"):  # no rounding is said to be there
        maximise(Rounded(right), uniform(right), tolerance=1e-6)


def test_a_maximum_that_is_not_found_in_time_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_STEPS", 1)
    likelihood = mixture(MIXTURES[0], 3_000)
    with pytest.raises(EstimateError, match="not maximised in 1 steps"):
        maximise(likelihood, uniform(likelihood))
