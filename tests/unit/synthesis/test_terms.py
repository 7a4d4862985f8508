"""Log-linear models on trees: tables, means and slopes against every cell of the joint."""

import numpy as np
import pytest

from discretion.synthesis.terms import Contrasts, Terms, calibrated
from discretion.synthesis.tree import Tree
from tests.unit.synthesis.trees import (
    TREES,
    Table,
    Vector,
    flat_of,
    placed,
    tree_of,
    whole_of,
)

ROUNDING = 1e-10
STEP = 1e-5  # of a finite difference


def terms_of(name: str) -> Terms:
    """Return the terms of a tree; every other attribute is ordered, frequencies are unequal."""
    tree, rng = tree_of(name), np.random.default_rng(7)
    laws = [rng.dirichlet(np.full(size, 3.0)) for size in tree.shape]
    contrasts = [Contrasts.of(f, ordered=i % 2 == 0) for i, f in enumerate(laws)]
    return Terms(tree, contrasts)


def drawn(terms: Terms, seed: int = 1) -> Vector:
    return np.random.default_rng(seed).normal(0, 0.4, terms.count)


def whole_by_hand(terms: Terms, theta: Vector) -> Table:
    """Return every cell: the product of frequencies times e to the sum of the terms."""
    tree, logs = terms.tree, np.zeros(terms.tree.shape)
    for axis, contrasts in enumerate(terms.contrasts):
        own = np.log(contrasts.frequencies) + contrasts.functions @ theta[terms.slices[(axis,)]]
        logs = logs + placed(own, (axis,), tree.shape)
    for a, b in tree.pairs:
        one, other = terms.contrasts[a], terms.contrasts[b]
        weights = theta[terms.slices[a, b]].reshape(one.size, other.size)
        logs = logs + placed(one.functions @ weights @ other.functions.T, (a, b), tree.shape)
    return np.asarray(np.exp(logs))


def means_by_hand(terms: Terms, whole: Table) -> Vector:
    """Return the mean of every function over all cells."""
    found = np.empty(terms.count)
    for axes, place in terms.slices.items():
        functions = [terms.contrasts[axis].functions for axis in axes]
        others = tuple(i for i in range(whole.ndim) if i not in axes)
        table = whole.sum(axis=others)
        if len(axes) == 1:
            found[place] = table @ functions[0]
        else:
            found[place] = (functions[0].T @ table @ functions[1]).ravel()
    return found


@pytest.mark.parametrize("name", TREES)
def test_tables_are_the_marginals_of_the_normalised_product(name: str) -> None:
    terms = terms_of(name)
    theta = drawn(terms)
    tables, whole = terms.calibrated(theta), whole_by_hand(terms, theta)
    assert tables.log_sum == pytest.approx(np.log(whole.sum()), abs=ROUNDING)
    expected = whole / whole.sum()
    np.testing.assert_allclose(tables.marginals, flat_of(terms.tree, expected), atol=ROUNDING)
    np.testing.assert_allclose(whole_of(terms.tree, tables.conditionals), expected, atol=ROUNDING)


@pytest.mark.parametrize("name", TREES)
def test_any_tables_are_calibrated(name: str) -> None:
    """Not only those of terms: tables with rare cells, far from normalised."""
    tree = tree_of(name)
    logs = np.random.default_rng(3).normal(5, 6, tree.first[-1])
    tables, whole = calibrated(tree, logs), whole_of(tree, np.exp(logs))
    assert tables.log_sum == pytest.approx(np.log(whole.sum()), abs=ROUNDING)
    np.testing.assert_allclose(tables.marginals, flat_of(tree, whole / whole.sum()), atol=ROUNDING)
    for own, clique, separator in zip(tree.slices(), tree.cliques, tree.separators, strict=True):
        new = tuple(i for i, axis in enumerate(clique) if axis not in separator)
        given = tables.conditionals[own].reshape(tree.sizes(clique))
        np.testing.assert_allclose(given.sum(axis=new), 1, atol=ROUNDING)


def test_tables_far_beyond_floats_are_calibrated_too() -> None:
    tree = Tree.of((2, 2, 2), [(0, 1), (1, 2)])
    logs = np.random.default_rng(1).normal(0, 1, 8) + 5_000
    tables = calibrated(tree, logs)
    assert tables.log_sum == pytest.approx(10_000, abs=10)
    assert tables.marginals.sum() == pytest.approx(2)


@pytest.mark.parametrize("name", TREES)
def test_moments_are_means_over_all_cells(name: str) -> None:
    terms = terms_of(name)
    theta = drawn(terms)
    whole = whole_by_hand(terms, theta)
    whole /= whole.sum()
    found = terms.moments(terms.calibrated(theta).marginals)
    np.testing.assert_allclose(found, means_by_hand(terms, whole), atol=ROUNDING)


@pytest.mark.parametrize("name", TREES)
def test_moments_are_the_slope_of_the_log_sum(name: str) -> None:
    terms = terms_of(name)
    theta = drawn(terms)
    slope = [
        (
            terms.calibrated(theta + STEP * unit).log_sum
            - terms.calibrated(theta - STEP * unit).log_sum
        )
        / (2 * STEP)
        for unit in np.eye(terms.count)
    ]
    found = terms.moments(terms.calibrated(theta).marginals)
    np.testing.assert_allclose(found, slope, atol=1e-8)


@pytest.mark.parametrize("name", TREES)
def test_without_terms_all_is_independent(name: str) -> None:
    terms = terms_of(name)
    tables = terms.calibrated(np.zeros(terms.count))
    assert tables.log_sum == pytest.approx(0, abs=ROUNDING)
    np.testing.assert_allclose(terms.moments(tables.marginals), 0, atol=ROUNDING)


def test_every_attribute_and_pair_has_terms_of_its_own() -> None:
    terms = terms_of("ring")
    assert set(terms.slices) == {(0,), (1,), (2,), (3,), *terms.tree.pairs}
    taken = np.concatenate([np.arange(terms.count)[place] for place in terms.slices.values()])
    assert sorted(taken) == list(range(terms.count))
    assert terms.count == 1 + 2 + 1 + 2 + sum(
        (terms.tree.shape[a] - 1) * (terms.tree.shape[b] - 1) for a, b in terms.tree.pairs
    )


def test_higher_degrees_are_shrunk_more_and_attributes_not_at_all() -> None:
    rng = np.random.default_rng(1)
    laws = [rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(3))]
    terms = Terms(Tree.of((4, 3), [(0, 1)]), [Contrasts.of(f, ordered=True) for f in laws])
    assert (terms.penalties[:5] == 0).all()
    expected = [[1, 4], [4, 16], [9, 36]]  # the squares of the products of 1, 2, 3 and of 1, 2
    assert terms.penalties[terms.slices[0, 1]].reshape(3, 2).tolist() == expected
