"""What views of other attributes imply of a table: found if it is there, and not if it is noise."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

import discretion as ds
from discretion.aggregate import Aggregate
from discretion.crowd.simulate import simulate_codes
from discretion.joints import methods
from discretion.joints.common_factors import Covariances, contrasts, implied
from discretion.joints.shards import evidence_of
from discretion.table import ReportTable

VALUES, ATTRIBUTES, N = 5, 8, 60_000
LABELS = [f"v{i}" for i in range(VALUES)]
Matrix = npt.NDArray[np.float64]


def plan_of(**changes: object) -> ds.Plan:
    asked = [{"name": f"x{i}", "kind": "categorical", "values": LABELS} for i in range(ATTRIBUTES)]
    author = {"name": "views", "attributes": asked, "budget": {"levels": [1, 2]}}
    return ds.Plan.of(author | {"views": {"size": 2}} | changes)


def crowd(classes: int, seed: int) -> tuple[ReportTable, Matrix, Matrix]:
    """Return reports of attributes that depend on a class alone, and how they do."""
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.full(classes, 5.0))
    shares = rng.dirichlet(np.full(VALUES, 0.7), (ATTRIBUTES, classes))
    own = rng.choice(classes, N, p=weights)
    below = shares.cumsum(axis=2)[:, own].transpose(1, 0, 2)
    codes = np.minimum((rng.random((N, ATTRIBUTES, 1)) > below).sum(axis=2), VALUES - 1)
    return simulate_codes(plan_of(), codes, rng, budgets="levels"), weights, shares


def test_a_table_is_nearer_to_the_truth_than_without_what_others_imply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reports, weights, shares = crowd(3, seed=20261121)

    def error() -> float:
        found = []
        for pair in [(0, 1), (2, 5), (3, 7), (4, 6)]:
            truth = np.einsum("z,zi,zj->ij", weights, *shares[list(pair)])
            table = ds.joint(reports, [f"x{i}" for i in pair], method="map").value
            found.append(abs(table - truth).sum() / 2)
        return float(np.mean(found))

    ours = error()
    monkeypatch.setattr(methods, "implied", lambda evidence: np.zeros(evidence.shape))
    assert ours < 0.8 * error()


def test_few_reports_of_a_view_are_not_taken_for_a_simple_table() -> None:
    """The most likely one has few cells above zero by chance, which the average would reward."""
    reports, *_ = crowd(3, seed=20261126)
    auto, shrunk = (
        ds.joint(reports, ["x0", "x1"], method=method).value for method in ("auto", "map")
    )
    np.testing.assert_array_equal(auto, shrunk)


def test_what_is_implied_does_not_depend_on_the_reports_of_the_pair() -> None:
    reports, *_ = crowd(3, seed=20261122)
    counts = Aggregate.of(reports)
    names = list(reports.plan.attributes)
    whole = Covariances.of(counts, names)
    blocks = dict(whole.blocks) | {("x0", "x3"): np.full((VALUES - 1, VALUES - 1), 0.4)}
    other = Covariances(whole.marginals, blocks, whole.deviations)
    found, again = (each.without(["x0", "x3"]) for each in (whole, other))
    assert found.rank == again.rank > 0
    np.testing.assert_array_equal(found.interactions("x0", "x3"), again.interactions("x0", "x3"))


def test_nothing_is_implied_where_attributes_are_independent() -> None:
    reports, *_ = crowd(1, seed=20261123)
    for pair in (["x0", "x1"], ["x2", "x5"], ["x1", "x3", "x4"]):
        assert not implied(evidence_of(reports, pair)).any()


@pytest.mark.parametrize("reached", [1, 2])
def test_noise_alone_has_no_factors_and_large_ones_are_found(reached: int) -> None:
    rng = np.random.default_rng(20261124)
    names = [f"x{i}" for i in range(12)]
    spans = {name: slice(4 * i, 4 * i + 4) for i, name in enumerate(names)}
    factors = rng.normal(size=(48, 2)) * np.sqrt(0.7)
    scales = {name: 0.01 * (1 + i) for i, name in enumerate(names)}  # unequal noise
    blocks, deviations = {}, {}
    for pair in combinations(names, 2):
        one, other = (spans[name] for name in pair)
        size = scales[pair[0]] * scales[pair[1]]
        true = factors[one] @ factors[other].T if reached == 2 else 0.0
        blocks[pair] = size * (true + rng.normal(size=(4, 4)))
        deviations[pair] = size
    flat = {name: np.full(5, 0.2) for name in names}
    found = Covariances(flat, blocks, deviations).without(names[:2])
    assert found.rank == (2 if reached == 2 else 0)
    if found.rank:
        truth = factors @ factors.T
        away = np.linalg.norm(found.fitted - truth) / np.linalg.norm(truth)
        assert away < 0.35


def test_an_attribute_that_is_in_no_view_is_implied_nothing() -> None:
    asked = [{"name": f"x{i}", "kind": "categorical", "values": LABELS} for i in range(4)]
    number = {"name": "age", "kind": "numeric", "range": [0, 100], "step": 1}
    plan = ds.Plan.of(
        {
            "name": "views",
            "attributes": [*asked, number],
            "budget": {"levels": [2]},
            "views": {"size": 2},
        }
    )
    rng = np.random.default_rng(20261125)
    people = {f"x{i}": rng.choice(LABELS, 4_000).tolist() for i in range(4)}
    reports = ds.simulate(plan, people | {"age": rng.integers(0, 101, 4_000).tolist()}, seed=5)
    assert not implied(evidence_of(reports, ["x0", "age"])).any()


def test_contrasts_are_orthonormal_and_sum_to_zero() -> None:
    for size in (2, 3, 8):
        basis = contrasts(size)
        np.testing.assert_allclose(basis.T @ basis, np.eye(size - 1), atol=1e-12)
        np.testing.assert_allclose(basis.sum(axis=0), 0, atol=1e-12)
