"""The estimate on a tree is least squares, and its variance is that of matrices written out."""

import numpy as np
import pytest

from discretion.estimate.noise import Matrix, Vector
from discretion.mechanism import Tree
from discretion.order.depths import Depth
from discretion.order.shrinkage import shrunk
from discretion.order.tree import LinearTree, Shape, Variance
from tests.cases import for_each

TREES = (
    Tree(8, 2, 3),
    Tree(9, 3, 2),
    Tree(11, 2, 4),
    Tree(10, 3, 3),
    Tree(13, 2, 2),
    Tree(5, 7, 1),
)
WHOLE = (Tree(8, 2, 3), Tree(9, 3, 2))  # with the same number of children everywhere
EXACT = 1e-9  # what sums in another order may differ by


def depths_of(tree: Tree, seed: int = 1) -> list[Depth]:
    """Return noisy shares with a variance of its own at each depth."""
    rng = np.random.default_rng(seed)
    found = []
    for nodes in tree.nodes:
        a, b, s = rng.uniform(0.01, 0.05, 3)
        value = rng.dirichlet(np.ones(nodes)) + rng.normal(0, 0.1, nodes)
        value += (1 - value.sum()) / nodes
        found.append(Depth(value, a + b / nodes, a, b, s / 10))
    return found


def leaf_matrix(tree: Tree) -> Matrix:
    """Return how the leaves follow from the own shares of all nodes: the estimate of units."""
    depths, columns = depths_of(tree), []
    flat = [np.zeros(nodes) for nodes in tree.nodes]
    base = estimated(tree, depths, flat)
    for depth, nodes in enumerate(tree.nodes):
        for node in range(nodes):
            values = [own.copy() for own in flat]
            values[depth][node] = 1
            columns.append(estimated(tree, depths, values) - base)
    return np.column_stack(columns)


def estimated(tree: Tree, depths: list[Depth], values: list[Vector]) -> Vector:
    shape = Shape(tree)
    return shape.down(shape.up(depths, values).values)[-1]


def goals_below(shape: Shape, cut: int) -> Vector:
    """Return which part of each leaf lies below a cut."""
    leaves, width = shape.tree.nodes[-1], shape.tree.widths[-1]
    starts = np.arange(leaves) * width
    wide = np.minimum(width, shape.tree.size - starts)
    return np.clip((cut - starts) / wide, 0, 1)


@for_each("tree", TREES)
def test_true_shares_stay_as_they_are(tree: Tree) -> None:
    """So the estimate is unbiased, whatever the weights are."""
    shape, depths = Shape(tree), depths_of(tree)
    truth = np.random.default_rng(3).dirichlet(np.ones(tree.nodes[-1]))
    masses = shape.masses(truth)
    np.testing.assert_allclose(estimated(tree, depths, masses), truth, atol=EXACT)
    exact = [
        Depth(mass, own.variance, *[own.constant, 0.0, 0.0])
        for mass, own in zip(masses, depths, strict=True)
    ]
    found = shrunk(shape, shape.up(exact, masses))
    for one, parents in zip(found, [np.ones(1), *found[:-1]], strict=True):
        np.testing.assert_allclose(shape.sums(one), parents, atol=EXACT)
        assert (one >= -EXACT).all()


@for_each("tree", WHOLE)
def test_the_estimate_is_generalised_least_squares(tree: Tree) -> None:
    depths, shape = depths_of(tree), Shape(tree)
    leaves = np.eye(tree.nodes[-1])
    design = np.concatenate(
        [np.array([shape.masses(row)[h] for row in leaves]).T for h in range(tree.depths)]
    )
    weights = np.concatenate([np.full(len(own.value), 1 / own.variance) for own in depths])
    y = np.concatenate([own.value for own in depths])
    normal = design.T * weights @ design
    one = np.ones(tree.nodes[-1])
    free = np.linalg.solve(normal, design.T @ (weights * y))
    back = np.linalg.solve(normal, one)
    expected = free + back * (1 - one @ free) / (one @ back)  # the root has all
    found = LinearTree(shape, depths).leaves
    np.testing.assert_allclose(found, expected, atol=EXACT)


@for_each("tree", TREES)
def test_the_variance_of_ranges_is_that_of_all_nodes(tree: Tree) -> None:
    """Each node's coefficient and the covariance of each depth, written out."""
    depths, shape = depths_of(tree), Shape(tree)
    truth = np.random.default_rng(5).dirichlet(np.ones(tree.nodes[-1]))
    masses = shape.masses(truth)
    size = sum(tree.nodes)
    covariance, start = np.zeros((size, size)), 0
    for own, mass in zip(depths, masses, strict=True):
        stop = start + len(mass)
        block = np.diag(own.constant + own.linear * mass) - own.square * np.outer(mass, mass)
        covariance[start:stop, start:stop] = block
        start = stop
    matrix = leaf_matrix(tree)
    whole = matrix @ covariance @ matrix.T
    cuts = np.arange(tree.size + 1)
    goals = np.array([goals_below(shape, cut) for cut in cuts.tolist()])
    expected = goals @ whole @ goals.T
    variance = Variance(LinearTree(shape, depths), truth)
    first, second = (each.ravel() for each in np.meshgrid(cuts, cuts, indexing="ij"))
    found = variance.covariance(first, second).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, atol=EXACT)
    points = np.random.default_rng(6).uniform(0, 9, tree.nodes[-1])
    assert variance.of(points) == pytest.approx(points @ whole @ points, abs=EXACT)


def test_noise_that_is_drawn_has_the_covariance_of_reports() -> None:
    shares, own = np.array([0.6, 0.3, 0.1, 0.0]), Depth(np.zeros(4), 1.0, 0.02, 0.1, 0.05)
    rng = np.random.default_rng(7)
    drawn = np.array([own.noise(shares, rng) for _ in range(20_000)])
    exact = np.diag(0.02 + 0.1 * shares) - 0.05 * np.outer(shares, shares)
    error = np.sqrt(2 / 20_000) * np.diag(exact).max()  # of a variance, at most
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=6 * error)


def test_even_shares_are_drawn_together_and_a_heap_is_not() -> None:
    tree = Tree(1024, 2, 10)
    shape, rng, truth = Shape(tree), np.random.default_rng(8), np.full(1024, 0.5 / 1024)
    truth[512] += 0.5
    masses = shape.masses(truth)
    noise = 0.01**2
    depths = [Depth(m + rng.normal(0, 0.01, len(m)), noise, noise, 0.0, 0.0) for m in masses]
    linear = LinearTree(shape, depths)
    found = shrunk(shape, linear.up)[-1]
    assert found[512] == pytest.approx(0.5, abs=0.03)
    assert (
        np.abs(np.delete(found - truth, 512)).sum()
        < np.abs(np.delete(linear.leaves - truth, 512)).sum() / 4
    )
