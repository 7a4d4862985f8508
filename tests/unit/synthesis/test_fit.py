"""Fitting terms to reports: it climbs, agrees with the joint estimate, and finds a known model."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from discretion.joints import joint
from discretion.synthesis import fit as module
from discretion.synthesis.fit import (
    Fit,
    _climbed,
    _extrapolated,
    _first,
    _learnt,
    _maximised,
    _ridge,
    _step,
    fitted,
)
from discretion.synthesis.scores import Scores
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.terms import Terms
from discretion.synthesis.tree import Pair, Tree
from discretion.synthesis.wiring import TreeEvidence
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of, total_variation
from tests.unit.synthesis.trees import EDGES, SIZES, Vector, reports_of, summed, whole_of

CHAIN: list[Pair] = [(0, 1), (1, 2), (2, 3)]
HIGH = {"levels": [3, 4, 6]}


def scores_of(kind: str, n: int, seed: int = 1) -> Scores:
    reports = reports_of(kind, n, seed)
    bins = {"x": EDGES} if kind == "number" else None
    return Scores(SoftEvidence.of(reports, list(reports.plan.attributes), bins))


def table_of(fit: Fit) -> Table:
    """Return all cells of the model."""
    return whole_of(fit.terms.tree, fit.tables.conditionals)


@pytest.mark.parametrize("kind", ["mixed", "bundled", "secret", "number"])
def test_the_penalised_likelihood_never_falls_below_its_start(kind: str) -> None:
    scores = scores_of(kind, 2_000)
    tree = Tree.of(scores.evidence.shape, CHAIN)
    terms, evidence = Terms(tree, scores.contrasts), TreeEvidence(tree, scores.evidence)
    strengths = {pair: _first(terms, pair, 0.05) for pair in tree.pairs}
    ridge = _ridge(terms, strengths)
    start = np.zeros(terms.count)
    values: list[float] = []

    def step(theta: Vector) -> tuple[float, Vector]:
        value, found = _step(terms, evidence, ridge, theta)
        values.append(value)
        return value, found

    end = _climbed(step, start, np.ones(terms.count), 12)
    final = _step(terms, evidence, ridge, end)[0]
    assert final > values[0] + 1
    assert final >= max(values) - module.GAIN  # nothing found on the way is lost


def test_a_plain_step_never_loses() -> None:
    """Expectation maximisation: from any terms, also bad ones."""
    scores = scores_of("bundled", 1_000)
    tree = Tree.of(SIZES, CHAIN)
    terms, evidence = Terms(tree, scores.contrasts), TreeEvidence(tree, scores.evidence)
    ridge = _ridge(terms, dict.fromkeys(tree.pairs, 10.0))
    rng = np.random.default_rng(1)
    for _ in range(5):
        theta = rng.normal(0, 0.5, terms.count)
        value, there = _step(terms, evidence, ridge, theta)
        assert _step(terms, evidence, ridge, there)[0] > value


def test_the_terms_have_the_means_asked_for_but_for_the_penalty() -> None:
    scores = scores_of("mixed", 500)
    terms = Terms(Tree.of(SIZES, CHAIN), scores.contrasts)
    rng = np.random.default_rng(2)
    truth = rng.normal(0, 0.2, terms.count)
    means = terms.moments(terms.calibrated(truth).marginals)
    free = _maximised(terms, means, np.zeros(terms.count), np.zeros(terms.count))
    np.testing.assert_allclose(free, truth, atol=5e-3)
    ridge = rng.gamma(1.0, size=terms.count)
    shrunk = _maximised(terms, means, ridge, truth)
    found = terms.moments(terms.calibrated(shrunk).marginals)
    np.testing.assert_allclose(found, means - ridge * shrunk, atol=2e-4)


@pytest.mark.parametrize("bundles", [(), (("b", "a"),)], ids=["apart", "bundled"])
def test_two_attributes_hardly_shrunk_are_the_most_likely_table(
    bundles: tuple[tuple[str, str], ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Saturated, the model is any table: then it must be what ``joint`` finds most likely."""
    for name in ("WEAKEST", "STRONGEST", "MAIN"):
        monkeypatch.setattr(module, name, 1e-3)
    monkeypatch.setattr(module, "GAIN", 1e-3)
    plan = plan_of((3, 4), "subset", budget=HIGH, bundles=bundles)
    reports = crowd(plan, dependent((3, 4)), 20_000, seed=3, budgets="levels")
    scores = Scores(SoftEvidence.of(reports, ("a", "b")))
    fit = fitted(scores, Tree.of((3, 4), [(0, 1)]), {(0, 1): 0.1})
    expected = joint(reports, ["a", "b"], method="mle").value
    assert total_variation(table_of(fit), expected) < 2e-3


def test_a_known_model_is_found_as_reports_grow() -> None:
    truth = dependent(SIZES, strength=1.5)  # a chain of neighbours
    plan = plan_of(SIZES, "subset", budget=HIGH)
    errors = []
    for n in (1_000, 10_000, 100_000):
        reports = crowd(plan, truth, n, seed=4, budgets="levels")
        scores = Scores(SoftEvidence.of(reports, list(plan.attributes)))
        fit = fitted(scores, Tree.of(SIZES, CHAIN), dict.fromkeys(CHAIN, 0.1))
        errors.append(total_variation(table_of(fit), truth))
    print(errors)
    assert errors[0] > 2 * errors[1] > 3 * errors[2]  # about three times smaller with each
    assert errors[2] < 0.01


