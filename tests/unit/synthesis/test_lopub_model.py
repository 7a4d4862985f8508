"""LoPub's model: separators agree, conditionals are the cliques' own, and cliques stay small."""

from math import prod

import numpy as np
import pytest

from discretion.errors import EstimateError
from discretion.synthesis.file import check
from discretion.synthesis.lopub_model import agreed, limited, lopub_model
from discretion.synthesis.plug_in import Pair, PlugIn, estimated, plug_in
from discretion.synthesis.rows import synthetic
from discretion.table import ReportTable
from tests.unit.joints.crowds import Table, crowd, dependent, plan_of, total_variation

SIZES = (2, 3, 4, 3)
BLOOM = {"bloom": {"hashes": 2, "bits": 8}}
METHODS = ("lasso", "em-lopub", "hybrid")
TRUTH = dependent(SIZES, strength=2.0)


def reports(mechanism: object = "subset", n: int = 3000, seed: int = 5) -> ReportTable:
    plan = plan_of(SIZES, [mechanism] * len(SIZES))  # type: ignore[list-item]
    return crowd(plan, TRUTH, n, seed)


def graph(method: str, *edges: str) -> PlugIn:
    pairs = tuple(Pair(edge[0], edge[1], 1.0, 0.1) for edge in edges)
    return PlugIn(tuple("abcd"), pairs, (), 0.2, method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mechanism", ["subset", BLOOM], ids=["subset", "bloom"])
def test_a_model_can_be_written_and_dealt(method: str, mechanism: object) -> None:
    collected = reports(mechanism)
    model = lopub_model(collected, plug_in(collected, 0.1, method))
    check(model)
    rows = synthetic(model, 500, 1)
    assert rows.column_names == list("abcd")
    assert len(rows) == 500
    assert set(rows["c"].to_pylist()) <= set(collected.plan.questions["c"].attribute.labels)


def test_the_root_stands_and_children_follow_their_own_conditionals() -> None:
    collected = reports()
    model = lopub_model(collected, graph("em-lopub", "ab", "bc", "cd"))
    names, by_axes = "abcd", {clique.axes: clique for clique in model.cliques}
    assert set(by_axes) == {(0, 1), (1, 2), (2, 3)}
    for clique in model.cliques:
        own = estimated(collected, [names[axis] for axis in clique.axes], "em-lopub")
        if clique.parent is None:
            np.testing.assert_array_equal(clique.table, own)
            continue
        rest = tuple(i for i, axis in enumerate(clique.axes) if axis not in clique.separator)
        given = own.sum(axis=rest, keepdims=True)
        np.testing.assert_allclose(clique.conditional, own / given, rtol=1e-9)


def test_the_tables_of_two_cliques_do_disagree_before() -> None:
    collected = reports()
    one, other = (estimated(collected, pair, "em-lopub") for pair in (["a", "b"], ["b", "c"]))
    assert total_variation(one.sum(axis=0), other.sum(axis=1)) > 1e-4


def test_separators_are_the_parents_and_unseen_ones_give_no_information() -> None:
    table = np.array([[0.2, 0.4], [0.1, 0.3], [0.0, 0.0]])  # the separator's last cell is unseen
    given = np.array([0.5, 0.3, 0.2])
    found = agreed(table, (1, 4), (1,), given)
    np.testing.assert_allclose(found.sum(axis=1), given)
    np.testing.assert_allclose(found[0], 0.5 * np.array([1, 2]) / 3)
    np.testing.assert_allclose(found[2], 0.2 * np.array([0.3, 0.7]))
    np.testing.assert_allclose(agreed(table, (1, 4), (), np.ones(())), table)


def test_a_chain_keeps_what_is_known_of_its_ends() -> None:
    """Of a chain the product of conditionals is the truth: only noise is left."""
    plan = plan_of(SIZES, "subset", budget={"levels": [4, 6]})
    collected = crowd(plan, TRUTH, 20_000, 9, missing=0.1, budgets="levels")
    model = lopub_model(collected, graph("em-lopub", "ab", "bc", "cd"))
    ends: Table = TRUTH.sum(axis=(1, 2))
    apart = np.outer(ends.sum(axis=1), ends.sum(axis=0))
    found = model.marginal(["a", "d"])
    assert total_variation(found, ends) < total_variation(apart, ends) / 2


def test_parts_that_do_not_hang_together_are_independent() -> None:
    collected = reports()
    model = lopub_model(collected, graph("em-lopub", "ab"))
    check(model)
    one, two = model.marginal(["a", "d"]), [model.marginal([name]) for name in "ad"]
    np.testing.assert_allclose(one, np.outer(*two), atol=1e-12)


def test_weak_edges_are_left_out_until_cliques_are_small() -> None:
    shape = (4, 4, 4, 4)
    edges = [(0, 1), (1, 2), (2, 3), (0, 2), (0, 3), (1, 3)]
    whole = limited(shape, edges, 256)
    assert whole.cliques == ((0, 1, 2, 3),)
    for cells in (64, 16, 4):
        tree = limited(shape, edges, cells)
        assert max(prod(tree.sizes(clique)) for clique in tree.cliques) <= cells
    assert limited(shape, edges, 64).pairs == tuple(sorted(edges[:5])), "all but the weakest"
    assert limited(shape, edges, 4).pairs == ()
    with pytest.raises(EstimateError, match="cells must be at least 4"):
        limited(shape, edges, 3)
