"""Hierarchy: a public random depth of a tree of intervals, and there a law on the code's node.

The tree has ``fanout`` children everywhere and its leaves are cells of neighbouring codes. A device
draws a depth, whatever the code is, and reports the node of that depth that holds the code.

Law      P((h, z) | x) = weights[h] / 2^16 * P_h(z | x // widths[h])
Report   y = h * 256^n + z, with n bytes for z at every depth: its length says nothing
Privacy  the depth does not depend on x, so the largest ratio is the largest of the laws at depths
Source   Cormode, Kulkarni and Srivastava (2019), arXiv:1812.10942: hierarchical histograms. Of
         sampled depths, those near the root are in most ranges, so they are drawn more often.
Proof    docs/proofs/hierarchy.md
"""

from dataclasses import dataclass

from discretion.mechanism.hashed import hadamard, olh
from discretion.mechanism.law import SupportLaw
from discretion.mechanism.layered import WHOLE, Layered
from discretion.mechanism.subset import subset

FADING = 17, 20  # by how much a depth is drawn less often than the one above it
MOST_SET, MOST_HASHED = 1 << 8, 1 << 16  # nodes up to which a law is subset, or olh
MOST_DEPTHS = 20


@dataclass(frozen=True, slots=True)
class Tree:
    """Intervals of codes: at depth 1 those below the root, at the last one the leaves."""

    size: int
    fanout: int
    depths: int

    @property
    def widths(self) -> tuple[int, ...]:
        """The codes of a node at each depth; the last node may have fewer."""
        whole = depths_of(self.size, self.fanout)
        return tuple(self.fanout ** (whole - depth) for depth in range(1, self.depths + 1))

    @property
    def nodes(self) -> tuple[int, ...]:
        """How many there are at each depth."""
        return tuple(-(-self.size // width) for width in self.widths)

    @property
    def weights(self) -> tuple[int, ...]:
        """How often each depth is drawn, over ``WHOLE``; the first one has what rounding leaves."""
        less, more = FADING
        powers = [less**h * more ** (self.depths - 1 - h) for h in range(self.depths)]
        floors = [WHOLE * power // sum(powers) for power in powers]
        return WHOLE - sum(floors[1:]), *floors[1:]


@dataclass(frozen=True, slots=True)
class Hierarchy(Layered):
    """One of the depths of a tree, and a report about the node by the law of that depth."""

    tree: Tree
    laws: tuple[SupportLaw, ...]  # by depth

    @property
    def size(self) -> int:
        return self.tree.size

    @property
    def weights(self) -> tuple[int, ...]:
        return self.tree.weights

    @property
    def widths(self) -> tuple[int, ...]:
        return self.tree.widths


def hierarchy(tree: Tree, level: int) -> Hierarchy:
    """A tree of intervals: subset selection where its nodes are few, local hashing above."""
    return Hierarchy(tree, tuple(_law(nodes, level) for nodes in tree.nodes))


def depths_of(size: int, fanout: int) -> int:
    """Return the depth at which every code is a node of its own."""
    depths = 1
    while fanout**depths < size:
        depths += 1
    return depths


def _law(nodes: int, level: int) -> SupportLaw:
    """Beyond ``MOST_HASHED`` nodes the functions of ``olh`` do not fit in a word."""
    if nodes <= MOST_SET:
        return subset(nodes, level)
    return olh(nodes, level) if nodes <= MOST_HASHED else hadamard(nodes, level)
