"""The most likely table and its deviations, against the exact inverse of the information."""

from dataclasses import replace

import numpy as np
import pytest

from discretion.estimate.em import ascend
from discretion.joints.build import likelihood_of
from discretion.joints.likelihood import JointLikelihood
from discretion.joints.mle import LOOSE, UNKNOWN, most_likely, peak, root
from discretion.joints.moments import Moments, tensor
from discretion.joints.table_evidence import Evidence
from discretion.plan import Plan
from discretion.table import ReportTable
from tests.unit.estimate.test_em import Dense, brute_force
from tests.unit.joints.crowds import Matrix, Vector, crowd, dependent, exact_rows, plan_of

PLAN = plan_of((3, 4), ("grr", "oue"))
F = dependent((3, 4))
SPARSE = np.diag([0.5, 0.3, 0.2]) @ np.eye(3, 4)
STRONG = {"average": 5.0, "least": 1.0, "most": 10.0}


def fitted(reports: ReportTable) -> tuple[Evidence, Vector, Matrix]:
    """Return the evidence on a and b, the most likely table, and its covariance."""
    evidence = Evidence.of(reports, ("a", "b"))
    likelihood = likelihood_of(evidence)
    found = most_likely(likelihood, np.full(evidence.cells, 1 / evidence.cells))
    assert found.information is not None
    rows = root(found.information, tensor(evidence, secret=False)).reshape(-1, evidence.cells)
    return evidence, found.f, rows.T @ rows


def inverse(L: Matrix, f: Vector) -> Matrix:
    """Invert the information of dense rows on what sums to zero."""
    cells = len(f)
    basis = np.vstack([np.eye(cells - 1), -np.ones(cells - 1)])
    scores = L / (L @ f)[:, None]
    return basis @ np.linalg.inv(basis.T @ scores.T @ scores @ basis) @ basis.T


def test_the_most_likely_table_is_that_of_another_optimiser() -> None:
    reports = crowd(PLAN, F, 500, 1)
    _, f, _ = fitted(reports)
    dense = Dense(exact_rows(reports, ("a", "b")))
    assert f.sum() == pytest.approx(1, abs=1e-12)
    assert dense.slope(f)[0] >= dense.slope(brute_force(dense))[0] - 1e-4


def repeated(reports: ReportTable, often: float) -> JointLikelihood:
    """Return the likelihood of every report so many times."""
    likelihood = likelihood_of(Evidence.of(reports, ("a", "b")))
    groups = (
        replace(g, times=often * (g.times if g.times is not None else np.ones(g.count)))
        for g in likelihood.groups
    )
    return JointLikelihood(likelihood.shape, tuple(groups))


def test_a_thousand_million_reports_are_as_near_to_their_maximum_as_few() -> None:
    """Single precision would be off by the error of an estimate, or more."""
    reports = crowd(plan_of((8, 8), ("subset", "subset")), dependent((8, 8)), 3_000, 4)
    many = repeated(reports, 1e6)
    found = most_likely(many, np.full(64, 1 / 64))
    best = ascend(many, found.f, 0.0, 3_000)
    assert many.n > 1e9
    assert best.value - many.slope(found.f)[0] < 1
    assert many.blur == 0


def test_the_likelihood_states_how_far_rounding_blurs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    reports, f = crowd(PLAN, F, 3_000, 5), F.ravel()
    monkeypatch.setattr("discretion.joints.likelihood.LIGHT", 0)
    few = repeated(reports, 3_000)
    assert few.blur == pytest.approx(1e-8 * few.n)
    rounded, _ = few.slope(f)
    monkeypatch.setattr("discretion.joints.likelihood.MANY", 0)
    exact, _ = repeated(reports, 3_000).slope(f)
    assert 0 < abs(rounded - exact) < 5 * few.blur


def test_standard_errors_are_those_of_the_exact_information() -> None:
    """Where no cell is near zero and nothing is unknown, the bound by the moments is a wide one."""
    reports = crowd(PLAN, F, 5_000, 3)
    _, f, covariance = fitted(reports)
    assert f.min() > 0.01
    expected = inverse(exact_rows(reports, ("a", "b")), f)
    np.testing.assert_allclose(np.diag(covariance), np.diag(expected), rtol=0.01)
    np.testing.assert_allclose(covariance, expected, atol=0.01 * expected.max())


def test_without_a_bound_they_are_exactly_those() -> None:
    reports = crowd(PLAN, F, 2_000, 3)
    evidence = Evidence.of(reports, ("a", "b"))
    likelihood, f = likelihood_of(evidence), 0.5 * F.ravel() + 0.5 / 12
    free = Moments(F, 1e6 * np.eye(12).reshape(12, 3, 4))
    rows = root(likelihood.information(f), free).reshape(-1, 12)
    expected = inverse(exact_rows(reports, ("a", "b")), f)
    np.testing.assert_allclose(rows.T @ rows, expected, rtol=1e-3, atol=1e-3 * expected.max())


def test_deviations_sum_to_zero_also_where_they_are_bounded() -> None:
    _, f, covariance = fitted(crowd(PLAN, SPARSE, 2_000, 4))
    assert (f < 1e-3).sum() >= 4
    assert np.abs(covariance.sum(axis=0)).max() < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_a_cell_that_is_zero_keeps_the_deviation_of_the_moments(seed: int) -> None:
    evidence, f, covariance = fitted(crowd(PLAN, SPARSE, 2_000, seed))
    linear = np.sqrt((tensor(evidence, secret=False).root ** 2).sum(axis=0)).ravel()
    own = np.sqrt(np.diag(covariance))
    zero = f < 1e-3
    assert (own[zero] > 0.1 * linear[zero]).all()
    assert (own[zero] < 2.5 * linear[zero]).all()
    assert covariance.trace() <= LOOSE**2 * linear @ linear * (1 + 1e-9)


