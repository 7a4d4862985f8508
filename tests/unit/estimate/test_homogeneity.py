"""Does the budget depend on the value? The test's size, its power, and what then holds."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from discretion.aggregate import Aggregate, Evidence
from discretion.errors import DependenceWarning
from discretion.estimate.homogeneity import (
    FEWEST_REPORTS,
    MOST_GROUPS,
    holm,
    homogeneity,
    neighbours,
)
from discretion.family.sets.linear import PooledSets
from discretion.labels import frequencies
from discretion.mechanism import law
from discretion.table import ReportTable
from tests.builders import Vector, answered, disclosed, tally_of
from tests.cases import for_each
from tests.significance import ALPHA
from tests.unit.estimate.exact import Matrix, on_simplex

F = np.array([0.5, 0.3, 0.2])
RUNS = 200


@given(st.lists(st.integers(1, 400), min_size=1, max_size=30))
def test_groups_are_few_large_and_in_order(numbers: list[int]) -> None:
    groups = [numbers[group] for group in neighbours(numbers)]
    assert [n for group in groups for n in group] == numbers
    assert len(groups) <= MOST_GROUPS
    assert len(groups) == 1 or min(map(sum, groups)) >= FEWEST_REPORTS


@for_each(
    "numbers, groups",
    [
        ([150, 100, 300], [1, 1, 1]),
        ([99, 1, 100], [2, 1]),
        ([100, 99], [2]),
        ([50, 60, 70, 20], [4]),
        ([100] * 8, [1] * 8),
        ([100] * 16, [2] * 8),
        ([1000, *[10] * 20], [1, 20]),
        ([300] * 16 + [100], [3] * 5 + [2]),  # 400 left over: fewer than an eighth, but enough
        ([300] * 15 + [99], [2] * 7 + [2]),
    ],
)
def test_small_levels_are_joined_to_their_neighbours(numbers: list[int], groups: list[int]) -> None:
    assert [len(numbers[group]) for group in neighbours(numbers)] == groups


@pytest.mark.parametrize("mechanism", ["subset", "oue"])
def test_pvalues_are_uniform_where_budgets_and_values_are_independent(mechanism: str) -> None:
    plan, pvalues = disclosed(mechanism, 3), []
    for seed in range(RUNS):
        codes = np.random.default_rng(seed).choice(3, 700, p=F)
        aggregate = Aggregate.of(answered(plan, codes, seed))
        test = homogeneity(Evidence.of(aggregate, "x").pooled_by_group())
        assert test is not None
        assert test.df == 4
        pvalues.append(test.pvalue)
    p = stats.kstest(pvalues, "uniform").pvalue
    assert p > ALPHA, f"KS p = {p}, {RUNS} runs, mean {np.mean(pvalues)}"
    assert stats.kstest(np.square(pvalues), "uniform").pvalue < ALPHA  # it would notice


def dependent_reports(mechanism: str = "subset", n: int = 6_000) -> ReportTable:
    """Owners of the first value are cautious, the others are not, with exceptions."""
    rng = np.random.default_rng(97)
    codes = rng.choice(3, n, p=F)
    cautious = rng.random(n) < np.where(codes == 0, 0.8, 0.1)
    epsilons = np.where(cautious, 0.5, 3.0)
    return answered(disclosed(mechanism, 3), codes, 97, {"x": epsilons, "z": epsilons})


def off_by(value: Vector, stderr: Vector) -> float:
    return float(np.abs((value - F) / stderr).max())


@pytest.mark.parametrize("method", ["auto", "mle", "weighted"])
def test_dependence_is_noticed_and_said(method: str) -> None:
    with pytest.warns(DependenceWarning, match=r"x: owners' budgets and values look dependent"):
        estimate = frequencies(dependent_reports(), "x", method)
    assert estimate.homogeneity is not None
    assert estimate.homogeneity.pvalue < ALPHA
    assert off_by(estimate.value, estimate.stderr) > 5


@pytest.mark.parametrize("method", ["blind", "moment", "pldp"])
def test_dependence_is_said_of_methods_that_ignore_the_levels_too(method: str) -> None:
    with pytest.warns(DependenceWarning):
        frequencies(dependent_reports("oue"), "x", method)


def test_the_warning_points_at_the_line_that_asked() -> None:
    with pytest.warns(DependenceWarning) as caught:
        frequencies(dependent_reports(), "x", "weighted")
    assert [warning.filename for warning in caught] == [__file__]


def test_stratified_is_right_there_and_does_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        estimate = frequencies(dependent_reports(), "x", "stratified")
    assert estimate.homogeneity is not None
    assert estimate.homogeneity.pvalue < ALPHA
    assert off_by(estimate.value, estimate.stderr) < 5


def test_one_group_cannot_be_compared() -> None:
    reports = answered(disclosed("grr", 3), [0, 1, 2] * 40, seed=1)
    assert frequencies(reports, "x", "weighted").homogeneity is None


def part(level: int, counts: Vector, f: Vector) -> tuple[Vector, Matrix]:
    """Return the estimate from one level of GRR and its covariance at f, on two codes of three."""
    inclusion, n = law("grr", 3, level).inclusion, counts.sum()
    p, q = float(inclusion.own), float(inclusion.other)
    mean = q + f * (p - q)
    covariance = (np.diag(mean) - np.outer(mean, mean)) / (p - q) ** 2 / n
    return ((counts / n - q) / (p - q))[:2], covariance[:2, :2]


def test_the_statistic_of_two_groups_by_hand() -> None:
    """The squared distance of the two estimates, in the metric of their difference."""
    counts = {500: np.array([70, 60, 50]), 3000: np.array([60, 110, 80])}
    ys = {v: np.repeat(range(3), n).tolist() for v, n in counts.items()}
    levels = [(law("grr", 3, v), tally_of(law("grr", 3, v), ys[v])) for v in counts]
    test = homogeneity([PooledSets([level]) for level in levels])
    assert test is not None
    f = on_simplex(pooled_by_hand(counts))
    (one, V), (other, W) = (part(v, n, f) for v, n in counts.items())
    statistic = (one - other) @ np.linalg.inv(V + W) @ (one - other)
    assert test.statistic == pytest.approx(statistic)
    assert test.df == 2
    assert test.pvalue == pytest.approx(np.exp(-statistic / 2))


def pooled_by_hand(counts: dict[int, Vector]) -> Vector:
    uniform, total, weights = np.full(3, 1 / 3), np.zeros(3), 0.0
    for level, n in counts.items():
        value, covariance = part(level, n, uniform)
        w = 1 / covariance[0, 0]
        total += w * np.array([*value, 1 - value.sum()])
        weights += w
    return total / weights


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []
