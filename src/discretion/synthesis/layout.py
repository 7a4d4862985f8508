"""Where the attributes stand in a drawing of their dependence: an oval with its names outside.

Names stand on two sides in rows of their own, so that they never overlap, however many; on an oval
a line between two attributes meets no third one. Those that depend strongly face each other.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from discretion.synthesis.dependence import Dependence

if TYPE_CHECKING:
    import networkx as nx

THINNEST, WIDEST = 1.0, 7.0  # of lines, in points or pixels
ROUND = 0.85  # of the height: the width of a high oval


@dataclass(frozen=True)
class Place:
    """A place from -1 to 1, from left to right and from top to bottom."""

    x: float
    y: float

    @property
    def left(self) -> bool:
        """Whether the name stands to the left."""
        return self.x < 0


def rows(attributes: int) -> int:
    """Return how many names stand above each other."""
    return -(-attributes // 2)


def width(height: float, least: float) -> float:
    """Return the width of an oval: that of one for few names, or for many one that is round."""
    return max(least, ROUND * height)


def places(dependence: Dependence) -> Mapping[str, Place]:
    """Return the place of each attribute: from side to side, from the top to the bottom."""
    order = _order(dependence)
    right, left = rows(len(order)), len(order) // 2
    return {
        name: _place(i // 2, left, -1) if i % 2 else _place(i // 2, right, 1)
        for i, name in enumerate(order)
    }


def widths(dependence: Dependence) -> Mapping[tuple[str, str], float]:
    """Return the width of each edge: the strongest is widest, by the root of the strength."""
    top = max((pair.strength for pair in dependence.edges), default=1.0) or 1.0
    return {
        pair.names: THINNEST + (WIDEST - THINNEST) * (pair.strength / top) ** 0.5
        for pair in dependence.edges
    }


def _place(row: int, count: int, side: int) -> Place:
    y = (2 * row + 1) / count - 1
    return Place(side * float(np.sqrt(1 - y * y)), y)


def _order(dependence: Dependence) -> list[str]:
    """Follow the strongest links from the attribute that has most; those without any come last."""
    import networkx as nx  # slow to import, and seldom needed

    graph = dependence.graph
    degree = dict(graph.degree(weight="strength"))
    tree = nx.maximum_spanning_tree(graph, weight="strength")
    order: list[str] = []
    for start in sorted(graph, key=lambda name: (not graph[name], -degree[name])):
        if start not in order:
            order += _walked(tree, start)
    return order


def _walked(tree: "nx.Graph", start: str) -> list[str]:
    """Return what hangs together with an attribute, the strongest links first."""
    seen, waiting = [start], [start]
    while waiting:
        near = [(tree[waiting[-1]][b]["strength"], b) for b in tree[waiting[-1]] if b not in seen]
        if near:
            waiting.append(max(near)[1])
            seen.append(waiting[-1])
        else:
            waiting.pop()
    return seen
