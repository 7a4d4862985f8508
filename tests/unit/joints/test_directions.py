"""Two attributes without their reports: the parabola, and a law of interactions with directions."""

from functools import partial

import numpy as np
import pytest

from discretion.joints import joint
from discretion.joints.averaging import structured
from discretion.joints.build import likelihood_of
from discretion.joints.directions import _Covariances
from discretion.joints.likelihood import TableLikelihood
from discretion.joints.loglinear import LogLinear, shrunk
from discretion.joints.mle import Parabola, most_likely
from discretion.joints.penalised import best
from discretion.joints.table_evidence import Evidence
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of, total_variation

NAMES = ("a", "b")


def of_reports(f: Table, n: int, seed: int) -> TableLikelihood:
    return likelihood_of(Evidence.of(crowd(plan_of(f.shape), f, n, seed), NAMES))


def near_the_top(likelihood: TableLikelihood, size: int) -> Parabola:
    found = most_likely(likelihood, np.full(size, 1 / size))
    assert found.information is not None
    return Parabola.of(likelihood, found.f, found.information)


def one_way(size: int, seed: int) -> Table:
    """Return a square table whose interaction has one direction of rows and one of columns."""
    rng = np.random.default_rng(seed)
    margins = np.outer(*rng.dirichlet(np.full((size), 6.0), 2))
    f = margins * np.exp(np.outer(*rng.normal(0, 0.8, (2, size))))
    return f / f.sum()


def test_the_parabola_has_the_height_and_slope_of_the_likelihood() -> None:
    f = dependent((4, 3))
    likelihood = of_reports(f, 5_000, 1)
    parabola = near_the_top(likelihood, 12)
    other = 0.5 * parabola.top + 0.5 * np.outer(f.sum(axis=1), f.sum(axis=0)).ravel()
    value, multiplier = parabola.slope(parabola.top)
    exact, slope = likelihood.slope(parabola.top)
    assert value == exact
    np.testing.assert_allclose(multiplier, slope, atol=1e-6)
    value, multiplier = parabola.slope(other)
    exact, slope = likelihood.slope(other)
    lost = parabola.height - exact
    assert lost > 1
    assert value == pytest.approx(exact, abs=0.05 * lost)
    assert other @ multiplier == pytest.approx(1)  # as of all likelihoods
    np.testing.assert_allclose(multiplier, slope, atol=0.2 * np.ptp(slope))


def test_models_fitted_to_it_are_those_of_the_reports() -> None:
    f = dependent((4, 3))
    likelihood = of_reports(f, 5_000, 2)
    model = LogLinear.of((4, 3), (False, False))
    start = model.independent([f.sum(axis=1), f.sum(axis=0)])
    fits = [shrunk(model, own, start) for own in (likelihood, near_the_top(likelihood, 12))]
    one, other = (model.table(fit.theta) for fit in fits)
    assert total_variation(one, other) < 0.003
    assert fits[0].determined == pytest.approx(fits[1].determined, rel=0.02)


def test_covariances_are_mean_squares_with_presumed_observations_of_equal_variances() -> None:
    """By hand, of terms that vary by 1/4 around their means, from variances of one."""
    mean, spread = np.array([[3.0, 1.0, 2.0], [1.0, 0.0, 1.0]]), np.eye(6) / 4
    found = _Covariances.even(2, 3, 1.0).learnt(mean, spread)
    rows = mean @ mean.T + 3 / 4 * np.eye(2)
    rows = (rows + np.trace(rows) / 6 * np.eye(2)) / (3 + 1)  # half an observation a row
    inverse = np.linalg.inv(rows)
    columns = mean.T @ inverse @ mean + np.trace(inverse) / 4 * np.eye(3)
    columns = (columns + 1.5 * np.trace(columns) / 6 * np.eye(3)) / (2 + 1.5)
    np.testing.assert_allclose(np.kron(found.rows, found.columns), np.kron(rows, columns))
    np.testing.assert_allclose(found.precision, np.linalg.inv(np.kron(rows, columns)))


def test_the_evidence_is_the_integral_over_the_terms() -> None:
    """Two by two: three terms, on a grid."""
    f = dependent((2, 2), strength=0.3)
    parabola = near_the_top(of_reports(f, 3_000, 4), 4)
    model = LogLinear.of((2, 2), (False, False))
    start = model.independent([f.sum(axis=1), f.sum(axis=0)])
    found = []
    for strength in (1.0, 100.0):
        ridge = np.diag(model.ridge(np.array([strength])))
        top = best(model, parabola, ridge, start)
        spread = np.linalg.cholesky(top.inverse)
        grid = np.stack(np.meshgrid(*[np.linspace(-5, 5, 17)] * 3)).reshape(3, -1)
        terms = top.theta + (spread @ grid).T
        heights = [
            parabola.slope(model.table(own))[0] - own @ ridge @ own / 2 - top.value for own in terms
        ]
        whole = np.exp(heights).sum() * 0.625**3 * np.linalg.det(spread)
        exact = top.value + np.log(whole) + np.linalg.slogdet(ridge)[1] / 2
        found.append(exact - top.evidence - 1.5 * np.log(2 * np.pi))
    np.testing.assert_allclose(found, 0, atol=0.05)


def test_where_interactions_have_one_direction_the_default_is_nearer_than_either() -> None:
    error = dict.fromkeys(("auto", "map", "mle"), 0.0)
    for seed in range(4):
        f = one_way(7, seed)
        reports = crowd(plan_of(f.shape), f, 12_000, seed, missing=0.1)
        for method in error:
            error[method] += total_variation(joint(reports, NAMES, method).value, f)
    assert error["auto"] < 0.95 * min(error["map"], error["mle"])


@pytest.mark.parametrize("shape", [(2, 2), (40, 9)])
def test_one_term_or_very_many_have_one_strength(shape: tuple[int, int]) -> None:
    f = dependent(shape)
    model = LogLinear.of(shape, (False, False))
    fit_to = partial(shrunk, model, start=model.independent([f.sum(axis=1), f.sum(axis=0)]))
    parabola = near_the_top(of_reports(f, 2_000, 5), f.size)
    fit = fit_to(parabola)
    found = structured(model, parabola, fit)
    np.testing.assert_array_equal(found.value, model.table(fit.theta))
    assert found.determined == fit.determined
