"""The junction tree: which attributes stand together, and how the cliques hang together.

The graph of dependent pairs is made chordal, so that a model on it is a tree of cliques. Edges are
added from the strongest on, as long as no clique and not all together grow beyond what can be
fitted; of several orders and limits the graph that holds the most dependence is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import prod
from typing import Self

import numpy as np
import numpy.typing as npt

LIMITS = (256, 512, 1024, 2048, 4096)  # cells of a clique that are tried
MOST_CELLS = 20_000  # of all cliques together
PER_CELL = 4.0  # reports that there should be for each cell of a clique, at least
POWERS = (0.0, 0.5)  # of a pair's cells, that its strength is divided by to order the edges

Pair = tuple[int, int]
Maps = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Tree:
    """Cliques of axes, children before parents; the last one is the root."""

    shape: tuple[int, ...]
    cliques: tuple[tuple[int, ...], ...]
    parents: tuple[int | None, ...]

    @classmethod
    def of(cls, shape: Sequence[int], edges: Sequence[Pair]) -> Self:
        """Triangulate the graph of these edges, and join its cliques to a tree.

        Parts that are not connected hang together by an empty separator.
        """
        import networkx as nx  # slow to import, and seldom needed

        cliques = _cliques(len(shape), edges)
        joints = nx.Graph()
        joints.add_nodes_from(range(len(cliques)))
        for i, j in combinations(range(len(cliques)), 2):
            joints.add_edge(i, j, weight=len(set(cliques[i]) & set(cliques[j])))
        tree = nx.maximum_spanning_tree(joints)
        root = max(range(len(cliques)), key=lambda i: _cells(shape, cliques[i]))
        order = list(nx.dfs_postorder_nodes(tree, root))
        above = {child: parent for parent, child in nx.bfs_edges(tree, root)}
        parents = [order.index(above[c]) if c in above else None for c in order]
        return cls(tuple(shape), tuple(cliques[c] for c in order), tuple(parents))

    @cached_property
    def separators(self) -> tuple[tuple[int, ...], ...]:
        """The axes that each clique shares with its parent."""
        return tuple(
            tuple(a for a in clique if parent is not None and a in self.cliques[parent])
            for clique, parent in zip(self.cliques, self.parents, strict=True)
        )

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Pairs of axes that stand in a clique together."""
        return tuple(sorted({pair for c in self.cliques for pair in combinations(c, 2)}))

    @cached_property
    def first(self) -> npt.NDArray[np.int64]:
        """Where each clique's cells begin among all: (cliques + 1,)."""
        return np.cumsum([0, *(_cells(self.shape, clique) for clique in self.cliques)])

    def slices(self) -> list[slice]:
        """Return the cells of each clique among all."""
        return [slice(a, b) for a, b in zip(self.first, self.first[1:], strict=False)]

    def sizes(self, axes: Sequence[int]) -> tuple[int, ...]:
        return tuple(self.shape[axis] for axis in axes)

    def largest(self, axes: Sequence[int], turn: int) -> tuple[int, ...]:
        """Return the most of some axes that stand in a clique; of several choices, by turns."""
        parts = {tuple(a for a in axes if a in clique) for clique in self.cliques}
        most = max(map(len, parts))
        best = sorted(part for part in parts if len(part) == most)
        return best[turn % len(best)]

    def home(self, axes: Sequence[int]) -> int:
        """Return the first clique that has all of these axes."""
        return next(i for i, clique in enumerate(self.cliques) if set(axes) <= set(clique))

    def map(self, own: Sequence[int], axes: Sequence[int]) -> Maps:
        """Return for each cell of the table of some axes its cell of the table of fewer."""
        where = np.indices(self.sizes(own), np.int32).reshape(len(own), -1)
        if not axes:
            return np.zeros(where.shape[1], np.int32)
        indices = tuple(where[list(own).index(axis)] for axis in axes)
        return np.ravel_multi_index(indices, self.sizes(axes)).astype(np.int32)


def grown(
    shape: Sequence[int], strengths: Mapping[Pair, float], forced: Sequence[Pair], n: int
) -> Tree:
    """Return a tree that holds as much of the strengths as fits.

    Forced pairs come first, if all of them fit; else they are pairs like any others.
    """
    whole = [_cells(shape, clique) for clique in _cliques(len(shape), forced)]
    if max(whole) > LIMITS[-1] or sum(whole) > MOST_CELLS:
        forced = ()
    trees = []
    for limit in _limits(shape, n):
        for power in POWERS:
            order = sorted(strengths, key=lambda e: -strengths[e] / _cells(shape, e) ** power)
            trees.append(_filled(shape, [*forced, *order], len(forced), limit))
    return max(trees, key=lambda tree: sum(strengths.get(pair, 0.0) for pair in tree.pairs))


def _limits(shape: Sequence[int], n: int) -> list[int]:
    """Return limits for a clique that n reports support; any single pair must fit."""
    sizes = sorted(shape)
    least = prod(sizes[-2:])
    return sorted({max(least, min(limit, int(n / PER_CELL))) for limit in LIMITS})


def _filled(shape: Sequence[int], order: Sequence[Pair], forced: int, limit: int) -> Tree:
    edges: list[Pair] = []
    for index, edge in enumerate(order):
        cells = [_cells(shape, clique) for clique in _cliques(len(shape), [*edges, edge])]
        if index < forced or (max(cells) <= limit and sum(cells) <= MOST_CELLS):
            edges.append(edge)
    return Tree.of(shape, edges)


def _cliques(nodes: int, edges: Sequence[Pair]) -> list[tuple[int, ...]]:
    import networkx as nx  # slow to import, and seldom needed

    graph = nx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(edges)
    chordal, _ = nx.complete_to_chordal_graph(graph)
    return sorted(tuple(sorted(clique)) for clique in nx.find_cliques(chordal))


def _cells(shape: Sequence[int], axes: Sequence[int]) -> int:
    return prod(shape[axis] for axis in axes)
