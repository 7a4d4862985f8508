"""Mutual information: what noise alone would give is taken off, and the rest has its error."""

import numpy as np
import pytest

from discretion.joints import joint
from discretion.joints.information import MutualInformation
from discretion.plan import Plan
from tests.unit.joints.crowds import Table, Vector, crowd, dependent, plan_of

PLAN = plan_of((3, 4), ("subset", "grr"))
RUNS, MANY = 60, 200


def exact(f: Table) -> float:
    product = np.outer(f.sum(axis=1), f.sum(axis=0))
    return float((f * np.log(f / product)).sum())


def test_without_noise_it_is_the_plain_value() -> None:
    f = dependent((3, 4), strength=2.0)
    found = MutualInformation.of(f, np.zeros((1, 3, 4)))
    assert found.value == pytest.approx(exact(f))
    assert found.stderr < 1e-9
    assert found.interval() == pytest.approx((exact(f),) * 2, rel=0.1)


def test_its_error_is_that_of_the_linear_part_where_dependence_is_strong() -> None:
    f = dependent((3, 4), strength=3.0)
    rng = np.random.default_rng(1)
    root = 1e-5 * rng.standard_normal((20, 3, 4))
    root -= root.mean(axis=(1, 2), keepdims=True)
    step = 1e-6
    slopes = [(exact(f + step * row) - exact(f - step * row)) / (2 * step) for row in root * 1e3]
    error = np.linalg.norm(slopes) / 1e3
    assert MutualInformation.of(f, root).stderr == pytest.approx(error, rel=0.1)  # 512 draws


def test_cells_of_zero_are_no_trouble() -> None:
    f = np.array([[0.5, 0.0], [0.0, 0.5]])
    whole = MutualInformation.of(f, np.zeros((1, 2, 2)))
    assert whole.value == pytest.approx(np.log(2))
    assert whole.interval()[1] == whole.most == np.log(2)
    noisy = MutualInformation.of(np.array([[0.6, -0.1], [0.0, 0.5]]), 0.01 * np.ones((1, 2, 2)))
    assert 0 < noisy.interval()[0] < noisy.value < noisy.interval()[1] <= np.log(2)


def test_an_interval_holds_none_where_independence_is_not_rejected() -> None:
    """Noise of one contrast: a normal score of 1.5 is none, one of 2.5 is something."""
    contrast = np.array([[1.0, -1.0], [-1.0, 1.0]])
    for score, none in ((1.5, True), (2.5, False)):
        found = MutualInformation.of(0.25 + 0.01 * score * contrast, 0.01 * contrast[None])
        assert (found.interval()[0] == 0) is none
        assert found.interval(0.5)[1] < found.interval()[1] < found.interval(0.99)[1]


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
