"""LoPub's model of the whole record: a table for each clique, one by one. For comparison only.

Formula  the graph of dependent pairs is triangulated, the table of each clique is estimated by
         itself (``lasso``, ``em-lopub`` or ``hybrid``), and rows are drawn clique by clique: what
         is new in a clique D given what it shares with those before it, P(D - R | D and R).
Source   Ren et al. (2018), Algorithm 4 from line 15, and Algorithm 6.
Mended   Algorithm 6 goes on to *any* clique that shares an attribute with R. Then what they share
         may lie in no earlier clique as a whole, and dependence is lost; so it goes along the edges
         of a junction tree. The tables of two cliques disagree about their separator: the root's
         stands, and a child's is its conditional times its parent's marginal of the separator, as
         the sampling of Algorithm 6 makes it. Where a child never saw a separator's cell that its
         parent has, what is new in it is taken to be independent of the separator.
Limited  triangulating many edges ends in cliques whose tables no EM gets through; the paper says
         so of five attributes. The weakest edges (by I over tau) are left out until every clique
         has at most so many cells.

It cannot use more than the records that hold all of a clique, nor what one clique says about
another; the order in which the cliques come decides whose separator counts. A large clique is
mostly noise, and so is what is conditional on its rare cells.
"""

from collections.abc import Sequence

import numpy as np

from discretion.errors import EstimateError
from discretion.joints.axes import axes_of
from discretion.joints.likelihood import Table
from discretion.synthesis.model import Clique, Model
from discretion.synthesis.plug_in import PlugIn, estimated
from discretion.synthesis.publish import column_of
from discretion.synthesis.tree import Pair, Tree
from discretion.table import ReportTable

MOST_CELLS = 2000  # of a clique


def lopub_model(reports: ReportTable, found: PlugIn, cells: int = MOST_CELLS) -> Model:
    """Return the model of the cliques of a graph, by the method that found its edges."""
    axes = axes_of(reports, found.attributes, None)
    shape, index_of = tuple(axis.size for axis in axes), found.attributes.index
    edges = [(index_of(one), index_of(other)) for one, other in found.edges]
    tree = limited(shape, edges, cells)
    last, cliques = len(tree.cliques) - 1, list[Clique]()
    for i in reversed(range(len(tree.cliques))):  # parents first
        own, parent, separator = tree.cliques[i], tree.parents[i], tree.separators[i]
        table = estimated(reports, [found.attributes[axis] for axis in own], found.method)
        if parent is not None:
            above = cliques[last - parent]
            table = agreed(table, own, separator, _margin(above.table, above.axes, separator))
        cliques.append(Clique(own, table, None if parent is None else last - parent, separator))
    return Model(tuple(column_of(reports.plan, axis) for axis in axes), tuple(cliques))


def limited(shape: Sequence[int], edges: Sequence[Pair], cells: int) -> Tree:
    """Return the tree of the strongest edges, the first ones, whose cliques are small enough."""
    least = max(shape, default=1)
    if cells < least:
        raise EstimateError(f"cells must be at least {least}, those of one attribute, got {cells}")
    for count in range(len(edges), -1, -1):
        tree = Tree.of(shape, edges[:count])
        if np.diff(tree.first).max() <= cells:
            break
    return tree


def agreed(table: Table, axes: Sequence[int], separator: Sequence[int], given: Table) -> Table:
    """Return the table's conditional on the separator times the separator's given marginal."""
    rest = tuple(i for i, axis in enumerate(axes) if axis not in separator)
    shared = tuple(i for i, axis in enumerate(axes) if axis in separator)
    below = table.sum(axis=rest, keepdims=True)
    alone = table.sum(axis=shared, keepdims=True)
    conditional = np.where(below > 0, table / np.where(below > 0, below, 1), alone)
    return conditional * given.reshape(below.shape)


def _margin(table: Table, axes: Sequence[int], kept: Sequence[int]) -> Table:
    """Sum out all axes but those kept; both tuples are in the order of the attributes."""
    return np.asarray(table.sum(axis=tuple(i for i, axis in enumerate(axes) if axis not in kept)))
