"""The Lasso on marginals: its conditions of optimality, and what marginals do not show."""

import numpy as np
import numpy.typing as npt
import pytest

from discretion.crowd import simulate
from discretion.errors import EstimateError
from discretion.joints import joint
from discretion.joints.lasso import descended, indicators, regressed
from discretion.labels import frequencies
from discretion.plan import Plan
from tests.builders import bundled_survey, crowd, disclosed, owners, secret_survey, survey, table_of

Table = npt.NDArray[np.float64]
MANY = 10**9  # reports: the penalty does not matter
ROUNDING = 1e-6  # the last sweep moves cells by 1e-8
PENALISED = 0.01  # what a penalty of t / n takes from a value, at most, in the crowds here
A, B = np.array([0.5, 0.3, 0.2]), np.array([0.1, 0.2, 0.3, 0.4])


def variation(one: Table, other: Table) -> float:
    return float(np.abs(one - other).sum() / 2)


def test_a_cell_counts_for_its_value_of_each_attribute() -> None:
    assert indicators((2, 3)).tolist() == [[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]]


@pytest.mark.parametrize("penalty", [1e-4, 0.05, 0.3])
def test_no_cell_can_be_improved(penalty: float) -> None:
    """The slope M'(C - M P) is the penalty where a cell is kept, and no more where it is not."""
    rng, shape = np.random.default_rng(3), (3, 4, 2)
    ones, c = indicators(shape), np.concatenate([rng.dirichlet(np.ones(size)) for size in shape])
    M = np.zeros((len(c), len(ones)))
    M[ones.T, np.arange(len(ones))] = 1
    p = descended(ones, c, penalty)
    slope = M.T @ (c - M @ p)
    assert (p >= 0).all()
    assert (p > 0).any()
    np.testing.assert_allclose(slope[p > 0], penalty, atol=ROUNDING)
    assert (slope <= penalty + ROUNDING).all()


def test_it_keeps_the_marginals_and_finds_the_uniform_table() -> None:
    found = regressed([A, B], MANY)
    np.testing.assert_allclose(found.sum(axis=1), A, atol=ROUNDING)
    np.testing.assert_allclose(found.sum(axis=0), B, atol=ROUNDING)
    uniform = regressed([np.full(4, 0.25), np.full(5, 0.2)], MANY)
    np.testing.assert_allclose(uniform, 0.05, atol=ROUNDING)


def test_it_cannot_find_dependence_nor_even_independence_from_exact_marginals() -> None:
    """A limitation. The dependent table has the same marginals, so it gets the same answer."""
    independent, turn = np.outer(A, B), np.zeros((3, 4))
    turn[:2, :2] = [[-0.05, 0.05], [0.05, -0.05]]
    dependent = independent + turn
    assert (dependent >= 0).all()
    twin = [dependent.sum(axis=1), dependent.sum(axis=0)]
    found = regressed([A, B], MANY)
    np.testing.assert_allclose(regressed(twin, MANY), found, atol=ROUNDING)
    assert variation(found, independent) > 0.05
    assert variation(found, dependent) > variation(independent, dependent)


def test_the_order_of_the_labels_decides_what_the_marginals_leave_open() -> None:
    """A limitation: the same marginals with the labels in another order."""
    turned = regressed([A[::-1], B], MANY)[::-1]
    assert variation(turned, regressed([A, B], MANY)) > 0.1


@pytest.mark.parametrize("plan", [survey(), secret_survey()], ids=["disclosed", "secret"])
def test_from_reports_it_takes_the_most_likely_marginals(plan: Plan) -> None:
    reports = crowd(plan, 4_000, seed=11)
    table = joint(reports, ["mode", "pet", "mood"], "lasso")
    for name in table.attributes:
        estimate = frequencies(reports, name)
        assert estimate.method == ("blind" if plan.secret else "mle")
        found = table.marginal([name]).value
        np.testing.assert_allclose(found, estimate.value, atol=PENALISED)


def test_what_is_only_in_a_bundle_has_its_marginal_from_there() -> None:
    reports = simulate(bundled_survey(), owners(4_000, 12, missing=0.0), seed=12)
    assert "pet" not in reports.shared
    found = joint(reports, ["pet", "hours"], "lasso").marginal(["pet"]).value
    cells = frequencies(reports, "mode+pet").value.reshape(5, 3)
    np.testing.assert_allclose(found, cells.sum(axis=0), atol=PENALISED)


def test_too_few_reports_leave_it_no_cell() -> None:
    reports = table_of(disclosed("oue", 3), [{"x": (500, 1), "z": (3000, 1)}])
    with pytest.raises(EstimateError, match=r"lasso needs more reports: .* none .* with 1"):
        joint(reports, ["x", "z"], "lasso")
