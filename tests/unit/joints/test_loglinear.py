"""The log-linear model: its terms, its maximum, and that shrinkage helps where it should."""

import itertools

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.joints.build import likelihood_of
from discretion.joints.likelihood import JointLikelihood
from discretion.joints.loglinear import LogLinear, fit, shrunk
from discretion.joints.methods import METHODS
from discretion.joints.table_evidence import Evidence
from discretion.table import ReportTable
from tests.cases import for_each
from tests.unit.joints.crowds import Table, Vector, crowd, dependent, plan_of, total_variation

SIZES = (3, 4, 3)
PLAN = plan_of(SIZES, ("subset", "grr", "oue"))


def likelihood(reports: ReportTable) -> JointLikelihood:
    return likelihood_of(Evidence.of(reports, ("a", "b", "c")))


@for_each("ordered", list(itertools.product([False, True], repeat=3)))
def test_terms_are_orthogonal_and_of_one_size(ordered: tuple[bool, ...]) -> None:
    model = LogLinear.of(SIZES, ordered)
    cells, terms = model.features.shape
    assert cells == 36
    assert terms == (2 + 3 + 2) + (6 + 4 + 6) == len(model.owners) == len(model.penalties)
    np.testing.assert_allclose(model.features.T @ model.features / cells, np.eye(terms), atol=1e-12)
    np.testing.assert_allclose(model.features.sum(axis=0), 0, atol=1e-12)


def test_interactions_are_penalised_by_degree_and_own_terms_hardly() -> None:
    model = LogLinear.of((3, 3), (True, True))
    ridge = dict(zip(range(8), model.ridge(np.array([100.0])), strict=True))
    assert model.sets == ((0, 1),)
    assert max(ridge[i] for i in range(4)) < 1
    linear, mixed, other, quadratic = (ridge[i] for i in range(4, 8))
    assert linear < mixed == other < quadratic


def test_sums_by_set() -> None:
    model = LogLinear.of(SIZES, (False,) * 3)
    counts = model.by_set(np.ones(len(model.owners)))
    assert dict(zip(model.sets, counts, strict=True)) == {(0, 1): 6, (0, 2): 4, (1, 2): 6}


@pytest.mark.parametrize("ordered", [(False, False, True), (True, True, True)])
def test_independent_is_the_product_of_the_marginals(ordered: tuple[bool, ...]) -> None:
    model = LogLinear.of(SIZES, ordered)
    rng = np.random.default_rng(1)
    marginals = [rng.dirichlet(np.ones(size)) for size in SIZES]
    product = np.multiply.outer(np.multiply.outer(*marginals[:2]), marginals[2])
    theta = model.independent(marginals)
    np.testing.assert_allclose(model.table(theta), product.ravel(), rtol=1e-9)
    assert not theta[[len(axes) == 2 for axes in model.owners]].any()


def fitted(model: LogLinear, whole: JointLikelihood, ridge: Vector, start: Vector) -> Vector:
    return fit(model, whole, ridge, start, model.information(whole, start))


def penalised(model: LogLinear, whole: JointLikelihood, ridge: Vector, theta: Vector) -> float:
    return whole.slope(model.table(theta))[0] - float(ridge @ theta**2) / 2


def test_at_the_end_no_step_gains_anything() -> None:
    """Finite differences along every term, in units of its standard error."""
    whole = likelihood(crowd(PLAN, dependent(SIZES), 3_000, 3))
    model = LogLinear.of(SIZES, (False, True, False))
    ridge = model.ridge(np.array([3.0, 30.0, 300.0]))
    theta = fitted(model, whole, ridge, np.zeros(len(ridge)))
    f = model.table(theta)
    slopes = f[:, None] * (model.features - f @ model.features)
    curvature = np.diag(whole.information_along(f, slopes)) + ridge
    for term, size in enumerate(1 / np.sqrt(curvature)):
        step = 0.3 * size * np.eye(len(ridge))[term]
        up, down = (penalised(model, whole, ridge, theta + way * step) for way in (1, -1))
        slope = (up - down) / 0.6  # nats a standard error
        assert abs(slope) < 0.1, (term, slope)


def test_a_wild_start_leads_to_the_same_maximum() -> None:
    whole = likelihood(crowd(PLAN, dependent(SIZES), 3_000, 4))
    model = LogLinear.of(SIZES, (False,) * 3)
    ridge = model.ridge(np.full(3, 20.0))
    starts = [np.zeros(len(ridge)), np.random.default_rng(5).normal(0, 0.3, len(ridge))]
    values = [penalised(model, whole, ridge, fitted(model, whole, ridge, s)) for s in starts]
    assert abs(values[0] - values[1]) < 0.05  # nats


def errors_of(f: Table, methods: tuple[str, ...], seeds: range, n: int) -> list[Vector]:
    found = []
    for seed in seeds:
        evidence = Evidence.of(crowd(PLAN, f, n, seed), ("a", "b", "c"))
        found.append([total_variation(METHODS[m](evidence).value, f) for m in methods])
    return [np.array(column) for column in np.transpose(found)]


def product_of(f: Table) -> Table:
    one, other, third = (f.sum(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))
    return np.multiply.outer(np.multiply.outer(one, other), third)


def test_of_independent_attributes_it_makes_nearly_the_product() -> None:
    f = product_of(dependent(SIZES))
    shrunken, product, free = errors_of(f, ("map", "independent", "mle"), range(3), 5_000)
    assert shrunken.mean() < 1.6 * product.mean()
    assert shrunken.mean() < 0.5 * free.mean()


def test_of_dependent_ones_it_beats_the_mle_and_the_product() -> None:
    f = dependent(SIZES, strength=2.0)
    shrunken, product, free = errors_of(f, ("map", "independent", "mle"), range(3), 5_000)
    assert shrunken.mean() < 0.8 * free.mean()
    assert shrunken.mean() < 0.5 * product.mean()


def test_it_is_deterministic() -> None:
    whole = likelihood(crowd(PLAN, dependent(SIZES), 1_000, 6))
    model = LogLinear.of(SIZES, (False,) * 3)
    start = np.zeros(len(model.owners))
    one, other = (shrunk(model, whole, start).theta for _ in range(2))
    np.testing.assert_array_equal(one, other)


def test_ordered_attributes_share_strength_over_degrees() -> None:
    """A linear tie of long scales: polynomials need one term, unordered contrasts all of them."""
    sizes = (8, 8)
    plan, f = plan_of(sizes, "subset"), dependent(sizes, strength=2.0)
    errors = []
    for seed in range(4):
        whole = likelihood_of(Evidence.of(crowd(plan, f, 5_000, seed), ("a", "b")))
        errors.append(
            [
                total_variation(
                    model.table(shrunk(model, whole, np.zeros(len(model.owners))).theta), f.ravel()
                )
                for model in (LogLinear.of(sizes, (is_, is_)) for is_ in (True, False))
            ]
        )
    ordered, unordered = np.mean(errors, axis=0)
    assert ordered < unordered


def test_a_model_that_does_not_fit_into_memory_is_refused() -> None:
    with pytest.raises(EstimateError, match="4,680 terms over 64,000 cells is too large"):
        LogLinear.of((40, 40, 40), [False] * 3)
