"""Expectation maximisation, against plain steps and another optimiser."""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from discretion.estimate.em import Ascent, ascend
from tests.unit.joints.crowds import Matrix, Vector, crowd, dependent, exact_rows, plan_of

NEAR = 1e-7  # of the deficit per report at which the tests stop


@dataclass(frozen=True)
class Dense:
    """A likelihood with all its rows written out."""

    L: Matrix

    @property
    def n(self) -> float:
        return float(len(self.L))

    def slope(self, f: Vector) -> tuple[float, Vector]:
        density = self.L @ f
        return float(np.log(density).sum()), (self.L / density[:, None]).mean(axis=0)


def crowd_of(seed: int, n: int = 400, sizes: tuple[int, ...] = (3, 3)) -> Dense:
    plan = plan_of(sizes, ("grr", "oue", "subset")[: len(sizes)])
    reports = crowd(plan, dependent(sizes, strength=3.0), n, seed)
    return Dense(exact_rows(reports, tuple(plan.attributes)))


def brute_force(likelihood: Dense) -> Vector:
    """Maximise by sequential quadratic programming."""
    cells = likelihood.L.shape[1]
    found = minimize(
        lambda f: -likelihood.slope(f)[0] / likelihood.n,
        np.full(cells, 1 / cells),
        jac=lambda f: -likelihood.slope(f)[1],
        bounds=[(1e-10, 1)] * cells,
        constraints={"type": "eq", "fun": lambda f: f.sum() - 1, "jac": lambda _: np.ones(cells)},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    return found.x / found.x.sum()


def climb(likelihood: Dense, seed: int | None = None, evaluations: int = 5_000) -> Ascent:
    cells = likelihood.L.shape[1]
    start = np.full(cells, 1 / cells)
    if seed is not None:
        start = np.random.default_rng(seed).dirichlet(np.ones(cells))
    return ascend(likelihood, start, NEAR, evaluations)


@pytest.mark.parametrize("seed", range(3))
def test_it_reaches_the_maximum_that_another_optimiser_finds(seed: int) -> None:
    likelihood = crowd_of(seed)
    found, brute = climb(likelihood), brute_force(likelihood)
    assert found.deficit <= NEAR
    assert found.value >= likelihood.slope(brute)[0] - NEAR * likelihood.n
    np.testing.assert_allclose(found.f, brute, atol=3e-3)


def test_no_long_plain_em_does_better() -> None:
    likelihood = crowd_of(4)
    f = np.full(9, 1 / 9)
    for _ in range(20_000):
        f = f * likelihood.slope(f)[1]
    assert climb(likelihood).value >= likelihood.slope(f)[0] - NEAR * likelihood.n


def test_the_start_matters_for_the_time_only() -> None:
    likelihood = crowd_of(5)
    values = [climb(likelihood, seed).value for seed in range(5)]
    assert max(values) - min(values) <= NEAR * likelihood.n


def test_more_passes_never_lose_likelihood() -> None:
    likelihood = crowd_of(6, sizes=(3, 3, 2))
    values = [climb(likelihood, 1, evaluations).value for evaluations in range(1, 60)]
    assert (np.diff(values) >= -1e-9).all()
    assert values[-1] > values[0]


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.sampled_from([1, 2, 10, 200]), st.integers(2, 8))
def test_what_is_still_to_be_gained_is_at_most_the_deficit(seed: int, n: int, cells: int) -> None:
    """Rows of any kind, from one report on; the result stays on the simplex."""
    rng = np.random.default_rng(seed)
    likelihood = Dense(np.exp(rng.normal(0, 2, (n, cells))))
    found, best = climb(likelihood, seed, 40), climb(likelihood, seed + 1)
    assert found.f.min() >= 0
    assert found.f.sum() == pytest.approx(1)
    assert best.value - found.value <= n * found.deficit + 1e-9


def test_passes_are_counted_and_limited() -> None:
    passes = []
    likelihood = crowd_of(7)

    class Watched:
        n = likelihood.n

        def slope(self, f: Vector) -> tuple[float, Vector]:
            passes.append(f)
            return likelihood.slope(f)

    found = ascend(Watched(), np.full(9, 1 / 9), 0.0, 30)
    assert found.evaluations == len(passes)
    assert 30 <= found.evaluations <= 33  # a round takes up to four


def test_a_start_that_is_good_enough_is_kept() -> None:
    likelihood = crowd_of(8)
    start = np.full(9, 1 / 9)
    found = ascend(likelihood, start, np.inf, 100)
    assert found.evaluations == 1
    np.testing.assert_array_equal(found.f, start)


def test_a_multiplier_in_single_precision_leaves_the_steps_on_the_simplex() -> None:
    """A sum that is off by a millionth would be a hundred nats of 10^8 reports."""
    likelihood, seen = crowd_of(9), []

    class Rough:
        n = likelihood.n

        def slope(self, f: Vector) -> tuple[float, Vector]:
            seen.append(f.sum())
            value, multiplier = likelihood.slope(f)
            return value, multiplier * (1 + 1e-6)

    found = ascend(Rough(), np.full(9, 1 / 9), 0.0, 100)
    np.testing.assert_allclose(seen, 1, rtol=0, atol=1e-14)
    assert found.value >= climb(likelihood).value - NEAR * likelihood.n
