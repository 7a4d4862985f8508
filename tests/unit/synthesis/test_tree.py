"""Junction trees: of any graph, cliques hang together as they must; what is grown keeps limits."""

from itertools import combinations
from math import prod

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discretion.synthesis import tree as module
from discretion.synthesis.tree import LIMITS, PER_CELL, Pair, Tree, grown

Graph = tuple[tuple[int, ...], list[Pair]]


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> Graph:
    """Shapes and edges, often in several parts."""
    shape = tuple(draw(st.lists(st.integers(2, 5), min_size=1, max_size=most)))
    pairs = list(combinations(range(len(shape)), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return shape, edges


def cells(tree: Tree) -> list[int]:
    return [prod(tree.sizes(clique)) for clique in tree.cliques]


@given(graphs())
def test_the_cliques_of_an_axis_hang_together(graph: Graph) -> None:
    """The running intersection property: what two cliques share, all between them have."""
    tree = Tree.of(*graph)
    for axis in range(len(tree.shape)):
        own = {i for i, clique in enumerate(tree.cliques) if axis in clique}
        assert own
        tops = [i for i in own if tree.parents[i] not in own]
        assert len(tops) == 1


@given(graphs())
def test_children_come_before_parents_and_the_root_is_last(graph: Graph) -> None:
    tree = Tree.of(*graph)
    assert [i for i, parent in enumerate(tree.parents) if parent is None] == [len(tree.cliques) - 1]
    assert all(parent is None or parent > i for i, parent in enumerate(tree.parents))
    for clique, parent, separator in zip(tree.cliques, tree.parents, tree.separators, strict=True):
        shared = set() if parent is None else set(clique) & set(tree.cliques[parent])
        assert set(separator) == shared
        assert len(separator) < len(clique)  # or the clique would be part of its parent


@given(graphs())
def test_edges_stand_in_cliques_and_cliques_are_those_of_a_chordal_graph(graph: Graph) -> None:
    shape, edges = graph
    tree = Tree.of(shape, edges)
    assert set(edges) <= set(tree.pairs)
    filled = nx.Graph(list(tree.pairs))
    filled.add_nodes_from(range(len(shape)))
    assert len(filled) < 2 or nx.is_chordal(filled)
    assert {frozenset(c) for c in tree.cliques} == {frozenset(c) for c in nx.find_cliques(filled)}
    original = nx.Graph(edges)
    original.add_nodes_from(range(len(shape)))
    assert set(map(frozenset, nx.connected_components(original))) == set(
        map(frozenset, nx.connected_components(filled))
    )  # parts are joined by empty separators, not by edges
    if nx.is_forest(original):
        assert set(tree.pairs) == set(edges)  # nothing is filled in


@given(graphs())
def test_maps_find_the_cell_of_a_table_of_some_axes(graph: Graph) -> None:
    tree = Tree.of(*graph)
    for i, clique in enumerate(tree.cliques):
        axes = tuple(reversed(clique))
        expected = np.arange(cells(tree)[i]).reshape(tree.sizes(axes)).transpose().ravel()
        assert tree.map(clique, axes).tolist() == expected.tolist()
        assert tree.map(clique, ()).tolist() == [0] * cells(tree)[i]
        first = np.indices(tree.sizes(clique))[0].ravel()
        assert tree.map(clique, clique[:1]).tolist() == first.tolist()
        assert set(clique) <= set(tree.cliques[tree.home(clique)])
    assert [s.stop - s.start for s in tree.slices()] == cells(tree)


@given(graphs(most=7), st.integers(10, 3000), st.integers(0, 99))
def test_what_is_grown_keeps_its_limits_and_forced_pairs(graph: Graph, n: int, seed: int) -> None:
    shape, edges = graph
    strengths = dict(zip(edges, np.random.default_rng(seed).random(len(edges)), strict=True))
    forced = edges[:1]
    tree = grown(shape, strengths, forced, n)
    limit = max(prod(sorted(shape)[-2:]), min(LIMITS[-1], int(n / PER_CELL)))
    assert max(cells(tree)) <= limit
    assert set(forced) <= set(tree.pairs)
    if not edges or nx.is_forest(nx.Graph(edges)):
        assert set(edges) <= set(tree.pairs)  # a tree always fits


def test_all_cells_together_are_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = (5,) * 8
    strengths = {pair: 1 / (1 + sum(pair)) for pair in combinations(range(8), 2)}
    free = grown(shape, strengths, [], 10**6)
    monkeypatch.setattr(module, "MOST_CELLS", 300)
    tree = grown(shape, strengths, [], 10**6)
    assert sum(cells(tree)) <= 300 < sum(cells(free))


def test_forced_pairs_stand_together_even_beyond_the_limits() -> None:
    shape = (9, 9, 9)
    forced = [(0, 1), (0, 2), (1, 2)]
    assert grown(shape, {}, forced, 10).cliques == ((0, 1, 2),)


def test_the_strongest_edges_are_kept_where_not_all_fit() -> None:
    """A clique of three has 512 cells, and 400 reports support no more than a pair."""
    strengths = {(0, 1): 0.1, (1, 2): 0.3, (0, 2): 0.2}
    assert set(grown((8, 8, 8), strengths, [], 400).pairs) == {(1, 2), (0, 2)}
    assert set(grown((8, 8, 8), strengths, [], 4000).pairs) == set(strengths)