def margins(covariance: Matrix, plan: Plan) -> Vector:
    """Return the standard errors of a's marginal."""
    sizes = (plan.questions["a"].attribute.size, plan.questions["b"].attribute.size)
    fold = np.kron(np.eye(sizes[0]), np.ones(sizes[1]))
    return np.sqrt(np.diag(fold @ covariance @ fold.T))


def test_marginals_stay_known_where_their_interaction_is_not() -> None:
    """Nobody shares both: the cells may be anything, the marginals are those of one attribute."""
    reports = crowd(PLAN, F, 5_000, 5, share=1, missing=0.0)
    _, _, covariance = fitted(reports)
    assert np.sqrt(np.diag(covariance)).min() > 0.5
    L = exact_rows(reports, ("a",))
    f = most_likely(likelihood_of(Evidence.of(reports, ("a",))), np.full(3, 1 / 3)).f
    expected = np.sqrt(np.diag(inverse(L, f)))
    np.testing.assert_allclose(margins(covariance, PLAN), expected, rtol=0.1)


def test_one_report_leaves_every_cell_unknown() -> None:
    _, _, covariance = fitted(crowd(PLAN, F, 1, 6, missing=0.0))
    assert np.sqrt(np.diag(covariance)).min() > 1
    assert np.sqrt(np.diag(covariance)).max() < 100 * UNKNOWN


def peaked(reports: ReportTable) -> tuple[Vector, Vector, Vector]:
    """Return the most likely table of a and b, the peak, and the standard errors."""
    evidence = Evidence.of(reports, ("a", "b"))
    likelihood = likelihood_of(evidence)
    f = most_likely(likelihood, np.full(evidence.cells, 1 / evidence.cells)).f
    deviations = root(likelihood.information(f), tensor(evidence, secret=False))
    return f, peak(likelihood, f, deviations), np.sqrt((deviations**2).sum(axis=0)).ravel()


def free_maximum(L: Matrix, f: Vector) -> Vector:
    """Climb from ``f`` by damped Newton steps over all tables at which every row is possible."""
    for _ in range(100):
        step = inverse(L, f) @ (L / (L @ f)[:, None]).sum(axis=0)
        decrement = np.linalg.norm(L @ step / (L @ f))
        f = f + step / (1 + decrement)  # never leaves what is possible: self-concordance
    return f


@pytest.mark.parametrize("seed", range(3))
def test_the_peak_is_near_the_maximum_over_tables_that_may_be_negative(seed: int) -> None:
    reports = crowd(PLAN, dependent((3, 4), strength=3.0), 4_000, seed)
    f, found, stderr = peaked(reports)
    expected = free_maximum(exact_rows(reports, ("a", "b")), f)
    assert expected.min() < 0
    assert found.sum() == pytest.approx(1, abs=1e-9)
    off, apart = (np.abs(table - expected) / stderr for table in (found, f))
    assert off.max() < 0.15
    assert apart.max() > 3 * off.max()


def test_where_no_cell_is_near_zero_the_peak_is_the_most_likely_table() -> None:
    f, found, stderr = peaked(crowd(PLAN, dependent((3, 4), strength=0.2), 20_000, 3))
    assert (f > 3 * stderr).all()
    assert (np.abs(found - f) / stderr).max() < 0.01


@pytest.mark.parametrize("seed", range(3))
def test_every_report_is_possible_at_the_peak(seed: int) -> None:
    """A whole Newton step would deny a few strong reports."""
    reports = crowd(plan_of((3, 4), ("grr", "oue"), budget=STRONG), SPARSE, 2_000, seed)
    f, found, stderr = peaked(reports)
    L = exact_rows(reports, ("a", "b"))
    assert found.min() < 0
    assert (L @ found > 0).all()
    whole = f + inverse(L, f) @ (L / (L @ f)[:, None]).sum(axis=0)
    assert not (L @ whole > 0).all()
    assert (np.abs(found - f) < 3 * stderr).all()


@pytest.mark.parametrize("truth", [F, SPARSE])
@pytest.mark.parametrize("seed", range(3))
def test_more_work_moves_no_cell_by_a_hundredth_of_its_standard_error(
    truth: Matrix, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work in double precision, with the curvature at the maximum and a hundredth of the gain."""
    evidence = Evidence.of(crowd(PLAN, truth, 3_000, seed), ("a", "b"))
    found = most_likely(likelihood_of(evidence), np.full(evidence.cells, 1 / evidence.cells))
    assert found.information is not None
    monkeypatch.setattr("discretion.joints.likelihood.MANY", 0)
    monkeypatch.setattr("discretion.joints.mle.GAIN", 1e-8)
    monkeypatch.setattr("discretion.joints.mle.NATS", 1e-3)
    best = most_likely(likelihood_of(evidence), found.f)
    deviations = root(found.information, tensor(evidence, secret=False))
    stderr = np.sqrt((deviations**2).sum(axis=0)).ravel()
    assert (np.abs(best.f - found.f) < 0.01 * stderr).all()


def test_cells_that_are_not_there_are_exactly_zero() -> None:
    likelihood = likelihood_of(Evidence.of(crowd(PLAN, SPARSE, 3_000, 7), ("a", "b")))
    assert (most_likely(likelihood, np.full(12, 1 / 12)).f == 0).sum() >= 3
