"""Reports as soft evidence on a tree, against the sum over every cell of the joint."""

from functools import partial

import numpy as np
import pytest

from discretion.joints.allocation import BudgetMixture
from discretion.joints.build import likelihood_of
from discretion.joints.table_evidence import Evidence
from discretion.plan import Family, Plan
from discretion.synthesis.likelihoods import Likelihoods
from discretion.synthesis.soft_evidence import SoftEvidence
from discretion.synthesis.tree import Pair, Tree
from discretion.synthesis.wiring import TreeEvidence
from tests.builders import table_of
from tests.cases import for_each
from tests.unit.joints.crowds import crowd, dependent, exact_rows, plan_of
from tests.unit.synthesis.trees import (
    BUNDLED,
    SIZES,
    Table,
    Vector,
    evidence_of,
    flat_of,
    likelihoods_of,
    placed,
    reports_of,
    whole_of,
)

SINGLE = 5e-5  # means of posteriors in single precision
KINDS = ("mixed", "bundled", "secret", "number")
GRAPHS: dict[str, list[Pair]] = {
    "chain": [(0, 1), (1, 2), (2, 3)],
    "ring": [(0, 1), (1, 2), (2, 3), (0, 3)],
    "parts": [(0, 1), (1, 2)],
}


def a_model(tree: Tree, seed: int = 1) -> tuple[Vector, Table]:
    """Return the probabilities of each clique given its parent, and their joint."""
    rng = np.random.default_rng(seed)
    conditionals = []
    for clique, separator in zip(tree.cliques, tree.separators, strict=True):
        table = rng.gamma(1.0, size=tree.sizes(clique))
        new = tuple(i for i, axis in enumerate(clique) if axis not in separator)
        conditionals.append((table / table.sum(axis=new, keepdims=True)).ravel())
    flat = np.concatenate(conditionals)
    return flat, whole_of(tree, flat)


def brute(rows: Table, whole: Table) -> tuple[float, Table]:
    """Return the log-likelihood and the mean posterior of all cells; rows are (n, cells)."""
    probability = rows @ whole.ravel()
    posterior = (rows * whole.ravel() / probability[:, None]).mean(axis=0)
    return float(np.log(probability).sum()), posterior.reshape(whole.shape)


def _keep(kept: list[Likelihoods], own: Likelihoods) -> int:
    kept.append(own)
    return own.n


def ties_of(evidence: SoftEvidence, tree: Tree) -> Table:
    """Return what pairs add to each cell, by which of its bits are set."""
    found = np.ones((evidence.n, *evidence.shape))
    kept: list[Likelihoods] = []
    evidence.tied(tree.pairs).fold(partial(_keep, kept))
    for pair, ties in zip(tree.pairs, kept[0].ties, strict=True):
        bits = [kept[0].bits[axis] for axis in pair]
        for i in range(evidence.n):
            which = 2 * bits[0][i][:, None] + bits[1][i]
            found[i] *= placed(ties[i][which].astype(np.float64), pair, evidence.shape)
    return found


def test_secret_levels_of_a_pair_are_read_as_joint_tables_read_them() -> None:
    """An owner's levels hang together: the likelihood of both is not a product."""
    plan = plan_of((3, 4), "oue", secret=True)
    reports = crowd(plan, dependent((3, 4)), 500, 7, missing=0.0)
    evidence = SoftEvidence.of(reports, ("a", "b"))
    tree = Tree.of(evidence.shape, [(0, 1)])
    f, _ = a_model(tree)
    pair = Evidence.of(reports, ("a", "b"))
    expected = f * likelihood_of(pair, BudgetMixture.learnt(pair)).slope(f)[1]
    np.testing.assert_allclose(TreeEvidence(tree, evidence).expected(f)[1], expected, rtol=1e-4)


