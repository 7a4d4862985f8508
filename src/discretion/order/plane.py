"""Where two numbers lie: a tree whose nodes are boxes, each of which divides its parent in both.

The cells of a leaf are ordered by the bits of both numbers in turns (``schema.Quadrants``), so that
a node is a run of them and all that is known of trees holds. What differs is which nodes are
neighbours, and that ranges are boxes. See docs/proofs/hierarchy.md, section 7.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

import numpy as np

from discretion.estimate.noise import Matrix, Vector
from discretion.order.evidence import OrderEvidence
from discretion.order.result import LinearRanges
from discretion.order.tree import Cuts, Shape
from discretion.schema import Numeric, Parted, Quadrants

Cut = Sequence[tuple[int, int]]  # of each number the codes below a box, and those up to its end


@dataclass(frozen=True, eq=False)
class Plane(Shape):
    """How the nodes of a tree lie in the plane of two numbers."""

    turns: Sequence[int]  # the number that each bit of a code is of, the most significant first

    def places(self, bits: int) -> list[Cuts]:
        """Return where the nodes of so many bits are, in the one number and in the other."""
        nodes, found = np.arange(1 << bits), [np.zeros(1 << bits, np.int64) for _ in range(2)]
        for k, number in enumerate(self.turns[:bits]):
            found[number] = found[number] << 1 | (nodes >> (bits - 1 - k) & 1)
        return found

    def expected(self, depth: int, parents: Vector) -> Matrix:
        """Return what children have on a plane through the parents' neighbours on all sides."""
        even = np.repeat(parents[:, None] / self.fanout, self.fanout, axis=1)
        if len(parents) == 1:
            return even
        bits = len(parents).bit_length() - 1
        divided = self.turns[bits : bits + 2]
        for number in set(divided):
            own, codes = [turn == number for turn in divided], np.arange(self.fanout)
            taken = codes if all(own) else codes >> 1 if own[0] else codes & 1
            across = (taken + 0.5) / (taken.max() + 1) - 0.5  # where a child's middle is
            most = parents / (len(set(divided)) * across.max())
            slope = np.clip(self._slope(parents, bits, number), -most, most)
            even = even + slope[:, None] / self.fanout * across
        return even

    def _slope(self, parents: Vector, bits: int, number: int) -> Vector:
        """Return half of what the next node has more than the one before, along a number."""
        places = self.places(bits)
        grid = np.zeros([int(own.max()) + 1 for own in places])
        grid[places[0], places[1]] = parents
        ends = [(0, 0), (0, 0)]
        ends[number] = (1, 1)
        padded = np.moveaxis(np.pad(grid, ends, mode="edge"), number, 0)
        steps = np.moveaxis((padded[2:] - padded[:-2]) / 2, 0, number)
        return np.asarray(steps[places[0], places[1]])


@dataclass(frozen=True, eq=False)
class PlaneEvidence(OrderEvidence):
    """All that was reported about where two numbers lie, in one round."""

    @property
    def cells(self) -> Quadrants:
        return cast("Quadrants", self.attribute)

    @property
    def grids(self) -> list[Numeric]:
        """The numbers, each with all of its codes."""
        return [cast("Parted", part).grid for part in self.cells.parts]

    def found(self, boxes: Sequence[Cut]) -> tuple[Vector, Matrix, "LinearBoxes"]:
        """Return the share of each box, how far the redrawn ones are off, and the linear shares."""
        goals = [self.goal(box) for box in boxes]
        value = np.array([float(self.leaves @ goal) for goal in goals])
        deviations = np.stack([self.deviation(goal) for goal in goals], axis=1)
        return value, deviations, LinearBoxes.of(self, boxes)

    @cached_property
    def shape(self) -> Plane:
        return Plane(self.family.tree, self.cells.turns)

    @cached_property
    def _places(self) -> list[Cuts]:
        return self.shape.places(len(self.cells.turns))

    def goal(self, box: Cut) -> Vector:
        """Return which part of each leaf lies in a box."""
        parts = zip(self.cells.parts, box, self._places, strict=True)
        one, other = (inside(cast("Parted", part), *cuts)[at] for part, cuts, at in parts)
        return np.asarray(one * other)

    def deviation(self, goal: Vector) -> Vector:
        """Return how far the redrawn shares of a mean of leaves are off: (redraws,)."""
        return np.asarray(self.redrawn @ goal.astype(np.float32), np.float64)


@dataclass(frozen=True, eq=False)
class LinearBoxes(LinearRanges):
    """Shares of boxes that are linear in the reports."""

    evidence: PlaneEvidence
    boxes: Sequence[Cut]

    @classmethod
    def of(cls, evidence: PlaneEvidence, boxes: Sequence[Cut]) -> "LinearBoxes":
        value = [float(evidence.linear.leaves @ evidence.goal(box)) for box in boxes]
        return cls(np.array(value), evidence, boxes)

    @property
    def goals(self) -> Iterator[Vector]:
        """What each leaf of the tree counts in each box."""
        return map(self.evidence.goal, self.boxes)

    @cached_property
    def stderr(self) -> Vector:
        return np.sqrt(np.maximum([self.evidence.variance.of(goal) for goal in self.goals], 0.0))

    @cached_property
    def covariance(self) -> Matrix:
        return self.evidence.variance.among([*self.goals])


def inside(part: Parted, low: int, high: int) -> Vector:
    """Return which part of each bin has points from one cut up to another."""
    starts = np.array(part.starts)
    shared = np.minimum(starts[1:], high) - np.maximum(starts[:-1], low)
    return np.asarray(np.maximum(shared, 0) / np.diff(starts))
