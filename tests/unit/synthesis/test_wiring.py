"""How the axes of a clique are parted: nothing that comes in is about both halves."""

from math import prod

import numpy as np
from hypothesis import given

from discretion.synthesis.tree import Tree
from discretion.synthesis.wiring import Circuit, halved
from tests.unit.synthesis.test_tree import Graph, graphs


def circuit(graph: Graph) -> Circuit:
    tree = Tree.of(*graph)
    return Circuit(tree, tuple((axis,) for axis in range(len(tree.shape))))


@given(graphs())
def test_nothing_that_comes_in_is_about_both_halves(graph: Graph) -> None:
    own = circuit(graph)
    for clique, separator, halves, inputs in zip(
        own.tree.cliques, own.tree.separators, own.halves, own.inputs, strict=True
    ):
        assert sorted(halves.axes) == sorted(clique)
        assert not set(separator) & set(halves.right)
        for coming in inputs:
            sides = [halves.holds(side, coming.axes) for side in (halves.left, halves.right)]
            assert sum(sides) == 1


@given(graphs())
def test_every_question_and_every_child_comes_in_once(graph: Graph) -> None:
    own = circuit(graph)
    inputs = [coming for clique in own.inputs for coming in clique]
    assert len(inputs) == len(own.wiring.rows) == len(own.tree.shape) + len(own.tree.cliques) - 1
    tall = [coming.height or prod(own.tree.sizes(coming.axes)) for coming in inputs]
    taken = sorted(
        row for i, height in zip(inputs, tall, strict=True) for row in range(i.row, i.row + height)
    )
    assert taken == list(range(own.wiring.out[-1]))  # all rows but the root's own


@given(graphs())
def test_the_order_of_cells_is_one_of_all(graph: Graph) -> None:
    own = circuit(graph)
    assert sorted(own.order.tolist()) == list(range(own.tree.first[-1]))
    np.testing.assert_array_equal(own.wiring.shapes.prod(axis=1), np.diff(own.tree.first))


def test_an_axis_that_children_share_with_others_is_gone_through() -> None:
    tree = Tree((4, 5, 6), ((0, 1, 2),), (None,))
    apart = halved((0, 1, 2), (), [(0,), (1,), (2,)], tree)
    assert apart.through == ()
    assert {apart.left, apart.right} == {(0, 1), (2,)}  # 20 + 6 cells are the fewest
    across = halved((0, 1, 2), (0, 1), [(1, 2)], tree)
    assert (across.through, across.left, across.right) == ((1,), (0,), (2,))