@pytest.mark.parametrize("seed", [1, 2])
def test_reports_with_little_information_are_fitted_to_the_end(seed: int) -> None:
    """A plain step goes the part of the way that a report tells: extrapolation must do the rest."""
    truth, budget = dependent((3, 4), strength=2.0), {"average": 1.0, "least": 0.25, "most": 6.0}
    reports = crowd(plan_of((3, 4), budget=budget), truth, 200_000, seed)
    scores = Scores(SoftEvidence.of(reports, ("a", "b")))
    assert scores.information(0, 1).max() < 0.01
    fit = fitted(scores, Tree.of((3, 4), [(0, 1)]), {(0, 1): 0.1})
    tie = np.multiply.outer(np.linspace(-1, 1, 3), np.linspace(-1, 1, 4))
    expected = joint(reports, ["a", "b"], method="mle").value
    assert (table_of(fit) * tie).sum() > 0.85 * (expected * tie).sum()  # stopping early leaves 0.7


def test_a_number_is_fitted_in_its_bins() -> None:
    scores = scores_of("number", 20_000)
    fit = fitted(scores, Tree.of(scores.evidence.shape, [(0, 3)]), {(0, 3): 0.3})
    table = summed(table_of(fit), (0, 3))
    means = table @ np.arange(3) / table.sum(axis=1)
    assert (np.diff(means) > 0.2).all()  # x grows with a
    assert table.sum() == pytest.approx(1)


def test_marginals_are_kept_though_pairs_are_shrunk() -> None:
    """However strongly: the terms of an attribute are hardly penalised."""
    plan = plan_of((3, 4))
    reports = crowd(plan, dependent((3, 4)), 20_000, seed=5)
    scores = Scores(SoftEvidence.of(reports, ("a", "b")))
    fit = fitted(scores, Tree.of((3, 4), [(0, 1)]), {})
    table = table_of(fit)
    for axis in (0, 1):
        own = summed(table, (axis,))
        np.testing.assert_allclose(own, scores.evidence.marginals[axis], atol=0.01)


def test_attributes_that_stand_apart_stay_independent() -> None:
    scores = scores_of("mixed", 2_000)
    fit = fitted(scores, Tree.of(SIZES, [(0, 1)]), {(0, 1): 0.1})
    table = table_of(fit)
    for a, b in combinations(range(4), 2):
        pair = summed(table, (a, b))
        apart = np.outer(summed(table, (a,)), summed(table, (b,)))
        assert (total_variation(pair, apart) < 1e-9) == ((a, b) != (0, 1))


def test_strengths_are_weaker_where_terms_are_large() -> None:
    scores = scores_of("mixed", 500)
    terms = Terms(Tree.of(SIZES, CHAIN), scores.contrasts)
    information, ridge = np.full(terms.count, 1e4), np.ones(terms.count)
    theta = np.zeros(terms.count)
    theta[terms.slices[0, 1]], theta[terms.slices[1, 2]] = 0.5, 0.05
    learnt = _learnt(terms, theta, ridge, information)
    assert learnt[0, 1] < learnt[1, 2] < learnt[2, 3]
    assert _first(terms, (0, 1), 0.5) < _first(terms, (0, 1), 0.01)


def linear(matrix: Table, fixed: Vector) -> Callable[[Vector], tuple[float, Vector]]:
    """Return a step that moves linearly towards a point, and what it gains."""

    def step(theta: Vector) -> tuple[float, Vector]:
        value = -1e4 * float((theta - fixed) @ (theta - fixed))
        return value, fixed + matrix @ (theta - fixed)

    return step


def test_extrapolation_finds_where_slow_steps_lead() -> None:
    """Plain steps keep 98 % of the way; a few extrapolated ones arrive."""
    rng = np.random.default_rng(1)
    basis = np.linalg.qr(rng.normal(size=(4, 4)))[0]
    matrix = basis @ np.diag([0.98, 0.9, 0.7, 0.3]) @ basis.T
    fixed = rng.normal(size=4)
    found = _climbed(linear(matrix, fixed), np.zeros(4), np.ones(4), 12)
    np.testing.assert_allclose(found, fixed, atol=1e-3)
    points, moves = [np.zeros(4)], [fixed - matrix @ fixed]
    np.testing.assert_allclose(_extrapolated(points, moves, np.ones(4)), moves[0])


def test_a_step_too_far_is_taken_back() -> None:
    """A likelihood with a cliff just beyond its top: what is returned is on the near side."""

    def step(theta: Vector) -> tuple[float, Vector]:
        value = -np.inf if theta[0] > 1 else -1e4 * (1 - theta[0])
        return value, np.minimum(theta + 0.1 * (1 - theta) + 0.01, 1.0)

    found = _climbed(step, np.zeros(1), np.ones(1), 12)
    assert 0.3 < found[0] <= 1
