"""Shares that agree all over a tree: the linear estimate, and its variance for any range.

Upwards, a node has the mean of its own share and of its children's sum, weighted by their
variances. Downwards, children divide what their parent has between them, beginning with the root,
which has all. That is generalised least squares. Weights follow from the laws and the numbers of
reports at each depth, never from the answers, so the estimate is linear and unbiased.

The share of a range is a sum over the families in which it does not have all children alike or
none: two at each depth. So its variance is a sum of as many terms, with the variance that each
depth has at the estimated shares. Derivation: docs/proofs/hierarchy.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from discretion.estimate.noise import Matrix, Vector
from discretion.mechanism import Tree
from discretion.order.depths import Depth

Cuts = npt.NDArray[np.int64]  # codes below a cut: 0 to size


class Upwards(NamedTuple):
    """What is known of each node from itself and everything below it."""

    values: list[Vector]  # by depth
    variances: list[float]
    own: list[float]  # the weight of the node's own share


@dataclass(frozen=True, eq=False)
class Shape:
    """How the nodes of a tree lie in families; the last family of a depth may be smaller."""

    tree: Tree

    @property
    def fanout(self) -> int:
        return self.tree.fanout

    def families(self, values: Vector) -> Matrix:
        """Return the values of a depth by family, (families, fanout); 0 for who is not there."""
        missing = -len(values) % self.fanout
        return np.pad(values, (0, missing)).reshape(-1, self.fanout)

    def children(self, depth: int) -> Vector:
        """Return how many children each family of a depth has."""
        nodes = self.tree.nodes[depth]
        counts = np.full(-(-nodes // self.fanout), float(self.fanout))
        counts[-1] -= -nodes % self.fanout
        return counts

    def sums(self, values: Vector) -> Vector:
        """Return the sum of each family: a value for each node one depth up."""
        return self.families(values).sum(axis=1)

    def spread(self, values: Vector, nodes: int) -> Vector:
        """Return for each of so many nodes the value of its parent."""
        return np.repeat(values, self.fanout)[:nodes]

    def masses(self, leaves: Vector) -> list[Vector]:
        """Return the shares of the nodes of all depths."""
        found = [leaves]
        for _ in range(self.tree.depths - 1):
            found.insert(0, self.sums(found[0]))
        return found

    def weights(self, noise: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return by depth the variance of a node's combined share, and the weight of its own."""
        variances, own = [noise[-1]], [1.0]
        for at_depth in noise[-2::-1]:
            below = self.fanout * variances[0]
            own.insert(0, below / (below + at_depth))
            variances.insert(0, own[0] * at_depth)
        return variances, own

    def up(self, depths: Sequence[Depth], values: Sequence[Vector]) -> Upwards:
        """Combine shares of the depths upwards; the noise is that of ``depths``."""
        variances, own = self.weights([depth.variance for depth in depths])
        found = [values[-1]]
        for value, weight in zip(values[-2::-1], own[-2::-1], strict=True):
            found.insert(0, weight * value + (1 - weight) * self.sums(found[0]))
        return Upwards(found, variances, own)

    def down(self, values: Sequence[Vector]) -> list[Vector]:
        """Return shares that add up to those of the parents, and to one at the root."""
        found, whole = [], np.ones(1)
        for depth, own in enumerate(values):
            counts = self.children(depth)
            lacking = (whole - self.sums(own)) / counts
            whole = own + self.spread(lacking, len(own))
            found.append(whole)
        return found

    def expected(self, depth: int, parents: Vector) -> Matrix:
        """Return what children of such parents have on a line through the parents' neighbours."""
        even = np.repeat(parents[:, None] / self.fanout, self.fanout, axis=1)
        if len(parents) < 4:
            return even
        padded = np.concatenate([parents[:1], parents, parents[-1:]])
        most = 2 * parents * self.fanout / (self.fanout - 1)
        slope = np.clip((padded[2:] - padded[:-2]) / 2, -most, most)
        places = np.arange(self.fanout) - (self.fanout - 1) / 2
        return even + slope[:, None] / self.fanout**2 * places

    def below(self, cuts: Cuts, leaves: Vector) -> Vector:
        """Return the share below each cut, spread evenly within a leaf."""
        width = self.tree.widths[-1]
        total = np.concatenate([[0.0], np.cumsum(leaves)])
        at = np.minimum(cuts // width, len(leaves) - 1)
        return np.asarray(total[at] + leaves[at] * self.part_of(at, cuts))

    def inside(self, low: int, high: int) -> Vector:
        """Return which part of each leaf has codes from one cut up to another."""
        leaves = np.arange(self.tree.nodes[-1])
        below = (np.clip(self.part_of(leaves, leaves * 0 + cut), 0, 1) for cut in (high, low))
        return np.subtract(*below)

    def part_of(self, at: Cuts, cuts: Cuts) -> Vector:
        """Return which part of a leaf lies below a cut; the last leaf may be narrower."""
        width = self.tree.widths[-1]
        wide = np.minimum(width, self.tree.size - at * width)
        return np.asarray((cuts - at * width) / wide)

    def contrasts(self, goals: Vector) -> list[Vector]:
        """Return by depth how far each node's goal is from its family's mean.

        The goal of a leaf is what it counts in a mean; that of another node its children's mean.
        """
        found = list[Vector]()
        for depth in range(self.tree.depths - 1, -1, -1):
            means = self.sums(goals) / self.children(depth)
            found.insert(0, goals - self.spread(means, len(goals)))
            goals = means
        return found

    def coefficients(self, contrasts: Sequence[Vector], own: Sequence[float]) -> list[Vector]:
        """Return with what each node counts in the mean, its own share with ``own`` of that."""
        found, kept, parents = list[Vector](), 0.0, np.zeros(1)
        for contrast, weight in zip(contrasts, own, strict=True):
            parents = contrast + kept * self.spread(parents, len(contrast))
            found.append(parents)
            kept = 1 - weight
        return found


@dataclass(frozen=True, eq=False)
class LinearTree:
    """The linear estimate of all shares of a tree."""

    shape: Shape
    depths: Sequence[Depth]

    @cached_property
    def up(self) -> Upwards:
        return self.shape.up(self.depths, [depth.value for depth in self.depths])

    @cached_property
    def leaves(self) -> Vector:
        return self.shape.down(self.up.values)[-1]

    def below(self, cuts: Cuts) -> Vector:
        """Return the estimated share below each cut."""
        return self.shape.below(cuts, self.leaves)


class Path(NamedTuple):
    """The nodes that hold some cuts, from depth 1 down."""

    nodes: list[Cuts]  # by depth, (cuts,)
    contrasts: list[Matrix]  # by depth, (cuts, fanout): of the family of that node


@dataclass(frozen=True, eq=False)
class Variance:
    """The covariance of what the linear estimate says, at given shares of the leaves.

    A node counts with its coefficient k: its own share is weighted with it, and of what its
    children get, each has what is left. A subtree without a cut has one coefficient, so its part
    is k^2 times ``held``, which is summed up once for all nodes.
    """

    linear: LinearTree
    leaves: Vector

    @property
    def shape(self) -> Shape:
        return self.linear.shape

    @cached_property
    def masses(self) -> list[Vector]:
        return self.shape.masses(np.maximum(self.leaves, 0.0))

    @cached_property
    def own(self) -> list[Vector]:
        """The variance of each node's own share, with its weight in the node's."""
        parts = zip(self.linear.depths, self.masses, self.linear.up.own, strict=True)
        return [w**2 * (depth.constant + depth.linear * mass) for depth, mass, w in parts]

    @cached_property
    def held(self) -> list[Vector]:
        """The variance of a node and all below it, where its coefficient is 1."""
        found = [self.own[-1]]
        for own, weight in zip(self.own[-2::-1], self.linear.up.own[-2::-1], strict=True):
            found.insert(0, own + (1 - weight) ** 2 * self.shape.sums(found[0]))
        return found

    def of(self, goals: Vector) -> float:
        """Return the variance of a mean of leaves: ``goals`` is what each counts."""
        return float(self.among([goals])[0, 0])

    def among(self, goals: Sequence[Vector]) -> Matrix:
        """Return the covariance of means of leaves, (goals, goals)."""
        up, total = self.linear.up.own, np.zeros((len(goals), len(goals)))
        counted = [self.shape.coefficients(self.shape.contrasts(goal), up) for goal in goals]
        parts = zip(
            zip(*counted, strict=True), self.linear.depths, up, self.own, self.masses, strict=True
        )
        for nodes, at, weight, own, mass in parts:
            each = np.stack(nodes)
            drawn = weight * (each @ mass)
            total += (each * own) @ each.T - at.square * np.outer(drawn, drawn)
        return total

    def covariance(self, first: Cuts, second: Cuts) -> Vector:
        """Return the covariance of the shares below the cuts of each pair."""
        one, other = self._path(first), self._path(second)
        total, kept = np.zeros(len(first)), 0.0
        here = there = np.zeros((2, len(first)))  # both coefficients of the node on either path
        drawn = np.zeros((2, len(first)))
        for depth, weight in enumerate(self.linear.up.own):
            a, b = one.nodes[depth], other.nodes[depth]
            own = np.stack([one.contrasts[depth], other.contrasts[depth]])
            families = a // self.shape.fanout, b // self.shape.fanout
            same = families[0] == families[1]
            joined = np.where(same[:, None], own, 0.0)
            of_one = np.stack([own[0], joined[1]]) + kept * here[:, :, None]
            of_other = np.stack([joined[0], own[1]]) + kept * there[:, :, None]
            total += self._family(depth, families[0], (a, b), of_one)
            total += np.where(same, 0.0, self._family(depth, families[1], (a, b), of_other))
            masses = [self._at(self.masses[depth], family) for family in families]
            drawn = (own * np.stack(masses)).sum(axis=2) + kept * drawn
            total -= self.linear.depths[depth].square * weight**2 * drawn[0] * drawn[1]
            rows, kept = np.arange(len(first)), 1 - weight
            here = of_one[:, rows, a % self.shape.fanout]
            there = of_other[:, rows, b % self.shape.fanout]
        return total

    def _family(
        self, depth: int, family: Cuts, on_paths: tuple[Cuts, Cuts], coefficients: Matrix
    ) -> Vector:
        """Sum up a family: what nodes on a path hold comes with the depths below."""
        nodes = family[:, None] * self.shape.fanout + np.arange(self.shape.fanout)
        on_path = (nodes == on_paths[0][:, None]) | (nodes == on_paths[1][:, None])
        own, held = (self._at(each[depth], family) for each in (self.own, self.held))
        part = np.where(on_path, own, held)
        return np.asarray((coefficients[0] * coefficients[1] * part).sum(axis=1))

    def _at(self, values: Vector, family: Cuts) -> Matrix:
        return self.shape.families(values)[family]

    def _path(self, cuts: Cuts) -> Path:
        """Return the way down to each cut, with the contrasts of its families."""
        tree, fanout = self.shape.tree, self.shape.fanout
        places = np.arange(fanout)
        nodes = [np.minimum(cuts // w, n - 1) for w, n in zip(tree.widths, tree.nodes, strict=True)]
        contrasts: list[Matrix] = []
        part = self.shape.part_of(nodes[-1], cuts)
        for depth in range(tree.depths - 1, -1, -1):
            family, place = np.divmod(nodes[depth], fanout)
            counts = self.shape.children(depth)[family]
            goals = np.where(places < place[:, None], 1.0, 0.0)
            goals[places == place[:, None]] = part
            part = goals.sum(axis=1) / counts
            there = places < counts[:, None]
            contrasts.insert(0, np.where(there, goals - part[:, None], 0.0))
        return Path(nodes, contrasts)