@for_each("graph", GRAPHS)
@for_each("kind", KINDS)
def test_one_pass_is_the_sum_over_all_cells(kind: str, graph: str) -> None:
    evidence = evidence_of(reports_of(kind, 300, missing=0.3))
    tree = Tree.of(evidence.shape, GRAPHS[graph])
    conditionals, whole = a_model(tree)
    assert whole.sum() == pytest.approx(1)
    rows, likelihood = np.ones((evidence.n, *evidence.shape)), likelihoods_of(evidence).values
    for index, question in enumerate(evidence.questions):
        for i in range(evidence.n):
            own = likelihood[evidence.rows(index), i].astype(np.float64).reshape(question.sizes)
            rows[i] *= placed(own, question.axes, evidence.shape)
    if evidence.plan.secret:
        rows *= ties_of(evidence, tree)
    value, posterior = brute(rows.reshape(evidence.n, -1), whole)
    found, means = TreeEvidence(tree, evidence).expected(conditionals)
    assert found == pytest.approx(value, rel=SINGLE)
    np.testing.assert_allclose(means, flat_of(tree, posterior), rtol=SINGLE, atol=SINGLE)


@pytest.mark.parametrize("kind", ["mixed", "bundled"])
def test_posteriors_are_those_of_the_laws_themselves(kind: str) -> None:
    """No likelihood of ours in between: the laws' own probabilities, a report at a time."""
    reports = reports_of(kind, 200, seed=2)
    evidence = evidence_of(reports)
    tree = Tree.of(SIZES, GRAPHS["chain"])
    conditionals, whole = a_model(tree)
    rows = exact_rows(reports, list(reports.plan.attributes))
    assert len(rows) == evidence.n
    expected = flat_of(tree, brute(rows, whole)[1])
    means = TreeEvidence(tree, evidence).expected(conditionals)[1]
    np.testing.assert_allclose(means, expected, rtol=SINGLE, atol=SINGLE)


def test_shards_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    reports = reports_of("bundled", 300, missing=0.3)
    tree = Tree.of(SIZES, GRAPHS["chain"])
    conditionals, _ = a_model(tree)
    value, means = TreeEvidence(tree, evidence_of(reports)).expected(conditionals)
    monkeypatch.setattr("discretion.table.reports.KEPT", 37)
    found, others = TreeEvidence(tree, evidence_of(reports)).expected(conditionals)
    assert found == pytest.approx(value, rel=SINGLE)
    np.testing.assert_allclose(others, means, rtol=SINGLE, atol=1e-7)


def test_a_clique_of_many_open_answers_does_not_overflow() -> None:
    """Ten coins told at the largest level: the product of their likelihoods is beyond a single."""
    names = [f"v{i}" for i in range(10)]
    coins = [
        {"name": name, "kind": "categorical", "values": ["no", "yes"], "mechanism": "grr"}
        for name in names
    ]
    plan = Plan.of({"name": "coins", "attributes": coins, "budget": {"levels": [1, 20]}})
    rows = [dict.fromkeys(names, (20_000, code)) for code in (0, 1)]
    evidence = SoftEvidence.of(table_of(plan, rows), names)
    tree = Tree.of(evidence.shape, [(i, j) for j in range(10) for i in range(j)])
    value, means = TreeEvidence(tree, evidence).expected(np.full(1024, 1 / 1024))
    assert np.isfinite(value)
    expected = np.zeros(1024)
    expected[[0, -1]] = 0.5
    np.testing.assert_allclose(means, expected, atol=1e-6)


def test_a_bundle_reported_in_another_order_is_about_the_right_cells() -> None:
    """The plan's bundle is b+a, the axes are a, b: an open answer must land in its own cell."""
    size = SIZES[1] * SIZES[0]
    level = BUNDLED.questions["b+a"].menu[-1]
    law = BUNDLED.questions["b+a"].law(level, Family.SETS)
    cell = 2 * SIZES[0] + 1  # b2, a1
    y = next(y for y in range(1 << size) if law.support(y) == 1 << cell and law.form.admits(y))
    rows = [{"b+a": (level, y), "c": (250, 1), "d": (250, 1)}]
    evidence = SoftEvidence.of(table_of(BUNDLED, rows), ("a", "b", "c", "d"))
    tree = Tree.of(SIZES, GRAPHS["chain"])
    uniform = np.concatenate(
        [
            np.full(tree.sizes(c), 1.0 / np.prod(tree.sizes([a for a in c if a not in s]))).ravel()
            for c, s in zip(tree.cliques, tree.separators, strict=True)
        ]
    )
    means = TreeEvidence(tree, evidence).expected(uniform)[1]
    home = tree.home((0, 1))
    table = means[tree.slices()[home]].reshape(tree.sizes(tree.cliques[home]))
    assert table.argmax() == 1 * SIZES[1] + 2
