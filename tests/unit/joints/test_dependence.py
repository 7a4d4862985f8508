"""Mutual information: what noise alone would give is taken off, and the rest has its error."""

import numpy as np
import pytest

from discretion.joints import joint
from discretion.joints.result import information
from discretion.plan import Plan
from tests.unit.joints.crowds import Table, Vector, crowd, dependent, plan_of

PLAN = plan_of((3, 4), ("subset", "grr"))
RUNS, MANY = 60, 200


def exact(f: Table) -> float:
    product = np.outer(f.sum(axis=1), f.sum(axis=0))
    return float((f * np.log(f / product)).sum())


def test_without_noise_it_is_the_plain_value() -> None:
    f = dependent((3, 4), strength=2.0)
    value, error = information(f, np.zeros((1, 3, 4)))
    assert value == pytest.approx(exact(f))
    assert error == 0


def test_its_error_is_that_of_the_linear_part_where_dependence_is_strong() -> None:
    f = dependent((3, 4), strength=3.0)
    rng = np.random.default_rng(1)
    root = 1e-5 * rng.standard_normal((20, 3, 4))
    root -= root.mean(axis=(1, 2), keepdims=True)
    step = 1e-6
    slopes = [(exact(f + step * row) - exact(f - step * row)) / (2 * step) for row in root * 1e3]
    assert information(f, root)[1] == pytest.approx(np.linalg.norm(slopes) / 1e3, rel=0.01)


def test_cells_of_zero_are_no_trouble() -> None:
    f = np.array([[0.5, 0.0], [0.0, 0.5]])
    assert information(f, np.zeros((1, 2, 2)))[0] == pytest.approx(np.log(2))
    noisy = information(np.array([[0.6, -0.1], [0.0, 0.5]]), 0.01 * np.ones((1, 2, 2)))
    assert np.isfinite(noisy).all()


def simulated(
    plan: Plan, f: Table, n: int, method: str, runs: int = RUNS
) -> tuple[Vector, Vector, Vector]:
    """Return values, standard errors and whether intervals hold the truth."""
    values, errors, hits = [], [], []
    for seed in range(runs):
        reports = crowd(plan, f, n, seed, missing=0.1)
        quantity = joint(reports, ("a", "b"), method).mutual_information()
        low, high = quantity.interval()
        values.append(quantity.value)
        errors.append(quantity.stderr)
        hits.append(low <= exact(f) <= high)
    return np.array(values), np.array(errors), np.array(hits)


def test_of_an_independent_pair_it_is_nothing_within_its_error() -> None:
    f = np.outer([0.5, 0.3, 0.2], [0.4, 0.3, 0.2, 0.1])
    values, errors, hits = simulated(PLAN, f, 1_000, "tensor")
    assert np.median(values) < errors.mean()
    assert (values < 3 * errors).mean() > 0.95
    assert hits.mean() > 0.9


def test_of_a_dependent_pair_it_is_near_the_truth() -> None:
    f = dependent((3, 4), strength=3.0)
    values, errors, hits = simulated(PLAN, f, 3_000, "tensor")
    spread = values.std() / np.sqrt(RUNS)
    assert abs(values.mean() - exact(f)) < 0.15 * exact(f) + 4 * spread
    assert 0.7 < values.std() / errors.mean() < 1.3
    assert 0.88 < hits.mean() < 0.995


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::discretion.errors.DependenceWarning")  # one run in a thousand
@pytest.mark.parametrize("method", ["mle", "tensor"])
def test_its_intervals_cover_at_20_000_owners(method: str) -> None:
    f = dependent((3, 4), strength=1.5)
    values, errors, hits = simulated(PLAN, f, 20_000, method, MANY)
    print(
        f"\n{method}: seeds 0 to {MANY - 1}, truth {exact(f):.4f}, mean {values.mean():.4f}, "
        f"sd {values.std():.4f}, stderr {errors.mean():.4f}, coverage {hits.mean():.3f}"
    )
    assert 0.9 <= hits.mean() <= 0.99
